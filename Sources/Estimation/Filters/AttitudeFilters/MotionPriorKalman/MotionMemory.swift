internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// The mean square of the velocity, (m/s)², horizontal (per axis) and vertical: how vigorously the device is moved.
///
/// Its memory begins short, so that the start's guess is soon forgotten.
struct SpeedMemory: Sendable, Codable, Equatable {
  /// More than any person's.
  private static let cap = 100.0
  private static let firstMemory = 0.5

  /// Seconds beyond which a velocity lasts.
  private static let lastingTime = 1.0

  private(set) var horizontal = 0.0
  private(set) var vertical = 0.0
  /// Of the horizontal velocity's part that lasts.
  private var lasting = 0.0
  private var lowPassX = 0.0
  private var lowPassY = 0.0
  private var age = 0.0

  init() {}

  /// Begins with a guess of the mean square, (m/s)².
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

  /// How much of the motion prior's noise is a velocity that lasts, as of somebody who walks, 0 to 1: the prior takes
  /// its noise for white.
  ///
  /// - Parameters:
  ///   - least: the prior's noise without motion, (m/s)² s.
  ///   - weight: seconds of noise per mean square velocity.
  func lastingShare(least: Double, weight: Double) -> Double {
    let noise = least + weight * horizontal
    return noise > 0 ? min(1, weight * lasting / noise) : 0
  }
}

/// Whether the filter's vertical is wrong: then gravity is an acceleration that does not end, the velocity grows, and a
/// velocity that grows loosens the prior that should have stopped it.
struct LostDetector: Sendable, Codable, Equatable {
  private static let forceMemory = 1.0
  /// Largest difference of the mean force's norm from gravity, m/s²: it then is gravity.
  private static let normTolerance = 3.0
  /// Seconds that it must last: in motion, and at rest, where a train that drives off smoothly is no error.
  private static let hold = 0.3
  private static let restHold = 5.0
  /// At rest the force is off the vertical by more than this, rad, and by more than so many of the tilt's sigmas.
  private static let restAngle = 0.035
  private static let restSigmas = 5.0

  /// Low-passed specific force in earth axes, m/s².
  private var force = Vector3(0, 0, standardGravity)
  private var suspicion = 0.0
  private var restSuspicion = 0.0

  @inline(__always)
  mutating func add(force newForce: Vector3, dt: Double) {
    force += (dt / (Self.forceMemory + dt)) * (newForce - force)
  }

  /// - Parameters:
  ///   - speed: beyond which the filter may be lost in motion, m/s.
  ///   - angle: of the force from the vertical beyond which it then is, rad.
  ///   - restSigma: the tilt's standard deviation where the device rests, rad; nil in motion.
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

/// The previous step's rotation vector, for the part of coning that two steps show.
///
/// Where the rate's direction changes, a step's rotation vector is not α₂, the integral of the rate, but α₂ + (α₁ ×
/// α₂)/12, α₁ being that of the step before (Savage, "Strapdown inertial navigation integration algorithm design", J.
/// Guidance 21 (1998), part 1).
struct ConingMemory: Sendable, Codable, Equatable {
  private var previous = Vector3.zero
  private var duration = 0.0

  /// What is to be added to a step's rotation vector; zero where steps differ much in length.
  @inline(__always)
  mutating func correction(_ turn: Vector3, dt: Double) -> Vector3 {
    defer { (previous, duration) = (turn, dt) }
    guard dt < 2 * duration, duration < 2 * dt else { return .zero }
    return (1.0 / 12) * previous.cross(turn)
  }

  mutating func forget() { self = ConingMemory() }
}
