import ArgumentParser
import Inertial
import Plotting

/// `--plot` of commands that draw what they found.
struct FigureArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Draw what was found: .svg, .pdf or .png, by the name.", valueName: "path"))
  var plot: String?

  func validate() throws {
    if let plot, Figure.Format(path: plot) == nil {
      throw ValidationError("--plot takes a name that ends in .svg, .pdf or .png, not '\(plot)'")
    }
  }

  /// Writes the figure where it was asked for; gives back its path.
  func write(_ figure: @autoclosure () -> Figure, _ page: PageArguments, force: Bool) throws(FusionError) -> [String] {
    guard let plot else { return [] }
    var figure = figure()
    figure.style = page.style
    do throws(OutputError) {
      try figure.write(to: plot, force: force)
    } catch {
      throw FusionError(error)
    }
    return [plot]
  }
}
