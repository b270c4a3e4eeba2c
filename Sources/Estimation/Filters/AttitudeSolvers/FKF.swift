public import InertialNumerics
public import InertialRotations

/// The fast Kalman filter: the state is the quaternion, and its measurement is a quaternion from the accelerometer and
/// the magnetometer.
///
/// Guo, Wu, Wang and Qian, "Novel MARG-sensor orientation estimation algorithm using fast Kalman filter", Journal of
/// Sensors (2017). The measured quaternion is the predicted one, drawn to the field and then to gravity, ¼ (W_a +
/// I)(W_m + I) q, so the observation matrix is the identity, and the noise follows from the sensors' noise by the
/// Jacobian. The dip comes from the sample. There is no gyroscope bias.
public struct FKF: Sendable, Equatable, Codable {
  /// The noise of the sensors.
  public struct Parameters: Sendable, Equatable, Codable {
    /// The standard deviation of a sample of the rotation rate per axis, in rad/s. Default: 0.01.
    public var gyroscopeNoise = 0.01
    /// The standard deviation of the acceleration as a vertical reference per axis, relative to its magnitude. Default:
    /// 0.02.
    public var accelerationNoise = 0.02
    /// The standard deviation of the field per axis, relative to its magnitude. Default: 0.03.
    public var fieldNoise = 0.03
    /// The variance of each component of the first quaternion. Default: 0.01.
    public var initialVariance = 0.01

    /// Creates parameters with the defaults.
    public init() {}
  }

  /// The noise parameters of the filter.
  public let parameters: Parameters

  /// The attitude, device to earth (NWU).
  public private(set) var attitude: Quaternion

  /// The covariance of the quaternion's components in the order x, y, z, w.
  public private(set) var covariance: FixedMatrix<4, 4>

  /// Creates a filter that starts from a known attitude.
  ///
  /// - Throws: `invalidStep` if the quaternion is zero or not finite.
  public init(attitude: Quaternion, parameters: Parameters = Parameters()) throws(OneShotError) {
    guard let attitude = attitude.normalized else { throw .invalidStep }
    self.attitude = attitude
    self.parameters = parameters
    covariance = FixedMatrix(diagonal: FixedVector(repeating: parameters.initialVariance))
  }

  /// Creates a filter that starts from a sample of a device at rest.
  ///
  /// - Parameters:
  ///   - acceleration: The acceleration, in g, with Core Motion's sign. Only its direction counts.
  ///   - field: The magnetic field, in µT. Only its direction counts.
  ///   - parameters: The variances of the filter.
  public init(
    acceleration: Vector3, field: Vector3, parameters: Parameters = Parameters()
  ) throws(OneShotError) {
    try self.init(attitude: ECompass.attitude(acceleration: acceleration, field: field), parameters: parameters)
  }

  /// Performs one step: the rate propagates the attitude, and the sample at the end of the step corrects it.
  ///
  /// - Parameters:
  ///   - rate: The rotation rate over the step, in rad/s, in device axes.
  ///   - acceleration: The acceleration at the end, in g, with Core Motion's sign. Only its direction counts.
  ///   - field: The magnetic field at the end, in µT, in device axes. Only its direction counts.
  ///   - dt: The duration of the step, in seconds.
  /// - Returns: The attitude, device to earth.
  /// - Throws: `invalidStep`, `noDirection`; `undetermined` if the sample is opposite to the attitude or all noise is
  ///   zero. The filter is then unchanged.
  @discardableResult
  public mutating func step(
    rate: Vector3, acceleration: Vector3, field: Vector3, dt: Double
  ) throws(OneShotError) -> Quaternion {
    let pairs = try VectorPair.gravityAndField(acceleration: acceleration, field: field)
    let predicted = try ROLEQStep.predicted(after: attitude, rate: rate, dt: dt)
    let transition = transition(rate: rate, dt: dt)
    var covariance = (transition * covariance).timesTranspose(transition) + processNoise(at: attitude, dt: dt)
    covariance.symmetrize()
    let measurement = try measurement(from: predicted, up: pairs.up, field: pairs.field)
    let innovation = FixedVector<4>(measurement.quaternion) - FixedVector<4>(predicted)
    guard let cholesky = try? FixedCholesky(covariance + measurement.noise) else { throw .undetermined }
    let gain = cholesky.solveFromRight(covariance)
    // Joseph's form with the identity as observation matrix.
    let reduced = covariance - gain * covariance
    covariance = reduced + (gain * measurement.noise - reduced).timesTranspose(gain)
    covariance.symmetrize()
    let c = gain * innovation
    let corrected = Quaternion(
      x: predicted.x + c[0], y: predicted.y + c[1], z: predicted.z + c[2], w: predicted.w + c[3])
    guard let corrected = corrected.normalized, covariance.isFinite else { throw .undetermined }
    self.covariance = covariance
    attitude = corrected
    return corrected
  }

