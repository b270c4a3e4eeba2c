import ArgumentParser
import Foundation
import Inertial

struct ShakeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shake",
    abstract: "Find the shakes in a log: when, how long, how sure, along which axis.",
    discussion: """
      A raw log is fused first; of a log with the device's own user acceleration that is taken. Detectors:

      \(ShakeDetectorKind.all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))
      """)

  @Argument(help: ArgumentHelp("A log: file, folder, or - for standard input.", valueName: "input"))
  var input: String

  @Option(help: ArgumentHelp("The detector, several with commas between, or all.", valueName: "name"))
  var detector = ShakeDetectorKind.standard

  @Option(help: "Of the reference detector, 0 to 1: bigger finds more, and more false alarms. Default: 0.5.")
  var sensitivity: Double?

  @Option(help: ArgumentHelp("A shake that lasts longer is cancelled. Default: never.", valueName: "seconds"))
  var maximumDuration: Double?

  @Flag(help: "Go on after the first shake with the detectors that stop themselves, too.")
  var continuous = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func validate() throws {
    if let maximumDuration, !(maximumDuration > 0) {
      throw ValidationError("--maximum-duration takes seconds above 0, not \(maximumDuration)")
    }
  }

  func run() throws {
    var job = ShakeJob(input: input)
    job.log = log.options
    job.detectors =
      detector == "all" ? ShakeDetectorKind.all.map(\.name) : detector.split(separator: ",").map(String.init)
    job.sensitivity = sensitivity
    job.gestures.maximumDuration = maximumDuration
    if continuous { job.gestures.isOneShot = false }
    var bar = ProgressBar(input)
    let report: ShakeJob.Report
    do {
      defer { bar.end() }
      report = try job.run { bar.show($0) }
    }
    let document = ShakeDocument(report, detectors: job.detectors)
    if json { try printJSON(document) } else { document.print() }
  }
}

private struct ShakeDocument: Encodable {
  struct Event: Encodable {
    /// Seconds on the log's clock.
    var start: Double
    var end: Double
    var phase: GesturePhase
    /// The word that collectors write for the phase.
    var status: String
    var detector: String
    var score: Double
    /// A unit vector in device axes; its sign means nothing.
    var axis: [Double]
    /// The detector's gestures that have ended, this one included.
    var count: Int
    var reason: Reason?

    init(_ event: GestureEvent) {
      (start, end, phase, detector) = (event.start, event.end, event.phase, event.detector)
      (score, count) = (event.score, event.count)
      status = event.phase.shakeStatusName
      axis = [event.axis.x, event.axis.y, event.axis.z]
      reason = event.reason.map { Reason($0) }
    }
  }

  /// What the reference detector saw at the gesture's best moment.
  struct Reason: Encodable {
    /// Hz.
    var frequency: Double?
    var reversals: Int
    /// Root mean square, m.
    var displacement: Double
    /// Root mean square of the user acceleration, g.
    var energy: Double
    var axisShare: Double
    var periodicity: Double
    var rotationPeriodicity: Double?

    init(_ reason: ShakeReason) {
      (frequency, reversals, displacement) = (reason.frequency, reason.reversals, reason.displacement)
      (energy, axisShare, periodicity) = (reason.energy, reason.axisShare, reason.periodicity)
      rotationPeriodicity = reason.rotationPeriodicity
    }
  }

  var input: String
  var format: String
  var source: MotionSource?
  var firstTime: Double
  var lastTime: Double
  var events: [Event]
  /// Samples that each detector's rule reported a shake with.
  var detections: [String: Int]
  var warnings: [String]
  private let detectors: [String]

  private enum CodingKeys: CodingKey {
    case input, format, source, firstTime, lastTime, events, detections, warnings
  }

  init(_ report: ShakeJob.Report, detectors: [String]) {
    input = report.log.description.path
    format = report.log.description.format
    source = report.source
    firstTime = report.firstTime ?? 0
    lastTime = report.lastTime ?? 0
    events = report.gestures.map { Event($0) }
    detections = report.detections
    warnings = report.log.warnings
    self.detectors = detectors
  }

  func print() {
    Swift.print("\(input): \(fixed(lastTime - firstTime, 1)) s, \(source?.meaning ?? "")")
    for warning in warnings { Swift.print("note: \(warning)") }
    Swift.print("")
    if events.isEmpty {
      Swift.print("No shake.")
    } else {
      Swift.print(
        padded("detector", 16), Self.right("start s"), Self.right("end s"), Self.right("score"), Self.right("Hz"),
        Self.right("axis x"), Self.right("y"), Self.right("z"), " phase")
      for event in events {
        Swift.print(
          padded(event.detector, 16), Self.right(fixed(event.start, 2)), Self.right(fixed(event.end, 2)),
          Self.right(fixed(event.score, 2)), Self.right(event.reason?.frequency.map { fixed($0, 1) } ?? "-"),
          Self.right(fixed(event.axis[0], 2)), Self.right(fixed(event.axis[1], 2)),
          Self.right(fixed(event.axis[2], 2)), " \(event.phase.rawValue)")
      }
    }
    Swift.print("")
    for name in detectors { Swift.print(padded(name, 16), strip(of: name), " \(count(of: name))") }
  }

  private func count(of detector: String) -> Int { events.count { $0.detector == detector && $0.phase == .ended } }

  /// The log's time from left to right, a mark where there was a shake.
  private func strip(of detector: String) -> String {
    let width = 64
    let span = max(lastTime - firstTime, .leastNonzeroMagnitude)
    var marks = Array(repeating: "·", count: width)
    func column(_ time: Double) -> Int { min(width - 1, max(0, Int((time - firstTime) / span * Double(width)))) }
    for event in events where event.detector == detector {
      for index in column(event.start)...column(event.end) { marks[index] = event.phase == .ended ? "█" : "░" }
    }
    return marks.joined()
  }

  private static func right(_ text: String) -> String { padded(text, 9, left: true) }
}
