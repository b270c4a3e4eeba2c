internal import InertialNumerics
internal import InertialSensors

/// Subtracts gravity, estimated by a low-pass of half a second, from samples without a user acceleration.
struct GravityLowPass: Sendable, Codable {
  private var lowPass = VectorExponentialLowPass(timeConstant: 0.5)
  private var lastTime: Double?

  mutating func completed(_ sample: MotionSample) -> MotionSample {
    defer { lastTime = sample.time }
    guard sample.userAcceleration == nil, let acceleration = sample.acceleration else { return sample }
    var sample = sample
    let gravity = lowPass.update(acceleration, after: sample.time - (lastTime ?? sample.time))
    sample.userAcceleration = acceleration - gravity
    return sample
  }
}
