internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// The mean square of the velocity, in (m/s)², horizontal (per axis) and vertical: a measure of the intensity of
/// motion.
///
/// Its time constant is short at first, so that the initial guess soon loses its effect.
struct MeanSquareVelocity: Sendable, Codable, Equatable {
  /// An upper limit above any person's mean square velocity.
  private static let cap = 100.0
  private static let firstMemory = 0.5

  /// The duration above which a velocity counts as lasting, in seconds.
  private static let lastingTime = 1.0

  private(set) var horizontal = 0.0
  private(set) var vertical = 0.0
  /// The mean square of the lasting part of the horizontal velocity.
  private var lasting = 0.0
  private var lowPassX = 0.0
  private var lowPassY = 0.0
  private var age = 0.0

  init() {}

  /// Creates a memory with a guess of the mean square, in (m/s)².
  init(guess: Double) { (horizontal, vertical, lasting) = (guess, guess, guess) }

  mutating func add(_ velocity: Vector3, over duration: Double, memory: Double, growth: Double) {
    age += duration
    let weight = 1 - exp(-duration / min(memory, Self.firstMemory + growth * age))
    let level = 0.5 * (velocity.x * velocity.x + velocity.y * velocity.y)
    horizontal = min(horizontal + weight * (level - horizontal), Self.cap)
    vertical = min(vertical + weight * (velocity.z * velocity.z - vertical), Self.cap)
    let smoothing = duration / (Self.lastingTime + duration)
    lowPassX += smoothing * (velocity.x - lowPassX)
    lowPassY += smoothing * (velocity.y - lowPassY)
    lasting += weight * (0.5 * (lowPassX * lowPassX + lowPassY * lowPassY) - lasting)
  }

  /// Returns the fraction of the motion prior's noise due to a lasting velocity (as in walking), 0 to 1. The
  /// prior treats its noise as white.
  ///
  /// - Parameters:
  ///   - minimum: The prior's noise without motion, in (m/s)² s.
  ///   - weight: The seconds of noise per mean square velocity.
  func persistentFraction(minimum: Double, weight: Double) -> Double {
    let noise = minimum + weight * horizontal
    return noise > 0 ? min(1, weight * lasting / noise) : 0
  }
}

/// A detector of a wrong vertical: gravity then appears as an endless acceleration, the velocity grows, and a growing
/// velocity loosens the prior that should have stopped it.
struct TiltDivergenceDetector: Sendable, Codable, Equatable {
  private static let forceMemory = 1.0
  /// The largest difference of the mean force's norm from gravity, in m/s², that still counts as gravity.
  private static let normTolerance = 3.0
  /// The minimum duration, in seconds, in motion and at rest. At rest, a train that departs smoothly is not an error.
  private static let hold = 0.3
  private static let restHold = 5.0
  /// The minimum angle of the force from the vertical at rest, in rad and in multiples of the tilt's sigma.
  private static let restAngle = 0.035
  private static let restSigmas = 5.0

  /// The low-passed specific force in earth axes, in m/s².
  private var force = Vector3(0, 0, standardGravity)
  private var suspicion = 0.0
  private var restSuspicion = 0.0

  @inline(__always)
  mutating func add(force newForce: Vector3, dt: Double) {
    force += (dt / (Self.forceMemory + dt)) * (newForce - force)
  }

  /// - Parameters:
  ///   - speed: The speed above which the filter may be lost in motion, in m/s.
  ///   - angle: The angle of the force from the vertical above which it then is lost, in rad.
  ///   - restSigma: The tilt's standard deviation if the device rests, in rad; `nil` in motion.
  mutating func isLost(
    velocity: Vector3, after duration: Double, speed: Double, angle: Double, restSigma: Double?
  ) -> Bool {
    let tilt = force.angle(to: .unitZ)
    let isGravity = abs(force.norm - standardGravity) < Self.normTolerance
    let isSuspicious = isGravity && velocity.squaredNorm > speed * speed && tilt > angle
    suspicion = isSuspicious ? suspicion + duration : 0
    let isWrongAtRest = restSigma.map { isGravity && tilt > max(Self.restAngle, Self.restSigmas * $0) } ?? false
    restSuspicion = isWrongAtRest ? restSuspicion + duration : 0
    return suspicion >= Self.hold || restSuspicion >= Self.restHold
  }
}

/// The previous step's rotation vector, for the part of coning that two steps determine.
///
/// If the rate's direction changes, a step's rotation vector is not α₂, the integral of the rate, but α₂ + (α₁ ×
/// α₂)/12, with α₁ the integral of the previous step (Savage, "Strapdown inertial navigation integration algorithm
/// design", J. Guidance 21 (1998), part 1).
struct ConingCorrection: Sendable, Codable, Equatable {
  private var previous = Vector3.zero
  private var duration = 0.0

  /// Returns the correction to add to a step's rotation vector; zero if the steps differ much in length.
  @inline(__always)
  mutating func correction(_ turn: Vector3, dt: Double) -> Vector3 {
    defer { (previous, duration) = (turn, dt) }
    guard dt < 2 * duration, duration < 2 * dt else { return .zero }
    return (1.0 / 12) * previous.cross(turn)
  }

  mutating func forget() { self = ConingCorrection() }
}
