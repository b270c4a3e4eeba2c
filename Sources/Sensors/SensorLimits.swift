public import InertialNumerics

/// The physically possible ranges of sensors. Values out of range are skipped and counted, never used.
///
/// The defaults are above the ranges of all sensors in use, so they reject only faults: a clipped sample is within the
/// limits.
public struct SensorLimits: Sendable, Codable, Equatable {
  /// The largest rotation rate about any axis, in rad/s. Default: 100 (5,730 °/s; consumer ranges end at 35 to 70).
  public var rotationRate = 100.0
  /// The largest acceleration along any axis, in g. Default: 40 (consumer ranges end at 16 to 32).
  public var acceleration = 40.0
  /// The largest magnetic field along any axis, in µT. Default: 10,000 (consumer ranges end at 4,900).
  public var magneticField = 10_000.0
  /// The range of the strength of a calibrated field, in µT, that can be a disturbed earth's field. Default: 5 to 500. Only
  /// filters use it, with its default.
  public var calibratedField = 5.0...500.0

  /// Creates the standard limits.
  @inlinable
  @inline(__always)
  public init() {}

  // Computed, so its numbers are constants in comparisons.
  /// The limits that no sensor of a phone or a research device exceeds.
  @inlinable
  @inline(__always)
  public static var standard: SensorLimits { SensorLimits() }

  @inlinable
  @inline(__always)
  package func allowsRotationRate(_ rate: Vector3) -> Bool {
    rate.isWithin(rotationRate)
  }

  /// Returns whether the acceleration is possible. A zero vector is not: it comes from a sleeping sensor.
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
    // The comparison of squares needs no root. Written so that NaN fails; an infinite field exceeds every limit.
    let squared = field.squaredNorm
    let (weakest, strongest) = (calibratedField.lowerBound, calibratedField.upperBound)
    return squared >= weakest * weakest && squared <= strongest * strongest && squared <= .greatestFiniteMagnitude
  }
}

extension Vector3 {
  /// Returns whether all components are finite and within a limit, even if the limit is infinite.
  @inlinable
  @inline(__always)
  func isWithin(_ limit: Double) -> Bool {
    // Written so that NaN fails.
    let largest = min(limit, .greatestFiniteMagnitude)
    return abs(x) <= largest && abs(y) <= largest && abs(z) <= largest
  }
}
