internal import LinearAlgebra

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
    return later == time ? value : LaneVector3<Double>(value).turned(by: LaneVector3(-(later - time) * rate))[0]
  }

  /// Whether there is no sample.
  var isEmpty: Bool { time == nil }

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
