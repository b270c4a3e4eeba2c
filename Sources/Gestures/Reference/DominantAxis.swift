internal import LinearAlgebra

/// The eigenvector of the largest eigenvalue of a symmetric 3 × 3 matrix, and the eigenvalues' sum.
///
/// Jacobi's rotations (Golub and Van Loan, "Matrix Computations", 4th ed., section 8.5): no allocation, and exact to
/// rounding after a few sweeps whatever the eigenvalues are.
struct DominantAxis {
  let direction: Vector3
  let eigenvalue: Double
  let trace: Double

  init(xx: Double, xy: Double, xz: Double, yy: Double, yz: Double, zz: Double) {
    var (a, b, c) = (Vector3(xx, xy, xz), Vector3(xy, yy, yz), Vector3(xz, yz, zz))
    var (u, v, w) = (Vector3.unitX, Vector3.unitY, Vector3.unitZ)
    trace = xx + yy + zz
    for _ in 0..<6 {
      Self.rotate(&a, &b, &c, &u, &v, 0, 1)
      Self.rotate(&a, &c, &b, &u, &w, 0, 2)
      Self.rotate(&b, &c, &a, &v, &w, 1, 2)
    }
    if a.x >= b.y && a.x >= c.z {
      (direction, eigenvalue) = (u, a.x)
    } else if b.y >= c.z {
      (direction, eigenvalue) = (v, b.y)
    } else {
      (direction, eigenvalue) = (w, c.z)
    }
  }

  /// Makes the element of rows p and q at columns i and j zero; `u` and `v` are the eigenvectors so far.
  private static func rotate(
    _ p: inout Vector3, _ q: inout Vector3, _ r: inout Vector3, _ u: inout Vector3, _ v: inout Vector3, _ i: Int,
    _ j: Int
  ) {
    guard p[j] != 0 else { return }
    let theta = (q[j] - p[i]) / (2 * p[j])
    let t = (theta >= 0 ? 1 : -1) / (abs(theta) + (theta * theta + 1).squareRoot())
    let cosine = 1 / (t * t + 1).squareRoot()
    let sine = t * cosine
    (p, q) = (cosine * p - sine * q, sine * p + cosine * q)
    (u, v) = (cosine * u - sine * v, sine * u + cosine * v)
    rotateColumns(&p, i, j, cosine, sine)
    rotateColumns(&q, i, j, cosine, sine)
    rotateColumns(&r, i, j, cosine, sine)
  }

  private static func rotateColumns(_ row: inout Vector3, _ i: Int, _ j: Int, _ cosine: Double, _ sine: Double) {
    (row[i], row[j]) = (cosine * row[i] - sine * row[j], sine * row[i] + cosine * row[j])
  }
}
