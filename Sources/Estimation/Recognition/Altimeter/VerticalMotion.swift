internal import InertialNumerics

/// The integrals of the vertical acceleration since the last update of a vertical filter's mean and covariance.
///
/// The model is linear, so the motion acts on any state through a few integrals. Samples are added to the integrals
/// and the state is updated when needed. Filters with different states share the integrals.
struct VerticalMotion: Sendable, Codable, Equatable {
  /// The time of the newest motion or altitude sample, in seconds.
  private(set) var time: Double
  /// The time since the last update of the state, in seconds.
  private(set) var duration = 0.0
  /// Whether the motion is known in that time.
  private(set) var isKnown = true
  /// The changes of the vertical speed, in m/s, and of the altitude and the lagged altitude, in m.
  private(set) var speed = 0.0
  private(set) var rise = 0.0
  private(set) var laggedRise = 0.0
  /// The integral of the squared acceleration, in m²/s³.
  private(set) var square = 0.0
  /// The newest vertical acceleration, in m/s², and its time, in seconds; before the first one, a time earlier than
  /// any.
  private(set) var acceleration = 0.0
  private(set) var accelerationTime = -Double.greatestFiniteMagnitude
  /// The maximum duration over which an acceleration is held, in seconds.
  private let gap: Double
  /// The maximum lag of a barometer, in seconds; 0 without lag.
  private let lag: Double
  private let inverseLag: Double

  init(time: Double, gap: Double, lag: Double) {
    (self.time, self.gap, self.lag) = (time, gap, lag)
    inverseLag = lag > 0 ? 1 / lag : 0
  }

  /// Whether the newest acceleration is still valid at a time.
  func holds(to time: Double) -> Bool { time - accelerationTime <= gap }

  /// Adds an acceleration that follows a valid one, the usual case. Returns `false` if the sample needs more than an
  /// update of the integrals.
  @inline(__always)
  mutating func takesQuietly(_ value: Double, at time: Double) -> Bool {
    guard isKnown, time > accelerationTime, holds(to: time), abs(value) < .infinity else { return false }
    let mean = 0.5 * (acceleration + value)
    (accelerationTime, acceleration) = (time, value)
    extend(to: time, mean)
    return true
  }

  /// Stores the newest acceleration without adding it to the integrals.
  mutating func note(_ value: Double, at time: Double) { (accelerationTime, acceleration) = (time, value) }

  /// Advances to a time with the mean acceleration since the last time, in m/s².
  @inline(__always)
  mutating func extend(to time: Double, _ mean: Double) {
    let interval = time - self.time
    guard interval > 0 else { return }
    let fraction = interval * inverseLag
    // 1 − exp(−x); for a small x the third-order series, which is cheaper.
    let reached =
      fraction < 0.1
      ? fraction * (1 - fraction * (0.5 - 1.0 / 6 * fraction))
      : ExponentialLowPass.gain(after: interval, timeConstant: lag)
    laggedRise += reached * (rise - laggedRise) + (interval - lag * reached) * speed
    rise += interval * (speed + 0.5 * interval * mean)
    speed += interval * mean
    square += interval * mean * mean
    duration += interval
    self.time = time
  }

  /// Restarts the integrals after the state was updated.
  mutating func reset(isKnown: Bool? = nil, at time: Double? = nil) {
    (duration, speed, rise, laggedRise, square) = (0, 0, 0, 0, 0)
    self.isKnown = isKnown ?? self.isKnown
    self.time = time ?? self.time
  }
}
