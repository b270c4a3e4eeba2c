import Testing

/// Matrices that are hard to decompose, and seeded random ones.
enum DecompositionCases {
  static let any: [Matrix] = {
    var random = SeededMatrices(seed: 21)
    var cases = [
      Matrix(rows: [[3]]), Matrix(rows: [[-3]]), Matrix(rows: [[0]]), Matrix(rowCount: 4, columnCount: 3),
      Matrix.identity(5), Matrix(outer: [1, 2, 3, 4], [1, -1, 1]), Matrix(outer: [1, 2], [1, -1, 1, 5]),
      Matrix(rows: [[1, 1], [1, 1 + 1e-15]]), Matrix(rows: [[1, 2, 3]]), Matrix(column: [1, 2, 3]),
      Matrix(diagonal: [1e150, 1, 1e-150]), Matrix(rows: [[1, 1e-200], [1e-200, 1e-300]]),
    ]
    for (m, n) in [(2, 2), (3, 3), (6, 6), (24, 24), (9, 4), (4, 9), (30, 2), (1, 7)] {
      cases.append(random.matrix(m, n))
    }
    cases.append(1e-290 * random.matrix(5, 3))
    cases.append(1e290 * random.matrix(5, 3))
    cases.append(random.matrix(8, 2) * random.matrix(2, 6))
    return cases
  }()

  static let positiveDefinite: [Matrix] = {
    var random = SeededMatrices(seed: 22)
    var cases = [
      Matrix(rows: [[4]]), Matrix.identity(3), Matrix(diagonal: [1e150, 1, 1e-150]),
      Matrix(rows: [[1, 1 - 1e-12], [1 - 1e-12, 1]]),
      // Hilbert's matrix of order 8 has condition number 1.5e10.
      Matrix(rowCount: 8, columnCount: 8) { 1 / Double($0 + $1 + 1) },
      1e-300 * random.positiveDefinite(4), 1e300 * random.positiveDefinite(4),
    ]
    for n in [2, 3, 6, 15, 24] { cases.append(random.positiveDefinite(n)) }
    return cases
  }()

  /// Returns a bound of the rounding errors in a reconstruction.
  static func rounding(_ a: Matrix) -> Double { 4e-16 * Double(a.rowCount + a.columnCount) * a.maximumMagnitude }

  static func isOrthonormal(_ q: Matrix) -> Bool {
    isNear(q.ownTransposeTimes, .identity(q.columnCount), within: 1e-14 * Double(q.rowCount))
  }

  static func isUpperTriangular(_ r: Matrix) -> Bool {
    (0..<r.columnCount).allSatisfy { column in
      (0..<r.rowCount).allSatisfy { row in row <= column || r[row, column] == 0 }
    }
  }
}

@Suite struct DecompositionTests {
  typealias Cases = DecompositionCases

  @Test("Q R rebuilds any matrix from an orthonormal and a triangular factor", arguments: Cases.any.indices)
  func qr(_ index: Int) throws {
    let a = Cases.any[index]
    let qr = try QR(a)
    let count = min(a.rowCount, a.columnCount)
    #expect(qr.thinQ.rowCount == a.rowCount && qr.thinQ.columnCount == count)
    #expect(qr.r.rowCount == count && qr.r.columnCount == a.columnCount)
    #expect(Cases.isOrthonormal(qr.thinQ) && Cases.isUpperTriangular(qr.r))
    #expect(isNear(qr.thinQ * qr.r, a, within: Cases.rounding(a)))
  }

  @Test("U Σ Vᵀ rebuilds any matrix, thin and full", arguments: Cases.any.indices)
  func svd(_ index: Int) throws {
    let a = Cases.any[index]
    let (m, n) = (a.rowCount, a.columnCount)
    for extent in [SVD.Extent.thin, .full] {
      let svd = try SVD(a, extent)
      #expect(svd.u.columnCount == (extent == .full ? m : min(m, n)))
      #expect(svd.vTransposed.rowCount == (extent == .full ? n : min(m, n)))
      #expect(Cases.isOrthonormal(svd.u) && Cases.isOrthonormal(svd.vTransposed.transpose))
      #expect(svd.singularValues == svd.singularValues.sorted(by: >) && svd.singularValues.allSatisfy { $0 >= 0 })
      var sigma = Matrix(rowCount: svd.u.columnCount, columnCount: svd.vTransposed.rowCount)
      for (index, value) in svd.singularValues.enumerated() { sigma[index, index] = value }
      #expect(isNear(svd.u * sigma * svd.vTransposed, a, within: Cases.rounding(a)))
    }
  }

