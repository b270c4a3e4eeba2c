internal import InertialNumerics
internal import InertialSensors

/// One component of the measured field as a function of the errors.
struct FieldObservation: Sendable, Equatable {
  var attitude = Vector3.zero
  /// The derivative by the magnetometer's bias.
  var bias: Vector3
  var horizontal = 0.0
  var down = 0.0
  var delay = 0.0
}

/// The measurements of one epoch, fused one scalar at a time. Their corrections are accumulated and applied once, at
/// the end of the epoch.
struct ErrorCorrection: Sendable {
  /// The accumulated correction of every error.
  private(set) var correction = [Double](repeating: 0, count: ErrorIndex.count)
  /// The three latest fused components, each after the previous ones.
  private(set) var taken = Taken()
  /// The data for an offline form, or `nil` online.
  var trace: SmoothingTrace?
  /// The dense equations on BLAS, if requested.
  private var reference: KalmanStep?

  init(on core: KalmanCore) {
    if core == .blas { reference = KalmanStep(stateCount: ErrorIndex.count) }
  }

  /// Propagates P ← F P Fᵀ.
  mutating func propagate(_ p: inout ErrorCovariance, by transition: ErrorTransition) {
    guard reference != nil else { return p.propagate(by: transition) }
    var dense = p.matrix
    reference?.predict(&dense, transition: transition.matrix)
    p = ErrorCovariance(dense)
  }

  /// The innovations of measurements by component, with the variances of their noise and the total variances.
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

  /// Adds information about one error to the prior, or removes information.
  ///
  /// It is a measurement with the variance 1 / `information`, even if it is negative: P + p pᵀ / (−1/information −
  /// p_ii) is then the covariance without that information.
  ///
  /// - Parameters:
  ///   - residual: The expected value minus the estimated value, before this epoch's corrections.
  ///   - information: The information to add. If it is negative, its magnitude must be below the total information
  ///     about the error.
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

  /// Errors that measurements of the motion correct only partially: a fraction of the optimal gain for the heading and
  /// the sensors' biases is omitted (Brink, "Partial-update Schmidt–Kalman filter", J. Guidance 40 (2017)).
  struct PartialUpdate {
    /// The direction about which the gyroscope's bias is held, a unit vector in device axes, and the omitted fraction
    /// of its correction, 0 to 1.
    var direction: Vector3
    var gyroscopeFraction: Double
    /// The omitted fraction of the correction of the heading, 0 to 1.
    var headingFraction = 0.0
    /// The omitted fraction of the correction of the accelerometer's bias, 0 to 1.
    var forceFraction: Double
  }

