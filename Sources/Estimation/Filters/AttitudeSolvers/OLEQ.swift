internal import InertialNumerics
public import InertialRotations

/// The optimal linear estimator of quaternion: the fixed point of q ← ½ (W + I) q.
///
/// Zhou, Wu, Wang and Fourati, "Optimal, recursive and sub-optimal linear solutions to attitude determination from
/// vector observations for GNSS/accelerometer/magnetometer orientation measurement", Remote Sensing 10 (2018), eqs.
/// (24), (31) and (33). W is the weighted mean of the pairs' matrices, Davenport's K. The paper iterates from any
/// start, and each step shrinks the error only by (1 + λ₂)/(1 + λ₁). Here, squaring ½ (W + I) k times performs 2ᵏ steps
/// at once and needs no start: the power is λ q qᵀ. The remaining contribution of the other eigenvectors, below 1e-4,
/// is removed by `WahbaProblem.polished`.
package enum OLEQ: WahbaMethod {
  package static let name = "oleq"
  package static let summary = "optimal linear estimator: the fixed point of the mean rotation operator"
  package static let source = "Zhou, Wu, Wang and Fourati 2018"

  package static func attitude(of problem: WahbaProblem) throws(OneShotError) -> Quaternion {
    var power = problem.davenport.shifted(by: 1) * 0.25
    // At the minimum information, the eigenvalues differ by 2e-12: 2⁴⁵ steps separate them.
    for _ in 0..<45 {
      // The trace is 1; the rank is 1 if the sum of squares is also 1.
      if power.squaredNorm > 1 - 1e-9 { break }
      power = power.squared
      power = power * (1 / power.trace)
    }
    guard let q = problem.polished(power.dominantColumn) else { throw .undetermined }
    return q
  }

  /// Returns W q of one pair, (20): −e ⊗ q ⊗ d for a unit vector d in device axes and its reference e in earth axes.
  ///
  /// From e = q ⊗ d ⊗ q⁻¹: e ⊗ q = q ⊗ d, and d ⊗ d = −1 for a unit vector, so q = −e ⊗ q ⊗ d exactly if q rotates d to
  /// e.
  package static func w(_ device: Vector3, _ earth: Vector3, _ q: Quaternion) -> Quaternion {
    let e = Quaternion(x: earth.x, y: earth.y, z: earth.z, w: 0)
    let d = Quaternion(x: device.x, y: device.y, z: device.z, w: 0)
    return -(e * q * d)
  }
}

/// One step of the recursive optimal linear estimator of quaternion: the rate propagates the attitude, and one
/// application of the operator of `OLEQ` draws it to the vectors.
///
/// Zhou, Wu, Wang and Fourati 2018, eq. (37) for q_ω and one step of eq. (24): q ← ½ (I + W) q_ω, normalised. The
/// operator determines the fraction of the error that a step removes: about half with equal weights and orthogonal
/// vectors, at any rate.
public enum ROLEQStep {
  /// Returns the attitude at the end of a step.
  ///
  /// - Parameters:
  ///   - previous: The attitude at the start of the step, device to earth, of any norm but zero.
  ///   - rate: The rotation rate over the step, in rad/s, in device axes. The paper rotates by I + ½ Ω dt; this is its
  ///     closed form, exact for a constant rate.
  ///   - dt: The duration of the step, in seconds.
  ///   - pairs: One or more pairs at the end of the step.
  /// - Throws: `invalidStep`; `undetermined` if the vectors require the exact opposite of the attitude.
  public static func attitude(
    after previous: Quaternion, rate: Vector3, dt: Double, pairs: [VectorPair]
  ) throws(OneShotError) -> Quaternion {
    let operation = try WahbaProblem(pairs).davenport
    let predicted = try predicted(after: previous, rate: rate, dt: dt)
    // ½ (I + W) q, up to a factor, which does not matter.
    let drawn = operation.shifted(by: 1) * predicted
    guard drawn.norm > 1e-12, let q = drawn.normalized else { throw .undetermined }
    return q
  }

  /// Returns the attitude propagated by a constant rate.
  static func predicted(
    after previous: Quaternion, rate: Vector3, dt: Double
  ) throws(OneShotError) -> Quaternion {
    let turn = rate * dt
    // Beyond 1e6 rad, the angle has lost all digits that a sensor resolves.
    guard turn.maximumMagnitude < 1e6, turn.isFinite, let previous = previous.normalized,
      let q = (previous * Quaternion(rotationVector: turn)).normalized
    else { throw .invalidStep }
    return q
  }
}