  @Test("the pseudo-inverse meets Moore and Penrose's four conditions at any rank")
  func pseudoInverse() throws {
    var random = SeededMatrices(seed: 23)
    for a in [
      random.matrix(6, 3), random.matrix(3, 6), random.matrix(7, 2) * random.matrix(2, 5),
      Matrix(rowCount: 3, columnCount: 2), Matrix(rows: [[4]]),
    ] {
      let svd = try SVD(a)
      let p = svd.pseudoInverse()
      let bound = 1e-13 * (1 + p.maximumMagnitude) * (1 + p.maximumMagnitude)
      #expect(p.rowCount == a.columnCount && p.columnCount == a.rowCount && isNear(a * p * a, a, within: bound))
      #expect(isNear(p * a * p, p, within: bound))
      #expect(isNear((a * p).transpose, a * p, within: bound))
      #expect(isNear((p * a).transpose, p * a, within: bound))
    }
  }

  @Test("rank and condition number match known singular values")
  func rank() throws {
    let svd = try SVD(Matrix(diagonal: [1e-3, 0, 5]))
    #expect(svd.singularValues == [5, 1e-3, 0] && svd.rank() == 2 && svd.rank(relativeTolerance: 1e-2) == 1)
    #expect(try svd.conditionNumber == .infinity && SVD(Matrix(diagonal: [8, 2])).conditionNumber == 4)
    #expect(try SVD(Matrix(rowCount: 3, columnCount: 3)).rank() == 0)
    #expect(try SVD(Matrix(rowCount: 3, columnCount: 3)).conditionNumber.isNaN)
    #expect(try SVD(1e-290 * Matrix.identity(3)).rank() == 3)
    // [[1,1],[0,1]]: the golden ratio and its inverse.
    let golden = (1 + 5.0.squareRoot()) / 2
    #expect(isNear(try SVD(Matrix(rows: [[1, 1], [0, 1]])).singularValues, [golden, 1 / golden], within: 1e-15))
  }

  @Test("L Lᵀ rebuilds positive definite matrices", arguments: Cases.positiveDefinite.indices)
  func cholesky(_ index: Int) throws {
    let a = Cases.positiveDefinite[index]
    let l = try Cholesky(a).lowerFactor
    #expect(Cases.isUpperTriangular(l.transpose) && l.diagonal.allSatisfy { $0 > 0 })
    #expect(isNear(l.timesOwnTranspose, a, within: Cases.rounding(a)))
  }

  @Test("a Cholesky solution, inverse, whitening and log-determinant agree with LU and with each other")
  func choleskyUses() throws {
    var random = SeededMatrices(seed: 24)
    for n in [1, 2, 6, 15, 24] {
      let a = random.positiveDefinite(n)
      let (b, v) = (random.matrix(n, 3), random.vector(n))
      let cholesky = try Cholesky(a)
      #expect(isNear(a * cholesky.solve(b), b, within: 1e-11))
      #expect(isNear(cholesky.solve(v), try a.solve(v), within: 1e-11))
      #expect(isNear(cholesky.inverse * a, .identity(n), within: 1e-11))
      #expect(cholesky.inverse == cholesky.inverse.transpose)
      #expect(isNear(cholesky.lowerFactor * cholesky.whiten(v), v, within: 1e-12))
      let eigenvalues = try SymmetricEigen(a).eigenvalues
      #expect(isNear([try LU(a).determinant], [eigenvalues.reduce(1, *)], within: 1e-9 * eigenvalues.reduce(1, *)))
    }
    // e^(2 · 3) and a determinant of 1e-900, which itself underflows.
    let e = 2.718281828459045
    #expect(abs(try Cholesky(Matrix(diagonal: [e, e, 1, e * e * e * e])).logDeterminant - 6) < 1e-14)
    let tiny = try Cholesky(1e-300 * Matrix.identity(3)).logDeterminant
    #expect(abs(tiny + 900 * 2.302585092994046) < 1e-10)
  }

