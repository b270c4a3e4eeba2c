internal import InertialNumerics
package import InertialRotations

/// The recursive optimal linear estimator of the quaternion: the gyroscope predicts, and one iteration of a linear map
/// corrects. The map's fixed point is the attitude that best fits gravity and field.
///
/// Zhou, Wu, Wang and Fourati, "Optimal, recursive and sub-optimal linear solutions to attitude determination from
/// vector observations for GNSS/accelerometer/magnetometer orientation measurement", Remote Sensing 10 (2018). A vector
/// b in device axes with the reference r in earth axes has the symmetric matrix W of (20), with W q = q exactly if q
/// rotates b to r; the correction is q ← ½ (I + Σ a W) q, (33) and (25), normalised, with weights a that sum to 1. The
/// paper applies it fully at every sample, which discards the gyroscope within some samples; here the time constant and
/// the step's duration determine a fraction.
///
/// The field's reference is learned from the data. No bias is estimated.
package struct ROLEQ: SteppedAlgorithm {
  package static let name = "roleq"
  package static let summary = "recursive optimal linear estimator of the quaternion, one iteration a sample"
  package static let source = "Zhou, Wu, Wang and Fourati 2018"
  package static let traits: FilterTraits = [.accelerometer, .magneticField]

  package let parameters: Parameters

  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  package func advance(_ state: inout State, by step: MotionStep) {
    // The paper's (37) is q + q̇ Δt, the first-order term of the exponential.
    var attitude = state.earthFromDevice.turned(at: step.rate, for: step.duration, .third)
    if let up = step.acceleration.flatMap({ (-$0).normalized }) {
      var image = OLEQ.w(up, .unitZ, attitude)
      if let field = step.magneticField?.normalized {
        let reference = state.field.learn(
          attitude.rotate(field), over: step.duration, timeConstant: parameters.dipTimeConstant)
        let weight = parameters.magneticWeight
        image = Self.sum(1 - weight, image, weight, OLEQ.w(field, reference, attitude))
      }
      let fraction = ExponentialLowPass.gain(after: step.duration, timeConstant: parameters.timeConstant)
      // q + share (½ (I + W) q − q)
      attitude = Self.sum(1 - 0.5 * fraction, attitude, 0.5 * fraction, image)
    }
    state.earthFromDevice = attitude.normalized ?? state.earthFromDevice
  }

  private static func sum(_ a: Double, _ p: Quaternion, _ b: Double, _ q: Quaternion) -> Quaternion {
    Quaternion(x: a * p.x + b * q.x, y: a * p.y + b * q.y, z: a * p.z + b * q.z, w: a * p.w + b * q.w)
  }
}

extension ROLEQ {
  /// The complete state that changes from sample to sample.
  package struct State: SteppedState {
    package internal(set) var earthFromDevice: Quaternion
    /// Zero, because the bias is not estimated.
    package var gyroscopeBias: Vector3 { .zero }
    var field = FieldReference()

    package init(earthFromDevice: Quaternion) { self.earthFromDevice = earthFromDevice }

    /// Restarts at an attitude. The dip is learned again, because it was measured with the previous attitude.
    package mutating func restart(at attitude: Quaternion) { self = Self(earthFromDevice: attitude) }
  }
}
