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

  /// Creates a packer.
  ///
  /// - Parameter epoch: The UNIX time of the samples' time 0. If `nil`, the first sample is now, unless the samples
  ///   have UNIX times.
  init(device: String, session: String, epoch: Double?) {
    (self.device, self.session, self.epoch) = (device, session, epoch)
  }

  /// Adds samples in chronological order, and returns the complete messages, each with the time of the sample that
  /// follows it.
  mutating func add(_ samples: [SensorSample], auxiliary: [AuxiliarySample] = []) -> [(
    time: Double, body: [UInt8]
  )] {
    var messages: [(Double, [UInt8])] = []
    for sample in auxiliary where sample.time.isFinite {
      switch sample.channel {
      case .barometer:
        writer.add(
          "barometer", time: stamp(sample.time),
          [("relativeAltitude", sample["relativeAltitude"]), ("pressure", sample["pressure"] * 10)])
      case .temperature:
        writer.add("temperature", time: stamp(sample.time), [("temperature", sample["temperature"])])
      default: break
      }
    }
    for sample in samples where sample.time.isFinite {
      guard let name = Self.names[sample.channel] else { continue }
      if let first = firstTime, sample.time - first >= Self.span, let body = finish() {
        messages.append((sample.time, body))
      }
      if firstTime == nil { firstTime = sample.time }
      writer.add(name, time: stamp(sample.time), x: sample.x, y: sample.y, z: sample.z)
    }
    return messages
  }

  /// Returns the current message, or `nil` if it is empty.
  mutating func finish() -> [UInt8]? {
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
    let stamp = known ?? Int64((LiveHub.timeOfDay * 1e9).rounded())
    anchor = (time, stamp)
    return stamp
  }

  private static let names: [SensorChannel: String] = [
    .accelerometer: "accelerometeruncalibrated", .gyroscope: "gyroscopeuncalibrated",
    .magnetometer: "magnetometeruncalibrated", .calibratedMagneticField: "magnetometer",
  ]
}
