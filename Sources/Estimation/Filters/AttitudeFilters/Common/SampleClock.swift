/// The time between samples of one channel, and whether it is one that a filter may integrate over.
struct SampleClock: Sendable, Codable, Equatable {
  var lastTime: Double?

  enum Step: Equatable {
    /// The first sample: nothing to integrate over.
    case first
    /// Seconds since the previous sample.
    case regular(Double)
    /// Seconds since the previous sample, too many to integrate over.
    case gap(Double)
    /// Not to be used: impossible, or not later than the previous sample.
    case refused
  }

  @inline(__always)
  mutating func advance(to time: Double, gapThreshold: Double) -> Step {
    guard time.isFinite else { return .refused }
    guard let last = lastTime else {
      lastTime = time
      return .first
    }
    let dt = time - last
    guard dt > 0 else { return .refused }
    lastTime = time
    return dt > gapThreshold ? .gap(dt) : .regular(dt)
  }
}
