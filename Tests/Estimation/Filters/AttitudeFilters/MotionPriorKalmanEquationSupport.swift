import InertialNumerics
import InertialRotations
import TestSupport

@testable import InertialFilters

/// Support for tests of the equations of docs/theory/flagship.md: a filter with errors of all sensors, and dense forms
/// of the engine's steps.
extension MotionPriorKalman {
  /// The interval of the samples, in seconds.
  static let interval = 0.01
  /// The number of the last sample of the start-up, which lasts a second.
  static let lastOfStart = 102

  /// Returns a filter after a start-up at rest in a tilted attitude, with errors of all sensors, in an empty epoch that
  /// no sample ends.
  ///
  /// - Parameter lag: The time of the other sensors' samples after the gyroscope's, in seconds.
  static func withErrors(lag: Double = 0, _ change: (inout Parameters) -> Void = { _ in }) -> MotionPriorKalman {
    var parameters = with(Parameters()) { $0.epochDuration = 1 }
    change(&parameters)
    var filter = MotionPriorKalman(parameters: parameters)
    for step in 0...lastOfStart {
      filter.update(step, rate: .zero, force: Vector3(0.1, -0.2, -0.95), field: Vector3(20, 5, -40), lag: lag)
    }
    filter.state.epoch = MotionEpoch()
    filter.state.gyroscopeBias = Vector3(0.01, -0.02, 0.03)
    filter.state.gyroscopeScale = Matrix3(
      rows: Vector3(0.01, 0.002, 0.004), Vector3(-0.003, -0.02, 0.003), Vector3(0.001, 0.006, 0.005))
    filter.state.accelerometerBias = Vector3(0.1, 0.2, -0.1)
    return filter
  }

  /// Processes the samples of one interval of the gyroscope.
  mutating func update(_ step: Int, rate: Vector3, force: Vector3? = nil, field: Vector3? = nil, lag: Double = 0) {
    let time = Self.interval * Double(step)
    update(gyroscope: rate, at: time)
    if let force { update(accelerometer: force, at: time + lag) }
    if let field { update(magneticField: field, at: time + lag) }
  }

  /// Adds a time to the epoch in which the device rotates with a rate in its axes, in rad/s, too short to turn it.
  mutating func pass(_ duration: Double, rate: Vector3 = .zero, measured: Vector3 = .zero) {
    state.epoch.add(
      rotation: state.rotation, measured: measured, unbiased: rate, turn: duration * (state.rotation * rate),
      dt: duration)
  }

  /// Sets a covariance with correlations between all errors, whose standard deviations are of the sizes that occur.
  mutating func correlate(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let blocks: [(Int, Double)] = [(3, 0.05), (3, 0.01), (3, 0.5), (9, 0.003), (3, 0.02), (2, 2), (1, 0.03)]
    let sigmas = blocks.flatMap { count, sigma in [Double](repeating: sigma, count: count) }
    let factor = Matrix(rowCount: 24, columnCount: 24) { row, _ in sigmas[row] * 0.2 * generator.normal() }
    let covariance = factor.timesOwnTranspose
    for row in 0..<24 { for column in 0...row { state.kalman[row, column] = covariance[row, column] } }
  }
}

extension ErrorTransition {
  /// F as a dense matrix of the errors of `MotionPriorKalman`.
  var dense: Matrix {
    let columns = MotionErrors.layout.count
    return Matrix(
      columns: (0..<columns).map { index in
        // With P = e eᵀ, the row of e in F P Fᵀ is the column of F.
        var kalman = ErrorKalman(MotionErrors.layout)
        kalman.isolate(index..<index + 1, variance: 1)
        kalman.propagate(by: self)
        return (0..<columns).map { kalman[$0, index] }
      })
  }
}

/// Scalar updates of a dense covariance, one after another, with any gain, by Joseph's form.
struct DenseUpdates {
  private(set) var covariance: Matrix
  /// The correction of the errors.
  private(set) var correction: [Double]

  init(_ kalman: ErrorKalman) {
    covariance = kalman.matrix
    correction = Array(repeating: 0, count: kalman.count)
  }

  /// Takes the measurement residual = h·e + n.
  ///
  /// - Parameters:
  ///   - variance: The variance of n for an innovation and its part that the errors explain.
  ///   - factor: The factor on the gain, if it is not optimal.
  mutating func take(
    _ h: [Double], residual: Double, factor: Matrix? = nil,
    variance: (_ innovation: Double, _ explained: Double) -> Double
  ) {
    func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
    let c = covariance * h
    let (y, explained) = (residual - dot(h, correction), dot(h, c))
    let r = variance(y, explained)
    let optimal = c.map { $0 / (explained + r) }
    let gain = factor.map { $0 * optimal } ?? optimal
    let remaining = Matrix.identity(h.count) - Matrix(outer: gain, h)
    covariance = remaining * covariance * remaining.transpose + r * Matrix(outer: gain, gain)
    for index in h.indices { correction[index] += gain[index] * y }
  }
}

/// Returns whether two covariances are equal, up to a fraction of the standard deviations of the first.
func areNear(_ a: Matrix, _ b: Matrix, within tolerance: Double) -> Bool {
  for row in 0..<a.rowCount {
    for column in 0..<a.columnCount {
      let scale = max(a[row, row] * a[column, column], 1e-30).squareRoot()
      guard abs(a[row, column] - b[row, column]) <= tolerance * scale else {
        print("covariances differ at \(row), \(column): \(a[row, column]) and \(b[row, column])")
        return false
      }
    }
  }
  return true
}
