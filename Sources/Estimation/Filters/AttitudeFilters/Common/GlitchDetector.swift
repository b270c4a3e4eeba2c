internal import InertialNumerics

/// A detector of physically impossible rates: for one sample, or for some milliseconds, the rate deviates, and then
/// it returns to its previous value.
///
/// A glitch is recognised by its neighbours, so it is followed until it is over, and then its effects are undone. The
/// threshold depends on the usual jump between samples, so the rate of a shaken device may jump far.
struct GlitchDetector: Sendable, Codable, Equatable {
  enum Verdict {
    /// The rate is plausible.
    case usual
    /// The rate may be a glitch: the caller must save the present state.
    case suspicious
    /// The glitch is over: the caller must restore the saved state; the motion since then is unknown.
    case over
  }

  /// The smallest jump of a glitch, in rad/s: a smaller one rotates by less than a degree in ten milliseconds.
  private static let minimumJump = 1.0
  /// The smallest ratio of a glitch to the usual jump.
  private static let usualFactor = 10.0
  /// The time constant of the usual jump, in seconds.
  private static let memory = 1.0
  /// The largest distance from the previous rate after a glitch, as a fraction of the jump.
  private static let returnFraction = 0.3
  /// The longest glitch of more than one sample, including the sample after it, in seconds.
  private static let maximumDuration = 0.02

  private var last: Vector3?
  private var usualJump = 0.0
  /// Whether the latest rates may be a glitch.
  private(set) var isHolding = false
  /// The last rate before the suspicious ones.
  private(set) var rateBefore = Vector3.zero
  /// The time since then, in seconds.
  private(set) var elapsed = 0.0
  /// The largest deviation of the rate, in rad/s, and its number of samples.
  private var height = 0.0
  private var count = 0

  /// - Parameter dt: The time since the previous sample, in seconds.
  @inline(__always)
  mutating func judge(_ rate: Vector3, over dt: Double) -> Verdict {
    defer { last = rate }
    guard let last else { return .usual }
    let jump = (rate - last).norm
    if isHolding { return judgeHeld(rate, jump, dt) }
    guard jump > max(Self.minimumJump, Self.usualFactor * usualJump) else {
      learn(jump, dt)
      return .usual
    }
    return .suspicious
  }

  private mutating func judgeHeld(_ rate: Vector3, _ jump: Double, _ dt: Double) -> Verdict {
    elapsed += dt
    count += 1
    isHolding = false
    let distance = (rate - rateBefore).norm
    if distance < Self.returnFraction * height, count == 1 || elapsed <= Self.maximumDuration {
      // Glitches in swarms are treated as motion of the device.
      learn(height, dt)
      return .over
    }
    height = max(height, distance)
    if elapsed + dt <= Self.maximumDuration { isHolding = true } else { learn(jump, dt) }
    return .usual
  }

  /// Holds a suspicious rate until the following samples decide.
  ///
  /// - Parameters:
  ///   - before: The rate of the previous sample.
  ///   - dt: The duration that the rate represents, in seconds.
  mutating func hold(_ rate: Vector3, before: Vector3, dt: Double) {
    (isHolding, rateBefore, elapsed, height, count) = (true, before, dt, (rate - before).norm, 0)
  }

  mutating func restart(at rate: Vector3) {
    last = rate
    isHolding = false
  }

  private mutating func learn(_ jump: Double, _ dt: Double) {
    usualJump += (dt / (Self.memory + dt)) * (jump - usualJump)
  }
}