  @Test("Cholesky reports the leading minor that is not positive, and only reads the lower triangle")
  func choleskyErrors() throws {
    let invalid = [Matrix(rows: [[0]]), Matrix(rows: [[1, 2], [2, 1]]), Matrix(diagonal: [1, 1, -1, 1])]
    for (index, matrix) in invalid.enumerated() {
      #expect(throws: LinearAlgebraError.notPositiveDefinite(leadingMinor: index + 1)) { try Cholesky(matrix) }
    }
    for value in [Double.nan, .infinity] {
      #expect(throws: LinearAlgebraError.nonFinite) { try Cholesky(Matrix(rows: [[value]])) }
    }
    #expect(try Cholesky(Matrix(rows: [[4, 99], [2, 5]])).lowerFactor == Matrix(rows: [[2, 0], [1, 2]]))
  }

  @Test("LU solves, inverts and yields the correct sign of the determinant")
  func lu() throws {
    let swap = Matrix(rows: [[0, 1, 0], [1, 0, 0], [0, 0, 2]])
    #expect(try LU(swap).determinant == -2 && LU(swap).solve([1, 2, 4]) == [2, 1, 2])
    #expect(try LU(Matrix(rows: [[0, 0, 1], [1, 0, 0], [0, 1, 0]])).determinant == 1)
    var random = SeededMatrices(seed: 25)
    for n in [1, 3, 10, 24] {
      let (a, b) = (random.matrix(n, n) + Matrix.identity(n), random.matrix(n, 2))
      #expect(isNear(a * (try a.solve(b)), b, within: 1e-11))
      #expect(isNear(a * (try a.inverse()), .identity(n), within: 1e-11))
    }
    #expect(throws: LinearAlgebraError.singular(pivot: 1)) { try Matrix(rows: [[1, 2], [2, 4]]).solve([1, 1]) }
    #expect(throws: LinearAlgebraError.nonFinite) { try LU(Matrix(rows: [[.nan]])) }
  }

  @Test("eigenvalues ascend and eigenvectors rebuild the matrix", arguments: Cases.positiveDefinite.indices)
  func symmetricEigen(_ index: Int) throws {
    let a = Cases.positiveDefinite[index]
    for matrix in [a, a - a[0, 0] * Matrix.identity(a.rowCount)] {
      let eigen = try SymmetricEigen(matrix)
      #expect(eigen.eigenvalues == eigen.eigenvalues.sorted() && Cases.isOrthonormal(eigen.eigenvectors))
      let rebuilt = (eigen.eigenvectors * Matrix(diagonal: eigen.eigenvalues)).timesTranspose(eigen.eigenvectors)
      #expect(isNear(rebuilt, matrix, within: 2 * Cases.rounding(a)))
    }
  }

  @Test("eigenvalues match known values")
  func knownEigenvalues() throws {
    #expect(isNear(try SymmetricEigen(Matrix(rows: [[2, 1], [1, 2]])).eigenvalues, [1, 3], within: 1e-15))
    #expect(try SymmetricEigen(Matrix(rows: [[-7]])).eigenvalues == [-7])
    #expect(try SymmetricEigen(Matrix(diagonal: [3, -1, 2])).eigenvalues == [-1, 2, 3])
    // The second difference of n points: 2 - 2 cos(k π / (n + 1)); for n = 3: 2 - √2, 2, 2 + √2.
    let second = Matrix(rows: [[2, -1, 0], [-1, 2, -1], [0, -1, 2]])
    let root = 2.0.squareRoot()
    #expect(isNear(try SymmetricEigen(second).eigenvalues, [2 - root, 2, 2 + root], within: 1e-14))
    #expect(throws: LinearAlgebraError.nonFinite) { try SymmetricEigen(Matrix(rows: [[.nan]])) }
    // Only the lower triangle is read.
    #expect(isNear(try SymmetricEigen(Matrix(rows: [[2, 9], [1, 2]])).eigenvalues, [1, 3], within: 1e-15))
  }

