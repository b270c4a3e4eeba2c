import Testing

@Suite struct FixedKalmanTests {
  @Test(
    "both cores and KalmanStep agree to 1e-10 over hundreds of steps of 3, 6, 9, 15 and 24 states",
    arguments: KalmanCore.allCases)
  func agreement(core: KalmanCore) throws {
    try compare(FixedVector<3>(), FixedVector<1>(), steps: 400, on: core)
    try compare(FixedVector<6>(), FixedVector<3>(), steps: 300, on: core)
    try compare(FixedVector<9>(), FixedVector<6>(), steps: 200, on: core)
    try compare(FixedVector<15>(), FixedVector<3>(), steps: 200, on: core)
    try compare(FixedVector<24>(), FixedVector<2>(), steps: 200, on: core)
  }

  /// Runs a core and `KalmanStep` in parallel: the mean through predictions, joint, partial, gated, scalar and
  /// sequential updates with random innovations.
  func compare<let N: Int, let M: Int>(_: FixedVector<N>, _: FixedVector<M>, steps: Int, on core: KalmanCore) throws {
    let model = KalmanModel(N, M, seed: UInt64(100 + N))
    var random = SeededMatrices(seed: UInt64(200 + N))
    var step = KalmanStep(stateCount: N)
    var p = model.covariance
    var mean = Matrix(column: random.vector(N))
    var fixed = FixedMatrix<N, N>(p)
    var fixedMean = FixedVector<N>(mean.elements)
    let (f, q) = (FixedMatrix<N, N>(model.transition), FixedMatrix<N, N>(model.processNoise))
    let (h, r) = (FixedMatrix<M, N>(model.observation), FixedMatrix<M, M>(model.noise))
    let factors = (0..<N).map { [1, 0, 0.4][$0 % 3] }
    let variances = model.noise.diagonal
    var rejections = 0
    for count in 0..<steps {
      step.predict(&p, transition: model.transition, processNoise: model.processNoise)
      mean = model.transition * mean
      FixedKalman.predict(&fixed, transition: f, processNoise: q, on: core)
      fixedMean = f * fixedMean
      let measured = random.vector(M)
      let innovation = zip(measured, model.observation * mean.elements).map { $0 - $1 }
      let fixedInnovation = FixedVector<M>(measured) - h * fixedMean
      let correction: FixedVector<N>
      let squared: Double
      switch count % 4 {
      case 0, 1:
        let (factorsHere, gate) = (count % 4 == 1 ? factors : nil, count % 8 < 2 ? 1e-3 : 1e3)
        let accepted = try step.update(
          &p, innovation: innovation, observation: model.observation, noise: model.noise,
          gainFactors: factorsHere, gate: gate)
        let update = try FixedKalman.update(
          &fixed, innovation: fixedInnovation, observation: h, noise: r, gainFactors: factorsHere, gate: gate, on: core)
        #expect(update.isAccepted == accepted && isNear(step.gain, Matrix(update.gain), within: 1e-10))
        #expect(isNear(step.innovationCovariance, Matrix(update.innovationCovariance), within: 1e-10))
        rejections += accepted ? 0 : 1
        (correction, squared) = (update.correction, update.normalizedInnovationSquared)
      case 2:
        try step.update(
          &p, innovation: innovation[0], observation: model.observation.row(0), variance: variances[0],
          gainFactors: factors)
        let update = try FixedKalman.update(
          &fixed, innovation: fixedInnovation[0], observation: h.row(0), variance: variances[0],
          gainFactors: factors, on: core)
        #expect(isNear(step.gain, Matrix(update.gain), within: 1e-10))
        (correction, squared) = (update.correction, update.normalizedInnovationSquared)
      default:
        try step.updateSequentially(&p, innovation: innovation, observation: model.observation, variances: variances)
        let update = try FixedKalman.updateSequentially(
          &fixed, innovation: fixedInnovation, observation: h, variances: FixedVector<M>(variances), on: core)
        #expect(isNear(step.gain, Matrix(update.gain), within: 1e-10))
        #expect(isNear(step.innovationCovariance, Matrix(update.innovationCovariance), within: 1e-10))
        (correction, squared) = (update.correction, update.normalizedInnovationSquared)
      }
      #expect(isNear(step.correction, correction.array, within: 1e-10))
      #expect(abs(step.normalizedInnovationSquared - squared) < 1e-10)
      mean += Matrix(column: step.correction)
      fixedMean = fixedMean + correction
      #expect(isNear(p, Matrix(fixed), within: 1e-10) && isNear(mean.elements, fixedMean.array, within: 1e-10))
    }
    // Both outcomes of the gate occurred.
    #expect(rejections > 0 && rejections < steps / 2)
  }

  @Test(
    "an impossible update is an error and leaves the covariance unchanged, on either core",
    arguments: KalmanCore.allCases)
  func errors(_ core: KalmanCore) {
    let identity = FixedMatrix<2, 2>.identity
    var p = identity
    #expect(throws: LinearAlgebraError.notPositiveDefinite(leadingMinor: 2)) {
      try FixedKalman.update(
        &p, innovation: FixedVector([1, 1]), observation: identity,
        noise: FixedMatrix(Matrix(diagonal: [1, -2])), on: core)
    }
    #expect(throws: LinearAlgebraError.nonFinite) {
      try FixedKalman.update(&p, innovation: FixedVector([1, .nan]), observation: identity, noise: identity, on: core)
    }
    #expect(throws: LinearAlgebraError.nonFinite) {
      try FixedKalman.update(
        &p, innovation: FixedVector([1, 1]), observation: FixedMatrix(repeating: .nan), noise: identity, on: core)
    }
    #expect(throws: LinearAlgebraError.notPositiveDefinite(leadingMinor: 1)) {
      try FixedKalman.update(&p, innovation: 1, observation: FixedVector([1, 0]), variance: -1, on: core)
    }
    #expect(throws: LinearAlgebraError.nonFinite) {
      try FixedKalman.update(&p, innovation: .nan, observation: FixedVector([1, 0]), variance: 1, on: core)
    }
    #expect(p == identity)
  }
}
