internal import InertialNumerics
public import InertialRotations

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
      let rate = step.rate - state.gyroscopeBias
      return state.earthFromDevice = q.turned(byTwice: (0.5 * Δt) * rate, series)
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
    let gravity = MadgwickObjective.gravityGradient(at: q, measured: -down)
    guard let m = step.magneticField?.normalized else { return gravity }
    // Eq. (45) and (46): b is the field in the earth frame, with its azimuth rotated to north.
    let h = q.matrix * m
    let b = (x: (h.x * h.x + h.y * h.y).squareRoot(), z: h.z)
    return gravity + MadgwickObjective(north: b.x, up: b.z, measured: m).gradient(at: q)
  }
}

extension Madgwick {
  /// The complete state that changes from sample to sample.
  public struct State: SteppedState {
    public internal(set) var earthFromDevice: Quaternion
    /// The gyroscope bias, in rad/s, in device axes.
    public internal(set) var gyroscopeBias = Vector3.zero

    public init(earthFromDevice: Quaternion) { self.earthFromDevice = earthFromDevice }

    public mutating func restart(at attitude: Quaternion) { earthFromDevice = attitude }
  }
}
