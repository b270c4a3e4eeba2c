import ArgumentParser
import Inertial
import InertialEssentials
import InertialSystem

struct StepsCommand: DocumentCommand {
  static let configuration = CommandConfiguration(
    commandName: "steps",
    abstract: "Count the steps in a log, with distance and walking intervals.",
    discussion: """
      Needs an accelerometer at 15 Hz or more, held or worn anywhere except on a foot (use 'inertial track --on \
      foot'); a fused dataset or a device's motion also works. Shakes, rides and gestures do not count as steps. The \
      distance is not measured, but modelled from the range of the acceleration within each step (Weinberg 2002) and \
      the height of the person. Floors need a barometer.

      Examples:
        inertial steps walk.csv
        inertial steps LOGFOLDER --height 1.82 --json
      """)

  @Argument(help: ArgumentHelp("A log: file, folder, or - for standard input.", valueName: "input"))
  var input: String

  @Option(help: ArgumentHelp("The height of the person, for the step length, in metres.", valueName: "m"))
  var height = Pedometer.Parameters().height

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws {
    try checkHeight(height, "--height")
  }

  func document(_ access: LogAccess, progress: (Double) -> Void) throws -> StepsDocument {
    var job = StepsJob(input: input)
    job.log = try access.applied(to: log.options)
    job.pedometer.height = height
    return StepsDocument(try job.run(progress: progress))
  }

  func run() throws {
    let document = try documentWithBar(input)
    if json { try printJSON(document) } else { document.print() }
  }
}

struct StepsDocument: Encodable {
  var input: String
  var format: String
  var source: MotionSource?
  /// The start of the log on its own clock, in seconds.
  var firstTime: Double
  var lastTime: Double
  var steps: Int
  /// The distance in metres.
  var distance: Double
  var floorsAscended: Int?
  var floorsDescended: Int?
  /// The mean pace in seconds per metre.
  var averageActivePace: Double?
  var events: [PedometerEvent]
  /// The totals since the start, every 2.56 s while the person is walking.
  var updates: [PedometerData]
  /// The time of every step, in seconds.
  var stepTimes: [Double]
  var warnings: [String]
  private let walks: [PedometerData]

  private enum CodingKeys: CodingKey {
    case input, format, source, firstTime, lastTime, steps, distance, floorsAscended, floorsDescended
    case averageActivePace, events, updates, stepTimes, warnings
  }

  init(_ report: StepsJob.Report) {
    input = report.log.description.path
    format = report.log.description.format
    source = report.source
    (firstTime, lastTime) = (report.firstTime, report.lastTime)
    (steps, distance) = (report.data.numberOfSteps, report.data.distance)
    (floorsAscended, floorsDescended) = (report.data.floorsAscended, report.data.floorsDescended)
    averageActivePace = report.data.averageActivePace
    (events, updates) = (report.history.events, report.history.updates)
    stepTimes = report.history.steps.map(\.time)
    warnings = report.log.warnings
    walks = Self.walks(report)
  }

  /// Returns the data from each resume to the following pause.
  private static func walks(_ report: StepsJob.Report) -> [PedometerData] {
    let events = report.history.events
    return events.indices.filter { events[$0].type == .resume }.map { index in
      let last = index + 1 < events.count ? events[index + 1].time : report.lastTime
      // The step at the pause belongs to the walk.
      var data = report.history.query(from: events[index].time, to: last.nextUp)
      data.end = last
      return data
    }
  }

  func print(on page: Page = .standard) {
    page.line("\(input): \(fixed(lastTime - firstTime, 1)) s, \(source?.meaning ?? "")")
    for warning in warnings { page.line("note: \(warning)", style: .yellow) }
    page.line("")
    if walks.isEmpty {
      page.line("No steps.")
    } else {
      var table = TextTable(["start s", "end s", "steps", "m", "steps/s"].map { .init($0, 9) })
      for walk in walks {
        let time = walk.distance * (walk.averageActivePace ?? 0)
        table.add(
          fixed(walk.start, 1), fixed(walk.end, 1), "\(walk.numberOfSteps)", fixed(walk.distance, 0),
          time > 0 ? fixed(Double(walk.numberOfSteps) / time, 2) : "-")
      }
      table.print(on: page)
      page.line("")
      page.line("\(steps) steps, \(fixed(distance, 0)) m\(floors)")
    }
    page.line("")
    let width = page.picture(beside: 24)
    var strip = TimeStrip(from: firstTime, to: lastTime, width: width)
    for time in stepTimes { strip.mark(time) }
    page.line(strip.text, style: .blue)
    if page.isTerminal, !stepTimes.isEmpty {
      let cadence = cadence(parts: width)
      page.line(
        Sparkline.text(cadence, width: width, minimum: 0), style: .blue)
      page.line("steps per second, up to \(fixed(cadence.max() ?? 0, 1))", style: .dim)
    }
  }

  private var floors: String {
    guard let floorsAscended, let floorsDescended else { return "" }
    return ", \(floorsAscended) floors up, \(floorsDescended) down"
  }

  /// Returns the steps per second in each part of the log, from the times between steps, as a part may be shorter than
  /// these.
  private func cadence(parts: Int) -> [Double] {
    var cadence = [Double](repeating: 0, count: parts)
    let span = max(lastTime - firstTime, .leastNonzeroMagnitude)
    for (a, b) in zip(stepTimes, stepTimes.dropFirst()) where b > a && b - a < 2.5 {
      let first = Int((a - firstTime) / span * Double(parts))
      let last = min(parts - 1, Int((b - firstTime) / span * Double(parts)))
      for part in max(0, first)...max(0, first, last) where part < parts { cadence[part] = 1 / (b - a) }
    }
    return cadence
  }
}
