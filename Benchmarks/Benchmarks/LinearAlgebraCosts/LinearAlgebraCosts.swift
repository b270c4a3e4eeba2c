import Benchmark
import Inertial
import InertialNumerics

// The costs of matrices of fixed size, on the stack, and of dynamic ones, which call BLAS and LAPACK, and of an epoch of the
// error-state Kalman filter on BLAS and in loops.
let benchmarks: @Sendable () -> Void = {
  addSize(FixedMatrix<3, 3>.self, 3)
  addSize(FixedMatrix<6, 6>.self, 6)
  addSize(FixedMatrix<9, 9>.self, 9)
  addSize(FixedMatrix<15, 15>.self, 15)
  addSize(FixedMatrix<24, 24>.self, 24)
  addSize(FixedMatrix<60, 60>.self, 60)
  for blocks in [2, 5, 8, 10] {
    for rows in [1, 3, 6] { addEpoch(blocks, rows: rows) }
  }
}

/// Benchmarks an epoch of a Kalman filter with blocks of three errors: a propagation with a term for each block but the
/// first (at most four), and measurements.
private func addEpoch(_ blockCount: Int, rows: Int) {
  var layout = ErrorLayout()
  let blocks = (0..<blockCount).map { _ in layout.add() }
  var transition = ErrorTransition()
  for (target, source) in zip(blocks, blocks.dropFirst()).prefix(4) {
    transition.add(Matrix3(skew: Vector3(0.1, 0.2, 0.3)), of: source, to: target)
  }
  let (layoutOfEpoch, transitionOfEpoch) = (layout, transition)
  for products in [ErrorProducts.blas, .loops] {
    let epochs = 100
    add("\(epochs) epochs with \(rows) rows", layout.count, "\(products)") {
      var kalman = ErrorKalman(layoutOfEpoch, products: products)
      for block in blocks { kalman.add(1, to: block) }
      for _ in 0..<epochs {
        kalman.propagate(by: transitionOfEpoch)
        for block in blocks { kalman.add(1e-3, to: block) }
        for index in 0..<rows {
          var row = MeasurementRow(residual: 0.1, variance: 1)
          row.add(Vector3(0.5, 1, -0.5), of: blocks[index % blockCount])
          kalman.take(row)
        }
        blackHole(kalman.close())
      }
    }
  }
}

private let perOperation = BenchmarkMetric.custom(
  "ns per operation", polarity: .prefersSmaller, useScalingFactor: false)
private var configuration: Benchmark.Configuration {
  Benchmark.Configuration(metrics: [perOperation], warmupIterations: 1, maxDuration: .seconds(1), maxIterations: 100)
}

/// Benchmarks the product, the product with a transpose and the solution of a positive definite system, for one size.
private func addSize<let Size: Int>(_ type: FixedMatrix<Size, Size>.Type, _ size: Int) {
  // The matrix is diagonally dominant, and therefore positive definite.
  let fixed = FixedMatrix<Size, Size> { row, column in
    row == column ? Double(size) : 1 / Double(1 + abs(row - column))
  }
  let dynamic = Matrix(rowCount: size, columnCount: size) { row, column in fixed[row, column] }
  let vector = FixedVector<Size> { Double($0) }
  let values = (0..<size).map(Double.init)

  add("product", size, "fixed") { blackHole(fixed * fixed) }
  add("product", size, "BLAS") { blackHole(dynamic * dynamic) }
  add("product with a transpose", size, "fixed") { blackHole(fixed.timesTranspose(fixed)) }
  add("product with a transpose", size, "BLAS") { blackHole(dynamic.timesTranspose(dynamic)) }
  add("Cholesky solution", size, "fixed") { blackHole(try FixedCholesky(fixed).solve(vector)) }
  add("Cholesky solution", size, "LAPACK") { blackHole(try Cholesky(dynamic).solve(values)) }
  add("Cholesky solution of \(size) right-hand sides", size, "fixed") {
    blackHole(try FixedCholesky(fixed).solveFromRight(fixed))
  }
  add("Cholesky solution of \(size) right-hand sides", size, "LAPACK") {
    blackHole(try Cholesky(dynamic).solve(dynamic))
  }
}

private func add(
  _ operation: String, _ size: Int, _ kind: String, _ body: @escaping @Sendable () throws -> Void
) {
  let repetitions = 200_000 / (size * size)
  Benchmark("\(operation), \(size) x \(size), \(kind)", configuration: configuration) { benchmark in
    let clock = ContinuousClock()
    benchmark.startMeasurement()
    let begin = clock.now
    for _ in 0..<repetitions { try body() }
    let duration = begin.duration(to: clock.now)
    benchmark.stopMeasurement()
    benchmark.measurement(perOperation, Int(duration / .nanoseconds(1) / Double(repetitions)))
  }
}
