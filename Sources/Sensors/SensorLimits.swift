public import InertialNumerics

/// What a sensor can physically have measured. A value outside is skipped and counted, never used.
///
/// The defaults are above every sensor in use, so that only faults are caught: a clipped sample stays inside.
public struct SensorLimits: Sendable, Codable, Equatable {
  /// Largest angular rate about any axis, rad/s. Default 100 rad/s (5,730 °/s; consumer ranges end at 35 to 70).
  public var rotationRate = 100.0
  /// Largest acceleration along any axis, g. Default 40 g (consumer ranges end at 16 to 32).
  public var acceleration = 40.0
  /// Largest raw magnetic field along any axis, µT. Default 10,000 µT (consumer ranges end at 4,900).
  public var magneticField = 10_000.0
  /// Weakest and strongest calibrated field, µT, that can be the earth's with a disturbance on it. Default 5 to 500.
  public var calibratedField = 5.0...500.0

  /// The standard limits.
  @inlinable
  @inline(__always)
  public init() {}

  // Computed, so that its numbers are constants where they are compared with.
  /// What no sensor of a phone or a research device exceeds.
  @inlinable
  @inline(__always)
  public static var standard: SensorLimits { SensorLimits() }

  @inlinable
  @inline(__always)
  package func allowsRotationRate(_ rate: Vector3) -> Bool {
    rate.isWithin(rotationRate)
  }

  /// A zero vector is no acceleration that a sensor on a moving body measures for long: it is a sensor asleep.
  @inlinable
  @inline(__always)
  package func allowsAcceleration(_ acceleration: Vector3) -> Bool {
    acceleration.isWithin(self.acceleration) && acceleration != .zero
  }

  @inlinable
  @inline(__always)
  package func allowsRawField(_ field: Vector3) -> Bool {
    field.isWithin(magneticField) && field != .zero
  }

  @inlinable
  @inline(__always)
  package func allowsCalibratedField(_ field: Vector3) -> Bool {
    // Squared: no root. Written so that NaN fails; an infinite one is above every limit.
    let squared = field.squaredNorm
    let (weakest, strongest) = (calibratedField.lowerBound, calibratedField.upperBound)
    return squared >= weakest * weakest && squared <= strongest * strongest && squared <= .greatestFiniteMagnitude
  }
}

extension Vector3 {
  /// Whether all components are numbers within a limit; an infinite one is not, whatever the limit.
  @inlinable
  @inline(__always)
  func isWithin(_ limit: Double) -> Bool {
    // Written so that NaN fails.
    let largest = min(limit, .greatestFiniteMagnitude)
    return abs(x) <= largest && abs(y) <= largest && abs(z) <= largest
  }
}
