public import InertialNumerics

/// What recognisers of gestures, activities and steps take: one moment's accelerations and rotation rate, as far as they
/// are known.
public struct MotionSample: Sendable, Hashable {
  /// Seconds on the log's clock.
  public var time: Double
  /// Raw acceleration with gravity: g, device axes, Core Motion's sign ((0, 0, −1) at rest face up).
  public var acceleration: Vector3?
  /// Acceleration without gravity: g, device axes, Core Motion's sign.
  public var userAcceleration: Vector3?
  /// Angular rate: rad/s, device axes. A bias of a gyroscope does no harm.
  public var rotationRate: Vector3?

  /// A sample from its quantities: seconds, g, g and rad/s; nil for what is not known.
  public init(
    time: Double, acceleration: Vector3? = nil, userAcceleration: Vector3? = nil, rotationRate: Vector3? = nil
  ) {
    self.time = time
    self.acceleration = acceleration
    self.userAcceleration = userAcceleration
    self.rotationRate = rotationRate
  }

  /// The raw acceleration is put together again: gravity and user acceleration.
  public init(_ motion: DeviceMotion) {
    self.init(
      time: motion.time, acceleration: motion.userAcceleration.map { motion.gravity + $0 },
      userAcceleration: motion.userAcceleration, rotationRate: motion.rotationRate)
  }

  /// Gravity: g, device axes; known where both accelerations are.
  public var gravity: Vector3? {
    guard let acceleration, let userAcceleration else { return nil }
    return acceleration - userAcceleration
  }

  /// Whether no number that is known is infinite or NaN.
  @inlinable
  @inline(__always)
  public var isFinite: Bool {
    // What is finite less itself is 0, all else NaN: one comparison for all.
    @inline(__always)
    func rest(_ v: Vector3?) -> Double { v.map { ($0.x - $0.x) + ($0.y - $0.y) + ($0.z - $0.z) } ?? 0 }
    return (time - time) + rest(acceleration) + rest(userAcceleration) + rest(rotationRate) == 0
  }
}
