import Inertial

/// The evaluation of detectors, as a JSON document or a table.
struct EventEvaluationDocument: Encodable {
  struct Detector: Encodable {
    var detector: String
    var sensitivity: Double?
    var stretches: Int
    var found: Int
    var detectionRate: Double?
    /// The confidence interval at 95 %.
    var detectionInterval: [Double]?
    /// The median delay, in seconds.
    var medianDelay: Double?
    var delay90: Double?
    var falseAlarms: Int
    /// The hours outside the event's segments.
    var hours: Double
    var falseAlarmsPerHour: Double?
    /// The upper bound at 95 %.
    var falseAlarmsPerHourBound: Double?
    /// The labelled windows by label, with the number of those that contain an event.
    var windows: [String: EventScore.Windows]
    /// The one-to-one matches of segments and events, or `nil` without labels of the event.
    var matches: EventMatchesDocument?
    var samples: Int
    var nanosecondsPerSample: Double

    init(_ row: EventEvaluationJob.Row) {
      let score = row.score
      (detector, sensitivity) = (row.detector, row.sensitivity)
      (stretches, found, detectionRate) = (score.stretches, score.found, score.detectionRate)
      detectionInterval = score.detectionInterval.map { [$0.lowerBound, $0.upperBound] }
      (medianDelay, delay90) = (score.medianDelay, score.lateDelay)
      (falseAlarms, hours) = (score.falseAlarms, score.otherTime / 3600)
      (falseAlarmsPerHour, falseAlarmsPerHourBound) = (score.falseAlarmsPerHour, score.falseAlarmBound)
      windows = score.windows
      matches = score.stretches > 0 ? EventMatchesDocument(score.matches) : nil
      (samples, nanosecondsPerSample) = (row.sampleCount, row.nanosecondsPerSample)
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
    Page.standard.line("\(logs) log\(logs == 1 ? "" : "s"), \(fixed(first.hours, 2)) h without \(event)\n")
    Page.standard.line(
      padded("detector", 22), Self.right("found", 9), Self.right("of", 6), Self.right("95 % interval", 16),
      Self.right("delay s", 9), Self.right("90 %", 7), Self.right("false", 7), Self.right("per h", 8),
      Self.right("below", 8), Self.right("ns", 7))
    for row in detectors {
      let interval = row.detectionInterval.map { "\(fixed($0[0] * 100, 1)) to \(fixed($0[1] * 100, 1)) %" } ?? "-"
      Page.standard.line(
        padded(Self.name(row), 22), Self.right("\(row.found)", 9), Self.right("\(row.stretches)", 6),
        Self.right(interval, 16),
        Self.right(row.medianDelay.map { fixed($0, 2) } ?? "-", 9),
        Self.right(row.delay90.map { fixed($0, 2) } ?? "-", 7),
        Self.right("\(row.falseAlarms)", 7), Self.right(row.falseAlarmsPerHour.map { fixed($0, 2) } ?? "-", 8),
        Self.right(row.falseAlarmsPerHourBound.map { fixed($0, 2) } ?? "-", 8),
        Self.right(fixed(row.nanosecondsPerSample, 0), 7))
    }
    if let tolerance = first.matches?.tolerance {
      Page.standard.line("\nevents matched one to one with labels, within \(tolerance) s")
      Page.standard.line(padded("detector", 22), EventMatchesDocument.head)
      for row in detectors {
        if let matches = row.matches { Page.standard.line(padded(Self.name(row), 22), matches.row) }
      }
    }
    let labels = Set(detectors.flatMap(\.windows.keys)).sorted()
    guard !labels.isEmpty else { return }
    Page.standard.line("\nwindows with an event, by label")
    Page.standard.line(padded("detector", 22), labels.map { Self.right($0, 14) }.joined(separator: " "))
    for row in detectors {
      let cells = labels.map { label in
        Self.right(row.windows[label].map { "\($0.touched) of \($0.count)" } ?? "-", 14)
      }
      Page.standard.line(padded(Self.name(row), 22), cells.joined(separator: " "))
    }
  }

  private static func name(_ row: Detector) -> String {
    row.detector + (row.sensitivity.map { " \($0)" } ?? "")
  }

  private static func right(_ text: String, _ width: Int) -> String { padded(text, width, left: true) }
}
