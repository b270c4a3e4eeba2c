internal import InertialJobs
internal import InertialLive
internal import InertialLogs
internal import InertialRecognition
internal import InertialSensors

/// A connected device in one session: converts its messages into samples, rows and events, and counts them.
struct LiveDevice {
  /// The identifier in the messages to pages and programs, which call it the device.
  let identifier: String
  /// The name that the sender gives itself.
  let name: String
  let session: String
  /// The first problem of the fusion, or `nil` if there was none; the stream is recorded regardless.
  private(set) var problem: String?
  private(set) var lastArrival = 0.0

  private var messageCount = 0
  /// The number of messages that were received again.
  private var repetitionCount = 0
  private var readingCount = 0
  private var sampler: PushSampler
  private var sequencer: BatchSequencer<PushMessage>
  private var gate = SensorGate()
  /// The units and the calibration of the sender's values.
  let log: LogOptions
  /// The samples that were fused and have not been taken yet.
  private var samples: (motion: [SensorSample], auxiliary: [AuxiliarySample]) = ([], [])
  private var stream: FusionStream
  private var activity = 0.0
  /// The fused messages by number: a message that is received again has the same content.
  private var known: [Int: (content: Int, file: RecordingFile)] = [:]
  private var knownOrder: [Int] = []
  private static let maximumKnownCount = 1024
  /// The numbers of samples by sensor since the last report of the rates.
  private var recent: [SensorChannel: Int] = [:]
  private var recentSince: Double
  private var slowest = 0.0
  private var newest = -Double.infinity

  /// Creates a session.
  ///
  /// - Parameter isConverted: Whether the messages are already in Core Motion's units because `LiveSource` has created
  ///   them; the unit options are then those of the source.
  init(
    identifier: String, message: PushMessage, options: FusionOptions, isConverted: Bool, patience: Double, now: Double
  ) throws(FusionError) {
    var options = options
    if isConverted {
      (options.log.accelerationUnit, options.log.accelerationSign) = (nil, nil)
      (options.log.rotationUnit, options.log.fieldUnit) = (nil, nil)
    }
    log = options.log
    self.identifier = identifier
    (name, session) = (message.device, message.session)
    sampler = PushSampler(options: options.log.withCalibrationChannels)
    sequencer = BatchSequencer(patience: patience)
    stream = try FusionStream(
      name: message.device.isEmpty ? "stream" : message.device, options: options, reportsEvents: true)
    recentSince = now
  }

  /// Returns the file in which a message with the same content was recorded before, or `nil` if no such message was.
  func file(of message: PushMessage, content: Int) -> RecordingFile? {
    guard let known = message.number.flatMap({ known[$0] }), known.content == content else { return nil }
    return known.file
  }

  /// Counts a repeated message.
  mutating func countRepetition() { repetitionCount += 1 }

  /// Stores the file in which a message is recorded.
  mutating func remember(_ message: PushMessage, content: Int, in file: RecordingFile) {
    guard let number = message.number else { return }
    if known.updateValue((content, file), forKey: number) == nil { knownOrder.append(number) }
    if knownOrder.count > Self.maximumKnownCount { known[knownOrder.removeFirst()] = nil }
  }

  /// Processes a message and returns the rows that become available, row by row.
  mutating func receive(_ message: PushMessage, now: Double) -> [Double] {
    messageCount += 1
    readingCount += message.readings.count
    lastArrival = now
    return fuse(sequencer.add(message, number: message.number, now: now))
  }

  /// The time at which `release` has to be called, or `nil` if no message waits for missing ones.
  var deadline: Double? { sequencer.deadline }

  /// Stops waiting for missing messages whose time has expired, and returns the rows that become available.
  mutating func release(now: Double) -> [Double] { fuse(sequencer.release(now: now)) }

  /// Finishes the session and returns the remaining rows.
  mutating func finish() -> [Double] {
    var rows = fuse(sequencer.finish())
    let rest = gate.finish()
    samples.motion += rest
    do throws(FusionError) {
      try stream.append(rest, auxiliary: [])
      try stream.finish()
    } catch {
      report(problem: error.description)
    }
    rows += stream.takeRows()
    return rows
  }

  /// Notes the processing time of a message, in seconds, for the next `status`.
  mutating func noteDuration(_ duration: Double) { slowest = max(slowest, duration) }

