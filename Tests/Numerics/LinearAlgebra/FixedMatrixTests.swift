import Testing

@Suite struct FixedMatrixTests {
  @Test("the algebra equals that of Matrix")
  func algebra() {
    var random = SeededMatrices(seed: 301)
    let (a, b, c) = (random.matrix(4, 3), random.matrix(3, 5), random.matrix(4, 3))
    let (u, v) = (random.vector(4), random.vector(3))
    let (fa, fb, fc) = (FixedMatrix<4, 3>(a), FixedMatrix<3, 5>(b), FixedMatrix<4, 3>(c))
    let tolerance = 1e-15
    #expect(Matrix(fa) == a && Matrix(fa.transpose) == a.transpose && isNear(Matrix(fa * fb), a * b, within: tolerance))
    #expect(isNear(Matrix(fa.timesTranspose(fc)), a.timesTranspose(c), within: tolerance))
    #expect(isNear(Matrix(fa.transposeTimes(fc)), a.transposeTimes(c), within: tolerance))
    #expect(isNear(Matrix(fa + fc), a + c, within: 0) && isNear(Matrix(fa - fc), a - c, within: 0))
    #expect(Matrix(2 * fa) == 2 * a)
    #expect(isNear((fa * FixedVector(v)).array, a * v, within: tolerance))
    let outer = fa.addingOuter(FixedVector(u), FixedVector(v), scaledBy: -2)
    #expect(isNear(Matrix(outer), a - 2 * Matrix(outer: u, v), within: tolerance))
    #expect(fa.row(2).array == a.row(2) && fa.description == a.description)
  }

  @Test("construction, access and equality")
  func access() {
    var m = FixedMatrix<2, 3> { Double(10 * $0 + $1) }
    #expect(m[1, 2] == 12 && m.isFinite)
    m[1, 2] = .nan
    #expect(!m.isFinite && m != m)
    #expect(FixedMatrix<2, 2>.identity == FixedMatrix(diagonal: FixedVector(repeating: 1)))
    #expect(FixedMatrix<2, 2>.identity != FixedMatrix(repeating: 1))
    let three = Matrix3(rows: Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9))
    #expect(Matrix(FixedMatrix<3, 3>(three)) == Matrix(three))
    var square = FixedMatrix<3, 3>(three)
    square.symmetrize()
    var dynamic = Matrix(three)
    dynamic.symmetrize()
    #expect(Matrix(square) == dynamic)
  }

  @Test("vectors add, scale and multiply like arrays of numbers")
  func vectors() {
    var v = FixedVector<3>(Vector3(1, 2, 3))
    v[1] = -2
    #expect(v.array == [1, -2, 3] && v == FixedVector([1, -2, 3]))
    #expect(v.dot(v) == 14 && (2 * v).array == [2, -4, 6])
    #expect((v + v).array == [2, -4, 6] && v - v == FixedVector() && v.adding(v, scaledBy: 2).array == [3, -6, 9])
    #expect(v.isFinite && !FixedVector<2>([1, .infinity]).isFinite)
    #expect(v != FixedVector([1, -2, 4]) && v.description == "[1.0, -2.0, 3.0]")
  }

  @Test("coding preserves every bit and rejects another shape")
  func coding() throws {
    let m = FixedMatrix<2, 3> { 0.1 * Double($0) - 1e-300 * Double($1) }
    let v = FixedVector<2>([0.1, 1e300])
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    #expect(try decoder.decode(FixedMatrix<2, 3>.self, from: encoder.encode(m)) == m)
    #expect(try decoder.decode(FixedVector<2>.self, from: encoder.encode(v)) == v)
    #expect(throws: DecodingError.self) { try decoder.decode(FixedMatrix<3, 2>.self, from: encoder.encode(m)) }
    #expect(throws: DecodingError.self) { try decoder.decode(FixedMatrix<2, 2>.self, from: encoder.encode(m)) }
    #expect(throws: DecodingError.self) { try decoder.decode(FixedVector<3>.self, from: encoder.encode(v)) }
  }

  @Test("the Cholesky decomposition equals LAPACK's, and its solutions are correct")
  func cholesky() throws {
    var random = SeededMatrices(seed: 302)
    for a in [random.positiveDefinite(5), 1e-290 * random.positiveDefinite(5), .identity(5)] {
      let (fixed, lapack) = (try FixedCholesky(FixedMatrix<5, 5>(a)), try Cholesky(a))
      let scale = lapack.lowerFactor.maximumMagnitude
      #expect(isNear(Matrix(fixed.lowerFactor), lapack.lowerFactor, within: 1e-14 * scale))
      let (b, v) = (random.matrix(5, 2), random.vector(5))
      let x = lapack.solve(b)
      let bound = 1e-12 * (1 + x.maximumMagnitude)
      #expect(isNear(Matrix(fixed.solve(FixedMatrix<5, 2>(b))), x, within: bound))
      #expect(isNear(Matrix(fixed.solveFromRight(FixedMatrix<2, 5>(b.transpose))), x.transpose, within: bound))
      #expect(isNear(fixed.solve(FixedVector(v)).array, lapack.solve(v), within: 10 * bound))
      #expect(isNear(fixed.whiten(FixedVector(v)).array, lapack.whiten(v), within: 10 * bound))
    }
    #expect(throws: LinearAlgebraError.notPositiveDefinite(leadingMinor: 1)) {
      try FixedCholesky(FixedMatrix<2, 2>(Matrix(diagonal: [0, 1])))
    }
    #expect(throws: LinearAlgebraError.notPositiveDefinite(leadingMinor: 2)) {
      try FixedCholesky(FixedMatrix<2, 2>(Matrix(rows: [[1, 2], [2, 1]])))
    }
    #expect(throws: LinearAlgebraError.nonFinite) { try FixedCholesky(FixedMatrix<1, 1>(repeating: .nan)) }
  }

  @Test("another shape or length traps")
  func shapes() async {
    await #expect(processExitsWith: .failure) { _ = FixedMatrix<2, 3>(Matrix.identity(2)) }
    await #expect(processExitsWith: .failure) { _ = FixedVector<2>([1, 2, 3]) }
    await #expect(processExitsWith: .failure) { _ = FixedMatrix<2, 2>.identity[2, 0] }
  }
}
