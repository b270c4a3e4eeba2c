import Testing

/// A seeded, stable linear model with n states and m measurements.
struct KalmanModel {
  var covariance, transition, processNoise, observation, noise: Matrix
  var innovation: [Double]

  init(_ n: Int, _ m: Int, seed: UInt64) {
    var random = SeededMatrices(seed: seed)
    covariance = random.positiveDefinite(n)
    let mixing = random.matrix(n, n)
    transition = 0.8 * Matrix.identity(n) + (0.15 / Double(n)) * mixing
    processNoise = 0.1 * random.positiveDefinite(n)
    observation = random.matrix(m, n)
    noise = random.positiveDefinite(m)
    innovation = random.vector(m)
  }

  /// Returns P − K H P in its naive form, which fails.
  static func naiveUpdate(_ p: Matrix, _ h: Matrix, _ r: Matrix) throws -> Matrix {
    let k = try ((h * p).timesTranspose(h) + r).solve(h * p).transpose
    return p - k * h * p
  }
}

extension KalmanStep {
  /// Updates with the model's innovation and measurements.
  @discardableResult
  mutating func update(_ p: inout Matrix, by model: KalmanModel, gate: Double = .infinity) throws -> Bool {
    try update(&p, innovation: model.innovation, observation: model.observation, noise: model.noise, gate: gate)
  }
}

@Suite struct KalmanStepTests {
  @Test("one state and one measurement yield the textbook's numbers", arguments: [false, true])
  func textbook(scalar: Bool) throws {
    var step = KalmanStep(stateCount: 1)
    var p = Matrix(rows: [[3]])
    step.predict(&p, transition: Matrix(rows: [[2]]), processNoise: Matrix(rows: [[4]]))
    #expect(p == Matrix(rows: [[16]]))
    // h = 2, r = 16: s = 80, k = 0.4, P = 16 (1 - 0.8) = 3.2.
    if scalar {
      try step.update(&p, innovation: 5, observation: [2], variance: 16)
    } else {
      try step.update(&p, innovation: [5], observation: Matrix(rows: [[2]]), noise: Matrix(rows: [[16]]))
    }
    #expect(isNear(p, Matrix(rows: [[3.2]]), within: 1e-14) && isNear(step.correction, [2], within: 1e-15))
    #expect(isNear(step.gain, Matrix(rows: [[0.4]]), within: 1e-16))
    #expect(step.innovationCovariance == Matrix(rows: [[80]]))
    #expect(abs(step.normalizedInnovationSquared - 25.0 / 80) < 1e-16)
  }

  @Test("the prediction is F P Fᵀ + Q, exactly symmetric", arguments: [1, 2, 6, 15, 24])
  func prediction(n: Int) {
    let model = KalmanModel(n, 1, seed: 11)
    var (step, p) = (KalmanStep(stateCount: n), model.covariance)
    step.predict(&p, transition: model.transition, processNoise: model.processNoise)
    let naive = model.transition * model.covariance * model.transition.transpose + model.processNoise
    #expect(isNear(p, naive, within: 1e-14 * naive.maximumMagnitude) && p == p.transpose)
  }

  @Test(
    "the update equals the information form to 1e-9", arguments: [(1, 1), (2, 5), (3, 3), (6, 3), (15, 4), (24, 6)])
  func information(_ n: Int, _ m: Int) throws {
    for seed in 31..<36 {
      let model = KalmanModel(n, m, seed: UInt64(seed))
      let weighted = try Cholesky(model.noise).solve(model.observation)
      let information = try Cholesky(model.covariance).inverse + model.observation.transposeTimes(weighted)
      let expected = try Cholesky(information).inverse
      var (step, p) = (KalmanStep(stateCount: n), model.covariance)
      #expect(try step.update(&p, by: model))
      #expect(isNear(p, expected, within: 1e-9) && p == p.transpose)
      // K = P⁺ Hᵀ R⁻¹, and S and NIS from their definitions.
      #expect(isNear(step.gain, expected.timesTranspose(weighted), within: 1e-9))
      #expect(isNear(step.correction, step.gain * model.innovation, within: 1e-12))
      let s = (model.observation * model.covariance).timesTranspose(model.observation) + model.noise
      #expect(isNear(step.innovationCovariance, s, within: 1e-12))
      let squared = Matrix(column: model.innovation).transposeTimes(try s.solve(model.innovation))[0]
      #expect(abs(step.normalizedInnovationSquared - squared) < 1e-11 * (1 + squared))
    }
  }

