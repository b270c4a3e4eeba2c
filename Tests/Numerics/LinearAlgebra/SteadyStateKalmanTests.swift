import InertialNumerics
import Testing

@Suite("Steady-state Kalman filter") struct SteadyStateKalmanTests {
  /// A seeded model of n states and m measurements, with poles up to 1.2.
  struct Model {
    let (f, q, h, r): (Matrix, Matrix, Matrix, Matrix)

    init(_ n: Int, _ m: Int, seed: UInt64) {
      var random = SeededMatrices(seed: seed)
      f = 0.9 * Matrix.identity(n) + (0.6 / Double(n)) * random.matrix(n, n)
      q = 0.1 * random.positiveDefinite(n)
      h = random.matrix(m, n)
      r = random.positiveDefinite(m)
    }

    /// Returns the gain for a predicted covariance, and the covariance predicted from it: one step of the recursion.
    func step(_ p: Matrix) throws -> (gain: Matrix, next: Matrix) {
      let gain = try ((h * p).timesTranspose(h) + r).solve(h * p).transpose
      return (gain, (f * (p - gain * h * p)).timesTranspose(f) + q)
    }
  }

  private static let sizes = [(1, 1), (2, 1), (3, 2), (6, 3), (9, 1)]

  @Test("the covariance is a fixed point of the Riccati recursion, with its gain", arguments: sizes)
  func fixedPoint(_ n: Int, _ m: Int) throws {
    for seed in UInt64(1)...20 {
      let model = Model(n, m, seed: seed)
      let steady = try SteadyStateKalman(
        transition: model.f, processNoise: model.q, observation: model.h, noise: model.r)
      let p = steady.predictedCovariance
      let (gain, next) = try model.step(p)
      #expect(isNear(next, p, within: 1e-9 * p.maximumMagnitude) && p == p.transpose)
      #expect(isNear(gain, steady.gain, within: 1e-12 * max(1, gain.maximumMagnitude)))
    }
  }

  @Test("the recursion converges to it from no error and from a large one", arguments: sizes, [0, 100.0])
  func limit(_ size: (n: Int, m: Int), start: Double) throws {
    let model = Model(size.n, size.m, seed: 5)
    let steady = try SteadyStateKalman(
      transition: model.f, processNoise: model.q, observation: model.h, noise: model.r)
    var p = start * Matrix.identity(size.n)
    for _ in 0..<5000 { p = try model.step(p).next }
    #expect(isNear(p, steady.predictedCovariance, within: 1e-9 * p.maximumMagnitude))
  }

  @Test(
    "the gain of a random walk solves K²/(1 − K) = Q/R, as exactly as its pole 1 − K is rounded",
    arguments: [1e-20, 1e-12, 1e-6, 0.01, 1, 1e6])
  func randomWalk(ratio: Double) throws {
    let one = Matrix.identity(1)
    let steady = try SteadyStateKalman(
      transition: one, processNoise: 3 * ratio * one, observation: one, noise: 3 * one)
    // The positive root of K² + K Q/R − Q/R, without a difference.
    let gain = 2 * ratio / (ratio + (ratio * ratio + 4 * ratio).squareRoot())
    #expect(abs(steady.gain[0, 0] / gain - 1) < 1e-14 + 1e-15 / gain)
  }

  @Test("a state that grows or walks unobserved, and numbers that are not finite, have no steady state")
  func none() {
    let (one, none) = (Matrix.identity(1), Matrix(rowCount: 1, columnCount: 1))
    for transition in [2, 1, .nan] {
      #expect(throws: LinearAlgebraError.self) {
        try SteadyStateKalman(transition: transition * one, processNoise: one, observation: none, noise: one)
      }
    }
    #expect(throws: LinearAlgebraError.self) {
      try SteadyStateKalman(transition: one, processNoise: one, observation: one, noise: none)
    }
  }
}