  /// Converts messages to samples, fuses them, and returns the rows that become available.
  private mutating func fuse(_ messages: [PushMessage]) -> [Double] {
    guard !messages.isEmpty else { return [] }
    for message in messages {
      var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
      sampler.append(message, into: &motion, auxiliary: &auxiliary)
      for sample in motion {
        recent[sample.channel, default: 0] += 1
        newest = max(newest, sample.time)
      }
      let ready = gate.add(motion)
      samples.motion += ready
      samples.auxiliary += auxiliary
      do throws(FusionError) {
        try stream.append(ready, auxiliary: auxiliary)
      } catch {
        report(problem: error.description)
      }
    }
    return stream.takeRows()
  }

  /// Reports a problem with the status; the first one is kept.
  mutating func report(problem: String) {
    if self.problem == nil { self.problem = problem }
  }

  /// Returns the samples that were fused since the last call, in order, before `--axes` and a calibration are applied.
  mutating func takeSamples() -> (motion: [SensorSample], auxiliary: [AuxiliarySample]) {
    defer { samples = ([], []) }
    return samples
  }

  /// Returns the events up to the given new rows: those of the recognisers and the changes of activity.
  mutating func takeEvents(_ rows: [Double]) -> [RecognisedEvent] {
    var events = stream.takeEvents()
    let width = LiveColumns.names.count
    for start in stride(from: 0, to: rows.count, by: width) {
      let code = rows[start + LiveColumns.activityIndex]
      guard code.isFinite, code != activity else { continue }
      activity = code
      let index = Int(code) - 2
      let classes = ActivityClass.allCases
      let word = classes.indices.contains(index) ? classes[index].rawValue : code == 1 ? "none of them" : "unknown"
      events.append(RecognisedEvent(kind: .activity, start: rows[start], end: rows[start], text: word))
    }
    return events
  }

  // MARK: Status

  /// The timestamp of the newest sample in UNIX nanoseconds, or `nil` before the first sample.
  var newestStamp: Int64? {
    sampler.origin.flatMap { unixNanoseconds($0, plus: newest) }
  }

  var origin: Int64? { sampler.origin }

  /// Returns the state of the session as JSON; the rates are averages since the previous call.
  mutating func status(now: Double, timeOfDay: Double, recording: String?) -> String {
    let elapsed = max(1e-3, now - recentSince)
    let rates = recent.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\(LiveJSON.text($0.key.name)):\(LiveJSON.number(Double($0.value) / elapsed, digits: 1))" }
    let reports = stream.channelReports.values
    // By the phone's clock, which may be ahead of the server's.
    let age = newestStamp.map { timeOfDay - Double($0) / 1e9 } ?? .nan
    var facts: [(String, String)] = [
      ("type", "\"status\""), ("device", LiveJSON.text(identifier)), ("name", LiveJSON.text(name)),
      ("session", LiveJSON.text(session)), ("rates", "{\(rates.joined(separator: ","))}"),
      ("messages", "\(messageCount)"), ("repeated", "\(repetitionCount)"), ("readings", "\(readingCount)"),
      ("rows", "\(stream.rowCount)"), ("outOfOrder", "\(sequencer.lateCount)"),
      ("missing", "\(sequencer.missingCount)"),
      ("waiting", "\(sequencer.pendingCount)"), ("dropped", "\(reports.reduce(0) { $0 + $1.late })"),
      ("invalid", "\(reports.reduce(0) { $0 + $1.invalid })"), ("jumps", "\(stream.jumpCount)"),
      ("age", LiveJSON.number(age, digits: 3)), ("silence", LiveJSON.number(now - lastArrival, digits: 1)),
      ("work", LiveJSON.number(slowest * 1000, digits: 3)),
      ("battery", LiveJSON.number(sampler.battery ?? .nan, digits: 2)),
      ("notes", "[\(sampler.notes.map(LiveJSON.text).joined(separator: ","))]"),
      ("problem", (problem ?? sampler.obstacle?.description).map(LiveJSON.text) ?? "null"),
      ("recording", recording.map(LiveJSON.text) ?? "null"),
    ]
    if let origin { facts.append(("epoch", LiveJSON.number(Double(origin) / 1e9, digits: 6))) }
    (recent, recentSince, slowest) = ([:], now, 0)
    return LiveJSON.object(facts)
  }
}
