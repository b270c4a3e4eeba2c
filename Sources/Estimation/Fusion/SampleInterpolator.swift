internal import DequeModule
internal import InertialNumerics

/// The value of one channel at the times of another, by linear interpolation between its neighbours.
struct SampleInterpolator: Sendable, Codable {
  /// Longest time between neighbours that is interpolated over, and longest wait for the later one, seconds.
  let longestGap: Double
  private var samples: Deque<Sample> = []

  private struct Sample: Sendable, Codable {
    var time: Double
    var value: Vector3
  }

  init(longestGap: Double) { self.longestGap = longestGap }

  mutating func append(_ value: Vector3, at time: Double) {
    if let last = samples.last, time <= last.time { return }
    samples.append(Sample(time: time, value: value))
  }

  /// Forgets what no value at the given time or later needs.
  mutating func forget(before time: Double) {
    while samples.count >= 2, samples[1].time <= time { samples.removeFirst() }
  }

  /// The value at a time; asked for in rising order of time, and what is older is forgotten.
  ///
  /// - Returns: nil: the later neighbour may still come. `.some(nil)`: there is no value at this time.
  mutating func value(at time: Double, latestTime: Double, _ isFinished: Bool) -> Vector3?? {
    forget(before: time)
    guard let before = samples.first, before.time <= time else {
      // No earlier neighbour. A later one proves that there never will be.
      let isHopeless = isFinished || !samples.isEmpty || latestTime > time + longestGap
      return isHopeless ? .some(nil) : nil
    }
    if before.time == time { return before.value }
    guard samples.count >= 2 else {
      let isHopeless = isFinished || latestTime > before.time + longestGap
      return isHopeless ? .some(nil) : nil
    }
    let after = samples[1]
    guard after.time - before.time <= longestGap else { return .some(nil) }
    let fraction = (time - before.time) / (after.time - before.time)
    return before.value + fraction * (after.value - before.value)
  }
}
