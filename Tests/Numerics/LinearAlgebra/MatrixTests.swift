import Testing

@Suite struct MatrixTests {
  let a = Matrix(rows: [[1, 2, 3], [4, 5, 6]])

  @Test("all initialisers yield the same column-major matrix")
  func construction() {
    #expect(a.rowCount == 2 && a.columnCount == 3 && a.elements == [1, 4, 2, 5, 3, 6])
    #expect(a == Matrix(columns: [[1, 4], [2, 5], [3, 6]]))
    #expect(a == Matrix(rowCount: 2, columnCount: 3, columnMajor: [1, 4, 2, 5, 3, 6]))
    #expect(a == Matrix(rowCount: 2, columnCount: 3) { Double(3 * $0 + $1 + 1) })
    #expect(Matrix(rowCount: 2, columnCount: 1, repeating: 7).elements == [7, 7])
    #expect(Matrix(diagonal: [2, 3]) == Matrix(rows: [[2, 0], [0, 3]]))
    #expect(Matrix.identity(2) == Matrix(diagonal: [1, 1]) && Matrix(column: [1, 2]) == Matrix(columns: [[1, 2]]))
    #expect(Matrix(outer: [1, 2], [3, 4]) == Matrix(rows: [[3, 4], [6, 8]]))
    #expect(a != Matrix(rowCount: 3, columnCount: 2, columnMajor: a.elements))
  }

  @Test("elements, rows, columns and the diagonal are read and changed in place")
  func access() {
    var b = a
    b[1, 2] = -1
    #expect(b[1, 2] == -1 && a[1, 2] == 6)
    #expect(a.row(1) == [4, 5, 6] && a.column(1) == [2, 5] && a.diagonal == [1, 5])
    #expect(a.trace == 6 && b.maximumMagnitude == 5)
    #expect(a.isFinite && !Matrix(rows: [[1, .nan]]).isFinite && Matrix(rows: [[.nan, 1]]).maximumMagnitude.isNaN)
    #expect(a.description == "[1.0, 2.0, 3.0]\n[4.0, 5.0, 6.0]")
    #expect(Matrix(rowCount: 0, columnCount: 3).description == "[0 by 3]")
    #expect(Matrix(rows: [[3e300, 4e300]]).frobeniusNorm == 5e300)
  }

  @Test("sums and multiples are computed element by element")
  func sums() {
    var b = a + a
    #expect(b == 2 * a && b - a == a && -a == a * -1)
    b -= a
    b += a
    b *= 0.5
    #expect(b == a)
    b.add(a, scaledBy: 3)
    #expect(b == a * 4)
  }

  @Test(
    "every product equals the triple loop, for shapes from a single element to 24",
    arguments: [(1, 1, 1), (1, 5, 1), (5, 1, 3), (2, 3, 4), (7, 6, 5), (24, 17, 24)])
  func products(_ m: Int, _ k: Int, _ n: Int) {
    var random = SeededMatrices(seed: UInt64(m * 100 + k * 10 + n))
    let (a, b) = (random.matrix(m, k), random.matrix(k, n))
    let naive = Matrix(rowCount: m, columnCount: n) { i, j in (0..<k).reduce(0) { $0 + a[i, $1] * b[$1, j] } }
    let tolerance = 1e-14
    #expect(isNear(a * b, naive, within: tolerance) && isNear(a.transpose.transposeTimes(b), naive, within: tolerance))
    #expect(isNear(a.timesTranspose(b.transpose), naive, within: tolerance))
    #expect(isNear(a.transpose.transposeTimesTranspose(b.transpose), naive, within: tolerance))
    #expect(isNear(a * b.column(0), naive.column(0), within: tolerance))
    #expect(isNear(b.transposeTimes(a.row(0)), naive.row(0), within: tolerance))
    #expect(isNear(a.timesOwnTranspose, a * a.transpose, within: tolerance))
    #expect(isNear(a.ownTransposeTimes, a.transpose * a, within: tolerance))
    #expect(a.timesOwnTranspose == a.timesOwnTranspose.transpose)
    #expect(a.ownTransposeTimes == a.ownTransposeTimes.transpose)

    var c = naive
    c.setProduct(a.transpose, b.transpose, transposingFirst: true, transposingSecond: true, scale: 3, keeping: -2)
    #expect(isNear(c, naive, within: 10 * tolerance))
    var unset = Matrix(rowCount: m, columnCount: n, repeating: .nan)
    unset.setProduct(a, b)
    #expect(isNear(unset, naive, within: tolerance))
  }

