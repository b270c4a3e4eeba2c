internal import InertialNumerics
public import InertialRotations

/// How a device truly moves at one instant. The earth frame is north-west-up (x, y, z); north is magnetic.
public struct KinematicState: Sendable, Hashable {
  /// Unit quaternion, device to earth.
  public var attitude: Quaternion
  /// rad/s in the device frame: the derivative of the attitude, q' = ½ q ⊗ ω.
  public var angularRate: Vector3
  /// m in the earth frame.
  public var position: Vector3
  /// m/s in the earth frame: the derivative of the position.
  public var velocity: Vector3
  /// m/s² in the earth frame, without gravity: the derivative of the velocity.
  public var acceleration: Vector3
  /// Whether the device is on the move; false in the phases a trajectory holds still by design.
  public var isMoving: Bool

  /// A state from its quantities, in the units of the properties.
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

/// A motion whose truth is known in closed form at every time.
public protocol Trajectory: Sendable {
  /// The state at a time in seconds; defined for every finite time, before 0 as well.
  func state(at time: Double) -> KinematicState
}
