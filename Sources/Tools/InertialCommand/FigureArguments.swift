import ArgumentParser
import Inertial
import InertialFigures

/// The option `--plot` of commands that can draw their results.
struct FigureArguments: ParsableArguments {
  @Option(help: ArgumentHelp("A figure of the results: .svg, .pdf or .png, by the name.", valueName: "path"))
  var plot: String?

  func validate() throws {
    if let plot, Figure.Format(path: plot) == nil {
      throw ValidationError("--plot takes a name that ends in .svg, .pdf or .png, not '\(plot)'")
    }
  }

  /// Checks the options.
  ///
  /// - Throws: `ValidationError` if a page option is given without a figure, or does not apply to its format.
  func check(_ page: PageArguments) throws {
    if let option = page.given, plot == nil {
      throw ValidationError("\(option) applies to a figure; add --plot FILE, or leave it out")
    }
    if page.dpi != nil, let plot, Figure.Format(path: plot) != .png {
      throw ValidationError("--dpi is for png, not '\(plot)'; leave it out")
    }
  }

  /// Writes the requested figure and returns its path.
  func write(
    _ figure: @autoclosure () -> Figure, _ page: PageArguments, to files: OutputFiles
  ) throws(FusionError) -> [String] {
    guard let plot, let format = Figure.Format(path: plot) else { return [] }
    var figure = figure()
    figure.style = page.style
    try writeFigure(figure, as: format, to: files, plot)
    return [plot]
  }
}

/// Writes a figure to one of a command's files.
func writeFigure(
  _ figure: Figure, as format: Figure.Format, to files: OutputFiles, _ path: String
) throws(FusionError) {
  let bytes: [UInt8]
  do throws(OutputError) { bytes = try figure.bytes(as: format) } catch { throw FusionError(error) }
  try files.write(bytes, to: path)
}
