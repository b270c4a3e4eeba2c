internal import InertialNumerics
internal import InertialSensors

extension VQF {
  /// The gyroscope bias with its covariance, from rest and from the inclination corrections in motion.
  ///
  /// A Kalman filter with a random-walk model; Laidig and Seel 2023, Algorithm 2.
  struct BiasEstimation: Sendable, Codable, Equatable {
    /// The gyroscope bias, in rad/s, in device axes.
    var bias = Vector3.zero
    /// The covariance of the bias, in (rad/s)².
    var covariance: SymmetricMatrix3
    var lowPass = MeanStartLowPass<TiltRegressors>()

    init(initialSigma: Double) {
      covariance = SymmetricMatrix3(scale: initialSigma * initialSigma)
    }

    /// Returns an upper bound of the standard deviation in any direction, in rad/s: Gershgorin's bound of the largest
    /// eigenvalue.
    func sigma(atMost initialSigma: Double) -> Double {
      min(covariance.largestRowSum, initialSigma * initialSigma).squareRoot()
    }

    /// Updates the bias with an inclination correction.
    ///
    /// - Parameters:
    ///   - up: The low-passed force in the level frame before the correction, a unit vector.
    ///   - rotation: The rotation, device to level, after the correction.
    ///   - restRate: The low-passed rate if the device is at rest, otherwise `nil`.
    mutating func update(up: Vector3, rotation: Matrix3, restRate: Vector3?, _ c: Noise) {
      let rows = (rotation.row(0), rotation.row(1), rotation.row(2))
      // The bias is low-passed in the level frame at the time of each force measurement.
      let low = lowPass.update(
        TiltRegressors(
          x: rows.0, y: rows.1, z: rows.2, biasX: rows.0.dot(bias), biasY: rows.1.dot(bias)),
        c.lowPass)
      // Without an interval, an angle cannot be converted to a rate: this is the first sample.
      guard c.rate > 0 else { return }
      covariance.grow(by: c.process, upTo: c.initial)
      if let restRate {
        let innovation = (restRate - bias).clipped(to: c.bound)
        correct(rows: (.unitX, .unitY, .unitZ), innovation, noise: Vector3(repeating: c.rest))
      } else if c.learnsInMotion {
        // The correction's rate about the level X and Y is the residual bias, low-passed like the force. The bias about
        // the vertical is unobservable; a very weak pull to zero replaces its measurement.
        let innovation = Vector3(
          -up.y * c.rate + low.biasX - low.x.dot(bias), up.x * c.rate + low.biasY - low.y.dot(bias),
          -low.z.dot(bias))
        correct(
          rows: (low.x, low.y, low.z), innovation.clipped(to: c.bound),
          noise: Vector3(c.motion, c.motion, c.vertical))
      } else {
        return
      }
      bias = bias.clipped(to: c.bound)
    }

    /// Returns the outcome of the next `update` with the rate at rest.
    func outcome(of restRate: Vector3, _ c: Noise) -> MeasurementOutcome {
      var s = covariance
      s.grow(by: c.process, upTo: c.initial)
      s = s + SymmetricMatrix3(scale: c.rest)
      let innovation = (restRate - bias).clipped(to: c.bound)
      guard let inverse = s.inverse else { return MeasurementOutcome(.restRate, leftOut: .unusable) }
      return MeasurementOutcome(
        .restRate, count: 3, innovation: innovation, variance: Vector3(s.xx, s.yy, s.zz),
        normalizedSquared: innovation.dot(inverse * innovation))
    }

    /// Performs the Kalman update for the observation matrix of these rows: S = W + R P Rᵀ, K = P Rᵀ S⁻¹.
    @inline(__always)
    private mutating func correct(rows: (Vector3, Vector3, Vector3), _ innovation: Vector3, noise: Vector3) {
      // Rows of R P; P is symmetric, so they are the columns of P Rᵀ.
      let (a, b, d) = (covariance * rows.0, covariance * rows.1, covariance * rows.2)
      let s = SymmetricMatrix3(
        xx: noise.x + rows.0.dot(a), xy: rows.0.dot(b), xz: rows.0.dot(d), yy: noise.y + rows.1.dot(b),
        yz: rows.1.dot(d), zz: noise.z + rows.2.dot(d))
      guard let inverse = s.inverse else { return }
      let weighted = inverse * innovation
      bias += a * weighted.x + b * weighted.y + d * weighted.z
      covariance.subtractCongruence(of: (a, b, d), inverse)
    }

    mutating func retune(from old: LowPassDesign, to new: LowPassDesign) { lowPass.retune(from: old, to: new) }
    mutating func restart() { lowPass = MeanStartLowPass() }
  }

  /// The signals low-passed with the force: the device's rotation matrix, and the bias in level axes.
  struct TiltRegressors: LinearSignal {
    var x, y, z: Vector3
    var biasX, biasY: Double

    static let zero = TiltRegressors(x: .zero, y: .zero, z: .zero, biasX: 0, biasY: 0)
    static func + (a: Self, b: Self) -> Self {
      Self(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z, biasX: a.biasX + b.biasX, biasY: a.biasY + b.biasY)
    }
    static func - (a: Self, b: Self) -> Self {
      Self(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z, biasX: a.biasX - b.biasX, biasY: a.biasY - b.biasY)
    }
    static func * (a: Self, s: Double) -> Self {
      Self(x: a.x * s, y: a.y * s, z: a.z * s, biasX: a.biasX * s, biasY: a.biasY * s)
    }
  }
}

extension VQF.BiasEstimation {
  /// Variances in (rad/s)², per accelerometer sample.
  struct Noise: Sendable {
    let lowPass: LowPassDesign
    /// The accelerometer's sample rate, in Hz; 0 while it is unknown.
    let rate: Double
    let initial: Double
    let process: Double
    let rest: Double
    let motion: Double
    let vertical: Double
    let bound: Double
    let learnsInMotion: Bool

    init(_ p: VQF.Parameters, lowPass: LowPassDesign) {
      self.lowPass = lowPass
      let interval = lowPass.interval
      rate = interval > 0 ? 1 / interval : 0
      initial = p.initialBiasSigma * p.initialBiasSigma
      // Within the forgetting time, the variance grows from zero to (0.1 °/s)².
      let growth = 0.1 * Double.pi / 180
      process = growth * growth * interval / p.biasForgettingTime
      // The measurement variance with which the covariance settles at σ² is σ⁴/v + σ², with v the process noise of one
      // sample.
      func steady(_ sigma: Double, _ process: Double) -> Double {
        let settled = sigma * sigma
        return process > 0 ? settled * settled / process + settled : settled
      }
      rest = steady(p.restBiasSigma, process)
      motion = steady(p.motionBiasSigma, process)
      vertical = motion / max(p.verticalForgettingFactor, 1e-10)
      bound = p.biasBound
      learnsInMotion = p.motionBiasEstimation >= 0.5
    }
  }
}
