internal import InertialNumerics
internal import InertialRotations

/// Gradient descent on the attitude error, fused with the gyroscope, with compensation of the gyroscope's drift.
///
/// S. Madgwick, "An efficient orientation filter for inertial and inertial/magnetic sensor arrays", report, 2010. The
/// equations and the earth frame (Z up, X along the horizontal field) match the report. Each step goes against the
/// gradient by β dt, regardless of the gradient's magnitude: the attitude converges at a constant rate and then dithers
/// about the minimum by β dt.
public struct Madgwick: SteppedAlgorithm {
  public static let name = "madgwick"
  public static let summary = "gradient descent on gravity and field, with compensation of the gyroscope's drift"
  public static let source = "Madgwick 2010, report"
  public static let traits: FilterTraits = [.accelerometer, .magneticField, .gyroscopeBias]

  /// The errors of the gyroscope that the correction compensates, valid for every sample rate.
  public struct Parameters: SteppedParameters {
    /// The error of the gyroscope's rate, in rad/s: the report's ω̃_β. The correction rotates at 2 β.
    public var gyroscopeError = 0.1
    /// The drift of the gyroscope's bias, in rad/s²: the report's ω̃̇_ζ. The time constant is gyroscopeError / biasDrift.
    public var biasDrift = 0.0005
    /// The integration order. 1: q + q̇ dt, as in the report. 3: three terms of the exponential, for slow sensors.
    public var integrationOrder = 3.0
    public var handling = HandlingParameters()
    public var headingReference = HeadingReference.magneticNorth

    public init() {}

    public static let descriptions: [ParameterDescription<Self>] =
      [
        .init("gyroscopeError", \.gyroscopeError, "rad/s", 0...100, "Error of the rate; bigger trusts it less.")
          .published("beta", \.beta, "rad/s", 0...80, "Gain: √(3/4) gyroscopeError.")
          .published("gain", \.beta, "rad/s", 0...80, "Another name for beta."),
        .init("biasDrift", \.biasDrift, "rad/s²", 0...1, "Drift of the bias; bigger learns it faster, 0 not at all.")
          .published("zeta", \.zeta, "rad/s²", 0...0.8, "Gain of the bias: √(3/4) biasDrift."),
        .integrationOrder(\.integrationOrder),
      ] + HandlingParameters.descriptions(at: \.handling)

    /// The report's β, in rad/s, eq. (50): √(3/4) ω̃_β.
    public var beta: Double {
      get { 0.75.squareRoot() * gyroscopeError }
      set { gyroscopeError = newValue / 0.75.squareRoot() }
    }

    /// The report's ζ, in rad/s², eq. (51): √(3/4) ω̃̇_ζ.
    public var zeta: Double {
      get { 0.75.squareRoot() * biasDrift }
      set { biasDrift = newValue / 0.75.squareRoot() }
    }
  }

  /// The attitude and the gyroscope's bias.
  public typealias State = AttitudeAndBias

  public let parameters: Parameters
  private let β, ζ: Double
  private let series: StepSeries

  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    (β, ζ) = (parameters.beta, parameters.zeta)
    series = StepSeries(IntegrationOrder(parameters.integrationOrder))
  }

  @inline(__always)
  public func advance(_ state: inout State, by step: MotionStep) {
    let (q, Δt) = (state.earthFromDevice, step.duration)
    guard let gradient = gradient(at: q, step), case let length = gradient.norm, length > 0, length.isFinite else {
      return state.earthFromDevice = q.turned(byTwice: (0.5 * Δt) * (step.rate - state.gyroscopeBias), series)
    }
    let direction = (1 / length) * gradient
    // Eq. (47): the error as a rate, ω_ε = 2 q̂* ⊗ ∇f/|∇f|.
    let rateError = 2 * (q.conjugate * direction).vector
    // Eq. (48): ω_b = ζ Σ ω_ε Δt.
    state.gyroscopeBias += (ζ * Δt) * rateError
    // Eq. (49): ω_c = ω − ω_b.
    let rate = step.rate - state.gyroscopeBias
    // Eq. (42) to (44): q ← q + (½ q ⊗ ω_c − β ∇f/|∇f|) Δt, with the rotation by ω_c to the integration order.
    let next = q.turnedUnnormalized(byTwice: (0.5 * Δt) * rate, series) - (β * Δt) * direction
    state.earthFromDevice = next.normalizedNearOne ?? q
  }

  /// Returns ∇f = Jᵀ f of all measurements, eq. (34), or `nil` without an acceleration.
  @inline(__always)
  private func gradient(at q: Quaternion, _ step: MotionStep) -> Quaternion? {
    guard let down = step.acceleration?.normalized else { return nil }
    // Eq. (25) and (26): gravity's direction is 0 to the north and 1 up.
    let gravity = Self.gradient(at: q, north: 0, up: 1, measured: -down)
    guard let m = step.magneticField?.normalized else { return gravity }
    // Eq. (45) and (46): b is the field in the earth frame, with its azimuth rotated to north.
    let h = q.matrix * m
    let b = (x: (h.x * h.x + h.y * h.y).squareRoot(), z: h.z)
    return gravity + Self.gradient(at: q, north: b.x, up: b.z, measured: m)
  }

  /// Returns Jᵀ f, half the gradient of |f|², for a direction in the earth frame and its measurement, of norm 1.
  @inline(__always)
  static func gradient(at q: Quaternion, north: Double, up: Double, measured: Vector3) -> Quaternion {
    // Eq. (29): predicted − measured. The report writes the diagonal of R without the square of w, like `matrix`.
    let R = q.matrix
    let f = north * R.row(0) + up * R.row(2) - measured
    // Eq. (30), by columns, with b = (½ x, 0, ½ z).
    let (x, z) = (2 * north, 2 * up)
    let byX = Vector3(z * q.z, x * q.y + z * q.w, x * q.z - 2 * z * q.x)
    let byY = Vector3(-(2 * x * q.y + z * q.w), x * q.x + z * q.z, x * q.w - 2 * z * q.y)
    let byZ = Vector3(z * q.x - 2 * x * q.z, z * q.y - x * q.w, x * q.x)
    let byW = Vector3(-z * q.y, z * q.x - x * q.z, x * q.y)
    return Quaternion(x: byX.dot(f), y: byY.dot(f), z: byZ.dot(f), w: byW.dot(f))
  }
}

/// Madgwick's gradient descent filter for real logs.
public typealias MadgwickFilter = SteppedFilter<Madgwick>
