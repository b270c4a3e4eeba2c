import ArgumentParser
import Inertial
import InertialSystem

struct AltitudeCommand: DocumentCommand {
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

  @Flag(help: "Compute altitudes and speeds from the whole log (smoothed), instead of from earlier samples only.")
  var smooth = false

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

  func validate() throws {
    if let rate, !(rate > 0 && rate.isFinite) {
      throw ValidationError("--rate takes a number of Hz above 0, not \(rate)")
    }
    if rate != nil, all { throw ValidationError("--rate and --all exclude each other") }
    if let barometerLag, !(barometerLag >= 0 && barometerLag.isFinite) {
      throw ValidationError("--barometer-lag takes seconds from 0 on, not \(barometerLag)")
    }
    if !(1...100).contains(floorHeight) {
      throw ValidationError("--floor-height takes 1 to 100 meters, not \(floorHeight)")
    }
  }

  func document(_ base: LogOptions, progress: (Double) -> Void) throws -> AltitudeJob.Report {
    var job = AltitudeJob(input: input)
    job.log = try log.options(over: base)
    job.vertical.barometerLag = barometerLag
    job.floors.floorHeight = floorHeight
    job.smooths = smooth
    if rate != nil || all { job.rows = .motion(rate: rate) }
    return try job.run(progress: progress)
  }

  func run() throws {
    let document = try documentWithBar(input)
    if json { try printJSON(document) } else { document.print() }
  }
}
