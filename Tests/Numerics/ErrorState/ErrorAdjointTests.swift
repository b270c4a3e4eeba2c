import Testing

/// The smoother against the Rauch-Tung-Striebel equations with dense matrices.
@Suite struct ErrorAdjointTests {
  /// A forward pass with its trace and the same pass with dense matrices.
  struct Record {
    var scene: ErrorScene
    var filter: ErrorKalman
    /// The dense filter after each epoch's prediction and after its measurements, and the transition to the epoch.
    var steps: [(f: Matrix, predicted: DenseKalman, filtered: DenseKalman)] = []

    /// - Parameter isHolding: Whether measurements omit parts of the gain.
    init(seed: UInt64, epochs: Int, products: ErrorProducts) {
      scene = ErrorScene(seed: seed, blocks: [3, 1, 3, 2])
      let p = scene.covariance()
      filter = scene.filter(p, products)
      filter.trace = ErrorTrace(scene.layout, keeping: scene.blocks)
      var dense = DenseKalman(p)
      let index = scene.blocks[3].start
      for epoch in 0..<epochs {
        var f = Matrix.identity(scene.count)
        // The first epoch begins without a transition; one epoch has two.
        for _ in 0..<(epoch == 0 ? 0 : epoch == 3 ? 2 : 1) {
          let (transition, next) = scene.transition()
          filter.propagate(by: transition)
          f = next * f
        }
        dense.propagate(f)
        // Every error has noise, so that the dense predicted covariance has an inverse.
        for block in scene.blocks { filter.add(0.05, to: block) }
        for index in 0..<scene.count { dense.p[index, index] += 0.05 }
        let predicted = dense
        // Every third epoch has no measurement, as in a gap; one removes information.
        for _ in 0..<(epoch % 3 == 1 ? 0 : 3) {
          var (row, h) = scene.row()
          let residual = row.residual
          row.residual -= dot(h, predicted.e)
          filter.take(row)
          dense.take(h, residual: residual, variance: row.variance)
        }
        if epoch == 2 {
          var row = MeasurementRow(residual: 0.1, variance: -3 * dense.p[index, index])
          row.add(1, at: index)
          var h = [Double](repeating: 0, count: scene.count)
          h[index] = 1
          let residual = row.residual
          row.residual -= dot(h, predicted.e)
          filter.take(row)
          dense.take(h, residual: residual, variance: row.variance)
        }
        filter.close()
        steps.append((f, predicted, dense))
      }
    }

    /// Returns the smoothed errors relative to the filter's, and the smoothed covariances, by inverses.
    func smoothed() throws -> [(errors: [Double], p: Matrix)] {
      var next = (e: steps[steps.count - 1].filtered.e, p: steps[steps.count - 1].filtered.p)
      var result = [(errors: next.e.map { _ in 0.0 }, p: next.p)]
      for index in (0..<steps.count - 1).reversed() {
        let (own, later) = (steps[index].filtered, steps[index + 1].predicted)
        let gain = own.p.timesTranspose(steps[index + 1].f) * (try later.p.inverse())
        let change = gain * zip(next.e, later.e).map { $0 - $1 }
        let p = own.p + (gain * (next.p - later.p)).timesTranspose(gain)
        next = (zip(own.e, change).map { $0 + $1 }, p)
        result.append((change, p))
      }
      return result.reversed()
    }
  }

  @Test(
    "equations 18 to 20: smoothed errors and covariances equal Rauch-Tung-Striebel's", arguments: bothProducts, 1...6)
  func smoother(_ products: ErrorProducts, _ seed: Int) throws {
    let record = Record(seed: UInt64(seed), epochs: 9, products: products)
    let trace = try #require(record.filter.trace)
    // The epoch with two transitions is two epochs of the trace.
    #expect(trace.count == record.steps.count + 1)
    let expected = try record.smoothed()
    var adjoint = ErrorAdjoint(record.scene.layout, products: products)
    var plain = ErrorAdjoint(record.scene.layout, hasCovariance: false, products: products)
    for index in (0..<trace.count).reversed() {
      let step = index > 3 ? index - 1 : index
      if index != 3 {
        for row in 0..<record.scene.count {
          #expect(abs(adjoint.error(row, trace, index) - expected[step].errors[row]) < 1e-9)
          #expect(plain.error(row, trace, index) == adjoint.error(row, trace, index))
          for column in 0..<record.scene.count {
            #expect(abs(adjoint.covariance(row, column, trace, index) - expected[step].p[row, column]) < 1e-9)
          }
        }
        let block = record.scene.blocks[2]
        let covariance = adjoint.covariance(block, trace, index)
        #expect(abs(covariance.m12 - expected[step].p[block.start, block.start + 1]) < 1e-9)
        #expect(adjoint.variances(block, trace, index) == Vector3(covariance.m11, covariance.m22, covariance.m33))
        #expect(adjoint.errors(block, trace, index).y == adjoint.error(block.start + 1, trace, index))
        #expect(abs(plain.covariance(0, 0, trace, index) - record.steps[step].filtered.p[0, 0]) < 1e-12)
      }
      adjoint.cross(trace, index)
      plain.cross(trace, index)
    }
  }

