internal import InertialNumerics
internal import InertialSensors

/// One component of the measured field as a function of the errors.
struct FieldObservation: Sendable, Equatable {
  var attitude = Vector3.zero
  /// Of the magnetometer's bias.
  var bias: Vector3
  var horizontal = 0.0
  var down = 0.0
  var delay = 0.0
}

/// The measurements of one epoch, scalar by scalar: what they correct is collected and applied once, at its end.
struct ErrorCorrection: Sendable {
  /// The collected correction of every error.
  private(set) var correction = [Double](repeating: 0, count: ErrorIndex.count)
  /// The three components that were taken last, each after those before it.
  private(set) var taken = Taken()
  /// What an offline form needs; nil where there is none.
  var trace: SmoothingTrace?
  /// The dense equations on BLAS, where they are asked for.
  private var reference: KalmanStep?

  init(on core: KalmanCore) {
    if core == .blas { reference = KalmanStep(stateCount: ErrorIndex.count) }
  }

  /// P ← F P Fᵀ.
  mutating func propagate(_ p: inout ErrorCovariance, by transition: ErrorTransition) {
    guard reference != nil else { return p.propagate(by: transition) }
    var dense = p.matrix
    reference?.predict(&dense, transition: transition.matrix)
    p = ErrorCovariance(dense)
  }

  /// Of measurements by their components: innovations, the variances of their noise, and with the state's own.
  struct Taken: Sendable {
    var innovation = Vector3.zero
    var noise = Vector3.zero
    var variance = Vector3.zero

    @inline(__always)
    mutating func set(_ component: Int, innovation: Double, explained: Double, noise: Double) {
      self.innovation[component] = innovation
      self.noise[component] = noise
      variance[component] = explained + noise
    }
  }

  mutating func clear() {
    for index in 0..<ErrorIndex.count { correction[index] = 0 }
  }

  func vector(at start: Int) -> Vector3 {
    Vector3(correction[start], correction[start + 1], correction[start + 2])
  }

  /// Adds information to what is known beforehand of one error, or takes some away again.
  ///
  /// It is a measurement with the variance 1 / `information`, also where that is negative: P + p pᵀ / (−1/information
  /// − p_ii) is then what the covariance would be, had that information never been there.
  ///
  /// - Parameters:
  ///   - residual: the expected value less the estimated one, before this epoch's corrections.
  ///   - information: taken away, less than all that is known of the error.
  mutating func inform(_ p: inout ErrorCovariance, of index: Int, residual: Double, information: Double) {
    guard reference == nil || information < 0 else {
      return measureByReference(&p, .single(index), component: 0, residual: residual, factors: nil) { _, _ in
        1 / information
      }
    }
    withErrorVectors(3) { memory in
      let (product, gain, none) = (ErrorVector(memory, 0), ErrorVector(memory, 1), ErrorVector(memory, 2))
      p.product(with: index, into: product)
      let total = product[index] + 1 / information
      let innovation = residual - correction[index]
      guard total.isFinite, total * information > 0, innovation.isFinite else { return }
      gain.set(product, scaledBy: 1 / total)
      correction.withUnsafeMutableBufferPointer { ErrorVector($0).add(gain, scaledBy: innovation) }
      trace?.add(
        SmoothingTrace.Update(
          errors: .single(index), weightedInnovation: innovation / total, information: 1 / total),
        gain: gain)
      product.set(product, scaledBy: 1 / abs(total).squareRoot())
      none.clear()
      if total > 0 {
        p.subtractSquare(product, addSquare: none)
      } else {
        p.subtractSquare(none, addSquare: product)
      }
    }
  }

  /// What measurements of the motion may not fully correct: of the optimal gain for the heading and the sensors'
  /// biases a part is left out (Brink, "Partial-update Schmidt–Kalman filter", J. Guidance 40 (2017)).
  struct HeldErrors {
    /// The direction about which the gyroscope's bias is held, a unit vector in device axes, and the share that is
    /// left out of its correction, 0 to 1.
    var direction: Vector3
    var gyroscopeShare: Double
    /// The share that is left out of the correction of the heading, 0 to 1.
    var headingShare = 0.0
    /// The share that is left out of the correction of the accelerometer's bias, 0 to 1.
    var forceShare: Double
  }

