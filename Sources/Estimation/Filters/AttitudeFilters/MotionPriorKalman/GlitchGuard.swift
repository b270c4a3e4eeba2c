internal import InertialNumerics

/// Finds rates that no device turned with: for one sample, or for some milliseconds, the rate is elsewhere, and then
/// it is again what it was before.
///
/// A glitch is known by its neighbours, so it is followed until it is over, and then all that came of it is undone.
/// How far rates jump from sample to sample otherwise tells what is a glitch, so that a device which is shaken may
/// jump far.
struct GlitchGuard: Sendable, Codable, Equatable {
  enum Verdict {
    /// The rate is what it may be.
    case usual
    /// This may be a glitch: what is known is to be held.
    case suspicious
    /// What was held is to be taken up again, with nothing known of the time since.
    case over
  }

  /// Smallest jump that is a glitch, rad/s: a smaller one turns by less than a degree in ten milliseconds.
  private static let leastJump = 1.0
  /// And how many times the usual jump it must be.
  private static let usualFactor = 10.0
  /// Memory of the usual jump, seconds.
  private static let memory = 1.0
  /// How near the rate must come again to what it was, as a share of the jump.
  private static let returnShare = 0.3
  /// Longest glitch of more than one sample, with the sample after it, seconds.
  private static let longest = 0.02

  private var last: Vector3?
  private var usualJump = 0.0
  /// Whether the latest rates may be a glitch.
  private(set) var isHolding = false
  /// The rate before them.
  private(set) var rateBefore = Vector3.zero
  /// Seconds since then.
  private(set) var elapsed = 0.0
  /// How far the rate went, rad/s, and for how many samples.
  private var height = 0.0
  private var count = 0

  /// - Parameter dt: seconds since the sample before.
  @inline(__always)
  mutating func judge(_ rate: Vector3, over dt: Double) -> Verdict {
    defer { last = rate }
    guard let last else { return .usual }
    let jump = (rate - last).norm
    if isHolding { return judgeHeld(rate, jump, dt) }
    guard jump > max(Self.leastJump, Self.usualFactor * usualJump) else {
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
    if distance < Self.returnShare * height, count == 1 || elapsed <= Self.longest {
      // Where glitches come in swarms, they are how the device moves.
      learn(height, dt)
      return .over
    }
    height = max(height, distance)
    if elapsed + dt <= Self.longest { isHolding = true } else { learn(jump, dt) }
    return .usual
  }

  /// Waits for what comes after a rate that was just judged suspicious.
  ///
  /// - Parameters:
  ///   - before: the rate of the sample before.
  ///   - dt: seconds that the rate stands for.
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
