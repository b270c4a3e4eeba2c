public import LinearAlgebra
public import Rotations

/// The explicit complementary filter on the rotation group, with integral correction of the gyroscope's bias.
///
/// Mahony, Hamel and Pflimlin, "Nonlinear complementary filters on the special orthogonal group", IEEE Transactions
/// on Automatic Control 53 (2008), eq. (32), in quaternions eq. (48): the error is the rotation from the directions
/// as predicted to the directions as measured, summed over gravity and field; it turns the attitude at k_P and the
/// bias at k_I. The field's reference is the field itself with its azimuth turned to north (Euston et al. 2008), so no
/// dip angle has to be known; but the field moves the tilt where it is off in dip.
public struct Mahony: SteppedAlgorithm {
  public static let name = "mahony"
  public static let traits: FilterTraits = [.accelerometer, .magneticField, .gyroscopeBias]

  public let parameters: Parameters
  private let step: MahonyStep<Double>

  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    step = MahonyStep(parameters)
  }

  @inline(__always)
  public func advance(_ state: inout State, by step: MotionStep) {
    self.step.advance(&state.earthFromDevice, &state.gyroscopeBias, by: step)
  }
}

extension Mahony {
  /// Everything that changes from sample to sample.
  public struct State: AttitudeAndBias {
    public internal(set) var earthFromDevice: Quaternion
    /// rad/s, device axes.
    public internal(set) var gyroscopeBias = Vector3.zero

    public init(earthFromDevice: Quaternion) { self.earthFromDevice = earthFromDevice }

    public mutating func restart(at attitude: Quaternion) { earthFromDevice = attitude }

    package mutating func resume(at attitude: Quaternion, gyroscopeBias: Vector3) {
      (earthFromDevice, self.gyroscopeBias) = (attitude, gyroscopeBias)
    }
  }
}
