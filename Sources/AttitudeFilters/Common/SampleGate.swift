internal import LinearAlgebra
internal import Sensors

/// Which samples a filter may use: finite and physically possible ones, in rising order of time, each channel on its
/// own clock. What is refused is flagged until the channel's next good sample.
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

  /// A field is not integrated over time, so it has no gaps.
  @inline(__always)
  mutating func admit(field value: Vector3, at time: Double) -> SampleClock.Step {
    guard isAllowed(SensorLimits.standard.allowsCalibratedField(value), .magneticFieldRejected) else {
      return .refused
    }
    return field.advance(to: time, gapThreshold: .infinity)
  }

  /// The next field sample counts as the first.
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