  @Test("sequential scalar updates equal the joint update with independent errors")
  func sequential() throws {
    for (n, m) in [(1, 1), (3, 2), (6, 3), (15, 6)] {
      let model = KalmanModel(n, m, seed: 41)
      let variances = model.noise.diagonal
      var (joint, one) = (model.covariance, model.covariance)
      var (a, b) = (KalmanStep(stateCount: n), KalmanStep(stateCount: n))
      // A previous joint update leaves off-diagonal elements that a sequential one must not show.
      var scratch = model.covariance
      try b.update(&scratch, by: model)
      try a.update(
        &joint, innovation: model.innovation, observation: model.observation, noise: Matrix(diagonal: variances))
      try b.updateSequentially(&one, innovation: model.innovation, observation: model.observation, variances: variances)
      #expect(isNear(one, joint, within: 1e-12) && isNear(b.correction, a.correction, within: 1e-12))
      #expect(abs(a.normalizedInnovationSquared - b.normalizedInnovationSquared) < 1e-12)
      // det S is the product of the conditional variances.
      let s = b.innovationCovariance
      #expect(s == Matrix(diagonal: s.diagonal))
      let determinant = try LU(a.innovationCovariance).determinant
      #expect(abs(s.diagonal.reduce(1, *) - determinant) < 1e-11 * determinant)
    }
  }

  @Test("a state with gain factor 0 keeps mean and variance, and the covariance matches the gain in use")
  func gainFactors() throws {
    let model = KalmanModel(6, 3, seed: 51)
    let factors = [1, 1, 0.25, 0, 0, 1]
    let (p0, h, r) = (model.covariance, model.observation, model.noise)
    let identity = Matrix.identity(6)
    func expected(_ k: Matrix, _ p: Matrix, _ h: Matrix, _ r: Matrix) -> Matrix {
      let a = identity - k * h
      return a * p * a.transpose + k * r * k.transpose
    }
    var step = KalmanStep(stateCount: 6)
    var p = p0
    try step.update(&p, innovation: model.innovation, observation: h, noise: r, gainFactors: factors)
    let full = try ((h * p0).timesTranspose(h) + r).solve(h * p0).transpose
    for state in 0..<6 {
      #expect(isNear(step.gain.row(state), full.row(state).map { factors[state] * $0 }, within: 1e-12))
      #expect(factors[state] != 0 || step.correction[state] == 0)
      #expect(factors[state] != 0 || abs(p[state, state] - p0[state, state]) < 1e-14)
    }
    #expect(isNear(p, expected(step.gain, p0, h, r), within: 1e-13))
    // The correlations between kept and corrected states have changed, and P stays positive definite.
    #expect(abs(p[0, 3] - p0[0, 3]) > 1e-3)
    _ = try Cholesky(p)

    var scalar = p0
    try step.update(&scalar, innovation: 0.3, observation: h.row(0), variance: r[0, 0], gainFactors: factors)
    let row = Matrix(rows: [h.row(0)])
    #expect(isNear(scalar, expected(step.gain, p0, row, Matrix(rows: [[r[0, 0]]])), within: 1e-13))
    #expect(step.correction[3] == 0 && step.correction[4] == 0 && step.correction[5] != 0)
  }

  @Test("an innovation outside the gate changes nothing, one inside is used")
  func gate() throws {
    let model = KalmanModel(4, 2, seed: 61)
    var (step, p) = (KalmanStep(stateCount: 4), model.covariance)
    try step.update(&p, by: model)
    let squared = step.normalizedInnovationSquared
    for (gate, accepted) in [(squared * 1.001, true), (squared * 0.999, false)] {
      p = model.covariance
      #expect(try step.update(&p, by: model, gate: gate) == accepted)
      #expect((p != model.covariance) == accepted && (step.correction != [0, 0, 0, 0]) == accepted)
      #expect(abs(step.normalizedInnovationSquared - squared) < 1e-14)
    }
    p = model.covariance
    let row = model.observation.row(0)
    #expect(try !step.update(&p, innovation: 100, observation: row, variance: 1, gate: 9))
    #expect(p == model.covariance && step.correction == [0, 0, 0, 0])
    #expect(try step.update(&p, innovation: 0.1, observation: row, variance: 1, gate: 9))
    #expect(p != model.covariance)
  }

