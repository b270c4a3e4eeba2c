import ArgumentParser
import Inertial
import InertialFigures

/// `--plot` of commands that draw what they found.
struct FigureArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Draw what was found: .svg, .pdf or .png, by the name.", valueName: "path"))
  var plot: String?

  func validate() throws {
    if let plot, Figure.Format(path: plot) == nil {
      throw ValidationError("--plot takes a name that ends in .svg, .pdf or .png, not '\(plot)'")
    }
  }

  /// - Throws: for an option of a page that nothing is drawn on, or that its format has no use for.
  func check(_ page: PageArguments) throws {
    if let option = page.given, plot == nil {
      throw ValidationError("\(option) is of a figure; add --plot FILE, or leave it out")
    }
    if page.dpi != nil, let plot, Figure.Format(path: plot) != .png {
      throw ValidationError("--dpi is for png, not '\(plot)'; leave it out")
    }
  }

  /// Writes the figure where it was asked for; gives back its path.
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
  do throws(OutputError) {
    bytes = try figure.bytes(as: format)
  } catch {
    throw FusionError(error)
  }
  try files.write(bytes, to: path)
}
