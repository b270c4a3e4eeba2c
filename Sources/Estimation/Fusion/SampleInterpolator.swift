internal import DequeModule
internal import InertialNumerics

/// Linear interpolation of one channel at the times of another.
struct SampleInterpolator: Sendable, Codable {
  /// The longest time between neighbours that is interpolated over, and the longest wait for the later neighbour, in
  /// seconds.
  let maximumGap: Double
  private var samples: Deque<Sample> = []

  private struct Sample: Sendable, Codable {
    var time: Double
    var value: Vector3
  }

  init(maximumGap: Double) { self.maximumGap = maximumGap }

  mutating func append(_ value: Vector3, at time: Double) {
    if let last = samples.last, time <= last.time { return }
    samples.append(Sample(time: time, value: value))
  }

  /// Discards the samples that no value at the given time or later needs.
  mutating func forget(before time: Double) {
    while samples.count >= 2, samples[1].time <= time { samples.removeFirst() }
  }

  /// Returns the value at a time, and discards older samples. Times must not decrease from call to call.
  ///
  /// - Returns: `nil` if the later neighbour may still arrive, `.some(nil)` if there is no value at this time.
  mutating func value(at time: Double, latestTime: Double, _ isFinished: Bool) -> Vector3?? {
    forget(before: time)
    guard let before = samples.first, before.time <= time else {
      // There is no earlier neighbour, and a later sample proves that none will follow.
      let isHopeless = isFinished || !samples.isEmpty || latestTime > time + maximumGap
      return isHopeless ? .some(nil) : nil
    }
    if before.time == time { return before.value }
    guard samples.count >= 2 else {
      let isHopeless = isFinished || latestTime > before.time + maximumGap
      return isHopeless ? .some(nil) : nil
    }
    let after = samples[1]
    guard after.time - before.time <= maximumGap else { return .some(nil) }
    let fraction = (time - before.time) / (after.time - before.time)
    return before.value + fraction * (after.value - before.value)
  }

  /// The keys of saved values, which keep their names.
  private enum CodingKeys: String, CodingKey {
    case maximumGap = "longestGap", samples
  }
}
