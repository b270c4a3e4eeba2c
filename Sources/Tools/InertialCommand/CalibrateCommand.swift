import ArgumentParser
import Inertial
import InertialCalibration
internal import InertialFigures
import InertialSystem

struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract:
      "Calibrate accelerometer, gyroscope and magnetometer from logs of one device, with standard deviations.",
    discussion: """
      Record the device: some seconds at rest in each of at least twelve attitudes, including each axis up and down, with \
      rotations by hand in between; for the magnetometer, slow rotations in all directions, away from iron. Poses, \
      rotations and sweeps are detected automatically. Parameters that a log does not determine are listed and left \
      unchanged.

      Accelerometer: bias, scale factor and misalignment, from the magnitude of gravity in the still poses. Gyroscope: \
      bias from the rests, the 3 by 3 matrix from gravity before and after each rotation. Magnetometer: hard and soft \
      iron, and the rotation relative to the accelerometer, from the field's magnitude and its component along gravity. \
      calibrated = matrix (raw - bias), all in the axes of the accelerometer.

      Examples:
        inertial calibrate session.csv -o calibration.json && inertial fuse walk.csv --calibration calibration.json
        inertial calibrate poses.csv sweep.csv -o calibration.json -o imu.yaml --device "left wrist"
        inertial calibrate today.csv --compare calibration.json --plot today.svg

      Outputs: .json for --calibration; .yaml with Kalibr's matrices.
      """)

  @Argument(help: ArgumentHelp("Logs of one device: files or folders.", valueName: "input"))
  var inputs: [String]

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "An output file: calibration.json or imu.yaml, by its extension; can be repeated.", valueName: "path"))
  var output: [String] = []

  @Option(
    help: ArgumentHelp("The name of the device, stored in the document and printed when it is used.", valueName: "name")
  )
  var device = ""

  @Option(
    help: ArgumentHelp("The local gravity, the reference of the accelerometer's scale, in m/s².", valueName: "m/s2"))
  var gravity = standardGravity

  @Option(
    help: ArgumentHelp("The calibration of another session to compare with.", valueName: "calibration.json"))
  var compare: String?

  @Flag(help: "Overwrite existing outputs.")
  var force = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup var figure: FigureArguments
  @OptionGroup(title: "Figure layout") var page: PageArguments
  @OptionGroup(title: "Magnetic field model") var place: PlaceArguments
  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws {
    try figure.check(page)
    if !(9.7...9.9).contains(gravity) { throw ValidationError("--gravity takes 9.7 to 9.9 m/s2, not \(gravity)") }
    for path in output where !["json", "yaml", "yml"].contains(Self.kind(path)) {
      throw ValidationError("-o takes a name that ends in .json or .yaml, not '\(path)'")
    }
  }

  func run() throws {
    let logs = try LogFeed.readableLogs(of: inputs, log.options, warn: Console.warning)
    let files = try OutputFiles(
      output + [figure.plot].compactMap(\.self),
      sparing: InputGuard(logs + [log.calibration, compare].compactMap(\.self)), force: force)
    var job = CalibrationJob(inputs: logs)
    job.other = try compare.map(DeviceCalibration.init(path:))
    job.log = try log.options
    (job.device, job.gravity, job.given) = (device, gravity, try place.given())
    let report = try ProgressBar.during(counted(logs.count, "log")) { try job.run(progress: $0) }
    for (path, summary) in zip(logs, report.logs) {
      for warning in summary.warnings { Console.warning("\(path): \(warning)") }
    }
    for path in output { try files.write(try report.content(of: path), to: path) }
    let drawn = try figure.write(report.figure, page, to: files)
    try files.commit()
    if json {
      try printJSON(report)
    } else {
      report.print()
      for path in output + drawn { Page.standard.line("\n\(path) is written") }
    }
  }

  private static func kind(_ path: String) -> String { path.pathEnding.lowercased() }
}
