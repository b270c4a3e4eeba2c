internal import InertialNumerics

/// The mean of a measured quantity over the time since its previous sample.
///
/// A sample stands for its own sampling interval. Where time since the previous one is longer, a sample was lost, and
/// the time between is given the mean of its neighbours, so that one bad sample does not bend the integral.
struct SampleHold: Sendable, Codable, Equatable {
  var last: Vector3?
  /// The usual time between samples, seconds; lost samples hardly move it, a new rate does within a second or two.
  var interval: Double?

  /// The mean over `dt` seconds that end with this sample.
  @inline(__always)
  mutating func mean(_ value: Vector3, over dt: Double) -> Vector3 {
    defer { last = value }
    guard let previous = last, let usual = interval else {
      interval = dt
      return value
    }
    guard dt > 1.5 * usual else {
      interval = usual + 0.05 * (dt - usual)
      return value
    }
    interval = usual + 0.01 * (min(dt, 3 * usual) - usual)
    let between = 0.5 * (previous + value)
    return (usual * value + (dt - usual) * between) / dt
  }

  /// Takes a sample that nothing is integrated to: the first, or one after a gap.
  mutating func restart(at value: Vector3) { last = value }
}
