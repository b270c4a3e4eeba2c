import Testing

@Suite struct Matrix3Tests {
  let a = Matrix3(rows: Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 10))

  @Test("rows, columns and elements agree")
  func access() {
    #expect(a == Matrix3(columns: Vector3(1, 4, 7), Vector3(2, 5, 8), Vector3(3, 6, 10)))
    #expect(a.row(1) == Vector3(4, 5, 6) && a.column(2) == Vector3(3, 6, 10))
    #expect(a.m12 == 2 && a.m21 == 4 && a[2, 0] == 7)
    var b = Matrix3.zero
    for row in 0..<3 { for column in 0..<3 { b[row, column] = a[row, column] } }
    #expect(b == a && a.transpose.transpose == a && a.transpose.row(0) == a.column(0))
    #expect(a.trace == 16 && a.maximumMagnitude == 10)
  }

  @Test("products, sums and the special matrices follow their definitions")
  func algebra() {
    let (u, v) = (Vector3(1, -2, 3), Vector3(0.5, 4, -1))
    #expect(a * v == Vector3(5.5, 16, 25.5) && Matrix3(skew: u) * v == u.cross(v))
    #expect(Matrix3(outer: u, v) * v == u * v.squaredNorm && Matrix3(diagonal: u) * v == Vector3(0.5, -8, -3))
    #expect(a * Matrix3.identity == a && Matrix3.identity * a == a)
    #expect(a + a == 2 * a && a - a == .zero && a * 2 == 2 * a)
    #expect(Matrix(a * a.transpose) == Matrix(a) * Matrix(a).transpose)
  }

  @Test("the inverse inverts the matrix, and a singular matrix has no inverse")
  func inverse() throws {
    #expect(a.determinant == -3)
    let inverse = try #require(a.inverse)
    #expect((a * inverse - .identity).maximumMagnitude < 1e-14)
    #expect((inverse * a - .identity).maximumMagnitude < 1e-14)
    #expect(Matrix3(outer: Vector3(1, 2, 3), Vector3(1, 1, 1)).inverse == nil && (a * .infinity).inverse == nil)
  }
}
