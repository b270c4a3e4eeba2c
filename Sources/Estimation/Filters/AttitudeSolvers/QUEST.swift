internal import InertialNumerics
public import InertialRotations

/// The quaternion estimator: the largest eigenvalue of Davenport's K by Newton's method on its characteristic
/// polynomial, and the corresponding vector of Rodrigues parameters.
///
/// Shuster and Oh, "Three-axis attitude determination from vector observations", J. Guidance and Control 4 (1981).
/// Half turns, with infinite Rodrigues parameters, are solved by sequential rotations as in the paper.
///
/// If the two largest eigenvalues are close, the polynomial has nearly a double root, which is resolved only to 1e-8,
/// the square root of the precision of `Double` (1e-16). A polishing step that does not use the eigenvalue therefore
/// refines the quaternion (`WahbaProblem.polished`). If the eigenvalues are closer than this resolution, Davenport's
/// method is used.
public enum QUEST: WahbaMethod {
  public static let name = "quest"
  public static let summary = "quaternion estimator: Newton's method for the eigenvalue, Rodrigues parameters"
  public static let source = "Shuster and Oh 1981"

  public static func attitude(of problem: WahbaProblem) throws(OneShotError) -> Quaternion {
    let (eigenvalue, slope) = largestEigenvalue(Coefficients(problem.attitudeProfile))
    for turn in HalfTurn.allCases {
      let c = Coefficients(problem.turned(about: turn).attitudeProfile)
      guard let q = quaternion(c, eigenvalue: eigenvalue, slope: slope) else { continue }
      if let polished = problem.polished(turn.undone(q)) { return polished }
      break
    }
    return try Davenport.attitude(of: problem)
  }

  /// The paper's S = B + Bᵀ, σ = tr B, κ = tr(adj S), Δ = det S and Z.
  private struct Coefficients {
    let s: Matrix3
    let sigma: Double
    let kappa: Double
    let delta: Double
    let z: Vector3

    init(_ b: Matrix3) {
      s = b + b.transpose
      sigma = b.trace
      kappa =
        s.m22 * s.m33 - s.m23 * s.m23 + s.m11 * s.m33 - s.m13 * s.m13 + s.m11 * s.m22 - s.m12 * s.m12
      delta = s.determinant
      z = Vector3(b.m32 - b.m23, b.m13 - b.m31, b.m21 - b.m12)
    }
  }

  /// Runs Newton's method on λ⁴ − (a + b) λ² − c λ + (ab + cσ − d) = 0, eqs. (70) and (71), from the upper bound 1.
  ///
  /// All roots are real and the start is not below the largest root, so the steps decrease towards it and never pass
  /// it; near a double root, each step halves the distance. The iteration ends at the rounding limit: a step of zero or
  /// upwards.
  private static func largestEigenvalue(_ k: Coefficients) -> (value: Double, slope: Double) {
    let sz = k.s * k.z
    let a = k.sigma * k.sigma - k.kappa
    let b = k.sigma * k.sigma + k.z.squaredNorm
    let c = k.delta + k.z.dot(sz)
    let d = sz.squaredNorm
    let constant = a * b + c * k.sigma - d
    var eigenvalue = 1.0
    var slope = 0.0
    for _ in 0..<60 {
      let value = ((eigenvalue * eigenvalue - (a + b)) * eigenvalue - c) * eigenvalue + constant
      slope = (4 * eigenvalue * eigenvalue - 2 * (a + b)) * eigenvalue - c
      let step = value / slope
      guard step > 1e-16 else { break }
      eigenvalue -= step
    }
    return (eigenvalue, slope)
  }

  /// Returns the quaternion (X, γ), not normalised, eqs. (66) to (69), or `nil` if its scalar part is small.
  ///
  /// (X, γ) is q_w f′(λ) q with the polynomial's slope f′ = Π (λ − λᵢ). If q_w is zero, both X and γ consist of
  /// rounding errors, so γ is compared with the slope and not with X. One of the four rotated problems has q_w² ≥ ¼;
  /// the first above 0.2 is used.
  private static func quaternion(_ k: Coefficients, eigenvalue: Double, slope: Double) -> Quaternion? {
    let alpha = eigenvalue * eigenvalue - k.sigma * k.sigma + k.kappa
    let beta = eigenvalue - k.sigma
    let gamma = (eigenvalue + k.sigma) * alpha - k.delta
    guard gamma > 0, gamma >= 0.2 * slope else { return nil }
    let sz = k.s * k.z
    let x = alpha * k.z + beta * sz + k.s * sz
    return Quaternion(x: x.x, y: x.y, z: x.z, w: gamma)
  }
}
