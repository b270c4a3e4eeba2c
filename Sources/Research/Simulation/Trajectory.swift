internal import InertialNumerics
public import InertialRotations

/// The true motion of the device at one instant. The earth frame is north-west-up (x, y, z); north is magnetic.
public struct KinematicState: Sendable, Hashable {
  /// The attitude: a unit quaternion, device to earth.
  public var attitude: Quaternion
  /// The angular rate in the device frame, in rad/s: the derivative of the attitude, q' = ½ q ⊗ ω.
  public var angularRate: Vector3
  /// The position in the earth frame, in m.
  public var position: Vector3
  /// The velocity in the earth frame, in m/s: the derivative of the position.
  public var velocity: Vector3
  /// The acceleration in the earth frame without gravity, in m/s²: the derivative of the velocity.
  public var acceleration: Vector3
  /// Whether the device is moving; `false` in phases in which the trajectory is at rest by design.
  public var isMoving: Bool

  /// Creates a state from its quantities, in the units of the properties.
  public init(
    attitude: Quaternion, angularRate: Vector3 = .zero, position: Vector3 = .zero,
    velocity: Vector3 = .zero, acceleration: Vector3 = .zero, isMoving: Bool
  ) {
    self.attitude = attitude
    self.angularRate = angularRate
    self.position = position
    self.velocity = velocity
    self.acceleration = acceleration
    self.isMoving = isMoving
  }

  init(_ chain: RotationChain, _ x: Jet = .zero, _ y: Jet = .zero, _ z: Jet = .zero, isMoving: Bool) {
    self.init(
      attitude: chain.attitude, angularRate: chain.angularRate,
      position: Vector3(x.value, y.value, z.value), velocity: Vector3(x.first, y.first, z.first),
      acceleration: Vector3(x.second, y.second, z.second), isMoving: isMoving)
  }
}

/// A motion with a ground truth in closed form at every time.
public protocol Trajectory: Sendable {
  /// Returns the state at a time in seconds; defined for every finite time, including times before 0.
  func state(at time: Double) -> KinematicState
}
