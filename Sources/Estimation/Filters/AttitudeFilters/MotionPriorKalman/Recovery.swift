internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// A detector of a wrong vertical: gravity then appears as an endless acceleration, the velocity grows, and a growing
/// velocity loosens the prior that should have stopped it. Equation (18) of docs/theory/flagship.md.
struct TiltDivergenceDetector: Sendable, Codable, Equatable {
  private static let forceMemory = 1.0
  /// The largest difference of the mean force's norm from gravity, in m/s², that still counts as gravity.
  private static let normTolerance = 3.0
  /// The speed, in m/s, and the angle of the force from the vertical, in rad, above which the tilt may be wrong.
  private static let speed = 5.0
  private static let angle = 35 * Double.pi / 180
  /// The minimum duration, in seconds.
  private static let hold = 0.3

  /// F₁, the low-passed specific force in earth axes, in m/s².
  private(set) var force = Vector3(0, 0, standardGravity)
  private var suspicion = 0.0

  @inline(__always)
  mutating func add(force newForce: Vector3, dt: Double) {
    force += (dt / (Self.forceMemory + dt)) * (newForce - force)
  }

  /// Returns whether the tilt is wrong.
  mutating func isLost(velocity: Vector3, after duration: Double) -> Bool {
    let isSuspicious =
      velocity.squaredNorm > Self.speed * Self.speed && force.angle(to: .unitZ) > Self.angle
      && abs(force.norm - standardGravity) < Self.normTolerance
    suspicion = isSuspicious ? suspicion + duration : 0
    return suspicion >= Self.hold
  }

  /// Rotates the earth frame.
  mutating func turn(by rotation: Quaternion) { force = rotation.rotate(force) }
}

extension MotionPriorKalman {
  /// The minimum standard deviation of the tilt after a recovery, in rad, and its fraction of the correction.
  private static let recoveredTilt = (minimum: 0.17, fraction: 0.3)

  /// Rotates the tilt onto the mean force: equation (19) of docs/theory/flagship.md.
  mutating func recoverTilt() {
    let angle = state.tiltDivergence.force.angle(to: .unitZ)
    let tilt = max(Self.recoveredTilt.minimum, Self.recoveredTilt.fraction * angle)
    traceStartOver(keepsHeading: true)
    turn(by: rotationOntoZ(state.tiltDivergence.force))
    state.velocity = .zero
    state.kalman.isolate(MotionErrors.tilt, variance: tilt * tilt)
    state.kalman.isolate(MotionErrors.velocity.indices, variance: 1)
    let heading = MotionErrors.heading
    state.kalman.isolate(heading..<heading + 1, variance: state.kalman[heading, heading] + angle * angle)
    state.meanSquareVelocity = MeanSquareVelocity(1)
    state.tiltDivergence = TiltDivergenceDetector()
    state.flags.insert(.jumped)
    state.recoveryTime = state.time
    state.kalman.close()
    if trace != nil { traceStart() }
  }
}
