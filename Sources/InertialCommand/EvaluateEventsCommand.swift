import ArgumentParser
import Foundation
import Inertial

enum EventTask: String, ExpressibleByArgument, CaseIterable {
  case shake
}

struct EvaluateEventsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate-events",
    abstract: "Judge detectors by labels, and by recordings in which nothing is to be found.",
    discussion: """
      A stretch with the event's label is found where a detector's event overlaps it; an event that overlaps none, give or \
      take a second, is a false alarm. Delay is from a stretch's start to when the detector told of it. Without --labels \
      every detection is a false alarm. Intervals and bounds are at 95 %.

      Labels: a CSV file with the columns start, end (seconds on the log's clock) and label, and recording (the name of \
      the log's file or folder) where there are several logs.

      Examples:
        inertial evaluate-events --task shake walk.csv ride.csv
        inertial evaluate-events --task shake LOGS --labels labels.csv --sensitivities 0,0.25,0.5,0.75,1
      """)

  @Argument(help: ArgumentHelp("Logs: files, folders, folders with logs in them, or patterns.", valueName: "input"))
  var inputs: [String]

  @Option(help: ArgumentHelp("What is to be found: shake.", valueName: "name"))
  var task: EventTask

  @Option(help: ArgumentHelp("The labels.", valueName: "file"))
  var labels: String?

  @Option(help: ArgumentHelp("The label of what is to be found. Default: the task's name.", valueName: "name"))
  var event: String?

  @Option(help: ArgumentHelp("Detectors with commas between, or all.", valueName: "a,b,c"))
  var detectors = "all"

  @Option(help: ArgumentHelp("Sensitivities of the detectors that have one, a row for each.", valueName: "a,b,c"))
  var sensitivities: String?

  @Option(help: ArgumentHelp("Length of the windows that are counted by label.", valueName: "seconds"))
  var window = 3.0

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func validate() throws {
    if !(window > 0 && window.isFinite) { throw ValidationError("--window takes seconds above 0, not \(window)") }
    _ = try sensitivityValues()
  }

  private func sensitivityValues() throws -> [Double] {
    try sensitivities?.split(separator: ",").map { text in
      guard let value = Double(text), (0...1).contains(value) else {
        throw ValidationError("--sensitivities takes numbers from 0 to 1, not '\(text)'")
      }
      return value
    } ?? []
  }

  func run() throws {
    var paths: [String] = []
    for input in inputs {
      do throws(LogError) {
        paths += try LogFinder.logs(at: input)
      } catch {
        throw FusionError(error)
      }
    }
    var job = EventEvaluationJob(inputs: paths)
    job.log = log.options
    if detectors != "all" { job.detectors = detectors.split(separator: ",").map(String.init) }
    job.sensitivities = try sensitivityValues()
    job.labels = try labels.map { (path) throws(FusionError) in try EventLabels(path: path) }
    job.event = (event ?? task.rawValue).lowercased()
    job.window = window
    var bar = ProgressBar("\(paths.count) logs")
    let rows: [EventEvaluationJob.Row]
    do {
      defer { bar.end() }
      rows = try job.run { bar.show($0) }
    }
    let document = EventEvaluationDocument(task: task.rawValue, event: job.event, logs: paths.count, rows: rows)
    if json { try printJSON(document) } else { document.print() }
  }
}

private struct EventEvaluationDocument: Encodable {
  struct Detector: Encodable {
    var detector: String
    var sensitivity: Double?
    var stretches: Int
    var found: Int
    var detectionRate: Double?
    /// At 95 %.
    var detectionInterval: [Double]?
    /// Seconds.
    var medianDelay: Double?
    var delay90: Double?
    var falseAlarms: Int
    /// Hours outside of the event's stretches.
    var hours: Double
    var falseAlarmsPerHour: Double?
    /// At 95 %.
    var falseAlarmsPerHourBound: Double?
    /// By label, and how many of them an event touches.
    var windows: [String: EventScore.Windows]
    var nanosecondsPerSample: Double

    init(_ row: EventEvaluationJob.Row) {
      let score = row.score
      (detector, sensitivity) = (row.detector, row.sensitivity)
      (stretches, found, detectionRate) = (score.stretches, score.found, score.detectionRate)
      detectionInterval = score.detectionInterval.map { [$0.lowerBound, $0.upperBound] }
      (medianDelay, delay90) = (score.medianDelay, score.lateDelay)
      (falseAlarms, hours) = (score.falseAlarms, score.otherTime / 3600)
      (falseAlarmsPerHour, falseAlarmsPerHourBound) = (score.falseAlarmsPerHour, score.falseAlarmBound)
      (windows, nanosecondsPerSample) = (score.windows, row.nanosecondsPerSample)
    }
  }

  var task: String
  var event: String
  var logs: Int
  var detectors: [Detector]

  init(task: String, event: String, logs: Int, rows: [EventEvaluationJob.Row]) {
    (self.task, self.event, self.logs) = (task, event, logs)
    detectors = rows.map { Detector($0) }
  }

  func print() {
    guard let first = detectors.first else { return }
    Swift.print("\(logs) log\(logs == 1 ? "" : "s"), \(fixed(first.hours, 2)) h without \(event)\n")
    Swift.print(
      padded("detector", 22), Self.right("found", 9), Self.right("of", 6), Self.right("95 % interval", 16),
      Self.right("delay s", 9), Self.right("90 %", 7), Self.right("false", 7), Self.right("per h", 8),
      Self.right("below", 8), Self.right("ns", 7))
    for row in detectors {
      let name = row.detector + (row.sensitivity.map { " \($0)" } ?? "")
      let interval = row.detectionInterval.map { "\(fixed($0[0] * 100, 1)) to \(fixed($0[1] * 100, 1)) %" } ?? "-"
      Swift.print(
        padded(name, 22), Self.right("\(row.found)", 9), Self.right("\(row.stretches)", 6), Self.right(interval, 16),
        Self.right(row.medianDelay.map { fixed($0, 2) } ?? "-", 9),
        Self.right(row.delay90.map { fixed($0, 2) } ?? "-", 7),
        Self.right("\(row.falseAlarms)", 7), Self.right(row.falseAlarmsPerHour.map { fixed($0, 2) } ?? "-", 8),
        Self.right(row.falseAlarmsPerHourBound.map { fixed($0, 2) } ?? "-", 8),
        Self.right(fixed(row.nanosecondsPerSample, 0), 7))
    }
    let labels = Set(detectors.flatMap(\.windows.keys)).sorted()
    guard !labels.isEmpty else { return }
    Swift.print("\nwindows that an event touches, by label")
    Swift.print(padded("detector", 22), labels.map { Self.right($0, 14) }.joined(separator: " "))
    for row in detectors {
      let name = row.detector + (row.sensitivity.map { " \($0)" } ?? "")
      let cells = labels.map { label in
        Self.right(row.windows[label].map { "\($0.touched) of \($0.count)" } ?? "-", 14)
      }
      Swift.print(padded(name, 22), cells.joined(separator: " "))
    }
  }

  private static func right(_ text: String, _ width: Int) -> String { padded(text, width, left: true) }
}
