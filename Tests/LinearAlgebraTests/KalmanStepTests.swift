import LinearAlgebra
import Testing

@Suite struct KalmanStepTests {
  /// A seeded model with n states and m measurements.
  struct Model {
    var covariance, transition, processNoise, observation, noise: Matrix
    var innovation: [Double]

    init(_ n: Int, _ m: Int, seed: UInt64) {
      var random = SeededMatrices(seed: seed)
      covariance = random.positiveDefinite(n)
      transition = Matrix.identity(n) + 0.1 * random.matrix(n, n)
      processNoise = 0.1 * random.positiveDefinite(n)
      observation = random.matrix(m, n)
      noise = random.positiveDefinite(m)
      innovation = random.vector(m)
    }
  }

  @Test("one state and one measurement give the textbook numbers", arguments: [false, true])
  func textbook(scalar: Bool) throws {
    var step = KalmanStep(stateCount: 1)
    var p = Matrix(rows: [[3]])
    step.predict(&p, transition: Matrix(rows: [[2]]), processNoise: Matrix(rows: [[4]]))
    #expect(p == Matrix(rows: [[16]]))
    // h = 2, r = 16: s = 80, k = 0.4, P = 16 (1 - 0.8) = 3.2.
    if scalar {
      try step.update(&p, innovation: 5, observation: [2], variance: 16)
    } else {
      try step.update(
        &p, innovation: [5], observation: Matrix(rows: [[2]]), noise: Matrix(rows: [[16]]))
    }
    #expect(isNear(p, Matrix(rows: [[3.2]]), within: 1e-14))
    #expect(isNear(step.correction, [2], within: 1e-15))
    #expect(isNear(step.gain, Matrix(rows: [[0.4]]), within: 1e-16))
    #expect(step.innovationCovariance == Matrix(rows: [[80]]))
    #expect(abs(step.normalizedInnovationSquared - 25.0 / 80) < 1e-16)
  }

  @Test("the prediction is F P Fᵀ + Q, exactly symmetric", arguments: [1, 2, 6, 15, 24])
  func prediction(n: Int) {
    let model = Model(n, 1, seed: 11)
    var step = KalmanStep(stateCount: n)
    var p = model.covariance
    step.predict(&p, transition: model.transition, processNoise: model.processNoise)
    let naive = model.transition * model.covariance * model.transition.transpose + model.processNoise
    #expect(isNear(p, naive, within: 1e-12 * naive.maximumMagnitude))
    #expect(p == p.transpose)
  }
}