  /// Fuses a measurement of each of three consecutive errors, one by one, in one pass over the covariance.
  ///
  /// - Parameters:
  ///   - residual: The measured values minus the predicted ones, before this epoch's corrections.
  ///   - held: The held errors, only for measurements of errors other than the heading and the biases.
  mutating func measure(
    _ p: inout ErrorCovariance, at start: Int, residual: Vector3, variances: Vector3, held: PartialUpdate? = nil
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
        // The variance omitted by the held gains is in the held errors' own blocks, which the measurements do not
        // observe. It is added one by one: an array of the three would allocate.
        p.add(squareOf: held.leftOut(of: first))
        p.add(squareOf: held.leftOut(of: second))
        p.add(squareOf: held.leftOut(of: third))
      }
    }
  }

  private mutating func apply(
    _ product: ErrorVector, _ gain: ErrorVector, _ start: Int, _ axis: Int, _ residual: Vector3, _ variances: Vector3,
    _ held: PartialUpdate?
  ) {
    let index = start + axis
    apply(
      .single(index), component: axis, product, gain, innovation: residual[axis] - correction[index],
      explained: product[index], variance: variances[axis], factors: nil, held: held)
  }

  /// Fuses one component of the field: the first, second or third.
  ///
  /// The part of the squared innovation that the errors' covariance does not explain counts as additional noise: a
  /// disturbance has a weight of 1/y² and an undisturbed field its full weight, in any order of the samples (a
  /// redescending weight).
  ///
  /// - Parameters:
  ///   - innovationWeight: The additional variance per squared unexplained innovation.
  ///   - factors: The factors on the gain, by error: a partial update (Brink, "Partial-update Schmidt–Kalman filter",
  ///     J. Guidance 40 (2017)).
  mutating func measure(
    _ p: inout ErrorCovariance, _ row: FieldObservation, component: Int = 0, residual: Double, variance: Double,
    innovationWeight: Double, factors: [Double]?
  ) {
    // Two standard deviations are within the plausible errors.
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
  /// P ← P − k (P Hᵀ)ᵀ − (P Hᵀ) kᵀ + k S kᵀ is correct for any gain k. With k = f P Hᵀ / S and a = P Hᵀ / √S, it is P −
  /// a aᵀ + b bᵀ, b = (1 − f) a: symmetric to the last bit, with b = 0 for the optimal gain.
  ///
  /// - Parameters:
  ///   - errors: H.
  ///   - product: P Hᵀ on entry; on return a, or zero if the measurement is unusable.
  ///   - gain: k on return.
  ///   - explained: H P Hᵀ.
  @inline(__always)
  private mutating func apply(
    _ errors: MeasuredErrors, component: Int, _ product: ErrorVector, _ gain: ErrorVector, innovation: Double,
    explained: Double, variance: Double, factors: [Double]?, held: PartialUpdate? = nil
  ) {
    taken.set(component, innovation: innovation, explained: explained, noise: variance)
    let total = explained + variance
    // A covariance corrupted by rounding, or a measurement beyond the numeric range, is unusable.
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
  /// - Parameter variance: The variance of the measurement, as a function of its innovation and of hᵀ P h.
  private mutating func measureByReference(
    _ p: inout ErrorCovariance, _ errors: MeasuredErrors, component: Int, residual: Double, factors: [Double]?,
    held: PartialUpdate? = nil, variance: (_ innovation: Double, _ explained: Double) -> Double
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
    // A covariance corrupted by rounding, or a measurement beyond the numeric range, is unusable.
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

/// A vector of errors that is zero except for the heading and the inertial sensors' biases.
struct HeldValues {
  var heading: Double
  var gyroscope: Vector3
  var force: Vector3

  static func * (s: Double, a: HeldValues) -> HeldValues {
    HeldValues(heading: s * a.heading, gyroscope: s * a.gyroscope, force: s * a.force)
  }
}

extension ErrorCorrection.PartialUpdate {
  /// Returns the omitted part of a gain, or of a vector proportional to a gain.
  @inline(__always)
  func leftOut(of gain: ErrorVector) -> HeldValues {
    let (bias, force) = (ErrorIndex.gyroscopeBias, ErrorIndex.accelerometerBias)
    let along = gain[bias] * direction.x + gain[bias + 1] * direction.y + gain[bias + 2] * direction.z
    return HeldValues(
      heading: headingFraction * gain[ErrorIndex.heading], gyroscope: (gyroscopeFraction * along) * direction,
      force: forceFraction * Vector3(gain[force], gain[force + 1], gain[force + 2]))
  }
}

extension ErrorCorrection.Taken {
  /// Returns the outcome of the fused components.
  func outcome(_ kind: MeasurementKind) -> MeasurementOutcome {
    let (z, s) = (innovation, variance)
    let squared = z.x * z.x / s.x + z.y * z.y / s.y + z.z * z.z / s.z
    // A covariance corrupted by rounding, or a measurement beyond the numeric range, is unusable.
    guard min(s.x, s.y, s.z) > 0, squared.isFinite else { return MeasurementOutcome(kind, leftOut: .unusable) }
    return MeasurementOutcome(kind, count: 3, innovation: z, variance: s, normalizedSquared: squared)
  }
}
