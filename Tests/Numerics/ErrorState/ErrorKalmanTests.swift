import Testing

/// Each test evaluates an equation of docs/theory/error-state.md by dense matrices.
@Suite struct ErrorKalmanTests {
  @Test("equations 5 and 6: a transition by blocks equals F P Fᵀ", arguments: bothProducts, 1...8)
  func transition(_ products: ErrorProducts, _ seed: Int) {
    var scene = ErrorScene(seed: UInt64(seed))
    let p = scene.covariance()
    var (filter, dense) = (scene.filter(p, products), DenseKalman(p))
    for _ in 0..<3 {
      let (transition, f) = scene.transition()
      filter.propagate(by: transition)
      dense.propagate(f)
      #expect(difference(filter.matrix, dense.p) < 1e-14)
      #expect(filter.isSymmetric)
    }
  }

  @Test("equation 7: noise adds to its block and to nothing else")
  func noise() {
    var scene = ErrorScene(seed: 3)
    let p = scene.covariance()
    var filter = scene.filter(p)
    var expected = p
    let (single, triple) = (scene.blocks[1], scene.triples[1])
    let spread = scene.matrix3()
    let noise = spread * spread.transpose
    filter.add(0.5, to: single)
    filter.add(noise, to: triple)
    expected[single.start, single.start] += 0.5
    for i in 0..<3 { for j in 0..<3 { expected[triple.start + i, triple.start + j] += noise[i, j] } }
    #expect(difference(filter.matrix, expected) < 1e-15)
    #expect(filter.isSymmetric)
  }

  @Test("equation 8: a change of axes turns the blocks and their correlations", arguments: 1...4)
  func turn(_ seed: Int) {
    var scene = ErrorScene(seed: UInt64(seed))
    let p = scene.covariance()
    let rotation = Quaternion(rotationVector: scene.vector()).matrix
    var filter = scene.filter(p)
    filter.turn(scene.triples, by: rotation)
    var t = Matrix.identity(scene.count)
    for block in scene.triples { t.setBlock(block.start, block.start, rotation) }
    #expect(difference(filter.matrix, (t * p).timesTranspose(t)) < 1e-14)
    #expect(filter.isSymmetric)
  }

  @Test("an isolated block has its new covariance and no correlation")
  func isolate() {
    var scene = ErrorScene(seed: 5)
    let p = scene.covariance()
    let (block, spread) = (scene.triples[0], scene.matrix3())
    var filter = scene.filter(p)
    filter.isolate(block, covariance: spread * spread.transpose)
    for row in 0..<scene.count {
      for column in 0..<scene.count {
        let (i, j) = (row - block.start, column - block.start)
        let expected =
          switch (block.indices.contains(row), block.indices.contains(column)) {
          case (true, true): (spread * spread.transpose)[i, j]
          case (false, false): p[row, column]
          default: 0.0
          }
        #expect(abs(filter[row, column] - expected) < 1e-15)
      }
    }
  }

  @Test(
    "equations 9 to 12 and 14: rows with any gain, applied together, equal Joseph's form row by row",
    arguments: bothProducts, 1...12)
  func anyGain(_ products: ErrorProducts, _ seed: Int) {
    var scene = ErrorScene(seed: UInt64(seed))
    let p = scene.covariance()
    var (filter, dense) = (scene.filter(p, products), DenseKalman(p))
    // The first epochs are shorter than the later ones, whose columns need more memory.
    for rowCount in [0, 1, 3, 14] {
      for index in 0..<rowCount {
        let (row, h) = scene.row()
        let (holding, l) = scene.partialGain()
        let isPartial = (index + seed) % 3 == 0
        let innovation = filter.take(row, holding: isPartial ? holding : nil)
        let before = dense
        dense.take(h, residual: row.residual, variance: row.variance, omitting: isPartial ? l : nil)
        #expect(abs(innovation.value.x - (row.residual - dot(h, before.e))) < 1e-12)
        #expect(abs(innovation.variance.x - (dot(h, before.p * h) + row.variance)) < 1e-12)
        #expect(difference(filter.matrix, dense.p) < 1e-13, "elements read before the end of an epoch")
        #expect(abs(filter.correction(at: 2) - dense.e[2]) < 1e-12)
      }
      let correction = filter.close()
      #expect(difference(filter.matrix, dense.p) < 1e-13)
      #expect(difference(correction.list(scene.count), dense.e) < 1e-12)
      #expect(filter.isSymmetric)
      dense.e = dense.e.map { _ in 0 }
    }
  }

