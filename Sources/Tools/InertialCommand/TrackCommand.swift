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
      The sigmas state the uncertainty.

      Examples:
        inertial track SHOE.csv --on foot --smooth
        inertial track PHONE --on hand --height 1.82 -o path.csv
        inertial track LOOP.csv --on foot --smooth --closed
        inertial track DRIVE --smooth --map drive.geojson
        inertial track walk.csv --format csv,tum

      The start is 0; X, Y and Z are the axes of the frame, Z up; in a vehicle, X is north and Y west of the first fix. \
      Columns: inertial help columns. fuse --with track writes the same columns.
      """)

  @Argument(help: ArgumentHelp("A log: file or folder.", valueName: "input"))
  var input: String

  @OptionGroup(title: "Path") var track: TrackArguments
  @Flag(
    help:
      "Close the loop of a foot-mounted path that ends at its start. Requires --smooth."
  )
  var closed = false
  @Option(
    help: ArgumentHelp(
      "An additional file with the path in geographic coordinates: .geojson, .gpx or .kml, by the extension. Needs position fixes, or --latitude and --longitude of the start.",
      valueName: "path"))
  var map: String?

  @OptionGroup(title: "Output") var writing: OutputArguments
  @OptionGroup(title: "Attitude") var attitude: AttitudeArguments
  @OptionGroup(title: "Attitude") var place: PlaceArguments
  @OptionGroup(title: "Attitude") var filterArguments: FilterArguments
  @OptionGroup(title: "Gaps and bad samples") var quality: QualityArguments
  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws {
    if let map, MapFormat(path: map) == nil {
      throw ValidationError("--map takes a name that ends in .geojson, .gpx or .kml, not '\(map)'")
    }
  }

  func run() throws {
    var options = try FusionOptions(attitude, place, filterArguments, quality, log)
    options.recognitions = [.track]
    options.track = track.options
    options.track.isClosed = closed
    try writing.apply(to: &options)
    let job = FusionJob(
      input: input, output: writing.file.output ?? Self.defaultOutput(input, options), options: options)
    var bar = ProgressBar(input)
    defer { bar.end() }
    let report = try job.run(mapPath: map) { bar.show($0) }
    bar.end()
    for warning in report.log.warnings { Console.warning("\(input): \(warning)") }
    if report.path?.opening?.isUnlikely == true {
      Console.warning(
        "\(input): the estimated path is unlikely to end at its start; if it is not a loop, leave --closed out")
    }
    let document = TrackDocument(report, input: input, map: map)
    if writing.json { try printJSON(document) } else { document.print(toStandardError: job.output == "-") }
    if let lack = document.lack {
      Console.error("\(input): no path: \(lack)")
      throw ExitCode(1)
    }
  }

  private static func defaultOutput(_ input: String, _ options: FusionOptions) -> String {
    var path = input
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path + ".track." + (options.formats.first ?? .csv).fileExtension
  }
}

/// The result of `track`.
struct TrackDocument: Encodable {
  var input: String
  var output: String
  var map: String?
  /// The carrier of the device, and the reason for this decision.
  var on: String
  var reason: String
  var rows: Int
  /// The path length, the horizontal distance from start to end, and the height difference, in m; null if there is no
  /// path.
  @Nullable var length: Double?
  @Nullable var distance: Double?
  @Nullable var height: Double?
  /// The standard deviations of the end, horizontally and in height, in m; null if there is no path.
  @Nullable var sigma: Double?
  @Nullable var heightSigma: Double?
  var steps: Int
  /// The horizontal distance from the start at which the path would have ended without --closed, in m, and its sigma.
  var openDistance: Double?
  var openSigma: Double?
  /// The reason that there is no path and the dataset's columns of the path are empty, or `nil` if there is a path.
  var lack: String?
  var notes: [String]

  init(_ report: FusionJob.Report, input: String, map: String?) {
    let path = report.path!
    self.input = input
    output = report.output
    self.map = map
    on = path.on.rawValue
    reason = path.reason
    rows = report.rowCount
    (lack, steps) = (path.missingInputReason, path.steps)
    if lack == nil {
      (length, distance, height) = (path.length, path.distance, path.height)
      (sigma, heightSigma) = (path.sigma, path.heightSigma)
    }
    (openDistance, openSigma) = (path.opening?.distance, path.opening?.sigma)
    notes = report.log.warnings
  }

  func print(toStandardError: Bool) {
    func line(_ text: String) { if toStandardError { Console.line(text) } else { Page.standard.line(text) } }
    line("track   \(input) on \(on): \(reason)")
    guard let length, let distance, let height, let sigma, let heightSigma else {
      line("wrote   \(output): \(counted(rows, "row")), with empty path columns")
      return
    }
    line(
      "        \(fixed(length, 1)) m of path, \(counted(steps, "step")); ends \(fixed(distance, 2)) m from the start, "
        + "\(fixed(height, 2)) m above it")
    line("        sigma of the end \(fixed(sigma, 2)) m horizontal, \(fixed(heightSigma, 2)) m vertical")
    if let openDistance, let openSigma {
      line(
        "        loop closed; before, it ended \(fixed(openDistance, 2)) m from the start, sigma \(fixed(openSigma, 2)) m"
      )
    }
    line("wrote   \(output): \(counted(rows, "row"))\(map.map { ", \($0)" } ?? "")")
  }
}

/// A value of a document that is written as null if it is unknown; a plain optional would be omitted.
@propertyWrapper struct Nullable<Value: Encodable>: Encodable {
  var wrappedValue: Value?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}
