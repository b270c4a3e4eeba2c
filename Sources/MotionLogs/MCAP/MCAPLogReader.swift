internal import Sensors

/// Reads recordings of ROS 2 in MCAP: the messages `sensor_msgs/msg/Imu` and `sensor_msgs/msg/MagneticField` in CDR.
///
/// rad/s, m/s² of specific force and tesla become the toolkit's units and sign; a covariance that begins with −1 says that a
/// message lacks the quantity. Stamps are those of the messages' headers unless the first is 0, then those of the log. A
/// quantity may come under one topic only.
struct MCAPLogReader: LogReader {
  private(set) var description: LogDescription
  private(set) var emptyCounts: [SensorChannel: Int] = [:]
  private static let batchSize = 1024

  private struct Topic {
    var name: String
    /// nil: of no use here.
    var message: ROSMessage?
  }

  private let path: String
  private let source: MCAPRecordSource
  private var schemas: [UInt16: (name: String, encoding: String)] = [:]
  private var topics: [UInt16: Topic] = [:]
  /// Which topic a channel comes from.
  private var providers: [SensorChannel: UInt16] = [:]
  /// Samples of the message that told the clock.
  private var first: [SensorSample] = []
  private var usesHeader = true
  /// UNIX nanoseconds of time 0; 0 where times are not UNIX time.
  private var origin: Int64 = 0

  /// UNIX time in nanoseconds from here on, the year 1973, as in a CSV.
  private static let unixNanoseconds: Int64 = 100_000_000_000_000_000

  init(path: String) throws(LogError) {
    self.path = path
    source = try MCAPRecordSource(InputFile(path: path))
    description = LogDescription(format: "mcap", summary: "recording of ROS 2 (MCAP)", path: path)
    var isKnown = false
    while !isKnown, let record = try source.next() {
      guard let message = try take(record) else { continue }
      usesHeader = message.reader.stamp != 0
      let stamp = usesHeader ? message.reader.stamp : message.logTime
      if stamp >= Self.unixNanoseconds { origin = stamp }
      first = try samples(of: message)
      isKnown = true
    }
    guard isKnown else {
      let found = topics.values.map { String($0.name.prefix(60)) }.sorted().prefix(8).joined(separator: ", ")
      throw LogError(
        path: path,
        problem: "no messages sensor_msgs/msg/Imu or MagneticField in CDR (topics: \(found.isEmpty ? "none" : found))",
        remedy: "record the topic of the inertial sensor: ros2 bag record -s mcap /imu")
    }
    description.epoch = origin > 0 ? Double(origin) / 1e9 : nil
    description.clock = LogClock(origin > 0 ? .unix : .unstated, unit: .nanoseconds)
    description.referenceFrame = "enu"
    description.notes = [
      usesHeader || origin == 0
        ? "time: of the messages' headers, not of their arrival"
        : "time: of the messages' arrival, as their headers have none",
      "acceleration: m/s² of specific force to g, sign turned", "magnetic field: T to µT",
      "orientation: body to earth with z up (ENU), as REP 145 has it",
    ]
  }

  var progress: Double { source.progress }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    batch += first
    first = []
    while batch.count - start < Self.batchSize {
      guard let record = try source.next() else { break }
      if let message = try take(record) { batch += try samples(of: message) }
    }
    return batch.count > start
  }

  // MARK: Records

  private struct Message {
    var topic: UInt16
    var kind: ROSMessage
    /// Nanoseconds.
    var logTime: Int64
    var reader: CDRReader
  }

  /// Takes notice of what a record says of topics; a message that is of use is given back.
  private mutating func take(_ record: MCAPRecordSource.Record) throws(LogError) -> Message? {
    do throws(MCAPError) {
      var fields = MCAPFields(record.content)
      switch record.opcode {
      case .schema:
        let id = try fields.number(UInt16.self)
        schemas[id] = (try fields.text(), try fields.text())
      case .channel:
        let id = try fields.number(UInt16.self)
        let schema = schemas[try fields.number(UInt16.self)]
        let name = try fields.text()
        let isCDR = try fields.text() == "cdr"
        topics[id] = Topic(name: name, message: isCDR ? schema.flatMap { ROSMessage(rawValue: $0.name) } : nil)
      default:
        let id = try fields.number(UInt16.self)
        _ = try fields.number(UInt32.self)
        let logTime = Int64(clamping: try fields.number(UInt64.self))
        _ = try fields.number(UInt64.self)
        guard let kind = topics[id]?.message, kind != .pose else { return nil }
        return Message(topic: id, kind: kind, logTime: logTime, reader: try CDRReader(fields.rest))
      }
      return nil
    } catch {
      throw source.logError(error)
    }
  }

  private mutating func samples(of message: Message) throws(LogError) -> [SensorSample] {
    let stamp = usesHeader ? message.reader.stamp : message.logTime
    let time = Double(stamp.subtractingReportingOverflow(origin).partialValue) / 1e9
    var reader = message.reader
    var samples: [SensorSample] = []
    do throws(MCAPError) {
      switch message.kind {
      case .imu:
        let q = (v: try reader.vector(), w: try reader.double())
        // Where nobody filled it in, it is no rotation.
        if try reader.covarianceHasQuantity(), q.v.x != 0 || q.v.y != 0 || q.v.z != 0 || q.w != 0 {
          samples.append(
            SensorSample(time: time, channel: .deviceAttitude, x: q.v.x, y: q.v.y, z: q.v.z, w: q.w))
        }
        let rate = try reader.vector()
        if try reader.covarianceHasQuantity() {
          samples.append(SensorSample(time: time, channel: .gyroscope, x: rate.x, y: rate.y, z: rate.z))
        }
        let force = try reader.vector()
        if try reader.covarianceHasQuantity() {
          let g = -standardGravity
          samples.append(
            SensorSample(time: time, channel: .accelerometer, x: force.x / g, y: force.y / g, z: force.z / g))
        }
      case .magneticField:
        let field = try reader.vector()
        if try reader.covarianceHasQuantity() {
          samples.append(
            SensorSample(time: time, channel: .magnetometer, x: 1e6 * field.x, y: 1e6 * field.y, z: 1e6 * field.z))
        }
      case .pose: break
      }
    } catch {
      throw source.logError(error)
    }
    for sample in samples {
      if let provider = providers[sample.channel], provider != message.topic {
        throw conflict(sample.channel, provider, message.topic)
      }
      providers[sample.channel] = message.topic
    }
    return samples
  }

  private func conflict(_ channel: SensorChannel, _ one: UInt16, _ other: UInt16) -> LogError {
    let names = [one, other].map { String((topics[$0]?.name ?? "").prefix(60)) }
    return LogError(
      path: path, problem: "the \(channel.name) comes under two topics, \(names[0]) and \(names[1])",
      remedy: "take one of them out: mcap filter FILE -o one.mcap -n \(names[1])")
  }
}

extension LogFormat {
  static var mcap: LogFormat {
    LogFormat(
      id: "mcap", title: "recording of ROS 2 (MCAP)",
      recognition: "a file that begins with the bytes of MCAP (89 4D 43 41 50 30 0D 0A)",
      units:
        "nanoseconds become seconds since the first message; rad/s; m/s² of specific force becomes g with Core Motion's "
        + "sign, T becomes µT; orientation x, y, z, w, body to ENU; a covariance of -1 is no value",
      isFolder: false,
      recognizes: { $0.head.starts(with: MCAPFormat.magic) },
      open: { path, _ throws(LogError) in try MCAPLogReader(path: path) })
  }
}
