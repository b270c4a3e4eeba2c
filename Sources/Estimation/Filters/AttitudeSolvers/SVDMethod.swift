internal import InertialNumerics
package import InertialRotations

/// Markley's method: the rotation nearest to the attitude profile, by singular value decomposition.
///
/// Markley, "Attitude determination using vector observations and the singular value decomposition", Journal of the
/// Astronautical Sciences 36 (1988): B = U Σ Vᵀ, R = U diag(1, 1, det U det V) Vᵀ.
package enum SVDMethod: WahbaMethod {
  package static let name = "svd"
  package static let summary = "the rotation nearest to the attitude profile, by singular values, by LAPACK"
  package static let source = "Markley 1988"

  package static func attitude(of problem: WahbaProblem) throws(OneShotError) -> Quaternion {
    let decomposition: SVD
    do throws(LinearAlgebraError) {
      decomposition = try SVD(Matrix(FixedMatrix(problem.attitudeProfile)))
    } catch {
      throw .undetermined
    }
    let u = Matrix3(decomposition.u)
    let v = Matrix3(decomposition.vTransposed)
    let handedness = Matrix3(diagonal: Vector3(1, 1, u.determinant * v.determinant < 0 ? -1 : 1))
    return try problem.confirmed(Quaternion(matrix: u * handedness * v))
  }
}

extension Matrix3 {
  /// Creates a matrix from the elements of a 3 by 3 matrix.
  fileprivate init(_ m: Matrix) {
    self.init(
      rows: Vector3(m[0, 0], m[0, 1], m[0, 2]), Vector3(m[1, 0], m[1, 1], m[1, 2]), Vector3(m[2, 0], m[2, 1], m[2, 2]))
  }
}
