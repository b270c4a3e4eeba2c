internal import InertialNumerics

/// The mean of a measured quantity over the time since its previous sample.
///
/// A sample represents its own sampling interval. If the time since the previous sample is longer, a sample was lost,
/// and the time between gets the mean of its neighbours, so that one bad sample does not distort the integral.
struct SampleHold: Sendable, Codable, Equatable {
  var last: Vector3?
  /// The usual time between samples, in seconds. Lost samples hardly change it; a new rate changes it within a second
  /// or two.
  var interval: Double?

  /// Returns the mean over the `dt` seconds that end with this sample.
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

  /// Takes a sample without an interval to integrate over: the first, or one after a gap.
  mutating func restart(at value: Vector3) { last = value }
}
