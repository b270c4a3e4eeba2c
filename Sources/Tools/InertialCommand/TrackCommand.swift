import ArgumentParser
import Inertial
import InertialEssentials
import InertialSystem

struct TrackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track",
    abstract:
      "Estimate the path of a device: position and velocity with their sigmas, in addition to the fused columns.",
    discussion: """
      The path uses zero-velocity updates (foot), step lengths (pocket, hand, body), the non-holonomic constraint (vehicle) and \
      position fixes. The placement of the device determines which of these are used; auto detects it from the motion \
      and prints the reason. Without such aiding there is no path: for example for a thrown phone, a boat or a person \
      who does not walk. \
      The path uses the whole log; --online gives that of a stream. --smooth also uses the whole log for the attitudes. \
      The sigmas state the uncertainty.

      Examples:
        inertial track SHOE.csv --on foot
        inertial track PHONE --on hand --height 1.82 -o path.csv
        inertial track LOOP.csv --on foot --closed
        inertial track DRIVE --smooth --map drive.geojson
        inertial track walk.csv --format csv,tum

      The start is 0; X, Y and Z are the axes of the frame, Z up; with position fixes, 0 is the first fix, X is north and Y west. \
      Columns: inertial help columns. fuse --with track writes the same columns.
      """)

  @Argument(help: ArgumentHelp("A log: file or folder.", valueName: "input"))
  var input: String

  @OptionGroup(title: "Path") var track: TrackArguments
  @Flag(
    help:
      "Close the loop of a foot-mounted path that ends at its start."
  )
  var closed = false
  @Option(
    help: ArgumentHelp(
      "An additional file with the path in geographic coordinates: .geojson, .gpx or .kml, by the extension. Needs position fixes, or --latitude and --longitude of the start.",
      valueName: "path"))
  var map: String?

  @OptionGroup(title: "Output") var writing: OutputArguments
  @OptionGroup(title: "Attitude") var attitude: AttitudeArguments
  @OptionGroup(title: "Gaps and bad samples") var quality: QualityArguments
  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws {
    if let map, MapFormat(path: map) == nil {
      throw ValidationError("--map takes a name that ends in .geojson, .gpx or .kml, not '\(map)'")
    }
  }

  func run() throws {
    var options = try FusionOptions(attitude, quality, log, track: track.options, writing: writing)
    options.recognitions = [.track]
    options.track.isClosed = closed
    let job = FusionJob(
      input: input, output: writing.file.output ?? Self.defaultOutput(input, options), options: options)
    let report = try ProgressBar.during(input) { try job.run(mapPath: map, progress: $0) }
    for warning in report.log.warnings { Console.warning("\(input): \(warning)") }
    guard let path = report.path else { return }
    if path.opening?.isUnlikely == true {
      Console.warning(
        "\(input): the estimated path is unlikely to end at its start; if it is not a loop, leave --closed out")
    }
    if writing.json { try printJSON(path.document(of: report, map: map)) } else { printText(report, path) }
    if let lack = path.missingInputReason {
      Console.error("\(input): no path: \(lack)")
      throw ExitCode(1)
    }
  }

  private static func defaultOutput(_ input: String, _ options: FusionOptions) -> String {
    input.withoutSlashesAtEnd + ".track." + (options.formats.first ?? .csv).fileExtension
  }

  /// Prints the human-readable summary, on standard error if the dataset is on standard output.
  private func printText(_ fusion: FusionJob.Report, _ path: PathReport) {
    let (output, rows) = (fusion.output, counted(fusion.rowCount, "row"))
    // A path starts with the first fix or step.
    let start = path.delay > 1 ? " from \(fixed(path.delay, 1)) s after the start of the log" : ""
    var lines = ["track   \(fusion.job.input) on \(path.on.rawValue): \(path.decision)"]
    if path.missingInputReason != nil {
      lines.append("wrote   \(output): \(rows), with empty path columns")
    } else {
      lines += [
        "        \(fixed(path.length, 1)) m of path\(start), \(counted(path.steps, "step")); ends "
          + "\(fixed(path.distance, 2)) m from the start, \(fixed(path.height, 2)) m above it",
        "        sigma of the end \(fixed(path.sigma, 2)) m horizontal, \(fixed(path.heightSigma, 2)) m vertical",
      ]
      if let opening = path.opening {
        lines.append(
          "        loop closed; before, it ended \(fixed(opening.distance, 2)) m from the start, sigma "
            + "\(fixed(opening.sigma, 2)) m")
      }
      lines.append("wrote   \(output): \(rows)\(map.map { ", \($0)" } ?? "")")
    }
    printLines(lines, besides: fusion.job.output)
  }
}
