internal import InertialNumerics
public import InertialRotations

/// The explicit complementary filter on the rotation group, with integral correction of the gyroscope's bias.
///
/// Mahony, Hamel and Pflimlin, "Nonlinear complementary filters on the special orthogonal group", IEEE Transactions on
/// Automatic Control 53 (2008), eq. (32), in quaternions eq. (48): the error is the rotation from the predicted to the
/// measured directions, summed over gravity and field; it corrects the attitude with k_P and the bias with k_I. The
/// field's reference is the field itself with its azimuth rotated to north, as in Madgwick's report of 2010 (eq. (45)
/// and (46)), so the dip need not be known; the disadvantage is that a field with a wrong dip moves the tilt.
public struct Mahony: SteppedAlgorithm {
  public static let name = "mahony"
  public static let summary = "explicit complementary filter on the rotation group, with integral bias"
  public static let source = "Mahony, Hamel and Pflimlin 2008, eq. (32) and (48)"
  public static let traits: FilterTraits = [.accelerometer, .magneticField, .gyroscopeBias]

  public let parameters: Parameters
  private let kP, kI: Double
  private let series: StepSeries

  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    (kP, kI) = (parameters.kP, parameters.kI)
    series = StepSeries(IntegrationOrder(parameters.integrationOrder))
  }

  @inline(__always)
  public func advance(_ state: inout State, by step: MotionStep) {
    let (q, Δt) = (state.earthFromDevice, step.duration)
    let ω = error(q, step)
    // Eq. (48c) comes first, so that the step already uses the new bias: b̂' = −k_I ω_mes.
    state.gyroscopeBias -= (kI * Δt) * ω
    // Eq. (48b): q̂' = ½ q̂ ⊗ p(Ω_y − b̂ + k_P ω_mes).
    let rate = step.rate - state.gyroscopeBias + kP * ω
    state.earthFromDevice = q.turned(byTwice: (0.5 * Δt) * rate, series)
  }

  /// Returns ω_mes = Σ k_i v_i × v̂_i, eq. (32c), of the measured and predicted gravity and field, in device axes; zero
  /// without an acceleration.
  @inline(__always)
  private func error(_ q: Quaternion, _ step: MotionStep) -> Vector3 {
    guard let down = step.acceleration?.normalized else { return .zero }
    // R̂ rotates device axes to earth axes, so its rows are the earth's axes in device axes.
    let R = q.matrix
    let (north, west, up) = (R.row(0), R.row(1), R.row(2))
    let tilt = up.cross(down)
    guard let m = step.magneticField?.normalized else { return tilt }
    // m̂ is the measured field with its azimuth rotated to north.
    let (x, y, z) = (north.dot(m), west.dot(m), up.dot(m))
    let reference = (x * x + y * y).squareRoot() * north + z * up
    return tilt + parameters.magneticWeight * m.cross(reference)
  }
}

extension Mahony {
  /// The complete state that changes from sample to sample.
  public struct State: SteppedState {
    public internal(set) var earthFromDevice: Quaternion
    /// The gyroscope bias, in rad/s, in device axes.
    public internal(set) var gyroscopeBias = Vector3.zero

    public init(earthFromDevice: Quaternion) { self.earthFromDevice = earthFromDevice }

    public mutating func restart(at attitude: Quaternion) { earthFromDevice = attitude }
  }
}
