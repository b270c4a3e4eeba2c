import Testing

@Suite struct SmootherTests {
  /// A seeded record of a linear Gaussian model with N states and M measurements, after filtering.
  struct Record {
    var initialMean: [Double]
    var initialCovariance, transition, processNoise, observation, noise: Matrix
    var measurements: [[Double]] = []
    var steps: [RauchTungStriebelSmoother.Step] = []

    init(_ n: Int, _ m: Int, count: Int, seed: UInt64) throws {
      let model = KalmanModel(n, m, seed: seed)
      var random = SeededMatrices(seed: seed + 1)
      (initialMean, initialCovariance) = (random.vector(n), model.covariance)
      (transition, processNoise) = (model.transition, model.processNoise)
      (observation, noise) = (model.observation, model.noise)
      var (mean, covariance) = (initialMean, initialCovariance)
      var step = KalmanStep(stateCount: n)
      for time in 0..<count {
        if time > 0 {
          mean = transition * mean
          step.predict(&covariance, transition: transition, processNoise: processNoise)
        }
        let (predictedMean, predictedCovariance) = (mean, covariance)
        measurements.append(random.vector(m))
        let innovation = zip(measurements[time], observation * mean).map { $0 - $1 }
        // Every third time has no measurement, as in a gap.
        if time % 3 != 1 {
          try step.update(&covariance, innovation: innovation, observation: observation, noise: noise)
          mean = zip(mean, step.correction).map { $0 + $1 }
        }
        steps.append(
          .init(
            transition: transition, predictedMean: predictedMean, predictedCovariance: predictedCovariance,
            filteredMean: mean, filteredCovariance: covariance))
      }
    }

    /// Solves for all states at once: the stacked whitened equations of prior, motion and measurements.
    func batch() throws -> (mean: [Double], covariance: Matrix) {
      let (n, count) = (transition.rowCount, steps.count)
      var rows: [[Double]] = []
      var right: [Double] = []
      func add(_ blocks: [(Int, Matrix)], _ value: [Double], _ covariance: Matrix) throws {
        let cholesky = try Cholesky(covariance)
        var block = Matrix(rowCount: value.count, columnCount: n * count)
        for (time, matrix) in blocks { block.setBlock(0, time * n, matrix) }
        let whitened = try cholesky.lowerFactor.solveTriangular(block, .lower)
        rows += (0..<value.count).map(whitened.row)
        right += cholesky.whiten(value)
      }
      try add([(0, .identity(n))], initialMean, initialCovariance)
      for time in 0..<count {
        if time > 0 {
          try add([(time, .identity(n)), (time - 1, -transition)], Array(repeating: 0, count: n), processNoise)
        }
        if time % 3 != 1 { try add([(time, observation)], measurements[time], noise) }
      }
      let a = Matrix(rows: rows)
      return (try QR(a).solveLeastSquares(right), try Cholesky(a.ownTransposeTimes).inverse)
    }
  }

  @Test(
    "smoothed means and covariances match least squares over all states at once",
    arguments: [(1, 1, 30), (2, 1, 25), (6, 3, 12)])
  func batch(_ n: Int, _ m: Int, _ count: Int) throws {
    let record = try Record(n, m, count: count, seed: UInt64(400 + n))
    let smoothed = try RauchTungStriebelSmoother.smooth(record.steps)
    let batch = try record.batch()
    #expect(smoothed.count == count)
    for (time, estimate) in smoothed.enumerated() {
      let range = time * n..<(time + 1) * n
      #expect(isNear(estimate.mean, Array(batch.mean[range]), within: 1e-9))
      let covariance = batch.covariance.block(time * n, time * n, rowCount: n, columnCount: n)
      #expect(isNear(estimate.covariance, covariance, within: 1e-9))
    }
  }

  @Test("the smoothed covariance is positive definite, symmetric and never above the filter's")
  func covariance() throws {
    let record = try Record(6, 2, count: 60, seed: 410)
    let smoothed = try RauchTungStriebelSmoother.smooth(record.steps)
    for (step, estimate) in zip(record.steps, smoothed) {
      _ = try Cholesky(estimate.covariance)
      #expect(estimate.covariance == estimate.covariance.transpose)
      let gain = try SymmetricEigen(step.filteredCovariance - estimate.covariance).eigenvalues
      #expect(gain[0] > -1e-13)
    }
    // The last estimate equals the filter's; the first one is improved by the later measurements.
    #expect(smoothed.last?.mean == record.steps.last?.filteredMean)
    #expect(smoothed.last?.covariance == record.steps.last?.filteredCovariance)
    #expect(smoothed[0].covariance.trace < 0.99 * record.steps[0].filteredCovariance.trace)
  }

  @Test("both cores and RauchTungStriebelSmoother agree to 1e-10")
  func fixed() throws {
    try compare(FixedVector<3>(), measurements: 1, count: 150)
    try compare(FixedVector<6>(), measurements: 3, count: 150)
    try compare(FixedVector<15>(), measurements: 3, count: 100)
  }