  @Test("a trace without its oldest epochs gives the same results for the others")
  func forgetting() throws {
    let record = Record(seed: 3, epochs: 9, products: .standard)
    let trace = try #require(record.filter.trace)
    var shorter = trace
    shorter.removeFirst(2)
    shorter.removeFirst(3)
    #expect(shorter.count == trace.count - 5)
    var (whole, rest) = (ErrorAdjoint(record.scene.layout), ErrorAdjoint(record.scene.layout))
    for index in (5..<trace.count).reversed() {
      for row in 0..<record.scene.count {
        #expect(whole.error(row, trace, index) == rest.error(row, shorter, index - 5))
        #expect(whole.covariance(row, 0, trace, index) == rest.covariance(row, 0, shorter, index - 5))
      }
      whole.cross(trace, index)
      rest.cross(shorter, index - 5)
    }
  }

  /// A filter of three errors and one, with a trace.
  struct Small {
    var layout = ErrorLayout()
    var triple, single: ErrorLayout.Block
    var filter: ErrorKalman

    init() {
      (triple, single) = (layout.add(), layout.add(1))
      filter = ErrorKalman(layout)
      filter.trace = ErrorTrace(layout, keeping: [triple, single])
      for row in 0..<4 { for column in 0...row { filter[row, column] = row == column ? 2 : 0.5 } }
      filter.close()
    }

    mutating func measure(_ derivative: Vector3, single: Double, residual: Double, holding: PartialGain? = nil) {
      var row = MeasurementRow(residual: residual, variance: 1)
      row.add(derivative, of: triple)
      row.add(single, at: 3)
      filter.take(row, holding: holding)
      filter.close()
    }
  }

  @Test("equation 20: an error whose gain was omitted learns nothing from a measurement in its own pass")
  func partialError() throws {
    var small = Small()
    var holding = PartialGain()
    holding.isSmoothedAsOptimal = true
    holding.hold(3..<4, by: 1)
    small.measure(Vector3(1, 0.5, 0), single: 0, residual: 0.7, holding: holding)
    let trace = try #require(small.filter.trace)
    var (own, others) = (ErrorAdjoint(small.layout), ErrorAdjoint(small.layout))
    own.partialError = 3
    own.cross(trace, 1)
    others.cross(trace, 1)
    #expect(own.error(3, trace, 0) == 0)
    #expect(own.covariance(3, 3, trace, 0) == 2)
    // P h = (2.25, 1.5, 0.75, 0.75), s = 1 + 2.25 + 0.75.
    #expect(abs(others.error(0, trace, 0) - 2.25 / 4 * 0.7) < 1e-12)
    #expect(abs(others.covariance(0, 0, trace, 0) - (2 - 2.25 * 2.25 / 4)) < 1e-12)
  }

  @Test("equation 20: a gain that is omitted in part corrects its own pass by that part")
  func partialFraction() throws {
    var small = Small()
    var holding = PartialGain()
    holding.isSmoothedAsOptimal = true
    holding.hold(3..<4, by: 0.75)
    holding.hold(small.triple, along: .unitX, by: 0.5)
    small.measure(Vector3(0, 1, 0), single: 0, residual: 0.8, holding: holding)
    let trace = try #require(small.filter.trace)
    var own = ErrorAdjoint(small.layout)
    own.partialError = 3
    own.cross(trace, 1)
    // P h = (0.5, 2, 0.5, 0.5), s = 3.
    #expect(abs(own.error(3, trace, 0) - 0.25 * 0.5 * 0.8 / 3) < 1e-12)
    #expect(abs(own.covariance(3, 3, trace, 0) - (2 - 0.25 * 0.25 / 3)) < 1e-12)
  }

