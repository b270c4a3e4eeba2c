/// The time between samples of one channel, and whether a filter may integrate over it.
struct SampleClock: Sendable, Codable, Equatable {
  var lastTime: Double?

  enum Step: Equatable {
    /// The first sample, with no interval to integrate over.
    case first
    /// The time since the previous sample, in seconds.
    case regular(Double)
    /// The time since the previous sample, in seconds, too long to integrate over.
    case gap(Double)
    /// An unusable sample: impossible, or not later than the previous sample.
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