  func compare<let N: Int>(_: FixedVector<N>, measurements: Int, count: Int) throws {
    let record = try Record(N, measurements, count: count, seed: UInt64(420 + N))
    let smoothed = try RauchTungStriebelSmoother.smooth(record.steps)
    for core in KalmanCore.allCases {
      let fixed = try FixedRauchTungStriebelSmoother<N>.smooth(
        record.steps.map {
          .init(
            transition: FixedMatrix($0.transition), predictedMean: FixedVector($0.predictedMean),
            predictedCovariance: FixedMatrix($0.predictedCovariance), filteredMean: FixedVector($0.filteredMean),
            filteredCovariance: FixedMatrix($0.filteredCovariance))
        }, on: core)
      #expect(fixed.count == count)
      for (a, b) in zip(smoothed, fixed) {
        #expect(isNear(a.mean, b.mean.array, within: 1e-10))
        #expect(isNear(a.covariance, Matrix(b.covariance), within: 1e-10))
      }
    }
  }

  @Test("the smoother without an inverse matches the smoother with an inverse")
  func adjoint() throws {
    let (n, m, count) = (6, 2, 40)
    let model = KalmanModel(n, m, seed: 440)
    var random = SeededMatrices(seed: 441)
    var step = KalmanStep(stateCount: n)
    var (mean, covariance) = (random.vector(n), model.covariance)
    /// An operation of the filter, stored with the mean and covariance after it.
    enum Event { case moved, measured(Int, gain: [Double], innovation: Double, variance: Double) }
    var events: [(event: Event, mean: [Double], covariance: Matrix)] = []
    var steps: [RauchTungStriebelSmoother.Step] = []
    for time in 0..<count {
      if time > 0 {
        mean = model.transition * mean
        step.predict(&covariance, transition: model.transition, processNoise: model.processNoise)
        events.append((.moved, mean, covariance))
      }
      let predicted = (mean, covariance)
      for row in 0..<m {
        let h = model.observation.row(row)
        let innovation = random.vector(1)[0] - zip(h, mean).map(*).reduce(0, +)
        try step.update(&covariance, innovation: innovation, observation: h, variance: model.noise[row, row])
        mean = zip(mean, step.correction).map(+)
        events.append(
          (
            .measured(
              row, gain: step.gain.column(0), innovation: innovation, variance: step.innovationCovariance[0, 0]), mean,
            covariance
          ))
      }
      steps.append(
        .init(
          transition: model.transition, predictedMean: predicted.0, predictedCovariance: predicted.1,
          filteredMean: mean, filteredCovariance: covariance))
    }
    let expected = try RauchTungStriebelSmoother.smooth(steps)
    var smoother = BrysonFrazierSmoother(stateCount: n)
    var time = count - 1
    for (event, mean, covariance) in events.reversed() {
      switch event {
      case .moved:
        smoother.propagate(by: model.transition)
        time -= 1
      case .measured(let row, let gain, let innovation, let variance):
        if row == m - 1 {
          #expect(isNear(zip(mean, smoother.correction(of: covariance)).map(+), expected[time].mean, within: 1e-9))
          #expect(isNear(smoother.smoothed(covariance), expected[time].covariance, within: 1e-9))
        }
        smoother.measure(
          observation: model.observation.row(row), gain: gain, innovation: innovation, variance: variance)
      }
    }
    #expect(time == 0 && smoother.information == smoother.information.transpose)
  }

  @Test("an empty record has no estimates, and a single time has the filter's estimate")
  func short() throws {
    #expect(try RauchTungStriebelSmoother.smooth([]).isEmpty)
    #expect(try FixedRauchTungStriebelSmoother<2>.smooth([], on: .blas).isEmpty)
    let record = try Record(2, 1, count: 1, seed: 430)
    #expect(try RauchTungStriebelSmoother.smooth(record.steps).map(\.mean) == [record.steps[0].filteredMean])
  }

  @Test("an invalid predicted covariance is an error, on both paths")
  func errors() throws {
    var smoother = RauchTungStriebelSmoother(stateCount: 2)
    let identity = Matrix.identity(2)
    var smoothed = identity
    #expect(throws: LinearAlgebraError.notPositiveDefinite(leadingMinor: 2)) {
      try smoother.stepBack(
        &smoothed, difference: [0, 0], transition: identity, predicted: Matrix(diagonal: [1, 0]), filtered: identity)
    }
    #expect(throws: LinearAlgebraError.nonFinite) {
      try smoother.stepBack(
        &smoothed, difference: [0, 0], transition: identity, predicted: Matrix(diagonal: [1, .nan]), filtered: identity)
    }
    #expect(smoothed == identity)
    var fixed = FixedMatrix<2, 2>.identity
    for core in KalmanCore.allCases {
      #expect(throws: LinearAlgebraError.notPositiveDefinite(leadingMinor: 1)) {
        try FixedRauchTungStriebelSmoother<2>.stepBack(
          &fixed, difference: FixedVector(), transition: .identity, predicted: FixedMatrix(),
          filtered: .identity, on: core)
      }
    }
    #expect(fixed == .identity)
  }
}
