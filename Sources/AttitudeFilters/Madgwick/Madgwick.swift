public import LinearAlgebra
public import Rotations

/// Gradient descent on the attitude's error, fused with the gyroscope, with compensation of the gyroscope's drift.
///
/// S. Madgwick, "An efficient orientation filter for inertial and inertial/magnetic sensor arrays", report, 2010. The
/// equations are those of the report; its earth frame (Z up, X along the horizontal field) is ours. Each step goes
/// against the gradient by β dt, whatever the gradient's length: the attitude follows at a steady rate and then
/// dithers about the minimum by β dt.
public struct Madgwick: SteppedAlgorithm {
  public static let name = "madgwick"
  public static let traits: FilterTraits = [.accelerometer, .magneticField, .gyroscopeBias]

  public let parameters: Parameters
  private let step: MadgwickStep<Double>

  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    step = MadgwickStep(parameters)
  }

  @inline(__always)
  public func advance(_ state: inout State, by step: MotionStep) {
    self.step.advance(&state.earthFromDevice, &state.gyroscopeBias, by: step)
  }
}

extension Madgwick {
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
