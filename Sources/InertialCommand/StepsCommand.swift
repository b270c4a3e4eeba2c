import ArgumentParser
import Foundation
import Inertial

struct StepsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steps",
    abstract: "Count the steps in a log: how many, how far, when somebody walked and when not.",
    discussion: """
      Needs an accelerometer, at 15 Hz or more, held or worn anywhere; a fused dataset or a device's own motion serve as \
      well. Shakes, rides and gestures are no steps. The distance is the step lengths' model for a person's height, not a \
      measurement. Floors need a barometer.

      Examples:
        inertial steps walk.csv
        inertial steps LOGFOLDER --height 1.82 --json
      """)

  @Argument(help: ArgumentHelp("A log: file, folder, or - for standard input.", valueName: "input"))
  var input: String

  @Option(help: ArgumentHelp("The person's, for the length of steps.", valueName: "m"))
  var height = Pedometer.Parameters().height

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func validate() throws {
    if !(0.5...2.6).contains(height) {
      throw ValidationError("--height takes a person's height in metres, 0.5 to 2.6, not \(height)")
    }
  }

  func run() throws {
    var job = StepsJob(input: input)
    job.log = try log.options
    job.pedometer.height = height
    var bar = ProgressBar(input)
    let report: StepsJob.Report
    do {
      defer { bar.end() }
      report = try job.run { bar.show($0) }
    }
    let document = StepsDocument(report)
    if json { try printJSON(document) } else { document.print() }
  }
}

private struct StepsDocument: Encodable {
  var input: String
  var format: String
  var source: MotionSource?
  /// Seconds on the log's clock.
  var firstTime: Double
  var lastTime: Double
  var steps: Int
  /// Metres.
  var distance: Double
  var floorsAscended: Int?
  var floorsDescended: Int?
  /// Seconds a metre.
  var averageActivePace: Double?
  var events: [PedometerEvent]
  /// Everything since the start, every 2.56 s while somebody steps.
  var updates: [PedometerData]
  /// Of every step, seconds.
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

  /// From each resume to the pause after it.
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

  func print() {
    Swift.print("\(input): \(fixed(lastTime - firstTime, 1)) s, \(source?.meaning ?? "")")
    for warning in warnings { Swift.print("note: \(warning)") }
    Swift.print("")
    if walks.isEmpty {
      Swift.print("No steps.")
    } else {
      Swift.print(Self.right("from s"), Self.right("to s"), Self.right("steps"), Self.right("m"), Self.right("steps/s"))
      for walk in walks {
        let time = walk.distance * (walk.averageActivePace ?? 0)
        Swift.print(
          Self.right(fixed(walk.start, 1)), Self.right(fixed(walk.end, 1)), Self.right("\(walk.numberOfSteps)"),
          Self.right(fixed(walk.distance, 0)), Self.right(time > 0 ? fixed(Double(walk.numberOfSteps) / time, 2) : "-"))
      }
      Swift.print("")
      Swift.print("\(steps) steps, \(fixed(distance, 0)) m\(floors)")
    }
    Swift.print("")
    Swift.print(strip)
  }

  private var floors: String {
    guard let floorsAscended, let floorsDescended else { return "" }
    return ", \(floorsAscended) floors up, \(floorsDescended) down"
  }

  /// The log's time from left to right, a mark where somebody walked.
  private var strip: String {
    let width = 64
    let span = max(lastTime - firstTime, .leastNonzeroMagnitude)
    var marks = Array(repeating: "·", count: width)
    for time in stepTimes {
      marks[min(width - 1, max(0, Int((time - firstTime) / span * Double(width))))] = "█"
    }
    return marks.joined()
  }

  private static func right(_ text: String) -> String { padded(text, 9, left: true) }
}