  @Test("a smoother uses the remaining gain of a measurement that is not smoothed as optimal")
  func remainingGain() throws {
    var holding = PartialGain()
    holding.hold(0..<1, by: 1)
    var small = Small()
    small.measure(Vector3(0, 1, 0), single: 0, residual: 0.8, holding: holding)
    small.measure(Vector3(1, 0, 0), single: 0, residual: 0.6)
    let trace = try #require(small.filter.trace)
    var adjoint = ErrorAdjoint(small.layout)
    for epoch in [2, 1] { adjoint.cross(trace, epoch) }
    // The first measurement leaves the variance 2 of the error that the second one measures: s = 3.
    let λ = Vector3(-0.6 / 3, -0.8 / 3, 0)
    #expect(abs(adjoint.error(0, trace, 0) + 2 * λ.x + 0.5 * λ.y) < 1e-12)
  }

  @Test("later measurements have no information about errors before a reset")
  func forget() throws {
    var small = Small()
    small.measure(Vector3(1, 0, 0), single: 0.5, residual: 0.7)
    let trace = try #require(small.filter.trace)
    var (adjoint, expected) = (ErrorAdjoint(small.layout), Small())
    adjoint.cross(trace, 1)
    adjoint.forget(small.triple.indices)
    // Only the part h₃ = 0.5 remains of λ = -h y/s and Λ = h hᵀ/s, with s = 1 + 2 + 0.5 + 0.5.
    #expect(abs(adjoint.error(3, trace, 0) - 2 * 0.5 * 0.7 / 4) < 1e-12)
    #expect(abs(adjoint.covariance(3, 3, trace, 0) - (2 - 4 * 0.25 / 4)) < 1e-12)
    #expect(abs(adjoint.error(0, trace, 0) - 0.5 * 0.5 * 0.7 / 4) < 1e-12)
    expected.filter.close()
    adjoint.forget(3..<4)
    #expect(adjoint.error(0, trace, 0) == 0)
    #expect(adjoint.covariance(0, 0, trace, 0) == 2)
  }

  @Test("equation 8: smoothing over a change of axes equals smoothing in the axes before")
  func turn() throws {
    let rotation = Quaternion(rotationVector: Vector3(0.3, -0.2, 0.9)).matrix
    let derivative = Vector3(0.4, 1, -0.7)
    var (turned, plain) = (Small(), Small())
    turned.filter.turn([turned.triple], by: rotation)
    turned.measure(rotation * derivative, single: 0.5, residual: 0.7)
    plain.measure(derivative, single: 0.5, residual: 0.7)
    let (trace, plainTrace) = (try #require(turned.filter.trace), try #require(plain.filter.trace))
    var (adjoint, expected) = (ErrorAdjoint(turned.layout), ErrorAdjoint(plain.layout))
    adjoint.cross(trace, 1)
    adjoint.turn([turned.triple], by: rotation)
    expected.cross(plainTrace, 1)
    for row in 0..<4 {
      #expect(abs(adjoint.error(row, trace, 0) - expected.error(row, plainTrace, 0)) < 1e-12)
      for column in 0..<4 {
        let difference =
          adjoint.covariance(row, column, trace, 0) - expected.covariance(row, column, plainTrace, 0)
        #expect(abs(difference) < 1e-12)
      }
    }
  }

  @Test("equation 21: an error that is tied has the given value and variance", arguments: [0.3, 1.9])
  func tie(_ variance: Double) throws {
    var small = Small()
    small.measure(Vector3(1, 0, 0), single: 0.5, residual: 0.7)
    let trace = try #require(small.filter.trace)
    var adjoint = ErrorAdjoint(small.layout)
    adjoint.cross(trace, 1)
    adjoint.tie(2, to: 0.25, variance: variance, trace, 0)
    #expect(abs(adjoint.error(2, trace, 0) - 0.25) < 1e-12)
    // Later measurements of the other errors may know more than the tie.
    let others = 2 - 0.5 * 0.75 * 0.75 / 2
    #expect(abs(adjoint.covariance(2, 2, trace, 0) - min(variance, others)) < 0.1)
  }
}
