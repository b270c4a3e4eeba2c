internal import InertialNumerics

/// The sums of one epoch, the interval whose samples form one measurement; vectors in earth axes.
struct EpochSums: Sendable, Codable, Equatable {
  private(set) var duration = 0.0
  /// ∫ |ω|² dt, rad²/s.
  private(set) var squaredRateIntegral = 0.0
  private var rateIntegral = Vector3.zero
  private var forceSum = Vector3.zero
  /// The duration covered by the force samples, in seconds.
  private var forceDuration = 0.0
  private var fieldSum = Vector3.zero
  private var fieldCount = 0

  /// - Parameter squaredRate: The square of the rate without its bias, in rad²/s².
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

  var meanForce: Vector3? { forceDuration > 0 ? forceSum / forceDuration : nil }
  var meanField: Vector3? { fieldCount > 0 ? fieldSum / Double(fieldCount) : nil }
  var meanRate: Vector3? { duration > 0 ? rateIntegral / duration : nil }
}

/// The clock of the epochs, whose ends are on a time grid, so that a lost sample does not shift all later epochs.
struct EpochClock: Sendable, Codable, Equatable {
  /// The end of the current epoch, in seconds, or `nil` before the first.
  private var end: Double?

  /// Returns whether a sample at `time` ends the current epoch.
  ///
  /// - Parameter elapsed: The duration of the current epoch's sums, in seconds.
  mutating func isOver(at time: Double, length: Double, elapsed: Double) -> Bool {
    // A tolerance of half a microsecond: timestamps are rounded, which must not delay an epoch by a sample.
    guard let end, time < end - 5e-7 else {
      let next = (end ?? time) + length
      // After a gap, or if samples are rarer than epochs, the grid restarts.
      defer { end = next > time ? next : time + length }
      return end != nil || length <= elapsed
    }
    return false
  }
}
