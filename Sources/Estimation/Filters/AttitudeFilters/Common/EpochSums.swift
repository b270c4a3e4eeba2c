internal import InertialNumerics

/// The sums of one epoch, the time in which a filter's samples are one measurement; vectors in earth axes.
struct EpochSums: Sendable, Codable, Equatable {
  private(set) var duration = 0.0
  /// ∫ |ω|² dt, rad²/s.
  private(set) var squaredRateIntegral = 0.0
  private var rateIntegral = Vector3.zero
  private var forceSum = Vector3.zero
  /// Seconds that the force stands for.
  private var forceDuration = 0.0
  private var fieldSum = Vector3.zero
  private var fieldCount = 0

  /// - Parameter squaredRate: of the rate without its bias, rad²/s².
  mutating func add(rate: Vector3, squaredRate: Double, dt: Double) {
    duration += dt
    rateIntegral += dt * rate
    squaredRateIntegral += dt * squaredRate
  }

  mutating func add(force: Vector3, dt: Double) {
    forceSum += dt * force
    forceDuration += dt
  }

  mutating func add(field: Vector3) {
    fieldSum += field
    fieldCount += 1
  }

  mutating func forgetForce() {
    forceSum = .zero
    forceDuration = 0
  }

  var meanForce: Vector3? { forceDuration > 0 ? forceSum / forceDuration : nil }
  var meanField: Vector3? { fieldCount > 0 ? fieldSum / Double(fieldCount) : nil }
  var meanRate: Vector3? { duration > 0 ? rateIntegral / duration : nil }
}

/// Where epochs end: on a grid of times, so that a lost sample does not shift all later ones.
struct EpochClock: Sendable, Codable, Equatable {
  /// Where the running epoch ends, seconds; nil before the first.
  private var end: Double?

  /// Whether a sample at `time` ends the running epoch.
  ///
  /// - Parameter elapsed: seconds that the running epoch has sums of.
  mutating func isOver(at time: Double, length: Double, elapsed: Double) -> Bool {
    // Half a microsecond of slack: stamps are rounded, and an epoch must not wait a sample for that.
    guard let end, time < end - 5e-7 else {
      let next = (end ?? time) + length
      // After a gap, or where samples are rarer than epochs, the grid starts anew.
      defer { end = next > time ? next : time + length }
      return end != nil || length <= elapsed
    }
    return false
  }
}
