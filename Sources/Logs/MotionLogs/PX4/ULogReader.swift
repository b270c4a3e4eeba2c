internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// Reads flight logs of PX4 (ULog): `sensor_combined`, or else `sensor_accel` and `sensor_gyro`, with the first
/// magnetometer and the vehicle's attitude.
///
/// m/s² of specific force, rad/s and gauss are converted to Inertial's units and sign. The axes are the vehicle's: x
/// forward, y right, z down. Times are seconds since the flight controller's start.
struct ULogReader: LogReader {
  private(set) var description: LogDescription
  private(set) var emptyCounts: [SensorChannel: Int] = [:]
  private static let batchSize = 1024

  /// A topic, and its fields that form a sample.
  private struct Source {
    var topic: String
    var channel: SensorChannel
    var fields: [String]
    var scale: Double
    /// The field with the delay of the sample after the message's timestamp, in microseconds.
    var delay: String?
  }

  private static func xyz(_ name: String) -> [String] { (0..<3).map { "\(name)[\($0)]" } }

  private static let combined = [
    Source(topic: "sensor_combined", channel: .gyroscope, fields: xyz("gyro_rad"), scale: 1),
    Source(
      topic: "sensor_combined", channel: .accelerometer, fields: xyz("accelerometer_m_s2"), scale: -1 / standardGravity,
      delay: "accelerometer_timestamp_relative"),
  ]
  private static let separate = [
    Source(topic: "sensor_gyro", channel: .gyroscope, fields: ["x", "y", "z"], scale: 1),
    Source(topic: "sensor_accel", channel: .accelerometer, fields: ["x", "y", "z"], scale: -1 / standardGravity),
  ]
  /// The topics by channel, newest first: their names differ between versions of PX4.
  private static let fields = [
    Source(topic: "vehicle_magnetometer", channel: .magnetometer, fields: xyz("magnetometer_ga"), scale: 100),
    Source(topic: "sensor_mag", channel: .magnetometer, fields: ["x", "y", "z"], scale: 100),
    Source(topic: "sensor_combined", channel: .magnetometer, fields: xyz("magnetometer_ga"), scale: 100),
  ]
  private static let attitude = Source(
    topic: "vehicle_attitude", channel: .deviceAttitude, fields: (0..<4).map { "q[\($0)]" }, scale: 1)
  /// The relative timestamp of an absent sample.
  private static let invalid = Double(Int32.max)

  private var file: ULogFile
  private let sources: [Source]
  private var first: [SensorSample] = []

  init(path: String) throws(LogError) {
    let all = Self.combined + Self.separate + Self.fields + [Self.attitude]
    file = try ULogFile(path: path, wanted: Set(all.map(\.topic)))
    description = LogDescription(format: "ulog", summary: "flight log of PX4 (ULog)", path: path)
    // A log lists its topics before the first data; topics added later are selected by the same rules.
    var record = try file.next()
    while let found = record, !Self.isOfMotion(found.topic.name) { record = try file.next() }
    let topics = file.topics.values.filter { $0.instance == 0 }
    let has = { (source: Source) in
      topics.contains { topic in topic.name == source.topic && source.fields.allSatisfy { topic.fields[$0] != nil } }
    }
    let motion = [Self.combined, Self.separate].first { $0.allSatisfy(has) }
    guard let motion, let record else {
      let names = Set(file.topics.values.map { ContainerError.quoted($0.name) }).sorted().prefix(8)
      throw LogError(
        path: path,
        problem: "no data of sensor_combined, or of sensor_accel and sensor_gyro (topics: "
          + "\(names.isEmpty ? "none" : names.joined(separator: ", ")))",
        remedy: "record them: add the topics to the logging profile of PX4 (SDLOG_PROFILE)")
    }
    sources = motion + [Self.fields.first(where: has), has(Self.attitude) ? Self.attitude : nil].compactMap { $0 }
    description.clock = LogClock(.deviceStart, unit: .microseconds)
    description.notes = [
      "topics: " + sources.map { "\($0.topic) (\($0.channel.name))" }.joined(separator: ", ") + ", the first of each",
      "acceleration: m/s² of specific force to g, sign inverted",
      LogDescription.aerospaceAxes(of: "vehicle"),
    ]
    first = samples(of: record)
  }

  private static func isOfMotion(_ topic: String) -> Bool {
    (combined + separate).contains { $0.topic == topic }
  }

  var progress: Double { file.progress }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    batch += first
    first = []
    while batch.count - start < Self.batchSize {
      guard let record = try file.next() else { break }
      batch += samples(of: record)
    }
    if file.isCutOff, batch.count == start {
      description.notes.append("the last message is cut off and was left out")
    }
    return batch.count > start
  }

  private mutating func samples(of record: ULogFile.Record) -> [SensorSample] {
    guard record.topic.instance == 0 else { return [] }
    var samples: [SensorSample] = []
    for source in sources where source.topic == record.topic.name {
      let fields = record.topic.fields
      func number(_ name: String) -> Double? { fields[name].map { $0.type.value(in: record.data, at: $0.place) } }
      let delay = source.delay.flatMap(number) ?? 0
      let numbers = source.fields.map { source.scale * (number($0) ?? .nan) }
      guard delay != Self.invalid, !numbers.contains(where: \.isNaN) else {
        emptyCounts[source.channel, default: 0] += 1
        continue
      }
      let time = ((number("timestamp") ?? .nan) + delay) / 1e6
      if source.channel == .deviceAttitude {
        // PX4 puts the scalar part first and uses north, east, down as the earth frame.
        let q = Quaternion(x: numbers[1], y: numbers[2], z: numbers[3], w: numbers[0])
        samples.append(
          SensorSample(time: time, channel: .deviceAttitude, EarthFrame.quaternion(q, from: .ned, to: .nwu)))
      } else {
        samples.append(
          SensorSample(time: time, channel: source.channel, x: numbers[0], y: numbers[1], z: numbers[2]))
      }
    }
    return samples
  }
}

extension LogFormat {
  static var uLog: LogFormat {
    LogFormat(
      id: "ulog", title: "flight log of PX4 (ULog)",
      recognition: "a file that begins with the bytes of ULog (55 4C 6F 67 01 12 35)",
      units:
        "microseconds since the flight controller's start become seconds; rad/s; m/s² of specific force becomes g with "
        + "Core Motion's sign, gauss becomes µT; axes forward, right, down; attitude to north, west, up",
      isRobot: true,
      recognizes: { $0.head.starts(with: ULogFile.magic) },
      open: { path, _ throws(LogError) in try ULogReader(path: path) })
  }
}
