import ArgumentParser
import Inertial
import InertialCalibration
internal import InertialFigures
import InertialSystem

struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract:
      "Calibrate accelerometer, gyroscope and magnetometer from logs of one device, each number with its deviation.",
    discussion: """
      Record the device: some seconds at rest in each of a dozen attitudes or more, each axis up and down among them, turned \
      by hand between; for the magnetometer turned slowly in all directions, away from iron. Poses, turns and sweeps are \
      found by themselves. What a log cannot tell is said, and left as it is.

      Accelerometer: bias, scale, misalignment, from gravity's length in the still poses. Gyroscope: bias from the rests, \
      all of its 3 by 3 matrix from gravity before and after each turn. Magnetometer: hard and soft iron, and the turn \
      against the accelerometer, from the field's length and its part along gravity. calibrated = matrix (raw - bias), all \
      in the axes of the accelerometer.

      Examples:
        inertial calibrate session.csv -o calibration.json && inertial fuse walk.csv --calibration calibration.json
        inertial calibrate poses.csv sweep.csv -o calibration.json -o imu.yaml --device "left wrist"
        inertial calibrate today.csv --compare calibration.json --plot today.svg

      Outputs: .json is for --calibration; .yaml has Kalibr's matrices.
      """)

  @Argument(help: ArgumentHelp("Logs of one device: files or folders.", valueName: "input"))
  var inputs: [String]

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "A file to write: calibration.json or imu.yaml, by its extension; may be given again.", valueName: "path"))
  var output: [String] = []

  @Option(help: ArgumentHelp("The device's name, for the document; told when it is used.", valueName: "name"))
  var device = ""

  @Option(
    help: ArgumentHelp("Gravity at the place, to which the accelerometer's scale is relative.", valueName: "m/s2"))
  var gravity = 9.80665

  @Option(
    help: ArgumentHelp("A calibration of another session, to compare this one with.", valueName: "calibration.json"))
  var compare: String?

  @Flag(help: "Overwrite existing outputs.")
  var force = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup var figure: FigureArguments
  @OptionGroup(title: "The figure's page") var page: PageArguments
  @OptionGroup(title: "The field there") var place: PlaceArguments
  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func validate() throws {
    try figure.check(page)
    if !(9.7...9.9).contains(gravity) { throw ValidationError("--gravity takes 9.7 to 9.9 m/s2, not \(gravity)") }
    for path in output where !["json", "yaml", "yml"].contains(Self.kind(path)) {
      throw ValidationError("-o takes a name that ends in .json or .yaml, not '\(path)'")
    }
  }

  func run() throws {
    let logs = try LogInputs.paths(inputs, log.options)
    let files = try OutputFiles(
      output + [figure.plot].compactMap(\.self),
      sparing: InputGuard(logs + [log.calibration, compare].compactMap(\.self)), force: force)
    let other = try compare.map { try SettingsFile.calibration($0) }
    var job = CalibrationJob(inputs: logs)
    job.log = try log.options
    (job.device, job.gravity, job.given) = (device, gravity, try place.given())
    var bar = ProgressBar(counted(logs.count, "log"))
    let report: CalibrationJob.Report
    do {
      defer { bar.end() }
      report = try job.run { bar.show($0) }
    }
    for (path, summary) in zip(logs, report.logs) {
      for warning in summary.warnings { Console.warning("\(path): \(warning)") }
    }
    for path in output {
      let text = Self.kind(path) == "json" ? try jsonText(report.calibration) + "\n" : report.calibration.kalibr
      try files.write(text, to: path)
    }
    let drawn = try figure.write(report.figure, page, to: files)
    try files.commit()
    let document = CalibrationDocument(report, comparedWith: other)
    if json {
      try printJSON(document)
    } else {
      document.print()
      for path in output + drawn { Page.standard.line("\n\(path) is written") }
    }
  }

  private static func kind(_ path: String) -> String { path.pathEnding.lowercased() }
}