  @Test("the rows of an epoch may be applied one by one or together")
  func deferred() {
    var scene = ErrorScene(seed: 9)
    var together = scene.filter(scene.covariance())
    var single = together
    var sum = [Double](repeating: 0, count: scene.count)
    for _ in 0..<6 {
      var (row, h) = scene.row()
      together.take(row)
      row.residual -= dot(h, sum)
      single.take(row)
      sum = zip(sum, single.close().list(scene.count)).map { $0 + $1 }
    }
    #expect(difference(together.close().list(scene.count), sum) < 1e-13)
    #expect(difference(together.matrix, single.matrix) < 1e-13)
  }

  @Test("equation 11: a measurement with a known covariance equals the row that it belongs to")
  func knownCovariance() {
    var scene = ErrorScene(seed: 10)
    let p = scene.covariance()
    var (filter, expected) = (scene.filter(p), scene.filter(p))
    for index in 0..<3 {
      let (row, h) = scene.row()
      let holding = index == 1 ? scene.partialGain().holding : nil
      var c = ErrorValues()
      for (error, value) in (filter.matrix * h).enumerated() { c[error] = value }
      let innovation = expected.take(row, holding: holding)
      let (y, s) = (innovation.value.x, innovation.variance.x)
      let isTaken = [
        filter.take(covariance: c, innovation: y, variance: s, holding: holding),
        filter.take(covariance: c, innovation: y, variance: -1),
        filter.take(covariance: c, innovation: .nan, variance: 1),
      ]
      #expect(isTaken == [true, false, false])
    }
    var copied = [Double](repeating: 0, count: scene.count * scene.count)
    filter.copyCovariance(to: &copied)
    #expect(difference(filter.close().list(scene.count), expected.close().list(scene.count)) < 1e-12)
    #expect(difference(filter.matrix, expected.matrix) < 1e-13)
    #expect(difference(copied, expected.matrix.elements) < 1e-13)
  }

  @Test("equation 13: information that is added and then removed leaves the covariance", arguments: bothProducts)
  func negativeInformation(_ products: ErrorProducts) {
    var scene = ErrorScene(seed: 11)
    let p = scene.covariance()
    var (filter, dense) = (scene.filter(p, products), DenseKalman(p))
    let index = scene.triples[1].start
    for information in [2.5, -2.5] {
      var row = MeasurementRow(residual: 0.4, variance: 1 / information)
      row.add(1, at: index)
      #expect(filter.take(row).outcome == .taken)
      var h = [Double](repeating: 0, count: scene.count)
      h[index] = 1
      dense.take(h, residual: 0.4, variance: 1 / information)
      #expect(difference(filter.matrix, dense.p) < 1e-12)
    }
    #expect(difference(filter.close().list(scene.count), dense.e) < 1e-12)
    #expect(difference(filter.matrix, p) < 1e-12)
  }

  @Test("equation 13: more information than there is cannot be removed")
  func excessiveRemoval() {
    var scene = ErrorScene(seed: 12)
    let p = scene.covariance()
    var filter = scene.filter(p)
    var row = MeasurementRow(residual: 0.4, variance: -0.5 * p[0, 0])
    row.add(1, at: 0)
    #expect(filter.take(row).outcome == .unusable)
    filter.close()
    #expect(difference(filter.matrix, p) == 0)
  }

