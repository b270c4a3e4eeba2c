import Testing

/// The statistics of random linear systems, whose errors have the distribution that the filter reports.
@Suite struct ErrorConsistencyTests {
  /// The sums of normalised squares over independent runs.
  struct Sums {
    var error = 0.0
    var errorCount = 0.0
    var innovation = 0.0
    var innovationCount = 0.0
    /// The smoothed error at the start.
    var smoothed = 0.0
  }

  /// Returns the sums over runs with true errors drawn from the initial covariance.
  static func run(_ blocks: [Int], runs: Int, epochs: Int, products: ErrorProducts) throws -> Sums {
    var sums = Sums()
    for run in 0..<runs {
      var scene = ErrorScene(seed: UInt64(1000 + run), blocks: blocks)
      let n = scene.count
      func normal(_ random: inout SeededGenerator, _ count: Int) -> [Double] {
        (0..<count).map { _ in random.normal() }
      }
      let p = scene.covariance()
      var filter = scene.filter(p, products)
      filter.trace = ErrorTrace(scene.layout, keeping: scene.blocks)
      var error = try Cholesky(p).lowerFactor * normal(&scene.random, n)
      filter.close()
      let start = error
      for _ in 0..<epochs {
        let (transition, f) = scene.transition()
        filter.propagate(by: transition)
        for block in scene.blocks { filter.add(0.01, to: block) }
        let noise = normal(&scene.random, n)
        error = zip(f * error, noise).map { $0 + 0.1 * $1 }
        var measurement = ErrorMeasurement()
        for _ in 0..<3 {
          var (row, h) = scene.row(variance: 0.04)
          row.residual = dot(h, error) + 0.2 * scene.random.normal()
          measurement.append(row)
        }
        sums.innovation += filter.take(measurement).normalizedSquared
        sums.innovationCount += 3
        let correction = filter.close()
        for index in 0..<n { error[index] -= correction[index] }
      }
      let whitened = try Cholesky(filter.matrix).whiten(error)
      sums.error += dot(whitened, whitened)
      sums.errorCount += Double(n)
      let trace = try #require(filter.trace)
      var adjoint = ErrorAdjoint(scene.layout, products: products)
      for epoch in (1..<trace.count).reversed() { adjoint.cross(trace, epoch) }
      let rest = (0..<n).map { start[$0] - adjoint.error($0, trace, 0) }
      let covariance = Matrix(rowCount: n, columnCount: n) { adjoint.covariance(max($0, $1), min($0, $1), trace, 0) }
      let smoothed = try Cholesky(covariance).whiten(rest)
      sums.smoothed += dot(smoothed, smoothed)
    }
    return sums
  }

  @Test(
    "errors, smoothed errors and innovations have the covariances that the filter reports", arguments: bothProducts,
    [[3, 1, 3, 2], [3, 1, 9, 3, 1, 3, 3]])
  func consistency(_ products: ErrorProducts, _ blocks: [Int]) throws {
    let sums = try Self.run(blocks, runs: 60, epochs: 12, products: products)
    // 99.9 % of sums of squares are within these bands.
    func expect(_ sum: Double, _ count: Double) {
      #expect(abs(sum / count - 1) < 3.3 * (2 / count).squareRoot())
    }
    expect(sums.error, sums.errorCount)
    expect(sums.smoothed, sums.errorCount)
    expect(sums.innovation, sums.innovationCount)
  }
}