  // MARK: The model

  /// Returns Φ of q⁻ = Φ q = q ⊗ exp(ω dt), the closed form of the paper's I + ½ Ω dt. Φ is orthogonal.
  private func transition(rate: Vector3, dt: Double) -> FixedMatrix<4, 4> {
    let r = Quaternion(rotationVector: rate * dt)
    return FixedMatrix(columns: [
      Quaternion(x: 1, y: 0, z: 0, w: 0) * r, Quaternion(x: 0, y: 1, z: 0, w: 0) * r,
      Quaternion(x: 0, y: 0, z: 1, w: 0) * r, r,
    ])
  }

  /// Returns (dt/2)² σ² Ξ Ξᵀ. Ξ's columns are q ⊗ i, q ⊗ j and q ⊗ k, so Ξ Ξᵀ = I − q qᵀ.
  private func processNoise(at q: Quaternion, dt: Double) -> FixedMatrix<4, 4> {
    let half = dt / 2 * parameters.gyroscopeNoise
    let v = FixedVector<4>(q)
    return half * half * FixedMatrix<4, 4>.identity.addingOuter(v, v, scaledBy: -1)
  }

  /// Returns the measured quaternion, normalised, and its covariance J Σ Jᵀ.
  ///
  /// Like the paper, the Jacobian treats the field's reference and the norm as constant. W of a pair acts as W q = −e
  /// ⊗ q ⊗ d, so its derivative by a component of d is −e ⊗ q ⊗ (i, j or k).
  private func measurement(
    from q: Quaternion, up: VectorPair, field: VectorPair
  ) throws(OneShotError) -> (quaternion: Quaternion, noise: FixedMatrix<4, 4>) {
    let towardsField = sum(q, OLEQ.w(field.device, field.earth, q))
    let drawn = sum(towardsField, OLEQ.w(up.device, up.earth, towardsField))
    let norm = drawn.norm
    guard norm > 1e-6 else { throw .undetermined }
    var noise = FixedMatrix<4, 4>()
    for axis in [Vector3.unitX, .unitY, .unitZ] {
      let byUp = FixedVector<4>(OLEQ.w(axis, up.earth, towardsField))
      let turned = OLEQ.w(axis, field.earth, q)
      let byField = FixedVector<4>(sum(turned, OLEQ.w(up.device, up.earth, turned)))
      let (a, m) = (parameters.accelerationNoise / norm, parameters.fieldNoise / norm)
      noise = noise.addingOuter(byUp, byUp, scaledBy: a * a).addingOuter(byField, byField, scaledBy: m * m)
    }
    return (Quaternion(x: drawn.x / norm, y: drawn.y / norm, z: drawn.z / norm, w: drawn.w / norm), noise)
  }

  private func sum(_ a: Quaternion, _ b: Quaternion) -> Quaternion {
    Quaternion(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z, w: a.w + b.w)
  }
}

extension FixedVector where Count == 4 {
  /// Creates a vector of the components in the order x, y, z, w.
  fileprivate init(_ q: Quaternion) {
    self.init()
    (self[0], self[1], self[2], self[3]) = (q.x, q.y, q.z, q.w)
  }
}

extension FixedMatrix where Rows == 4, Columns == 4 {
  /// Creates a matrix from four columns.
  fileprivate init(columns: [Quaternion]) {
    let vectors = columns.map { FixedVector<4>($0) }
    self.init { vectors[$1][$0] }
  }
}