  @Test("equation 15: a refused measurement leaves no trace, and one within the gate is taken")
  func rejection() {
    var scene = ErrorScene(seed: 13)
    var filter = scene.filter(scene.covariance())
    let rows = (0..<4).map { _ in scene.row().row }
    var refused = ErrorMeasurement()
    for var row in rows.dropFirst() {
      row.residual *= 100
      refused.append(row)
    }
    (refused.gate, refused.holding) = (.reject(above: 16), scene.partialGain().holding)
    filter.take(rows[0])
    var plain = filter
    let innovation = filter.take(refused)
    #expect(innovation.outcome == .rejected)
    #expect(innovation.normalizedSquared > 16)
    #expect(filter == plain)
    refused.gate = .reject(above: innovation.normalizedSquared)
    var taken = filter
    #expect(taken.take(refused).outcome == .taken)
    // The columns of the refused rows must not return with later rows.
    filter.take(rows[1])
    plain.take(rows[1])
    let (a, b) = (filter.close(), plain.close())
    #expect(a.list(scene.count) == b.list(scene.count))
    #expect(filter == plain)
    taken.close()
    #expect(difference(taken.matrix, plain.matrix) > 1e-3)
  }

  @Test("equation 15: a weakened measurement has its noise multiplied by the ratio to the gate")
  func weakening() {
    var scene = ErrorScene(seed: 14)
    let filter = scene.filter(scene.covariance())
    var (measurement, enlarged) = (ErrorMeasurement(), ErrorMeasurement())
    var rows: [MeasurementRow] = []
    for _ in 0..<3 {
      var row = scene.row().row
      row.residual *= 30
      measurement.append(row)
      rows.append(row)
    }
    var probe = filter
    let ratio = probe.take(measurement).normalizedSquared
    var weakened = filter
    measurement.gate = .weaken(above: 7)
    let innovation = weakened.take(measurement)
    for var row in rows {
      row.variance *= ratio / 7
      enlarged.append(row)
    }
    var expected = filter
    let expectedInnovation = expected.take(enlarged)
    #expect(innovation.outcome == .weakened)
    #expect(innovation.normalizedSquared == 7)
    #expect(innovation.determinant == expectedInnovation.determinant)
    #expect(weakened.close().list(scene.count) == expected.close().list(scene.count))
    #expect(weakened == expected)
    measurement.gate = .weaken(above: ratio)
    var full = filter
    #expect(full.take(measurement).outcome == .taken)
  }

  @Test("equation 16: a redescending weight counts the unexplained part of the innovation as noise")
  func redescending() {
    var scene = ErrorScene(seed: 15)
    let p = scene.covariance()
    for factor in [0.1, 100] {
      var (row, h) = scene.row()
      row.residual = factor
      let explained = dot(h, p * h)
      var (filter, expected) = (scene.filter(p), scene.filter(p))
      let innovation = filter.take(row, gate: .redescend(weight: 0.6))
      row.variance += 0.6 * max(0, factor * factor - 4 * explained)
      expected.take(row)
      #expect(abs(innovation.noise.x - row.variance) <= 1e-12 * row.variance)
      #expect(difference(filter.close().list(scene.count), expected.close().list(scene.count)) < 1e-12)
      #expect(difference(filter.matrix, expected.matrix) < 1e-12)
    }
  }

  @Test("equation 17: the innovation of a measurement equals that of its dense matrices", arguments: 1...4)
  func likelihood(_ seed: Int) throws {
    var scene = ErrorScene(seed: UInt64(seed))
    let p = scene.covariance()
    var (filter, dense) = (scene.filter(p), DenseKalman(p))
    let (first, firstRow) = scene.row()
    filter.take(first)
    dense.take(firstRow, residual: first.residual, variance: first.variance)
    var measurement = ErrorMeasurement()
    var rows: [[Double]] = []
    var z: [Double] = []
    for component in [1, 2, 0] {
      let (row, h) = scene.row(variance: 0.2 + Double(component))
      measurement.append(row, as: component)
      rows.append(h)
      z.append(row.residual - dot(h, dense.e))
    }
    let h = Matrix(rows: rows)
    let s = (h * dense.p).timesTranspose(h) + Matrix(diagonal: [1.2, 2.2, 0.2])
    let innovation = filter.take(measurement)
    let cholesky = try Cholesky(s)
    let whitened = cholesky.whiten(z)
    #expect(abs(innovation.normalizedSquared - dot(whitened, whitened)) < 1e-12)
    #expect(abs(innovation.logLikelihood + 0.5 * (dot(whitened, whitened) + cholesky.logDeterminant)) < 1e-12)
    #expect(innovation.count == 3)
    for (index, component) in [1, 2, 0].enumerated() {
      #expect(abs(innovation.residual[component] - z[index]) < 1e-12)
      #expect(abs(innovation.residualVariance[component] - s[index, index]) < 1e-12)
    }
  }

