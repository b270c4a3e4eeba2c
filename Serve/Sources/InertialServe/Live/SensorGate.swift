internal import InertialSensors

/// Delays samples until every sensor has reported up to their time: the sensors of a batch may end at different times.
///
/// A sensor is complete up to its last sample plus nearly one sampling interval, as its next sample cannot be earlier.
/// For regular sensors that end together, no sample is delayed.
struct SensorGate {
  /// The maximum delay of a sample, in seconds of the samples' own clock.
  static let patience = 0.25
  /// The maximum number of delayed samples: those of a sender may all have the same time.
  static let maximumPending = 8192

  private struct Sensor {
    var last: Double
    /// The smoothed sampling interval in seconds, or `nil` before the second sample.
    var interval: Double?
  }

  private var sensors: [SensorChannel: Sensor] = [:]
  private var pending: [SensorSample] = []
  private var newest = -Double.infinity

  /// Adds samples in chronological order and returns the complete samples, in chronological order.
  mutating func add(_ samples: [SensorSample]) -> [SensorSample] {
    for sample in samples { note(sample) }
    pending += samples
    // The samples are usually in order already.
    if zip(pending, pending.dropFirst()).contains(where: { $0.time > $1.time }) {
      pending.sort { ($0.time, $0.channel.rawValue) < ($1.time, $1.channel.rawValue) }
    }
    let limit = max(complete, newest - Self.patience)
    let end = max(pending.firstIndex { $0.time > limit } ?? pending.endIndex, pending.count - Self.maximumPending)
    defer { pending.removeSubrange(..<end) }
    return Array(pending[..<end])
  }

  /// Finishes the input and returns the pending samples.
  mutating func finish() -> [SensorSample] {
    defer { pending = [] }
    return pending
  }

  private mutating func note(_ sample: SensorSample) {
    newest = max(newest, sample.time)
    guard var sensor = sensors[sample.channel] else {
      sensors[sample.channel] = Sensor(last: sample.time)
      return
    }
    let step = sample.time - sensor.last
    guard step > 0 else { return }
    // A pause is not a sampling interval.
    if step < 1 { sensor.interval = sensor.interval.map { $0 + (step - $0) * 0.1 } ?? step }
    sensor.last = sample.time
    sensors[sample.channel] = sensor
  }

  /// The time up to which all active sensors are complete.
  private var complete: Double {
    sensors.values.filter { $0.last > newest - 1 }.map { $0.last + 0.8 * ($0.interval ?? 0) }.min() ?? newest
  }
}
