internal import InertialNumerics

/// The latest vector of a sensor with its own clock, rotated with the device.
struct PropagatedVector: Sendable, Codable, Equatable {
  /// The vector as measured, or as last rotated.
  var value = Vector3.zero
  /// The time up to which the value is rotated, or `nil` before the first sample.
  var time: Double?
  /// The time of the measurement.
  var sampleTime = 0.0

  @inline(__always)
  mutating func take(_ value: Vector3, at time: Double) {
    (self.value, self.time, sampleTime) = (value, time, time)
  }

  /// Returns the vector in device axes at a later time, after a rotation at a rate (rad/s) since, or `nil` without a
  /// sample that is younger than `maximumAge` seconds.
  @inline(__always)
  func value(at later: Double, turningAt rate: Vector3, for maximumAge: Double) -> Vector3? {
    guard let time, later - sampleTime <= maximumAge else { return nil }
    return later == time ? value : value.turned(by: -(later - time) * rate)
  }

  /// Returns whether the latest sample has exactly this timestamp.
  @inline(__always)
  func isMeasured(at time: Double) -> Bool { self.time != nil && sampleTime == time }

  /// Stores the vector as rotated by a step.
  @inline(__always)
  mutating func follow(_ value: Vector3?, to time: Double) {
    guard let value, let last = self.time, time > last else { return }
    (self.value, self.time) = (value, time)
  }
}

extension Vector3 {
  /// Returns the vector rotated by a rotation vector, exact to third order of its angle and with the same norm.
  ///
  /// Cayley's form needs no sine: between two samples of one sensor, the angle is small.
  @inline(__always)
  fileprivate func turned(by rotation: Vector3) -> Vector3 {
    let half = 0.5 * rotation
    let across = half.cross(self)
    return self + (2 / (half.squaredNorm + 1)) * (across + half.cross(across))
  }
}