  @Test(
    "a row without a finite positive variance or innovation corrects nothing and is reported",
    arguments: [Double.nan, .infinity, -1000], bothProducts)
  func unusable(_ value: Double, _ products: ErrorProducts) {
    var scene = ErrorScene(seed: 16)
    let p = scene.covariance()
    var filter = scene.filter(p, products)
    var invalidResidual = scene.row().row
    let usable = scene.row().row
    var invalidVariance = usable
    invalidVariance.variance = value
    if value.isFinite {
      // A covariance that rounding has corrupted.
      filter.isolate(0..<scene.count, variance: -1)
      invalidVariance = usable
    } else {
      invalidResidual.residual = value
      #expect(filter.take(invalidResidual).outcome == .unusable)
    }
    #expect(filter.take(invalidVariance).outcome == .unusable)
    let before = filter.matrix
    #expect(filter.close().list(scene.count).allSatisfy { $0 == 0 })
    #expect(filter.matrix == before)
    guard !value.isFinite else { return }
    // The other rows of the same measurement are used.
    var measurement = ErrorMeasurement()
    measurement.append(invalidVariance)
    measurement.append(usable)
    #expect(filter.take(measurement).outcome == .unusable)
    var expected = scene.filter(p, products)
    expected.take(usable)
    #expect(filter.close().list(scene.count) == expected.close().list(scene.count))
    #expect(filter == expected)
  }

  @Test("a variance that is not ≥ 0 is reported as infinite, never as 0")
  func invalidVariance() {
    let scene = ErrorScene(seed: 17)
    var filter = ErrorKalman(scene.layout)
    let block = scene.triples[0]
    filter.isolate(block, covariance: Matrix3(diagonal: Vector3(4, -1, .nan)))
    #expect(filter.standardDeviations(block) == Vector3(2, .infinity, .infinity))
    #expect(!filter.isFinite)
    filter.isolate(block, covariance: .identity)
    #expect(filter.isFinite)
  }

  @Test("a copy and a decoded covariance continue alike")
  func copies() throws {
    var scene = ErrorScene(seed: 18)
    var filter = scene.filter(scene.covariance())
    filter.take(scene.row().row)
    filter.close()
    var decoded = try JSONDecoder().decode(ErrorKalman.self, from: JSONEncoder().encode(filter))
    #expect(decoded == filter)
    var copy = filter
    let (row, transition) = (scene.row().row, scene.transition().transition)
    for index in 0..<2 {
      copy.propagate(by: transition)
      copy.take(row)
      copy.close()
      #expect(copy != filter, "the original does not change with its copy, update \(index)")
    }
    for _ in 0..<2 {
      decoded.propagate(by: transition)
      decoded.take(row)
      decoded.close()
    }
    #expect(decoded == copy)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ErrorKalman.self, from: Data(#"{"elements": [1, 2]}"#.utf8))
    }
  }

  @Test("a layout numbers its blocks one after another")
  func layout() {
    var layout = ErrorLayout()
    let (attitude, scale, single) = (layout.add(), layout.add(9), layout.add(1))
    #expect([attitude.indices, scale.indices, single.indices] == [0..<3, 3..<12, 12..<13])
    #expect(scale[6..<9].indices == 9..<12)
    #expect(layout.count == 13)
  }
}
