internal import InertialLive
internal import InertialLogs
internal import InertialSensors
internal import InertialSystem

/// The loop of a `FollowJob`: reads lines, fuses them to rows, and notifies the user of silence and losses.
struct FollowPass: ~Copyable {
  var stage: FusionStage
  var processor: StreamProcessor
  /// The time without a sample after which the stream ends, in seconds.
  private let silenceLimit: Double
  /// The last row that an earlier process wrote to the output, or `nil` if there is no such row.
  private let lastLine: String?
  private var isSilent = false
  private var hasTime = false
  /// The line of the header whose inferred properties the user knows.
  private var notedHeader = 0
  /// Whether rows may wait to be written.
  private var hasRows = false
  /// The counts of skipped lines, refused datagrams and lost datagrams at which the next notice is due.
  private var due = (leftOut: 1, refused: 1, lost: 1)

  init(stage: FusionStage, processor: StreamProcessor, silenceLimit: Double, lastLine: String?) {
    (self.stage, self.processor) = (stage, processor)
    (self.silenceLimit, self.lastLine) = (silenceLimit, lastLine)
  }

  mutating func run(_ stream: SampleStream, silence: Double, notify: (String) -> Void) throws(FusionError) {
    var events: [SensorEvent] = []
    var (isOpen, isAtEnd) = (true, false)
    while isOpen {
      events.removeAll(keepingCapacity: true)
      do throws(LogError) {
        let outcome = try processor.read(stream, silence: silence, limit: silenceLimit) { events.append($0) }
        isOpen = outcome == .line || outcome == .silence
        isAtEnd = outcome == .end
      } catch {
        throw FusionError(error)
      }
      stage.expect(stream.sensors)
      if stream.headerLine != notedHeader, let notes = stream.notes {
        notedHeader = stream.headerLine
        for note in notes { notify(note) }
      }
      for event in events {
        if case .silence(let seconds) = event, seconds >= silenceLimit { isOpen = false }
        try process(event, notify)
      }
      reportLosses(stream, notify)
      // Rows of lines that arrived together are written together: a write takes longer than a row.
      if hasRows, !stream.hasBufferedLine {
        try stage.sink.flush()
        hasRows = false
      }
    }
    events.removeAll()
    processor.finish { events.append($0) }
    do throws(LogError) { try processor.check(needing: [.accelerometer, .gyroscope]) } catch {
      throw FusionError(error)
    }
    for event in events { try process(event, notify) }
    try stage.finish()
    if isAtEnd, stream.lineCount > 0, processor.channelReports.isEmpty {
      throw .badData(
        "\(stream.name): the stream has ended without a sample of a motion sensor, after \(stream.lineCount) "
          + "line\(stream.lineCount == 1 ? "" : "s"); check what its sender writes, or read it as a log: inertial inspect -"
      )
    }
  }

  /// Reports the first loss at once, and further losses at increasing intervals: the tenth, the hundredth and so on.
  private mutating func reportLosses(_ stream: SampleStream, _ notify: (String) -> Void) {
    if stream.malformedCount >= due.leftOut {
      due.leftOut *= 10
      let count = stream.malformedCount
      let lines = count == 1 ? "1 line could not be read and was" : "\(count) lines could not be read and were"
      if let error = stream.lastError { notify("warning: \(lines) left out, the last: \(error.description)") }
    }
    if stream.refusedCount >= due.refused {
      due.refused *= 10
      if let sender = stream.lastRefused {
        notify(
          "warning: \(Self.datagrams(stream.refusedCount)) of other senders dropped, the last from \(sender): only one "
            + "sender is accepted at a time")
      }
    }
    // The system's count is read periodically.
    guard stream.port != nil, stream.lineCount.isMultiple(of: 64), let lost = stream.lostCount, lost >= due.lost else {
      return
    }
    while due.lost <= lost { due.lost *= 10 }
    notify(
      "warning: \(Self.datagrams(lost)) lost: data arrives faster than it can be processed; send less, or use "
        + "--filter complementary")
  }

  private static func datagrams(_ count: Int) -> String { count == 1 ? "1 datagram" : "\(count) datagrams" }

  private mutating func process(_ event: SensorEvent, _ notify: (String) -> Void) throws(FusionError) {
    switch event {
    case .samples(let samples):
      if isSilent { notify("samples are arriving again") }
      isSilent = false
      if let first = samples.first { compare(first.time, notify) }
      try stage.append(event)
      hasRows = true
    case .silence(let seconds):
      isSilent = true
      report(silence: seconds, notify)
    case .discontinuity:
      try stage.append(event)
      if let jump = processor.lastJump {
        notify("warning: the sender's clock has jumped from \(jump.from) s to \(jump.to) s: a new segment begins")
      }
    case .auxiliary, .end: try stage.append(event)
    }
  }

  private func report(silence seconds: Double, _ notify: (String) -> Void) {
    let silence = "no sample for \(String(cFormat: "%.0f", seconds)) s"
    if seconds >= silenceLimit { return notify("\(silence): the stream has ended") }
    let limit = String(cFormat: "%.0f", silenceLimit)
    notify("warning: \(silence)\(silenceLimit < .infinity ? "; the stream ends after \(limit) s" : "")")
  }

  /// Reports the first time of appended rows if it is not later than the last time in the file.
  private mutating func compare(_ time: Double, _ notify: (String) -> Void) {
    defer { hasTime = true }
    guard !hasTime, let line = lastLine, let last = Double(line.prefix { $0 != "," }), time <= last else { return }
    notify(
      "warning: the stream's first sample at \(time) s is before the output's last row at \(last) s: times will not "
        + "increase from row to row")
  }

  func summary(_ description: LogDescription, _ stream: SampleStream) -> LogSummary {
    let counts = processor.counts(stream)
    var warnings = LogValidator.warnings(counts.channels)
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { warnings.append("\(count) \(count == 1 ? one : many)") }
    }
    let first = counts.firstError.map { ", the first: \($0.description)" } ?? ""
    add(
      counts.malformedLines, "line could not be read and was skipped\(first)",
      "lines could not be read and were skipped\(first)")
    add(
      counts.outliers, "line with a time far from its neighbours' was skipped",
      "lines with a time far from their neighbours' were skipped")
    add(
      counts.jumps, "jump of the clock, after which a new segment begins",
      "jumps of the clock, after each of which a new segment begins")
    add(
      counts.refusedDatagrams, "datagram of another sender, or without the secret, was rejected",
      "datagrams of other senders, or without the secret, were rejected")
    add(
      counts.lostDatagrams, "datagram was lost, as it arrived faster than it could be read",
      "datagrams were lost, as they arrived faster than they could be read")
    return LogSummary(
      description: description, reports: counts.channels, auxiliary: processor.auxiliaryReports, warnings: warnings)
  }
}