  /// Takes a measurement of each of three errors that follow each other, one after the other, in one pass over the
  /// covariance.
  ///
  /// - Parameters:
  ///   - residual: the measured values less the predicted ones, before this epoch's corrections.
  ///   - held: only for measurements of other errors than the heading and the biases.
  mutating func measure(
    _ p: inout ErrorCovariance, at start: Int, residual: Vector3, variances: Vector3, held: HeldErrors? = nil
  ) {
    guard reference == nil else {
      for axis in 0..<3 {
        measureByReference(
          &p, .single(start + axis), component: axis, residual: residual[axis], factors: nil, held: held
        ) { _, _ in variances[axis] }
      }
      return
    }
    withErrorVectors(4) { memory in
      let (first, second, third) = (ErrorVector(memory, 0), ErrorVector(memory, 1), ErrorVector(memory, 2))
      let gain = ErrorVector(memory, 3)
      p.product(with: start, into: first)
      apply(first, gain, start, 0, residual, variances, held)
      p.product(with: start + 1, into: second)
      second.add(first, scaledBy: -first[start + 1])
      apply(second, gain, start, 1, residual, variances, held)
      p.product(with: start + 2, into: third)
      third.add(first, scaledBy: -first[start + 2])
      third.add(second, scaledBy: -second[start + 2])
      apply(third, gain, start, 2, residual, variances, held)
      p.subtractSquares(first, second, third)
      if let held {
        // What the held gains leave: it is in the held errors' own blocks, of which the measurements see nothing.
        // One by one: an array of the three would allocate.
        p.add(squareOf: held.leftOut(of: first))
        p.add(squareOf: held.leftOut(of: second))
        p.add(squareOf: held.leftOut(of: third))
      }
    }
  }

  private mutating func apply(
    _ product: ErrorVector, _ gain: ErrorVector, _ start: Int, _ axis: Int, _ residual: Vector3, _ variances: Vector3,
    _ held: HeldErrors?
  ) {
    let index = start + axis
    apply(
      .single(index), component: axis, product, gain, innovation: residual[axis] - correction[index],
      explained: product[index], variance: variances[axis], factors: nil, held: held)
  }

  /// Takes one component of the field, the first, second or third.
  ///
  /// The innovation's own square, where the errors' covariance does not explain it, is further noise: a disturbance
  /// weighs as 1/y² and a good field as it is, whatever the order of the samples (a redescending weight).
  ///
  /// - Parameters:
  ///   - innovationWeight: further variance per squared unexplained innovation.
  ///   - factors: of the gain, by error: a partial update (Brink, "Partial-update Schmidt–Kalman filter", J. Guidance
  ///     40 (2017)).
  mutating func measure(
    _ p: inout ErrorCovariance, _ row: FieldObservation, component: Int = 0, residual: Double, variance: Double,
    innovationWeight: Double, factors: [Double]?
  ) {
    // Two standard deviations are what the errors may well be.
    func weakened(_ innovation: Double, _ explained: Double) -> Double {
      variance + innovationWeight * max(0, innovation * innovation - 4 * explained)
    }
    guard reference == nil else {
      return measureByReference(
        &p, .field(row), component: component, residual: residual, factors: factors, variance: weakened)
    }
    withErrorVectors(3) { memory in
      let (product, gain, kept) = (ErrorVector(memory, 0), ErrorVector(memory, 1), ErrorVector(memory, 2))
      p.product(with: row, into: product)
      let m = ErrorIndex.magnetometerBias
      let (b, d, t) = (ErrorIndex.fieldHorizontal, ErrorIndex.fieldDown, ErrorIndex.fieldDelay)
      let explained =
        row.attitude.dot(Vector3(product[0], product[1], product[2]))
        + row.bias.dot(Vector3(product[m], product[m + 1], product[m + 2]))
        + row.horizontal * product[b] + row.down * product[d] + row.delay * product[t]
      let innovation =
        residual - row.attitude.dot(vector(at: ErrorIndex.attitude)) - row.bias.dot(vector(at: m))
        - row.horizontal * correction[b] - row.down * correction[d] - row.delay * correction[t]
      apply(
        .field(row), component: component, product, gain, innovation: innovation, explained: explained,
        variance: weakened(innovation, explained), factors: factors)
      kept.set(product, keptBy: factors)
      p.subtractSquare(product, addSquare: kept)
    }
  }

