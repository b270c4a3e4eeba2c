import ArgumentParser
import Inertial
import InertialSystem

struct AltitudeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "altitude",
    abstract: "Compute altitude, vertical speed and floor changes from a log with a barometer.",
    discussion: """
      relativeAltitude is the barometer's altitude (CMAltimeter: starts at 0). filteredAltitude and verticalSpeed are \
      estimates of a Kalman filter from barometer and vertical acceleration, without lag. A raw log is fused first; \
      without motion the filter smooths the barometer. Floor changes: stairs are distinguished from lifts by steps. \
      Without motion data, the kind of a floor change is unknown.
      """)

  @Argument(help: ArgumentHelp("A log: file, folder, or - for standard input.", valueName: "input"))
  var input: String

  @Option(
    help: ArgumentHelp("The rate of the rows in the JSON document, at times of the motion, in Hz.", valueName: "hz"))
  var rate: Double?

  @Flag(help: "Write a row of the JSON document at each time of the motion. Default: at the barometer's times.")
  var all = false

  @Flag(help: "Compute altitudes and speeds from earlier samples only, as in a stream. Default: from the whole log.")
  var online = false

  @Option(
    help: ArgumentHelp(
      "The lag of the barometer (low-pass), in seconds. Default: 3 for a barometer at 1 Hz, 0 for faster ones.",
      valueName: "seconds"))
  var barometerLag: Double?

  @Option(help: ArgumentHelp("The height of a floor, in metres. Default: 3.", valueName: "m"))
  var floorHeight = 3.0

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws { try validated { try job().check() } }

  /// Returns a job without the properties of the log.
  private func job() throws(FusionError) -> AltitudeJob {
    var job = AltitudeJob(input: input)
    job.rows = try AltitudeJob.Rows(rate: rate, isAll: all)
    (job.vertical.barometerLag, job.floors.floorHeight, job.isCausal) = (barometerLag, floorHeight, online)
    return job
  }

  func run() throws {
    var job = try job()
    job.log = try log.options
    let report = try ProgressBar.during(input) { try job.run(progress: $0) }
    if json { try printJSON(report) } else { report.print() }
  }
}
