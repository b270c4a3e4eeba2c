public import InertialNumerics

/// A position fix, for example from a satellite receiver.
public struct PositionFix: Sendable, Equatable, Codable {
  /// The time in seconds on the log's clock.
  public var time: Double
  /// The position in metres from the first fix: east, north, up.
  public var position: Vector3
  /// The standard deviation of the position by component, in metres.
  public var positionSigma: Vector3
  /// The velocity east and north in m/s (up is not used), or `nil` if the receiver reports no velocity.
  public var velocity: Vector3?
  /// The standard deviation of the velocity, in m/s.
  public var velocitySigma: Double

  /// Creates a fix.
  public init(
    time: Double, position: Vector3, positionSigma: Vector3, velocity: Vector3? = nil, velocitySigma: Double = 0.5
  ) {
    self.time = time
    self.position = position
    self.positionSigma = positionSigma
    self.velocity = velocity
    self.velocitySigma = velocitySigma
  }
}

/// The model of a receiver's position errors: fix = p + c σ b + n with the stated σ.
///
/// Most of the error persists: b is a Gauss-Markov process with a variance of 1. The noise n is the rest.
extension PositionFix {
  /// The time constant of b, in seconds.
  static let slowTime = 60.0
  /// c, the standard deviation of the part that persists, relative to the stated one.
  static let slowFraction = 0.8
  /// The standard deviation of n, relative to the stated one.
  private static let fastFraction = 0.8
  /// The time for which n persists, in seconds.
  private static let fastTime = 1.0

  /// Returns the number of fixes for which the noise n persists.
  ///
  /// - Parameter interval: The time since the previous fix, in seconds.
  static func repeats(every interval: Double) -> Double { max(1, fastTime / interval) }

  /// Returns the measurement of one component of the position: equation (9) of docs/theory/error-state.md.
  ///
  /// - Parameters:
  ///   - estimate: The estimated component of the position, in metres, and its index in the error state.
  ///   - error: The estimated component of b, and its index in the error state.
  ///   - motion: The variance of the motion during the error of the fix's time, in m².
  ///   - repeats: The number of fixes for which the noise n persists.
  func row(
    _ axis: Int, _ estimate: (value: Double, index: Int), error: (value: Double, index: Int), motion: Double = 0,
    repeats: Double
  ) -> MeasurementRow {
    let (slow, fast) = (Self.slowFraction * positionSigma[axis], Self.fastFraction * positionSigma[axis])
    var row = MeasurementRow(
      residual: position[axis] - estimate.value - slow * error.value, variance: (fast * fast + motion) * repeats)
    row.add(1, at: estimate.index)
    row.add(slow, at: error.index)
    return row
  }
}
