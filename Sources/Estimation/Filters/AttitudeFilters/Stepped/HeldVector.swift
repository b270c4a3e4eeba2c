internal import InertialNumerics

/// The latest vector of a sensor that ticks on its own clock, turned along with the device.
struct HeldVector: Sendable, Codable, Equatable {
  /// As it was measured, or as it was last turned.
  var value = Vector3.zero
  /// The time that the value is turned to; nil before the first sample.
  var time: Double?
  /// The time that it was measured.
  var sampleTime = 0.0

  @inline(__always)
  mutating func take(_ value: Vector3, at time: Double) {
    (self.value, self.time, sampleTime) = (value, time, time)
  }

  /// The vector as the device sees it at a later time, having turned at a rate (rad/s) since; nil without a sample
  /// that is younger than `longest` seconds.
  @inline(__always)
  func value(at later: Double, turningAt rate: Vector3, for longest: Double) -> Vector3? {
    guard let time, later - sampleTime <= longest else { return nil }
    return later == time ? value : value.turned(by: -(later - time) * rate)
  }

  /// Whether its latest sample is of a time.
  @inline(__always)
  func isMeasured(at time: Double) -> Bool { self.time != nil && sampleTime == time }

  /// Keeps what a step made of it.
  @inline(__always)
  mutating func follow(_ value: Vector3?, to time: Double) {
    guard let value, let last = self.time, time > last else { return }
    (self.value, self.time) = (value, time)
  }
}

extension Vector3 {
  /// The vector rotated by a rotation vector, exact to third order of its angle and of the same length.
  ///
  /// Cayley's form needs no sine: between two samples of one sensor the angle is small.
  @inline(__always)
  fileprivate func turned(by rotation: Vector3) -> Vector3 {
    let half = 0.5 * rotation
    let across = half.cross(self)
    return self + (2 / (half.squaredNorm + 1)) * (across + half.cross(across))
  }
}