  @Test("a product over no elements is zero, and empty matrices multiply")
  func emptyProducts() {
    let (wide, tall) = (Matrix(rowCount: 0, columnCount: 3), Matrix(rowCount: 2, columnCount: 0))
    #expect(wide.transposeTimes(wide) == Matrix(rowCount: 3, columnCount: 3))
    #expect(tall * Matrix(rowCount: 0, columnCount: 3) == Matrix(rowCount: 2, columnCount: 3))
    #expect((wide * Matrix.identity(3)).rowCount == 0)
  }

  @Test("blocks are set and read, also with Vector3 and Matrix3")
  func blocks() {
    var m = Matrix(rowCount: 6, columnCount: 5)
    let b = Matrix3(rows: Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9))
    m.setBlock(3, 1, b)
    #expect(m.block3(3, 1) == b && m[3, 2] == 2 && m[4, 1] == 4 && m[5, 3] == 9)
    #expect(Matrix3(m.block(3, 1, rowCount: 3, columnCount: 3)) == b && m.elements.filter { $0 != 0 }.count == 9)
    m.setBlock(0, 4, Vector3(-1, -2, -3))
    #expect(m.vector3(0, 4) == Vector3(-1, -2, -3) && m[2, 4] == -3)
    m.setBlock(1, 0, Matrix(rows: [[10, 20]]))
    #expect(m[1, 0] == 10 && m[1, 1] == 20 && m.block(1, 0, rowCount: 1, columnCount: 2) == Matrix(rows: [[10, 20]]))
    #expect(Matrix(b).block3(0, 0) == b)
  }

  @Test("symmetrizing averages both sides and keeps the diagonal")
  func symmetrize() {
    var m = Matrix(rows: [[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    m.symmetrize()
    #expect(m == Matrix(rows: [[1, 3, 5], [3, 5, 7], [5, 7, 9]]))
  }

  @Test("coding preserves every bit, and a wrong number of elements is rejected")
  func coding() throws {
    let m = Matrix(rows: [[0.1, 1e-300], [-3, 1e300]])
    #expect(try JSONDecoder().decode(Matrix.self, from: JSONEncoder().encode(m)) == m)
    for text in [
      #"{"rowCount":2,"columnCount":2,"elements":[1,2,3]}"#, #"{"rowCount":-1,"columnCount":-1,"elements":[1]}"#,
      #"{"rowCount":4611686018427387904,"columnCount":4,"elements":[]}"#,
    ] { #expect(throws: DecodingError.self) { try JSONDecoder().decode(Matrix.self, from: Data(text.utf8)) } }
  }

  @Test("triangular solves only read one triangle and invert its product")
  func triangular() throws {
    var random = SeededMatrices(seed: 5)
    let (full, b) = (random.matrix(6, 6) + 3 * Matrix.identity(6), random.matrix(6, 2))
    for triangle in [Matrix.Triangle.lower, .upper] {
      for transposed in [false, true] {
        for unit in [false, true] {
          let t = Matrix(rowCount: 6, columnCount: 6) { i, j in
            if i == j { return unit ? 1 : full[i, j] }
            return (triangle == .lower) == (i > j) ? full[i, j] : 0
          }
          let x = try full.solveTriangular(b, triangle, transposed: transposed, unitDiagonal: unit)
          #expect(isNear(transposed ? t.transposeTimes(x) : t * x, b, within: 1e-12))
        }
      }
    }
    #expect(try Matrix(rows: [[2, 0], [4, 8]]).solveTriangular([2, 20], .lower) == [1, 2])
    #expect(throws: LinearAlgebraError.singular(pivot: 1)) {
      try Matrix(rows: [[1, 0], [1, 0]]).solveTriangular([1, 1], .lower)
    }
  }

  @Test("wrong shapes trap")
  func shapes() async {
    await #expect(processExitsWith: .failure) {
      _ = Matrix(rowCount: 2, columnCount: 3) * Matrix(rowCount: 2, columnCount: 3)
    }
    await #expect(processExitsWith: .failure) { _ = Matrix.identity(2) + Matrix.identity(3) }
    await #expect(processExitsWith: .failure) { _ = Matrix.identity(2)[2, 0] }
    await #expect(processExitsWith: .failure) { _ = Matrix(rows: [[1, 2], [3]]) }
    await #expect(processExitsWith: .failure) { _ = Matrix.identity(3).block3(1, 0) }
  }
}
