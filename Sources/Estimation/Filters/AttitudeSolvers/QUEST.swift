internal import InertialNumerics
public import InertialRotations

/// The quaternion estimator: the largest eigenvalue of Davenport's K by Newton's method on its characteristic
/// polynomial, and the vector of Rodrigues parameters that belongs to it.
///
/// Shuster and Oh, "Three-axis attitude determination from vector observations", J. Guidance and Control 4 (1981).
/// Half turns, where the Rodrigues parameters are infinite, are solved as in the paper by sequential rotations.
///
/// Where the two largest eigenvalues are close the polynomial has nearly a double root and knows it to 1e-8 only,
/// the root of double's 1e-16. The quaternion is therefore polished by a step that does not use the eigenvalue
/// (`WahbaProblem.polished`); where the eigenvalues are closer than what the root resolves, Davenport's method is used.
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

  /// Newton's method on λ⁴ − (a + b) λ² − c λ + (ab + cσ − d) = 0, eqs. (70) and (71), from the upper bound 1.
  ///
  /// All roots are real and the start is not below the largest, so the steps go down to it and never past it; towards
  /// a double root each halves the distance. They end where rounding does: at a step that is none or goes up.
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

  /// The quaternion (X, γ), not normalised, eqs. (66) to (69), or nil where its scalar part is small.
  ///
  /// (X, γ) is q_w f′(λ) q with the polynomial's slope f′ = Π (λ − λᵢ): of both X and γ only rounding is left where q_w
  /// is zero, so γ is held against the slope and not against X. Of the four turned problems one has q_w² ≥ ¼. The first
  /// above 0.2 will do.
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
