internal import InertialNumerics

/// What the vertical acceleration has added since the mean and the covariance of a vertical filter were carried on last.
///
/// The model is linear, so that a second of motion acts on any state by a few integrals over it. Samples add to these;
/// the state follows when it is needed, and filters that differ in their states share them.
struct VerticalMotion: Sendable, Codable, Equatable {
  /// Seconds, of the newest motion or altitude that was taken in.
  private(set) var time: Double
  /// Seconds since the state was carried on.
  private(set) var duration = 0.0
  /// Whether the motion was known in that time.
  private(set) var isKnown = true
  /// What it has added to the vertical speed, m/s, to the altitude and to the lagged altitude, m.
  private(set) var speed = 0.0
  private(set) var rise = 0.0
  private(set) var laggedRise = 0.0
  /// The integral of the squared acceleration, m²/s³.
  private(set) var square = 0.0
  /// The newest vertical acceleration, m/s², and its time, seconds; before the first one earlier than any.
  private(set) var acceleration = 0.0
  private(set) var accelerationTime = -Double.greatestFiniteMagnitude
  /// Seconds: how long an acceleration is held.
  private let gap: Double
  /// Seconds by which a barometer may lag; 0 where none does.
  private let lag: Double
  private let inverseLag: Double

  init(time: Double, gap: Double, lag: Double) {
    (self.time, self.gap, self.lag) = (time, gap, lag)
    inverseLag = lag > 0 ? 1 / lag : 0
  }

  /// Whether an acceleration so far back is still known.
  func holds(to time: Double) -> Bool { time - accelerationTime <= gap }

  /// Takes an acceleration behind another that is known, as most are; false for one that changes more than the integrals.
  @inline(__always)
  mutating func takesQuietly(_ value: Double, at time: Double) -> Bool {
    guard isKnown, time > accelerationTime, holds(to: time), abs(value) < .infinity else { return false }
    let mean = 0.5 * (acceleration + value)
    (accelerationTime, acceleration) = (time, value)
    extend(to: time, mean)
    return true
  }

  /// Takes the newest acceleration, without what it has added.
  mutating func note(_ value: Double, at time: Double) { (accelerationTime, acceleration) = (time, value) }

  /// Goes on to a time with a mean acceleration since the last, m/s².
  @inline(__always)
  mutating func extend(to time: Double, _ mean: Double) {
    let interval = time - self.time
    guard interval > 0 else { return }
    let share = interval * inverseLag
    // 1 − exp(−x); for a small x to third order, without its cost.
    let reached =
      share < 0.1
      ? share * (1 - share * (0.5 - 1.0 / 6 * share)) : ExponentialLowPass.gain(after: interval, timeConstant: lag)
    laggedRise += reached * (rise - laggedRise) + (interval - lag * reached) * speed
    rise += interval * (speed + 0.5 * interval * mean)
    speed += interval * mean
    square += interval * mean * mean
    duration += interval
    self.time = time
  }

  /// Begins anew behind a state that has been carried on.
  mutating func reset(isKnown: Bool? = nil, at time: Double? = nil) {
    (duration, speed, rise, laggedRise, square) = (0, 0, 0, 0, 0)
    self.isKnown = isKnown ?? self.isKnown
    self.time = time ?? self.time
  }
}
