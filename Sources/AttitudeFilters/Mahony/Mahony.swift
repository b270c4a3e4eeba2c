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
  private let coefficients: Coefficients

  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    coefficients = Coefficients(parameters)
  }

  public func advance(_ state: inout State, by step: MotionStep) {
    var error = Vector3.zero
    if let acceleration = step.acceleration?.normalized {
      let up = state.earthFromDevice.rotateInverse(.unitZ)
      error = up.cross(acceleration)
      if let field = step.magneticField?.normalized {
        error += coefficients.magneticWeight * fieldError(field, state.earthFromDevice)
      }
    }
    state.gyroscopeBias -= (coefficients.integralGain * step.duration) * error
    let rate = step.rate - state.gyroscopeBias + coefficients.proportionalGain * error
    state.earthFromDevice = state.earthFromDevice.turned(at: rate, for: step.duration, coefficients.order)
  }

  /// m × m̂, where m̂ is the measured field with its azimuth turned to north.
  private func fieldError(_ field: Vector3, _ attitude: Quaternion) -> Vector3 {
    let inEarth = attitude.rotate(field)
    let horizontal = (inEarth.x * inEarth.x + inEarth.y * inEarth.y).squareRoot()
    return field.cross(attitude.rotateInverse(Vector3(horizontal, 0, inEarth.z)))
  }
}

extension Mahony {
  public struct State: SteppedState {
    public internal(set) var earthFromDevice: Quaternion
    /// rad/s, device axes.
    public internal(set) var gyroscopeBias = Vector3.zero

    public init(earthFromDevice: Quaternion) { self.earthFromDevice = earthFromDevice }

    public mutating func restart(at attitude: Quaternion) { earthFromDevice = attitude }
  }

  struct Coefficients: Sendable {
    let proportionalGain: Double
    let integralGain: Double
    let magneticWeight: Double
    let order: IntegrationOrder

    init(_ parameters: Parameters) {
      proportionalGain = parameters.kP
      integralGain = parameters.kI
      magneticWeight = parameters.magneticWeight
      order = IntegrationOrder(parameters.integrationOrder)
    }
  }
}
