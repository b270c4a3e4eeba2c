internal import InertialNumerics
internal import InertialRotations

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

  /// Time constants in seconds, valid for every sample rate.
  package struct Parameters: SteppedParameters {
    /// The time constant of the tilt, in seconds; 0 corrects fully at every sample, as in the paper. The heading
    /// follows much more slowly, with 2 / (1 − √(1 − 4 a_g a_m cos² dip)) times this time constant, where a_g and a_m
    /// are the weights of gravity and field: 24 times in central Europe with equal weights, and more with unequal
    /// weights.
    package var timeConstant = 0.6
    /// The weight of the field; gravity has the rest to 1. The heading converges fastest at 0.5.
    package var magneticWeight = 0.5
    package var dipTimeConstant = 30.0
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}

    package static let descriptions: [ParameterDescription<Self>] =
      [
        .init(
          "timeConstant", \.timeConstant, "s", 0...1e6,
          "Time constant of the correction; bigger trusts the gyroscope longer, 0 is the paper's."),
        .init(
          "magneticWeight", \.magneticWeight, "1", 0...1,
          "The field's weight, gravity has the rest to 1; heading is corrected soonest at 0.5."),
        .dipTimeConstant(\.dipTimeConstant),
      ] + HandlingParameters.descriptions(at: \.handling)
  }

  package typealias State = AttitudeAndField

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

/// The recursive optimal linear estimator for real logs.
package typealias ROLEQFilter = SteppedFilter<ROLEQ>
