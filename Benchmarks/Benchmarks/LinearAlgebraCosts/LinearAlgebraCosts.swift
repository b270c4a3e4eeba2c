import Benchmark
import Inertial
import InertialNumerics

// The costs of matrices of fixed size, on the stack, and of dynamic ones, which call BLAS and LAPACK, and of a Kalman filter
// step on both.
let benchmarks: @Sendable () -> Void = {
  addSize(FixedMatrix<3, 3>.self, 3)
  addSize(FixedMatrix<6, 6>.self, 6)
  addSize(FixedMatrix<9, 9>.self, 9)
  addSize(FixedMatrix<15, 15>.self, 15)
  addSize(FixedMatrix<24, 24>.self, 24)
  addSize(FixedMatrix<60, 60>.self, 60)
  addKalman(FixedMatrix<3, 6>.self)
  addKalman(FixedMatrix<3, 7>.self)
  addKalman(FixedMatrix<3, 15>.self)
  addKalman(FixedMatrix<3, 24>.self)
  addKalman(FixedMatrix<3, 36>.self)
  addKalman(FixedMatrix<3, 60>.self)
}

/// Benchmarks prediction, a joint and a scalar measurement, and a smoother step, for one size, on the same matrices.
private func addKalman<let States: Int, let Measurements: Int>(_ type: FixedMatrix<Measurements, States>.Type) {
  let p = FixedMatrix<States, States> { $0 == $1 ? 1 : 0.1 / Double(1 + abs($0 - $1)) }
  let f = FixedMatrix<States, States> { $0 == $1 ? 1 : ($1 == $0 + 3 ? 0.05 : 0) }
  let q = FixedMatrix<States, States> { $0 == $1 ? 1e-6 : 0 }
  let h = FixedMatrix<Measurements, States> { 1 / Double(1 + $0 + $1) }
  let r = FixedMatrix<Measurements, Measurements> { $0 == $1 ? 1 : 0 }
  let z = FixedVector<Measurements>(repeating: 0.1)
  let (row, difference) = (h.row(0), FixedVector<States>(repeating: 0.1))
  for core in KalmanCore.allCases {
    add("prediction", States, core.rawValue) {
      var p = p
      FixedKalman.predict(&p, transition: f, processNoise: q, on: core)
      blackHole(p)
    }
    add("update by \(Measurements)", States, core.rawValue) {
      var p = p
      blackHole(try FixedKalman.update(&p, innovation: z, observation: h, noise: r, on: core))
      blackHole(p)
    }
    add("update by 1", States, core.rawValue) {
      var p = p
      blackHole(try FixedKalman.update(&p, innovation: 0.1, observation: row, variance: 1, on: core))
      blackHole(p)
    }
    add("smoother's step", States, core.rawValue) {
      var p = p
      blackHole(
        try FixedRauchTungStriebelSmoother<States>.stepBack(
          &p, difference: difference, transition: f, predicted: p, filtered: p, on: core))
      blackHole(p)
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