  @Test("QR, dgelsd and the pseudo-inverse find the same least squares solution")
  func leastSquares() throws {
    var random = SeededMatrices(seed: 26)
    for (m, n) in [(1, 1), (5, 5), (9, 4), (30, 7), (40, 24)] {
      let (a, b) = (random.matrix(m, n), random.vector(m))
      let found = try a.leastSquares(b)
      #expect(try found.rank == n && isNear(found.solution, try QR(a).solveLeastSquares(b), within: 1e-11))
      #expect(isNear(found.solution, try SVD(a).pseudoInverse() * b, within: 1e-11))
      #expect(isNear(found.singularValues, try SVD(a).singularValues, within: 1e-13))
      // The residual is perpendicular to every column.
      let residual = Matrix(column: a * found.solution) - Matrix(column: b)
      #expect(a.transposeTimes(residual).maximumMagnitude < 1e-12)
      #expect(abs(found.residualNorm - residual.frobeniusNorm) < 1e-14)
    }
    // A straight line through (0,1), (1,2), (2,4): 5/6 + 3/2 t, residual √(1/6).
    let line = try Matrix(rows: [[1, 0], [1, 1], [1, 2]]).leastSquares([1, 2, 4])
    #expect(isNear(line.solution, [5.0 / 6, 1.5], within: 1e-14))
    #expect(abs(line.residualNorm - (1.0 / 6).squareRoot()) < 1e-14)
  }

  @Test("without full rank the minimum-norm solution is found, and QR throws an error")
  func minimumNorm() throws {
    // x + y = 2: the shortest solution is (1, 1).
    let wide = try Matrix(rows: [[1, 1]]).leastSquares([2])
    #expect(isNear(wide.solution, [1, 1], within: 1e-15) && wide.rank == 1 && wide.residualNorm < 1e-15)
    let deficient = Matrix(rows: [[1, 1], [1, 1], [1, 1]])
    let found = try deficient.leastSquares([1, 2, 3])
    #expect(isNear(found.solution, [1, 1], within: 1e-14) && found.rank == 1)
    #expect(abs(found.residualNorm - 2.0.squareRoot()) < 1e-14)
    #expect(throws: LinearAlgebraError.singular(pivot: 1)) { try QR(deficient).solveLeastSquares([1, 2, 3]) }
    #expect(throws: LinearAlgebraError.singular(pivot: 0)) {
      try QR(Matrix(rowCount: 2, columnCount: 1)).solveLeastSquares([1, 2])
    }
    let nothing = try Matrix(rowCount: 3, columnCount: 2).leastSquares([3, 0, 4])
    #expect(nothing.solution == [0, 0] && nothing.rank == 0 && nothing.residualNorm == 5)
    // A tolerance turns a nearly deficient matrix into a deficient one.
    let near = Matrix(diagonal: [1, 1e-6])
    #expect(try near.leastSquares([1, 1]).rank == 2)
    #expect(try near.leastSquares([1, 1], relativeTolerance: 1e-3).solution == [1, 0])
  }

  @Test("infinite and NaN elements are rejected everywhere")
  func nonFinite() {
    let bad = Matrix(rows: [[1, .nan], [0, 1]])
    #expect(throws: LinearAlgebraError.nonFinite) { try QR(bad) }
    #expect(throws: LinearAlgebraError.nonFinite) { try SVD(bad) }
    #expect(throws: LinearAlgebraError.nonFinite) { try bad.leastSquares([1, 1]) }
    #expect(throws: LinearAlgebraError.nonFinite) { try Matrix.identity(2).leastSquares([1, .infinity]) }
    #expect(throws: LinearAlgebraError.nonFinite) { try QR(Matrix.identity(2)).solveLeastSquares([1, .infinity]) }
    #expect("\(LinearAlgebraError.singular(pivot: 2))" == "the matrix is singular: pivot 2 is zero")
  }
}
