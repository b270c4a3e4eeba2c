internal import InertialSensors

/// Holds samples back until every sensor has told up to their time: a batch may end with one sensor further than another.
///
/// A sensor has told up to its last sample and nearly as long behind it as its samples are apart, as none of it can come
/// before that. Of regular sensors that end together nothing waits.
struct SensorGate {
  /// Seconds that a sample waits at most for those of other sensors, by the samples' own clock.
  static let patience = 0.25

  private struct Sensor {
    var last: Double
    /// Seconds between samples, smoothed; nil before there are two.
    var interval: Double?
  }

  private var sensors: [SensorChannel: Sensor] = [:]
  private var waiting: [SensorSample] = []
  private var newest = -Double.infinity

  /// Takes samples in order of time and gives those that are complete, in order of time.
  mutating func take(_ samples: [SensorSample]) -> [SensorSample] {
    for sample in samples { note(sample) }
    waiting += samples
    // Mostly they are in order already.
    if zip(waiting, waiting.dropFirst()).contains(where: { $0.time > $1.time }) {
      waiting.sort { ($0.time, $0.channel.rawValue) < ($1.time, $1.channel.rawValue) }
    }
    let limit = max(complete, newest - Self.patience)
    let end = waiting.firstIndex { $0.time > limit } ?? waiting.endIndex
    defer { waiting.removeSubrange(..<end) }
    return Array(waiting[..<end])
  }

  /// Nothing more will come.
  mutating func finish() -> [SensorSample] {
    defer { waiting = [] }
    return waiting
  }

  private mutating func note(_ sample: SensorSample) {
    newest = max(newest, sample.time)
    guard var sensor = sensors[sample.channel] else {
      sensors[sample.channel] = Sensor(last: sample.time)
      return
    }
    let step = sample.time - sensor.last
    guard step > 0 else { return }
    // A pause is no interval.
    if step < 1 { sensor.interval = sensor.interval.map { $0 + (step - $0) * 0.1 } ?? step }
    sensor.last = sample.time
    sensors[sample.channel] = sensor
  }

  /// The time up to which all sensors that are still sending have told.
  private var complete: Double {
    sensors.values.filter { $0.last > newest - 1 }.map { $0.last + 0.8 * ($0.interval ?? 0) }.min() ?? newest
  }
}
