internal import InertialNumerics
public import InertialRotations

/// Davenport's q-method: the eigenvector of K for its largest eigenvalue.
///
/// After Davenport; Keat, "Analysis of least-squares attitude determination routine DOAOP", CSC/TM-77/6034 (1977).
/// LAPACK solves the eigenproblem: the slowest and most robust of the optimal methods.
public enum Davenport: WahbaMethod {
  public static let name = "davenport"
  public static let summary = "q-method: the dominant eigenvector of Davenport's matrix, by LAPACK"
  public static let source = "Davenport 1968; Keat 1977"

  public static func attitude(of problem: WahbaProblem) throws(OneShotError) -> Quaternion {
    guard let v = try? SymmetricEigen.dominantVector(of: problem.davenportMatrix) else { throw .undetermined }
    let q = Quaternion(x: v[0], y: v[1], z: v[2], w: v[3])
    return try problem.confirmed(q.normalized ?? q)
  }
}
