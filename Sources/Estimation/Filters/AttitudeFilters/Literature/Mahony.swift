internal import InertialNumerics
internal import InertialRotations

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

  /// Time constants in seconds, valid for every sample rate.
  public struct Parameters: SteppedParameters {
    /// The time constant of the correction, in seconds: 1 / k_P. A larger value trusts the gyroscope longer.
    public var timeConstant = 1.5
    /// The integral time, in seconds: k_P / k_I. A larger value learns the bias more slowly and steadily.
    public var biasTimeConstant = 200.0
    /// The weight of the field's error relative to gravity's: the paper's k_2 / k_1. With 0, the gyroscope has the heading.
    public var magneticWeight = 0.5
    /// The integration order. 1: q + q̇ dt, as in the paper. 3: three terms of the exponential, for slow sensors.
    public var integrationOrder = 3.0
    public var handling = HandlingParameters()
    public var headingReference = HeadingReference.magneticNorth

    public init() {}

    public static let descriptions: [ParameterDescription<Self>] =
      [
        .init("timeConstant", \.timeConstant, "s", 0.001...1e6, "Time constant; bigger trusts the gyroscope longer.")
          .published("kP", \.kP, "1/s", 1e-6...1000, "Proportional gain: 1 / timeConstant."),
        .init("biasTimeConstant", \.biasTimeConstant, "s", 0.01...1e12, "Integral time; bigger learns the bias slower.")
          .published("kI", \.kI, "1/s²", 0...1000, "Integral gain: kP / biasTimeConstant. Set after kP."),
        .init(
          "magneticWeight", \.magneticWeight, "1", 0...100,
          "Weight of the field's error against gravity's; 0 leaves heading to the gyroscope."),
        .integrationOrder(\.integrationOrder),
      ] + HandlingParameters.descriptions(at: \.handling)

    /// The paper's proportional gain, in 1/s.
    public var kP: Double {
      get { 1 / timeConstant }
      set { timeConstant = 1 / newValue }
    }

    /// The paper's integral gain, in 1/s². Without integral action, the time is practically infinite.
    public var kI: Double {
      get { kP / biasTimeConstant }
      set { biasTimeConstant = min(kP / newValue, 1e12) }
    }
  }

  /// The attitude and the gyroscope's bias.
  public typealias State = AttitudeAndBias

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

/// The explicit complementary filter for real logs.
public typealias MahonyFilter = SteppedFilter<Mahony>
