internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// The front end of a filter: it admits the samples of every channel, notes gaps and rest, and keeps the means of the
/// start-up, at the start and after a gap.
///
/// The start-up is over once the gyroscope has been integrated for `startUpDuration` since the first acceleration. In
/// it, the tilt is the mean of the force; the filter decides how it uses the field.
struct SensorTimeline: Sendable, Codable, Equatable {
  /// The settings in the filter's units, derived once from its parameters.
  struct Settings: Sendable {
    let startUpDuration: Double
    let gapThreshold: Double
    let rest: RestDetector.Thresholds

    init(_ handling: HandlingParameters) {
      (startUpDuration, gapThreshold, rest) = (handling.startUpDuration, handling.gapThreshold, handling.rest)
    }
  }

  /// The means of force and field in the start-up.
  var means = InitialAlignment()
  /// Whether an acceleration has been admitted, so that there is an attitude.
  private(set) var isAligned = false
  private(set) var isStartingUp = true
  private(set) var isResting = false
  private(set) var rest = RestDetector()
  /// The integrated time, in seconds; counted until the end of the start-up.
  private(set) var age = 0.0
  private var gate = SampleGate()
  private var hasGap = false

  /// The low-passed rate at rest, in rad/s, or `nil` in motion.
  var restRate: Vector3? { isResting ? rest.rate : nil }

  /// The flags of the samples.
  var sampleFlags: AttitudeFlags { gate.flags }

  /// The flags of the samples, the start-up and rest.
  @inline(__always)
  var flags: AttitudeFlags {
    var flags = gate.flags
    if hasGap { flags.insert(.gap) }
    if isStartingUp { flags.insert(.converging) }
    if isResting { flags.insert(.resting) }
    return flags
  }

  /// Continues a saved state with settings that may differ from those before.
  mutating func resume(_ settings: Settings) {
    isStartingUp = age < settings.startUpDuration
    isResting = rest.isResting(settings.rest)
  }

  // MARK: Samples

  @inline(__always)
  mutating func admit(rate: Vector3, at time: Double, _ settings: Settings) -> SampleClock.Step {
    let step = gate.admit(gyroscope: rate, at: time, gapThreshold: settings.gapThreshold)
    if case .regular(let dt) = step {
      rest.add(rate: rate, dt: dt, settings.rest)
      isResting = rest.isResting(settings.rest)
    }
    return step
  }

  @inline(__always)
  mutating func admit(acceleration: Vector3, at time: Double, _ settings: Settings) -> SampleClock.Step {
    let step = gate.admit(accelerometer: acceleration, at: time, gapThreshold: settings.gapThreshold)
    if case .regular(let dt) = step { rest.add(acceleration: acceleration, dt: dt, settings.rest) }
    return step
  }

  @inline(__always)
  mutating func admit(field: Vector3, at time: Double) -> SampleClock.Step { gate.admit(field: field, at: time) }

  /// Admits the samples of one epoch together, if all are valid and no sample is its channel's first or after a gap.
  ///
  /// - Returns: The time since the previous rate, in seconds, or `nil` if the samples must be admitted one by one; the
  ///   timeline is then unchanged.
  @inline(__always)
  mutating func admit(
    rate: Vector3, acceleration: Vector3, field: Vector3?, at time: Double, _ settings: Settings
  ) -> Double? {
    guard
      let dt = gate.admit(
        gyroscope: rate, accelerometer: acceleration, field: field, at: time, gapThreshold: settings.gapThreshold)
    else { return nil }
    rest.add(rate: rate, dt: dt.rate, acceleration: acceleration, dt: dt.acceleration, settings.rest)
    isResting = rest.isResting(settings.rest)
    return dt.rate
  }

  // MARK: Start-up and gaps

  /// Starts the start-up at the first acceleration, no matter how long the gyroscope has run alone.
  mutating func align(_ settings: Settings) {
    isAligned = true
    setAge(0, settings)
  }

  /// Restarts after a gap, in which the rotation is unknown: the start-up begins again.
  mutating func enterGap(_ settings: Settings) {
    // The next field would count for the whole gap, at a tilt that is still unknown.
    gate.restartField()
    restart(settings)
    if isAligned, isStartingUp { hasGap = true }
  }

  /// Restarts the start-up.
  mutating func restart(_ settings: Settings) {
    means = InitialAlignment()
    setAge(0, settings)
  }

  /// Ends a rest: the next samples are compared with their own means.
  mutating func endRest() {
    rest = RestDetector()
    isResting = false
  }

  /// Counts the integrated time in the start-up.
  ///
  /// - Returns: Whether the start-up is over with this time.
  mutating func count(_ dt: Double, _ settings: Settings) -> Bool {
    guard isStartingUp else { return false }
    setAge(age + dt, settings)
    return !isStartingUp
  }

  private mutating func setAge(_ age: Double, _ settings: Settings) {
    self.age = age
    isStartingUp = age < settings.startUpDuration
    if !isStartingUp { hasGap = false }
  }
}
