public import InertialNumerics

/// The input of gesture, activity and step detectors: the known accelerations and rotation rate at one time.
public struct MotionSample: Sendable, Hashable, Codable {
  /// The time, in seconds on the log's clock.
  public var time: Double
  /// The raw acceleration with gravity, in g, device axes, Core Motion's sign ((0, 0, −1) at rest face up).
  public var acceleration: Vector3?
  /// The acceleration without gravity, in g, device axes, Core Motion's sign.
  public var userAcceleration: Vector3?
  /// The angular rate, in rad/s, device axes. A gyroscope bias does not matter.
  public var rotationRate: Vector3?

  /// Creates a sample from its quantities, in seconds, g, g and rad/s; `nil` for unknown quantities.
  @inlinable
  public init(
    time: Double, acceleration: Vector3? = nil, userAcceleration: Vector3? = nil, rotationRate: Vector3? = nil
  ) {
    self.time = time
    self.acceleration = acceleration
    self.userAcceleration = userAcceleration
    self.rotationRate = rotationRate
  }

  /// Creates a sample of a motion; the raw acceleration is the sum of gravity and user acceleration.
  @inlinable
  public init(_ motion: DeviceMotion) {
    self.init(
      time: motion.time, acceleration: motion.userAcceleration.map { motion.gravity + $0 },
      userAcceleration: motion.userAcceleration, rotationRate: motion.rotationRate)
  }

  /// The gravity, in g, device axes, or `nil` unless both accelerations are known.
  public var gravity: Vector3? {
    guard let acceleration, let userAcceleration else { return nil }
    return acceleration - userAcceleration
  }

  /// Whether all known numbers are finite.
  @inlinable
  @inline(__always)
  public var isFinite: Bool {
    // A finite number minus itself is 0, any other is NaN: one comparison for all numbers.
    @inline(__always)
    func rest(_ v: Vector3?) -> Double { v.map { ($0.x - $0.x) + ($0.y - $0.y) + ($0.z - $0.z) } ?? 0 }
    return (time - time) + rest(acceleration) + rest(userAcceleration) + rest(rotationRate) == 0
  }
}
