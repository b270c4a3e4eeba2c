internal import LinearAlgebra
internal import Rotations

/// Finds rates that no device turned with: for one sample, or for some milliseconds, the rate is elsewhere, and then it is
/// again what it was before.
///
/// A glitch is known by its neighbours, so it is followed until it is over, and then all that came of it is undone. How far
/// rates jump from sample to sample otherwise tells what is a glitch, so that a device which is shaken may jump far.
struct GlitchGuard: Sendable, Codable, Equatable {
  /// What was known before a rate that may be a glitch.
  struct Hold: Sendable, Codable, Equatable {
    fileprivate(set) var rate: Vector3
    var attitude: Quaternion
    var epoch: MotionEpoch
    /// Since then, seconds.
    fileprivate(set) var elapsed = 0.0
    /// How far the rate went, rad/s.
    fileprivate var height: Double
    fileprivate var count = 0
  }

  enum Verdict {
    /// The rate is what it may be.
    case usual
    /// This may be a glitch: what is known is to be held.
    case suspicious
    /// What was held is to be taken up again, with nothing known of the time since.
    case over(Hold)
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
  private(set) var hold: Hold?

  /// Whether the latest rates may be a glitch.
  var isHolding: Bool { hold != nil }

  /// - Parameter dt: seconds since the sample before.
  mutating func judge(_ rate: Vector3, over dt: Double) -> Verdict {
    defer { last = rate }
    guard let last else { return .usual }
    let jump = (rate - last).norm
    if var hold {
      hold.elapsed += dt
      hold.count += 1
      let distance = (rate - hold.rate).norm
      self.hold = nil
      if distance < Self.returnShare * hold.height, hold.count == 1 || hold.elapsed <= Self.longest {
        // Where glitches come in swarms, they are how the device moves.
        learn(hold.height, dt)
        return .over(hold)
      }
      hold.height = max(hold.height, distance)
      if hold.elapsed + dt <= Self.longest { self.hold = hold } else { learn(jump, dt) }
      return .usual
    }
    guard jump > max(Self.leastJump, Self.usualFactor * usualJump) else {
      learn(jump, dt)
      return .usual
    }
    return .suspicious
  }

  /// Holds what was known before the rate that was just judged.
  ///
  /// - Parameter dt: seconds that the rate stands for.
  mutating func hold(_ rate: Vector3, before: Vector3, attitude: Quaternion, epoch: MotionEpoch, dt: Double) {
    hold = Hold(
      rate: before, attitude: attitude, epoch: epoch, elapsed: dt, height: (rate - before).norm)
  }

  mutating func restart(at rate: Vector3) {
    last = rate
    hold = nil
  }

  private mutating func learn(_ jump: Double, _ dt: Double) {
    usualJump += (dt / (Self.memory + dt)) * (jump - usualJump)
  }
}
