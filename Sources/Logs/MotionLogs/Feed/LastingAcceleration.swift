internal import InertialNumerics

/// The mean acceleration over seconds. It equals gravity, because a continued motion returns to its position.
///
/// A person on a trampoline is in free fall for most of the time, but the pushes between the falls add up to gravity.
/// If gravity was removed from a log, the mean is about zero.
struct LastingAcceleration: Sendable, Codable {
  /// The minimum mean that indicates gravity, in g, regardless of the rotation of the device.
  static let minimumGravity = 0.4
  /// The averaging time, in seconds.
  private static let span = 2.0

  private var begin = -Double.infinity
  private var sum = Vector3.zero
  private var count = 0.0
  private var normSum = 0.0
  private var spans = 0.0

  /// The average magnitude of the means over two seconds, in g, or 0 before the first sample.
  var norm: Double { (normSum + (count > 0 ? (sum / count).norm : 0)) / max(spans + (count > 0 ? 1 : 0), 1) }

  /// Adds an acceleration, in g, with its time, in seconds.
  mutating func add(_ acceleration: Vector3, at time: Double) {
    if !(time - begin < Self.span) || time < begin {
      if count > 0 { (normSum, spans) = (normSum + (sum / count).norm, spans + 1) }
      (begin, sum, count) = (time, .zero, 0)
    }
    sum += acceleration
    count += 1
  }
}
