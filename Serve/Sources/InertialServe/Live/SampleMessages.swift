internal import InertialLogs
internal import InertialSensors

/// Packs samples into messages in the format of a phone's app, for other sources.
struct SampleMessages {
  /// The duration of the samples in a message, in seconds.
  static let span = 0.05

  private var writer = PushMessageWriter()
  private let device: String
  private let session: String
  private var number = 0
  /// A time on the samples' clock, and its timestamp in messages.
  private var anchor: (time: Double, stamp: Int64)?
  private let epoch: Double?
  private var firstTime: Double?
  /// The samples of other channels that are later than the motion so far, in chronological order.
  private var waiting: [AuxiliarySample] = []

  /// Creates a packer.
  ///
  /// - Parameter epoch: The UNIX time of the samples' time 0. If `nil`, the first sample is now, unless the samples
  ///   have UNIX times.
  init(device: String, session: String, epoch: Double?) {
    (self.device, self.session, self.epoch) = (device, session, epoch)
  }

  /// Adds samples in chronological order, and returns the complete messages, each with the time of the sample that
  /// follows it. A sample of another channel is in the message of the motion at its time.
  mutating func add(_ samples: [SensorSample], auxiliary: [AuxiliarySample] = []) -> [(
    time: Double, body: [UInt8]
  )] {
    var messages: [(Double, [UInt8])] = []
    waiting += auxiliary.filter(\.time.isFinite)
    for sample in samples where sample.time.isFinite {
      guard let name = Self.names[sample.channel], !isUngraded(sample) else { continue }
      // The clock may also jump back.
      if let first = firstTime, abs(sample.time - first) >= Self.span, let body = close() {
        messages.append((sample.time, body))
      }
      if firstTime == nil { firstTime = sample.time }
      write(waiting.prefix { $0.time <= sample.time })
      writer.add(name, time: stamp(sample.time), x: sample.x, y: sample.y, z: sample.z)
    }
    return messages
  }

  /// Whether a sample is a calibrated field whose grade is too low for a heading: messages contain no grade, and a field
  /// without one counts as calibrated.
  private func isUngraded(_ sample: SensorSample) -> Bool {
    sample.channel == .calibratedMagneticField && sample.w < Self.minimumGrade
  }

  /// Writes the leading samples of `waiting`.
  private mutating func write(_ samples: ArraySlice<AuxiliarySample>) {
    for sample in samples {
      guard let (name, values) = Self.auxiliary[sample.channel] else { continue }
      writer.add(name, time: stamp(sample.time), values.map { ($0.key, sample[$0.field] * $0.scale) })
    }
    waiting.removeFirst(samples.count)
  }

  /// Returns the current message with all samples, or `nil` if it is empty.
  mutating func finish() -> [UInt8]? {
    write(waiting[...])
    return close()
  }

  private mutating func close() -> [UInt8]? {
    firstTime = nil
    guard !writer.isEmpty else { return nil }
    number += 1
    return writer.message(number: number, session: session, device: device)
  }

  /// Returns the timestamp of a finite time. If a time is too far from the first one for UNIX time, it belongs to
  /// another clock, whose first sample is now.
  private mutating func stamp(_ time: Double) -> Int64 {
    if let anchor, let stamp = unixNanoseconds(anchor.stamp, plus: time - anchor.time) { return stamp }
    let origin = anchor == nil ? epoch ?? (time > 1e9 ? 0 : nil) : nil
    let whole = origin.flatMap { Int64(exactly: ($0 * 1e9).rounded()) }
    let known = whole.flatMap { unixNanoseconds($0, plus: time) }
    // In range: the time of day, in seconds.
    let stamp = known ?? Int64((LiveHub.unixTime * 1e9).rounded())
    anchor = (time, stamp)
    return stamp
  }

  private static let names: [SensorChannel: String] = [
    .accelerometer: "accelerometeruncalibrated", .gyroscope: "gyroscopeuncalibrated",
    .magnetometer: "magnetometeruncalibrated", .calibratedMagneticField: "magnetometer",
  ]

  /// The minimum accuracy of a calibrated field that is sent: medium.
  private static let minimumGrade = 1.0

  private typealias Value = (key: String, field: String, scale: Double)

  /// The names of the other channels, and the keys of their fields with factors to the app's units.
  private static let auxiliary: [AuxiliaryChannel: (name: String, values: [Value])] = [
    .barometer: ("barometer", [("relativeAltitude", "relativeAltitude", 1), ("pressure", "pressure", 10)]),
    .temperature: ("temperature", [("temperature", "temperature", 1)]),
    .location: (
      "location",
      [
        ("latitude", "latitude", 1), ("longitude", "longitude", 1), ("altitude", "ellipsoidalAltitude", 1),
        ("altitudeAboveMeanSeaLevel", "locationAltitude", 1), ("speed", "speed", 1), ("bearing", "course", 1),
        ("horizontalAccuracy", "horizontalAccuracy", 1), ("verticalAccuracy", "verticalAccuracy", 1),
        ("speedAccuracy", "speedAccuracy", 1), ("bearingAccuracy", "courseAccuracy", 1),
      ]
    ),
    .light: ("light", [("lux", "illuminance", 1)]),
    .heartRate: ("heartrate", [("bpm", "heartRate", 1)]),
    .battery: ("battery", [("batteryLevel", "batteryLevel", 1)]),
  ]

  /// The channels in addition to the motion that messages can contain.
  static var auxiliaryChannels: Set<AuxiliaryChannel> { Set(auxiliary.keys) }
}
