internal import InertialNumerics
internal import InertialSensors

/// A gate that admits finite and physically possible samples, in chronological order, each channel on its own clock. A
/// rejection is flagged until the channel's next valid sample.
struct SampleGate: Sendable, Codable, Equatable {
  var flags: AttitudeFlags = []
  var gyroscope = SampleClock()
  var accelerometer = SampleClock()
  var field = SampleClock()

  @inline(__always)
  mutating func admit(gyroscope rate: Vector3, at time: Double, gapThreshold: Double) -> SampleClock.Step {
    guard isAllowed(SensorLimits.standard.allowsRotationRate(rate), .gyroscopeRejected) else { return .refused }
    return gyroscope.advance(to: time, gapThreshold: gapThreshold)
  }

  @inline(__always)
  mutating func admit(
    accelerometer acceleration: Vector3, at time: Double, gapThreshold: Double
  ) -> SampleClock.Step {
    guard isAllowed(SensorLimits.standard.allowsAcceleration(acceleration), .accelerometerRejected) else {
      return .refused
    }
    return accelerometer.advance(to: time, gapThreshold: gapThreshold)
  }

  /// Admits a field sample. A field is not integrated over time, so it has no gaps.
  @inline(__always)
  mutating func admit(field value: Vector3, at time: Double) -> SampleClock.Step {
    guard isAllowed(SensorLimits.standard.allowsCalibratedField(value), .magneticFieldRejected) else {
      return .refused
    }
    return field.advance(to: time, gapThreshold: .infinity)
  }

  /// Admits the samples of one epoch together, if all are valid and no sample is its channel's first or after a gap.
  ///
  /// - Returns: The times since the previous rate and the previous acceleration, in seconds, or `nil` if the samples
  ///   must be admitted one by one; the gate is then unchanged.
  @inline(__always)
  mutating func admit(
    gyroscope rate: Vector3, accelerometer acceleration: Vector3, field value: Vector3?, at time: Double,
    gapThreshold: Double
  ) -> (rate: Double, acceleration: Double)? {
    let limits = SensorLimits.standard
    guard let lastRate = gyroscope.lastTime, let lastAcceleration = accelerometer.lastTime else { return nil }
    let steps = (rate: time - lastRate, acceleration: time - lastAcceleration)
    guard steps.rate > 0, steps.rate <= gapThreshold, steps.acceleration > 0, steps.acceleration <= gapThreshold,
      time.isFinite, limits.allowsRotationRate(rate), limits.allowsAcceleration(acceleration)
    else { return nil }
    if let value {
      guard let lastField = field.lastTime, time > lastField, limits.allowsCalibratedField(value) else { return nil }
      field.lastTime = time
      flags.remove(.magneticFieldRejected)
    }
    gyroscope.lastTime = time
    accelerometer.lastTime = time
    flags.subtract([.gyroscopeRejected, .accelerometerRejected])
    return steps
  }

  /// Resets the field's clock: the next field sample counts as the first.
  mutating func restartField() { field = SampleClock() }

  @inline(__always)
  private mutating func isAllowed(_ allowed: Bool, _ flag: AttitudeFlags) -> Bool {
    flags.setMembership(of: flag, !allowed)
    return allowed
  }
}

extension AttitudeFlags {
  @inline(__always)
  mutating func setMembership(of flag: AttitudeFlags, _ isMember: Bool) {
    if isMember { insert(flag) } else { remove(flag) }
  }
}
