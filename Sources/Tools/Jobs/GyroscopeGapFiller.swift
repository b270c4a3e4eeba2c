internal import InertialSensors

/// Fills gaps of the gyroscope with its last rate, at its own sample rate, so that a filter continues the rotation.
///
/// Samples of other channels are buffered until the next gyroscope sample, so that the output is sorted by time.
struct GyroscopeGapFiller: Codable {
  /// The longest gap that is filled, in seconds. The rotation is unpredictable for longer.
  static let maximumBridgedGap = 10.0

  let gap: Double
  private var last: SensorSample?
  /// The running mean of the sample intervals without gaps, in seconds.
  private var interval: Double?
  private var pending: [SensorSample] = []
  /// Whether the current gap is too long to be filled.
  private var hasGivenUp = false
  /// The times of the inserted rates, in order.
  private var inserted: [Double] = []
  private var nextInserted = 0

  init(gap: Double) { self.gap = gap }

  /// Adds the next sample, and appends the samples that are ready to `ready`.
  mutating func add(_ sample: SensorSample, to ready: inout [SensorSample]) {
    guard let last else {
      ready.append(sample)
      if sample.channel == .gyroscope { self.last = sample }
      return
    }
    guard sample.channel == .gyroscope else {
      if !hasGivenUp, sample.time - last.time > Self.maximumBridgedGap {
        hasGivenUp = true
        finish(to: &ready)
      }
      if hasGivenUp { ready.append(sample) } else { pending.append(sample) }
      return
    }
    let pause = sample.time - last.time
    if pause <= gap {
      if pause > 0 { interval = interval.map { $0 + 0.05 * (pause - $0) } ?? pause }
    } else if !hasGivenUp, pause <= Self.maximumBridgedGap {
      bridge(from: last, to: sample.time)
    }
    finish(to: &ready)
    ready.append(sample)
    self.last = sample
    hasGivenUp = false
  }

  /// Appends all buffered samples to `ready`.
  mutating func finish(to ready: inout [SensorSample]) {
    ready += pending
    pending.removeAll(keepingCapacity: true)
  }

  /// Returns whether a rate with this timestamp was inserted. Call it with ascending times.
  mutating func isInserted(_ time: Double) -> Bool {
    while nextInserted < inserted.count, inserted[nextInserted] < time { nextInserted += 1 }
    if nextInserted == inserted.count {
      inserted.removeAll(keepingCapacity: true)
      nextInserted = 0
      return false
    }
    return inserted[nextInserted] == time
  }

  private mutating func bridge(from last: SensorSample, to end: Double) {
    guard let interval, interval > 0 else { return }
    // The inserted rates are evenly spaced, at about the gyroscope's sample rate.
    let count = max(Int(((end - last.time) / interval).rounded()), 1)
    let step = (end - last.time) / Double(count)
    var merged: [SensorSample] = []
    var next = 0
    for index in stride(from: 1, to: count, by: 1) {
      var rate = last
      rate.time = last.time + Double(index) * step
      inserted.append(rate.time)
      while next < pending.count, pending[next].time < rate.time {
        merged.append(pending[next])
        next += 1
      }
      merged.append(rate)
    }
    pending = merged + pending[next...]
  }
}
