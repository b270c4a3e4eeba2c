import Benchmark
import Inertial

// The matrices of fixed size, which live on the stack, beside the dynamic ones, which call BLAS and LAPACK. Run with
// OPENBLAS_NUM_THREADS=1: threads would be started for what takes microseconds.
let benchmarks: @Sendable () -> Void = {
  addSize(FixedMatrix<3, 3>.self, 3)
  addSize(FixedMatrix<6, 6>.self, 6)
  addSize(FixedMatrix<9, 9>.self, 9)
  addSize(FixedMatrix<15, 15>.self, 15)
  addSize(FixedMatrix<24, 24>.self, 24)
}

private let perOperation = BenchmarkMetric.custom(
  "ns per operation", polarity: .prefersSmaller, useScalingFactor: false)
private var configuration: Benchmark.Configuration {
  Benchmark.Configuration(metrics: [perOperation], warmupIterations: 1, maxDuration: .seconds(1), maxIterations: 100)
}

/// The product, the product with a transpose and the solution of a positive definite system, for one size.
private func addSize<let Size: Int>(_ type: FixedMatrix<Size, Size>.Type, _ size: Int) {
  // Diagonally dominant, so positive definite.
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