  @Test("an impossible update is an error and leaves the covariance unchanged")
  func errors() throws {
    var step = KalmanStep(stateCount: 2)
    let p0 = Matrix.identity(2)
    var p = p0
    let h = Matrix.identity(2)
    #expect(throws: LinearAlgebraError.notPositiveDefinite(leadingMinor: 2)) {
      try step.update(&p, innovation: [1, 1], observation: h, noise: Matrix(diagonal: [1, -2]))
    }
    #expect(throws: LinearAlgebraError.nonFinite) {
      try step.update(&p, innovation: [1, .nan], observation: h, noise: h)
    }
    #expect(throws: LinearAlgebraError.nonFinite) {
      try step.update(&p, innovation: [1, 1], observation: h, noise: Matrix(diagonal: [1, .infinity]))
    }
    #expect(throws: LinearAlgebraError.notPositiveDefinite(leadingMinor: 1)) {
      try step.update(&p, innovation: 1, observation: [1, 0], variance: -1)
    }
    #expect(throws: LinearAlgebraError.nonFinite) {
      try step.update(&p, innovation: .infinity, observation: [1, 0], variance: 1)
    }
    #expect(throws: LinearAlgebraError.nonFinite) {
      try step.update(&p, innovation: 1, observation: [.nan, 0], variance: 1)
    }
    #expect(p == p0 && step.correction == [0, 0])
  }

  @Test("mismatched shapes trap")
  func shapes() async {
    await #expect(processExitsWith: .failure) {
      var step = KalmanStep(stateCount: 2)
      var p = Matrix.identity(3)
      step.predict(&p, transition: .identity(3), processNoise: .identity(3))
    }
    await #expect(processExitsWith: .failure) {
      var step = KalmanStep(stateCount: 2)
      var p = Matrix.identity(2)
      try step.update(&p, innovation: [1], observation: .identity(2), noise: .identity(2))
    }
    await #expect(processExitsWith: .failure) {
      var step = KalmanStep(stateCount: 2)
      var p = Matrix.identity(2)
      try step.update(&p, innovation: 1, observation: [1], variance: 1)
    }
  }

  @Test("Joseph's form stays positive definite when P − K H P does not", arguments: [1, 2, 3])
  func joseph(measurements m: Int) throws {
    var naiveFailures = 0
    var random = SeededMatrices(seed: 71)
    let variance = 1e-7
    let r = variance * Matrix.identity(m)
    for _ in 0..<40 {
      // A vague prior and repeated precise measurements in nearly the same direction.
      var joseph = 1e6 * Matrix.identity(3)
      var (naive, sequential) = (joseph, joseph)
      var fixed = FixedMatrix<3, 3>(joseph)
      var step = KalmanStep(stateCount: 3)
      let direction = random.vector(3)
      var naiveFailed = false
      for _ in 0..<20 {
        let h = Matrix(rows: (0..<m).map { _ in zip(direction, random.vector(3)).map { $0 + 1e-4 * $1 } })
        let innovation = [Double](repeating: 0, count: m)
        naive = (try? KalmanModel.naiveUpdate(naive, h, r)) ?? naive
        if (try? Cholesky(naive)) == nil { naiveFailed = true }
        try step.update(&joseph, innovation: innovation, observation: h, noise: r)
        try step.updateSequentially(&sequential, innovation: innovation, observation: h, variances: r.diagonal)
        for row in 0..<m {
          try FixedKalman.update(
            &fixed, innovation: 0, observation: FixedVector(h.row(row)), variance: variance, on: .blas)
        }
        _ = try Cholesky(joseph)
        _ = try Cholesky(sequential)
        _ = try FixedCholesky(fixed)
      }
      naiveFailures += naiveFailed ? 1 : 0
    }
    #expect(naiveFailures > 0)
  }

  @Test("a step in steady state reuses its storage for any number of measurements")
  func steadyState() throws {
    let model = KalmanModel(6, 3, seed: 81)
    let row = model.observation.row(1)
    var (step, p) = (KalmanStep(stateCount: 6), model.covariance)
    func address(_ values: [Double]) -> UInt { values.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
    func addresses() -> [UInt] {
      [
        address(p.elements), address(step.gain.elements), address(step.correction),
        address(step.innovationCovariance.elements),
      ]
    }
    func run() throws {
      step.predict(&p, transition: model.transition, processNoise: model.processNoise)
      try step.update(&p, innovation: Vector3(0.1, 0.2, 0.3), observation: model.observation, noise: model.noise)
      try step.update(&p, innovation: 0.1, observation: row, variance: 1)
    }
    try run()
    let before = addresses()
    for _ in 0..<50 { try run() }
    #expect(addresses() == before)
  }

  @Test("a copied step is independent")
  func valueSemantics() throws {
    let model = KalmanModel(6, 3, seed: 91)
    var first = KalmanStep(stateCount: 6)
    var p = model.covariance
    try first.update(&p, innovation: Vector3(0.1, 0.2, 0.3), observation: model.observation, noise: model.noise)
    let (correction, gain) = (first.correction, first.gain)
    var second = first
    var q = p
    second.predict(&q, transition: model.transition, processNoise: model.processNoise)
    try second.update(&q, by: model)
    #expect(first.correction == correction && first.gain == gain && q != p)
    // The copy and the original yield bitwise identical results.
    var original = p
    first.predict(&original, transition: model.transition, processNoise: model.processNoise)
    try first.update(&original, by: model)
    #expect(original == q && first.correction == second.correction)
  }
}
