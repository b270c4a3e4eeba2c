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
  /// The names of the sensors in the first messages.
  private var sensorNames: Set<String> = []
  /// The number of messages that determine which sensors are missing.
  private static let surveyedMessages = 20
  /// The first problem of the fusion, or `nil` if there was none; the stream is recorded regardless.
  private(set) var problem: String?
  private(set) var lastArrival = 0.0

  private(set) var messageCount = 0
  /// The address of the sender, and its connection, or `nil` for a source.
  private(set) var peer = ""
  private(set) var connection: ObjectIdentifier?
  /// Whether another sender uses the device's name for another session at the same time.
  var isContested = false
  /// The number of messages that were received again.
  private var repetitionCount = 0
  private var readingCount = 0
  private var sampler: PushSampler
  private var sequencer: BatchSequencer<PushMessage>
  /// The number of values that have arrived before their units are known; the sampler keeps their messages.
  private var unsettledSize = 0
  private static let maximumUnsettledSize = 50_000
  private var gate = SensorGate()
  /// The units and the calibration of the sender's values.
  let log: LogOptions
  private typealias Samples = (motion: [SensorSample], auxiliary: [AuxiliarySample])
  /// The samples that were fused and have not been taken yet.
  private var samples: Samples = ([], [])
  /// The samples to fuse, in blocks of at most `blockSize` motion samples, the next one last.
  private var blocks: [Samples] = []
  private static let blockSize = 256
  private var stream: FusionStream
  private var activity = 0.0
  /// The recorded messages.
  var known = KnownMessages()
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
    sequencer = BatchSequencer(patience: patience, size: Self.size)
    stream = try FusionStream(
      name: message.device.isEmpty ? "stream" : message.device, options: options, reportsEvents: true)
    recentSince = now
  }

  /// Counts a repeated message.
  mutating func countRepetition() { repetitionCount += 1 }

  /// Notes who has sent a message.
  mutating func note(_ client: WebClient?, now: Double) {
    lastArrival = now
    (peer, connection) = (client?.peer ?? "", client.map { ObjectIdentifier($0) })
  }

  /// Adds a message; `advance` fuses its samples.
  mutating func receive(_ message: PushMessage, now: Double) {
    if messageCount < Self.surveyedMessages || missingSensor != nil {
      sensorNames.formUnion(message.readings.prefix(256).map { PushMessage.plainName($0.name) })
    }
    messageCount += 1
    readingCount += message.readings.count
    convert(sequencer.add(message, number: message.number, now: now))
  }

  /// The sensor that the first messages lack, in a sentence, or `nil`.
  private var missingSensor: String? {
    guard messageCount >= Self.surveyedMessages else { return nil }
    let hasRaw = !sensorNames.isDisjoint(with: ["accelerometeruncalibrated", "totalacceleration"])
    let hasForce = hasRaw || sensorNames.isSuperset(of: ["accelerometer", "gravity"])
    let hasRate = !sensorNames.isDisjoint(with: ["gyroscope", "gyroscopeuncalibrated"])
    guard !hasForce || !hasRate else { return nil }
    return
      "the device sends no \(hasForce ? "gyroscope" : "accelerometer") samples; fusing needs an accelerometer and a "
      + "gyroscope: enable both in the app"
  }

  /// Whether samples wait to be fused.
  var hasBacklog: Bool { !blocks.isEmpty }
  /// Whether the sender has to wait because too many samples wait.
  var isBehind: Bool { blocks.count > 16 }

  /// The time at which `release` has to be called, or `nil` if no message waits for missing ones.
  var deadline: Double? { sequencer.deadline }

  /// Stops waiting for missing messages whose time has expired.
  mutating func release(now: Double) { convert(sequencer.release(now: now)) }

  /// Finishes the session and returns the remaining rows.
  mutating func finish() -> [Double] {
    convert(sequencer.finish())
    var rows: [Double] = []
    while hasBacklog { rows += advance() }
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

  /// Converts messages to samples, which `advance` fuses.
  private mutating func convert(_ messages: [PushMessage]) {
    for message in messages {
      settle(message)
      var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
      sampler.append(message, into: &motion, auxiliary: &auxiliary)
      for sample in motion {
        recent[sample.channel, default: 0] += 1
        newest = max(newest, sample.time)
      }
      let ready = gate.add(motion)
      // Long messages are rare, so the insertion at the front costs little.
      blocks.insert(contentsOf: Self.blocks(ready, auxiliary).reversed(), at: 0)
    }
  }

  /// Returns the number of readings and values of a message.
  private static func size(_ message: PushMessage) -> Int { message.readings.reduce(0) { $0 + 1 + $1.values.count } }

  /// Begins again to determine the units if too many values wait for them.
  private mutating func settle(_ message: PushMessage) {
    guard sampler.origin == nil else { return }
    unsettledSize += Self.size(message)
    guard unsettledSize > Self.maximumUnsettledSize else { return }
    if let obstacle = sampler.obstacle { report(problem: obstacle.description) }
    (sampler, unsettledSize) = (PushSampler(options: log.withCalibrationChannels), Self.size(message))
  }

  /// Divides sorted samples into blocks, each with the auxiliary samples up to its end.
  private static func blocks(_ motion: [SensorSample], _ auxiliary: [AuxiliarySample]) -> [Samples] {
    guard motion.count > blockSize else { return motion.isEmpty && auxiliary.isEmpty ? [] : [(motion, auxiliary)] }
    var (blocks, rest): ([Samples], _) = ([], auxiliary[...])
    for start in stride(from: 0, to: motion.count, by: blockSize) {
      let part = Array(motion[start..<min(start + blockSize, motion.count)])
      let isLast = start + blockSize >= motion.count
      let count = isLast ? rest.count : rest.prefix { $0.time <= part[part.count - 1].time }.count
      blocks.append((part, Array(rest.prefix(count))))
      rest = rest.dropFirst(count)
    }
    return blocks
  }

  /// Fuses the next block of waiting samples, and returns the rows that become available, row by row.
  mutating func advance() -> [Double] {
    guard let next = blocks.popLast() else { return [] }
    samples.motion += next.motion
    samples.auxiliary += next.auxiliary
    do throws(FusionError) {
      try stream.append(next.motion, auxiliary: next.auxiliary)
    } catch {
      report(problem: error.description)
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
  mutating func status(now: Double, unixTime: Double, recording: String?) -> String {
    let elapsed = max(1e-3, now - recentSince)
    let rates = recent.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\(LiveJSON.text($0.key.name)):\(LiveJSON.number(Double($0.value) / elapsed, digits: 1))" }
    let reports = stream.channelReports.values
    // By the phone's clock, which may be ahead of the server's.
    let age = newestStamp.map { unixTime - Double($0) / 1e9 } ?? .nan
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
      ("problem", (problem ?? sampler.obstacle?.description ?? missingSensor).map(LiveJSON.text) ?? "null"),
      ("recording", recording.map(LiveJSON.text) ?? "null"),
    ]
    if let origin { facts.append(("epoch", LiveJSON.number(Double(origin) / 1e9, digits: 6))) }
    (recent, recentSince, slowest) = ([:], now, 0)
    return LiveJSON.object(facts)
  }
}
