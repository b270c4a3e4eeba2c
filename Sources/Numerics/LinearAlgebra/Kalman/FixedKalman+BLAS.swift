// A `FixedMatrix` is stored row by row without gaps, so the kernel reads F and H by rows; covariances are symmetric.

extension FixedMatrix {
  @inlinable
  func withNumbers<Result>(_ body: (UnsafePointer<Double>) -> Result) -> Result {
    withUnsafePointer(to: rows) { body(UnsafeRawPointer($0).assumingMemoryBound(to: Double.self)) }
  }

  @inlinable
  mutating func withMutableNumbers<Result>(_ body: (UnsafeMutablePointer<Double>) -> Result) -> Result {
    withUnsafeMutablePointer(to: &rows) { body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: Double.self)) }
  }
}

extension FixedVector {
  @inlinable
  func withNumbers<Result>(_ body: (UnsafePointer<Double>) -> Result) -> Result {
    withUnsafePointer(to: elements) { body(UnsafeRawPointer($0).assumingMemoryBound(to: Double.self)) }
  }

  @inlinable
  mutating func withMutableNumbers<Result>(_ body: (UnsafeMutablePointer<Double>) -> Result) -> Result {
    withUnsafeMutablePointer(to: &elements) { body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: Double.self)) }
  }
}

extension FixedKalman {
  @inlinable
  static func predictByBLAS<let States: Int>(
    _ covariance: inout FixedMatrix<States, States>, _ transition: FixedMatrix<States, States>,
    _ processNoise: FixedMatrix<States, States>?
  ) {
    covariance.withMutableNumbers { p in
      transition.withNumbers { f in
        guard let processNoise else { return KalmanKernel.predict(States, p, f, nil) }
        processNoise.withNumbers { KalmanKernel.predict(States, p, f, $0) }
      }
    }
  }

  @inlinable
  static func updateByBLAS<let States: Int, let Measurements: Int>(
    _ covariance: inout FixedMatrix<States, States>, _ innovation: FixedVector<Measurements>,
    _ observation: FixedMatrix<Measurements, States>, _ noise: FixedMatrix<Measurements, Measurements>,
    _ gainFactors: [Double]?, _ gate: Double
  ) throws(LinearAlgebraError) -> FixedKalmanUpdate<States, Measurements> {
    try update(&covariance, gainFactors) { p, results in
      innovation.withNumbers { z in
        observation.withNumbers { h in
          noise.withNumbers { r in
            KalmanKernel.update(States, Measurements, p, z, h, r, gainFactors, gate, results)
          }
        }
      }
    }
  }

  @inlinable
  static func updateByBLAS<let States: Int>(
    _ covariance: inout FixedMatrix<States, States>, _ innovation: Double, _ observation: FixedVector<States>,
    _ variance: Double, _ gainFactors: [Double]?, _ gate: Double
  ) throws(LinearAlgebraError) -> FixedKalmanUpdate<States, 1> {
    try update(&covariance, gainFactors) { p, results in
      observation.withNumbers { h in
        KalmanKernel.update(States, p, innovation, h, variance, gainFactors, gate, results)
      }
    }
  }

  /// Runs an update of the kernel and returns its results, with K row by row.
  @inlinable
  static func update<let States: Int, let Measurements: Int>(
    _ covariance: inout FixedMatrix<States, States>, _ gainFactors: [Double]?,
    _ body: (UnsafeMutablePointer<Double>, KalmanKernel.Results) -> KalmanKernel.Outcome
  ) throws(LinearAlgebraError) -> FixedKalmanUpdate<States, Measurements> {
    var update = FixedKalmanUpdate<States, Measurements>(
      correction: FixedVector(), gain: FixedMatrix(), innovationCovariance: FixedMatrix(),
      normalizedInnovationSquared: 0, isAccepted: false)
    var columns = FixedMatrix<Measurements, States>()
    let outcome = covariance.withMutableNumbers { p in
      update.correction.withMutableNumbers { correction in
        columns.withMutableNumbers { gain in
          update.innovationCovariance.withMutableNumbers { s in
            body(p, KalmanKernel.Results(correction: correction, gain: gain, innovationCovariance: s))
          }
        }
      }
    }
    if let failure = outcome.failure { throw failure }
    update.gain = columns.transpose
    update.normalizedInnovationSquared = outcome.normalizedInnovationSquared
    update.isAccepted = outcome.isAccepted
    return update
  }
}

extension FixedRauchTungStriebelSmoother {
  @inlinable
  static func stepBackByBLAS(
    _ smoothed: inout FixedMatrix<States, States>, _ difference: FixedVector<States>,
    _ transition: FixedMatrix<States, States>, _ predicted: FixedMatrix<States, States>,
    _ filtered: FixedMatrix<States, States>
  ) throws(LinearAlgebraError) -> FixedVector<States> {
    var correction = FixedVector<States>()
    var gain = FixedMatrix<States, States>()
    let failure = smoothed.withMutableNumbers { smoothed in
      correction.withMutableNumbers { correction in
        gain.withMutableNumbers { gain in
          difference.withNumbers { difference in
            transition.withNumbers { f in
              predicted.withNumbers { predicted in
                filtered.withNumbers { filtered in
                  KalmanKernel.stepBack(States, smoothed, difference, f, predicted, filtered, correction, gain)
                }
              }
            }
          }
        }
      }
    }
    if let failure { throw failure }
    return correction
  }
}

extension KalmanKernel {
  @usableFromInline
  static func stepBack(
    _ n: Int, _ smoothed: Output, _ difference: Input, _ f: Input, _ predicted: Input, _ filtered: Input,
    _ correction: Output, _ gain: Output
  ) -> LinearAlgebraError? {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: scratchCount(n, 0)) { scratch in
      stepBack(
        n, smoothed: smoothed, difference: difference, transition: f, byRows: true, predicted: predicted,
        filtered: filtered, correction: correction, gain: gain, scratch: scratch.baseAddress.unsafelyUnwrapped)
    }
  }

  @usableFromInline
  static func predict(_ n: Int, _ p: Output, _ f: Input, _ q: Input?) {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: scratchCount(n, 0)) { scratch in
      predict(
        n, covariance: p, transition: f, byRows: true, processNoise: q,
        scratch: scratch.baseAddress.unsafelyUnwrapped)
    }
  }

  @usableFromInline
  static func update(
    _ n: Int, _ m: Int, _ p: Output, _ z: Input, _ h: Input, _ r: Input, _ gainFactors: [Double]?, _ gate: Double,
    _ results: Results
  ) -> Outcome {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: scratchCount(n, m)) { scratch in
      update(
        n, m, covariance: p, innovation: z, observation: h, byRows: true, noise: r, gainFactors: gainFactors,
        gate: gate,
        results: results, scratch: scratch.baseAddress.unsafelyUnwrapped)
    }
  }

  @usableFromInline
  static func update(
    _ n: Int, _ p: Output, _ innovation: Double, _ h: Input, _ r: Double, _ gainFactors: [Double]?, _ gate: Double,
    _ results: Results
  ) -> Outcome {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: scratchCount(n, 1)) { scratch in
      update(
        n, covariance: p, innovation: innovation, observation: h, variance: r, gainFactors: gainFactors, gate: gate,
        results: results, scratch: scratch.baseAddress.unsafelyUnwrapped)
    }
  }
}
