internal import InertialNumerics
internal import InertialSystem

/// The eigenvector of the largest eigenvalue of a symmetric 3 × 3 matrix, the eigenvalue, and the sum of all
/// eigenvalues.
///
/// The eigenvalue has a closed form (Smith, "Eigenvalues of a symmetric 3 × 3 matrix", Communications of the ACM 4,
/// 1961). The eigenvector is the direction orthogonal to the rows of A − λI, so there is no allocation and no
/// iteration. If the two largest eigenvalues are equal, the result is an arbitrary direction in their plane.
struct DominantAxis {
  let direction: Vector3
  let eigenvalue: Double
  let trace: Double

  init(xx: Double, xy: Double, xz: Double, yy: Double, yz: Double, zz: Double) {
    trace = xx + yy + zz
    let mean = trace / 3
    let (dx, dy, dz) = (xx - mean, yy - mean, zz - mean)
    let squares = dx * dx + dy * dy + dz * dz + 2 * (xy * xy + xz * xz + yz * yz)
    guard squares > 0 else {
      (direction, eigenvalue) = (.unitX, mean)
      return
    }
    let p = (squares / 6).squareRoot()
    let determinant = dx * (dy * dz - yz * yz) - xy * (xy * dz - yz * xz) + xz * (xy * yz - dy * xz)
    let cosine = min(max(determinant / (2 * p * p * p), -1), 1)
    let largest = 2 * p * cos(acos(cosine) / 3)
    direction = Self.orthogonal(
      Vector3(dx - largest, xy, xz), Vector3(xy, dy - largest, yz), Vector3(xz, yz, dz - largest), scale: p)
    // The error of the Rayleigh quotient is the square of the error of the direction.
    let u = direction
    eigenvalue =
      xx * u.x * u.x + yy * u.y * u.y + zz * u.z * u.z + 2 * (xy * u.x * u.y + xz * u.x * u.z + yz * u.y * u.z)
  }

  /// Returns the unit vector that is orthogonal to three rows of rank 2 or less, whose elements have the order of
  /// magnitude of `scale`.
  private static func orthogonal(_ a: Vector3, _ b: Vector3, _ c: Vector3, scale: Double) -> Vector3 {
    let (ab, bc, ca) = (a.cross(b), b.cross(c), c.cross(a))
    let (x, y, z) = (ab.squaredNorm, bc.squaredNorm, ca.squaredNorm)
    let best = x >= y && x >= z ? ab : y >= z ? bc : ca
    let square = max(x, max(y, z))
    if square > 1e-24 * scale * scale * scale * scale { return best / square.squareRoot() }
    // Rank 1: any direction that is orthogonal to the longest row.
    let row = [a, b, c].max { $0.squaredNorm < $1.squaredNorm } ?? a
    let other: Vector3 =
      abs(row.x) <= abs(row.y) && abs(row.x) <= abs(row.z) ? .unitX : abs(row.y) <= abs(row.z) ? .unitY : .unitZ
    return row.cross(other).normalized ?? .unitX
  }
}
