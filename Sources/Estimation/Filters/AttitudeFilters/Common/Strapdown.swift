internal import InertialNumerics
internal import InertialRotations

/// The attitude that follows the gyroscope, turned by what corrects it, and known between the gyroscope's samples.
struct Strapdown: Sendable, Codable, Equatable {
  var earthFromDevice = Quaternion.identity
  /// The attitude half an interval before the latest gyroscope sample.
  var midway = Quaternion.identity
  /// The latest rate, rad/s, bias included, and its time.
  var rate = Vector3.zero
  var time: Double?
  var held = SampleHold()

  /// Begins with a sample that nothing is integrated over: the first, or one after a gap.
  mutating func restart(rate: Vector3, at time: Double) {
    held.restart(at: rate)
    (self.rate, self.time) = (rate, time)
    midway = earthFromDevice
  }

  /// Follows the gyroscope over the `dt` seconds that end with a sample; a lost sample is filled in.
  ///
  /// - Returns: the mean rate over the time, bias included.
  @discardableResult
  mutating func integrate(_ rate: Vector3, bias: Vector3, over dt: Double, to time: Double) -> Vector3 {
    let mean = held.mean(rate, over: dt)
    let turned = earthFromDevice * Quaternion(rotationVector: (mean - bias) * dt)
    let previous = earthFromDevice
    earthFromDevice = turned.normalized ?? previous
    // Two unit quaternions of nearby attitudes: halfway on the arc is their sum, normalised.
    let now = earthFromDevice
    let sum = Quaternion(
      x: previous.x + now.x, y: previous.y + now.y, z: previous.z + now.z, w: previous.w + now.w)
    midway = sum.normalized ?? now
    (self.rate, self.time) = (rate, time)
    return mean
  }

  /// The attitude that a sample of another sensor was measured in.
  ///
  /// A rate stands for the time since the previous one, so the attitude is that at the end of its interval, while a
  /// vector was measured, on average, half an interval earlier; and if rates are momentary values, the attitude is half
  /// an interval ahead. Either way a vector belongs to the attitude of half an interval before its stamp: without
  /// this a device that nutates seems to have a bias.
  ///
  /// - Parameters:
  ///   - time: the sample's stamp; the attitude is carried on to it from the latest gyroscope sample.
  ///   - longest: farther stamps are given the latest attitude.
  func attitude(at time: Double, bias: Vector3, within longest: Double) -> Quaternion {
    guard let last = self.time, abs(time - last) <= longest else { return earthFromDevice }
    // Most logs have one clock: no sine for every sample then.
    if time == last { return midway }
    let offset = time - last - 0.5 * (held.interval ?? 0)
    return earthFromDevice * Quaternion(rotationVector: (rate - bias) * offset)
  }

  /// Turns the earth frame.
  mutating func correct(by rotation: Quaternion) {
    earthFromDevice = (rotation * earthFromDevice).normalized ?? earthFromDevice
    midway = (rotation * midway).normalized ?? midway
  }

  mutating func align(to attitude: Quaternion) { (earthFromDevice, midway) = (attitude, attitude) }
}
