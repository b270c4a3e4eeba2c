import InertialNumerics
import Testing

@testable import InertialRecognition

@Suite("The dominant axis")
struct DominantAxisTests {
  private func axis(_ a: [Double]) -> DominantAxis {
    DominantAxis(xx: a[0], xy: a[1], xz: a[2], yy: a[3], yz: a[4], zz: a[5])
  }

  /// Returns the norm of λu − Au.
  private func residual(_ a: [Double], _ axis: DominantAxis) -> Double {
    let u = axis.direction
    let image = Vector3(
      a[0] * u.x + a[1] * u.y + a[2] * u.z, a[1] * u.x + a[3] * u.y + a[4] * u.z, a[2] * u.x + a[4] * u.y + a[5] * u.z)
    return (axis.eigenvalue * u - image).norm
  }

  @Test("the axis of a random matrix is the eigenvector of the largest eigenvalue, to rounding")
  func random() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      // A sum of outer products with very different magnitudes.
      var a = [Double](repeating: 0, count: 6)
      for _ in 0..<3 {
        let strength = Double.random(in: -6...2, using: &generator)
        let v = (0..<3).map { _ in Double.random(in: -1...1, using: &generator) * (2 * strength).rounded() }
        for (index, (i, j)) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)].enumerated() { a[index] += v[i] * v[j] }
      }
      let found = axis(a)
      #expect(residual(a, found) <= 1e-9 * (found.trace + 1e-300), "\(a)")
      #expect(abs(found.direction.norm - 1) < 1e-12)
      // No other direction has a larger value.
      for _ in 0..<5 {
        let u =
          Vector3(
            .random(in: -1...1, using: &generator), .random(in: -1...1, using: &generator),
            .random(in: -1...1, using: &generator)
          ).normalized ?? .unitX
        let along =
          a[0] * u.x * u.x + a[3] * u.y * u.y + a[5] * u.z * u.z + 2
          * (a[1] * u.x * u.y + a[2] * u.x * u.z + a[4] * u.y * u.z)
        #expect(along <= found.eigenvalue * (1 + 1e-12) + 1e-300)
      }
    }
  }

  @Test(
    "the axis for equal eigenvalues is any of their directions, and any direction for a zero matrix",
    arguments: [
      [0, 0, 0, 0, 0, 0], [1, 0, 0, 1, 0, 1], [1, 0, 0, 1, 0, 0], [0, 0, 0, 1, 0, 1], [1, 0, 0, 0, 0, 1],
      [0, 0, 0, 0, 0, 2], [2, 1, 1, 2, 1, 2], [2, -1, -1, 2, -1, 2], [1, 1e-9, 0, 1, 0, 0.5],
      [1e-30, 0, 0, 2e-30, 0, 0],
    ])
  func degenerate(a: [Double]) {
    let found = axis(a)
    #expect(abs(found.direction.norm - 1) < 1e-12)
    #expect(residual(a, found) <= 1e-9 * found.trace)
    #expect(found.eigenvalue >= found.trace / 3 * (1 - 1e-12))
  }
}
