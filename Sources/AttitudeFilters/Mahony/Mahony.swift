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

  @inline(__always)
  public func advance(_ state: inout State, by step: MotionStep) {
    var error = Vector3.zero
    if let acceleration = step.acceleration?.normalized {
      // As a matrix: its rows are the earth's axes as the device sees them, and it is needed both ways.
      let rotation = state.earthFromDevice.matrix
      let (north, west, up) = (rotation.row(0), rotation.row(1), rotation.row(2))
      error = up.cross(acceleration)
      if let field = step.magneticField?.normalized {
        // m × m̂, where m̂ is the measured field with its azimuth turned to north.
        let (x, y, z) = (north.dot(field), west.dot(field), up.dot(field))
        let reference = (x * x + y * y).squareRoot() * north + z * up
        error += coefficients.magneticWeight * field.cross(reference)
      }
    }
    state.gyroscopeBias -= (coefficients.integralGain * step.duration) * error
    let rate = step.rate - state.gyroscopeBias + coefficients.proportionalGain * error
    state.earthFromDevice = state.earthFromDevice.turned(at: rate, for: step.duration, coefficients.order)
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