  /// Corrects every error by one scalar measurement.
  ///
  /// P ← P − k (P Hᵀ)ᵀ − (P Hᵀ) kᵀ + k S kᵀ is right for any gain k. With k = f P Hᵀ / S and a = P Hᵀ / √S that is
  /// P − a aᵀ + b bᵀ, b = (1 − f) a: symmetric to the last bit, and nothing is left of b for the optimal gain.
  ///
  /// - Parameters:
  ///   - errors: H.
  ///   - product: P Hᵀ on entry; on return a, zero where the measurement teaches nothing.
  ///   - gain: k on return.
  ///   - explained: H P Hᵀ.
  @inline(__always)
  private mutating func apply(
    _ errors: MeasuredErrors, component: Int, _ product: ErrorVector, _ gain: ErrorVector, innovation: Double,
    explained: Double, variance: Double, factors: [Double]?, held: HeldErrors? = nil
  ) {
    taken.set(component, innovation: innovation, explained: explained, noise: variance)
    let total = explained + variance
    // A covariance that rounding has spoiled, or a measurement as far off as numbers go, teaches nothing.
    guard total > 0, total.isFinite, innovation.isFinite else { return product.clear() }
    gain.set(product, scaledBy: 1 / total)
    if let factors { gain.scale(by: factors) }
    correction.withUnsafeMutableBufferPointer { ErrorVector($0).add(gain, scaledBy: innovation) }
    if let held {
      let leftOut = held.leftOut(of: gain)
      correction.withUnsafeMutableBufferPointer { ErrorVector($0).subtract(leftOut, scaledBy: innovation) }
    }
    product.set(product, scaledBy: 1 / total.squareRoot())
    trace?.add(
      SmoothingTrace.Update(
        errors: errors, weightedInnovation: innovation / total, information: 1 / total,
        held: held),
      gain: gain)
  }

  /// Corrects every error by one scalar measurement, by the dense equations.
  ///
  /// - Parameter variance: of the measurement, from its innovation and from hᵀ P h.
  private mutating func measureByReference(
    _ p: inout ErrorCovariance, _ errors: MeasuredErrors, component: Int, residual: Double, factors: [Double]?,
    held: HeldErrors? = nil, variance: (_ innovation: Double, _ explained: Double) -> Double
  ) {
    var dense = p.matrix
    let h = errors.row
    var innovation = residual
    for index in 0..<ErrorIndex.count { innovation -= h[index] * correction[index] }
    let explained = zip(h, dense * h).reduce(0) { $0 + $1.0 * $1.1 }
    let variance = variance(innovation, explained)
    taken.set(component, innovation: innovation, explained: explained, noise: variance)
    let isUpdated =
      try? reference?.update(
        &dense, innovation: innovation, observation: h, variance: variance, gainFactors: factors)
    // A covariance that rounding has spoiled, or a measurement as far off as numbers go, teaches nothing.
    guard isUpdated == true, let reference else { return }
    p = ErrorCovariance(dense)
    for index in 0..<ErrorIndex.count { correction[index] += reference.correction[index] }
    guard trace != nil || held != nil else { return }
    withErrorVectors(1) { memory in
      for index in 0..<ErrorIndex.count { memory[index] = reference.gain[index, 0] }
      let total = explained + variance
      if let held {
        let leftOut = held.leftOut(of: ErrorVector(memory))
        p.add(squareOf: total.squareRoot() * leftOut)
        correction.withUnsafeMutableBufferPointer { ErrorVector($0).subtract(leftOut, scaledBy: innovation) }
      }
      trace?.add(
        SmoothingTrace.Update(
          errors: errors, weightedInnovation: innovation / total, information: 1 / total,
          held: held),
        gain: ErrorVector(memory))
    }
  }
}

/// A vector of errors that is zero but for those of the heading and the inertial sensors' biases.
struct HeldValues {
  var heading: Double
  var gyroscope: Vector3
  var force: Vector3

  static func * (s: Double, a: HeldValues) -> HeldValues {
    HeldValues(heading: s * a.heading, gyroscope: s * a.gyroscope, force: s * a.force)
  }
}

extension ErrorCorrection.HeldErrors {
  /// What is left out of a gain, or of what is proportional to one.
  @inline(__always)
  func leftOut(of gain: ErrorVector) -> HeldValues {
    let (bias, force) = (ErrorIndex.gyroscopeBias, ErrorIndex.accelerometerBias)
    let along = gain[bias] * direction.x + gain[bias + 1] * direction.y + gain[bias + 2] * direction.z
    return HeldValues(
      heading: headingShare * gain[ErrorIndex.heading], gyroscope: (gyroscopeShare * along) * direction,
      force: forceShare * Vector3(gain[force], gain[force + 1], gain[force + 2]))
  }
}

extension ErrorCorrection.Taken {
  /// What to tell of them.
  func outcome(_ kind: MeasurementKind) -> MeasurementOutcome {
    let (z, s) = (innovation, variance)
    let squared = z.x * z.x / s.x + z.y * z.y / s.y + z.z * z.z / s.z
    // A covariance that rounding has spoiled, or a measurement as far off as numbers go, teaches nothing.
    guard min(s.x, s.y, s.z) > 0, squared.isFinite else { return MeasurementOutcome(kind, leftOut: .unusable) }
    return MeasurementOutcome(kind, count: 3, innovation: z, variance: s, normalizedSquared: squared)
  }
}
