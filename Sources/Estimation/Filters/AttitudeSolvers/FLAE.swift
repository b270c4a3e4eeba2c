internal import InertialNumerics
package import InertialRotations
internal import InertialSystem

/// The fast linear attitude estimator: the largest eigenvalue in closed form, the eigenvector by row reduction.
///
/// Wu, Zhou, Gao, Li, Cheng and Fourati, "Fast linear quaternion attitude estimator using vector observations", IEEE
/// Trans. Autom. Sci. Eng. 15 (2018). Its W is Davenport's K.
///
/// The closed form loses half of the digits if the two largest eigenvalues are close: the separation of a double root
/// is resolved only to the square root of the precision of `Double` (1e-16). A polishing step that does not use the
/// eigenvalue therefore refines the quaternion (`WahbaProblem.polished`). If the eigenvalues are closer than this
/// resolution, Davenport's method is used.
package enum FLAE: WahbaMethod {
  package static let name = "flae"
  package static let summary = "fast linear estimator: the eigenvalue from the quartic's closed form, row reduction"
  package static let source = "Wu, Zhou, Gao, Li, Cheng and Fourati 2018"

  package static func attitude(of problem: WahbaProblem) throws(OneShotError) -> Quaternion {
    let w = problem.davenport
    let eigenvalue = largestEigenvalue(w, profile: problem.attitudeProfile)
    // The paper reduces rows with the scalar part set to −1, which fails at half turns. The cofactors are the same
    // reduction without divisions, for each of the four components: their longest column is the best conditioned.
    let cofactors = w.shifted(by: -eigenvalue).adjugate.matrix
    // W − λI has no positive eigenvalue, so the product of the other three, and with it the diagonal, is negative.
    if let q = problem.polished((cofactors * -1).dominantColumn) { return q }
    return try Davenport.attitude(of: problem)
  }

  /// Returns the largest root of λ⁴ + τ₁ λ² + τ₂ λ + τ₃ = det(W − λI), eqs. (48), (49), (52) and (53).
  ///
  /// The paper's T₁ is the cube root of T₀ + √(T₀² − 4 P³) with P = τ₁² + 12 τ₃, complex because a symmetric matrix has
  /// real eigenvalues. Its modulus is 2^⅓ √P, so the two terms with it in T₂ are conjugate and their sum is
  /// 4 √P cos(φ/3), φ = the argument of T₀ + i √(4 P³ − T₀²): the same closed form in real numbers.
  private static func largestEigenvalue(_ w: Symmetric4, profile: Matrix3) -> Double {
    let squaredNorm =
      profile.row(0).squaredNorm + profile.row(1).squaredNorm + profile.row(2).squaredNorm
    let tau1 = -2 * squaredNorm
    let tau2 = -8 * profile.determinant
    let tau3 = w.adjugate.determinant
    let p = max(0, tau1 * tau1 + 12 * tau3)
    let t0 = 2 * tau1 * tau1 * tau1 + 27 * tau2 * tau2 - 72 * tau1 * tau3
    let phase = atan2(max(0, 4 * p * p * p - t0 * t0).squareRoot(), t0)
    let t2 = max(0, -4 * tau1 + 4 * p.squareRoot() * cos(phase / 3)).squareRoot()
    // T₂ = 0 only if all eigenvalues are zero: the vectors cancel.
    guard t2 > 0 else { return 0 }
    let remainder = -t2 * t2 - 12 * tau1 - 12 * 6.0.squareRoot() * tau2 / t2
    return (t2 + max(0, remainder).squareRoot()) / (2 * 6.0.squareRoot())
  }
}
