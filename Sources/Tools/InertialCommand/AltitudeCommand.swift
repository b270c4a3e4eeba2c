import ArgumentParser
import Inertial
import InertialSystem

struct AltitudeCommand: AnsweringCommand {
  static let configuration = CommandConfiguration(
    commandName: "altitude",
    abstract: "Altitude, vertical speed, and the floors gone up and down, from a log with a barometer.",
    discussion: """
      relativeAltitude is the barometer's own (CMAltimeter: the first is 0). filteredAltitude and verticalSpeed are a Kalman \
      filter's, from barometer and vertical acceleration, and do not lag behind the motion. A raw log is fused first; \
      without motion the filter smooths the barometer. Ways between floors: stairs are told from lifts by steps. A way \
      of which no motion is known is of kind unknown.
      """)

  @Argument(help: ArgumentHelp("A log: file, folder, or - for standard input.", valueName: "input"))
  var input: String

  @Option(help: ArgumentHelp("Rows of the JSON document at this rate, at times of the motion.", valueName: "hz"))
  var rate: Double?

  @Flag(help: "Rows of the JSON document at every time of the motion. Default: at the barometer's.")
  var all = false

  @Flag(help: "Altitudes and speeds from the whole log, not only from what was before them.")
  var smooth = false

  @Option(
    help: ArgumentHelp(
      "Seconds by which the barometer lags (low-pass). Default: 3 for one that tells a value a second, 0 for faster ones.",
      valueName: "seconds"))
  var barometerLag: Double?

  @Option(help: ArgumentHelp("Height of a floor. Default: 3.", valueName: "m"))
  var floorHeight = 3.0

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "What a log cannot say") var log: LogArguments

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

  func document(_ access: LogAccess, progress: (Double) -> Void) throws -> AltitudeDocument {
    var job = AltitudeJob(input: input)
    job.log = try access.applied(to: log.options)
    job.vertical.barometerLag = barometerLag
    job.floors.floorHeight = floorHeight
    job.smooths = smooth
    if rate != nil || all { job.rows = .motion(rate: rate) }
    return AltitudeDocument(try job.run(progress: progress), atBarometer: job.rows == .barometer)
  }

  func run() throws {
    let document = try documentWithBar(input)
    if json { try printJSON(document) } else { document.print() }
  }
}
