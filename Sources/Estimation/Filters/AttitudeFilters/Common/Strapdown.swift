internal import InertialNumerics
internal import InertialRotations

/// The attitude integrated from the gyroscope, with corrections, and interpolated between the gyroscope's samples.
struct Strapdown: Sendable, Codable, Equatable {
  var earthFromDevice = Quaternion.identity
  /// The attitude half an interval before the latest gyroscope sample.
  var midway = Quaternion.identity
  /// The latest rate, in rad/s, bias included, and its time.
  var rate = Vector3.zero
  var time: Double?
  var held = SampleHold()

  /// Restarts with a sample without an interval to integrate over: the first, or one after a gap.
  mutating func restart(rate: Vector3, at time: Double) {
    held.restart(at: rate)
    (self.rate, self.time) = (rate, time)
    midway = earthFromDevice
  }

  /// Integrates the rate over the `dt` seconds that end with a sample; a lost sample is filled in.
  ///
  /// - Returns: The mean rate over the time, bias included.
  @discardableResult
  mutating func integrate(_ rate: Vector3, bias: Vector3, over dt: Double, to time: Double) -> Vector3 {
    let mean = held.mean(rate, over: dt)
    let turned = earthFromDevice * Quaternion(rotationVector: (mean - bias) * dt)
    let previous = earthFromDevice
    earthFromDevice = turned.normalized ?? previous
    // Two unit quaternions of nearby attitudes: the midpoint of the arc is their sum, normalised.
    let now = earthFromDevice
    let sum = Quaternion(
      x: previous.x + now.x, y: previous.y + now.y, z: previous.z + now.z, w: previous.w + now.w)
    midway = sum.normalized ?? now
    (self.rate, self.time) = (rate, time)
    return mean
  }

  /// Returns the attitude at which a sample of another sensor was measured.
  ///
  /// A rate represents the time since the previous rate, so the attitude is that at the end of its interval, while a
  /// vector was measured, on average, half an interval earlier; if rates are instantaneous values, the attitude is half
  /// an interval ahead. In both cases, a vector belongs to the attitude half an interval before its timestamp: without
  /// this correction, a nutating device seems to have a bias.
  ///
  /// - Parameters:
  ///   - time: The sample's timestamp; the attitude is extrapolated to it from the latest gyroscope sample.
  ///   - maximum: The longest extrapolation; more distant timestamps get the latest attitude.
  func attitude(at time: Double, bias: Vector3, within maximum: Double) -> Quaternion {
    guard let last = self.time, abs(time - last) <= maximum else { return earthFromDevice }
    // Most logs have one clock, which saves the sine for every sample.
    if time == last { return midway }
    let offset = time - last - 0.5 * (held.interval ?? 0)
    return earthFromDevice * Quaternion(rotationVector: (rate - bias) * offset)
  }

  /// Rotates the earth frame.
  mutating func correct(by rotation: Quaternion) {
    earthFromDevice = (rotation * earthFromDevice).normalized ?? earthFromDevice
    midway = (rotation * midway).normalized ?? midway
  }

  mutating func align(to attitude: Quaternion) { (earthFromDevice, midway) = (attitude, attitude) }
}
