internal import LinearAlgebra

/// One component of the measured field as a function of the errors.
struct FieldObservation: Sendable, Equatable {
  var attitude: Vector3
  var horizontal: Double
  var down: Double
  var delay: Double
}

/// The measurements of one epoch, scalar by scalar: what they correct is collected and applied once, at its end.
struct ErrorCorrection: Sendable {
  /// The collected correction of every error.
  private(set) var correction = [Double](repeating: 0, count: ErrorIndex.count)
  private var product = [Double](repeating: 0, count: ErrorIndex.count)
  private var gain = [Double](repeating: 0, count: ErrorIndex.count)
  /// What an offline form needs; nil where there is none.
  var trace: SmoothingTrace?

  mutating func clear() {
    for index in 0..<ErrorIndex.count { correction[index] = 0 }
  }

  func vector(at start: Int) -> Vector3 {
    Vector3(correction[start], correction[start + 1], correction[start + 2])
  }

  /// Takes a measurement of one error.
  ///
  /// - Parameter residual: the measured value less the predicted one, before this epoch's corrections.
  mutating func measure(_ p: inout ErrorCovariance, _ index: Int, residual: Double, variance: Double) {
    p.product(with: index, into: &product)
    apply(
      .single(index), to: &p, innovation: residual - correction[index], explained: product[index],
      variance: variance, factors: nil)
  }

  /// Takes one component of the field.
  ///
  /// The innovation's own square, where the errors' covariance does not explain it, is further noise: a disturbance
  /// weighs as 1/y² and a good field as it is, whatever the order of the samples (a redescending weight).
  ///
  /// - Parameters:
  ///   - innovationWeight: further variance per squared unexplained innovation.
  ///   - factors: of the gain, by error: a partial update (Brink, "Partial-update Schmidt–Kalman filter", J. Guidance 40
  ///     (2017)).
  mutating func measure(
    _ p: inout ErrorCovariance, _ row: FieldObservation, residual: Double, variance: Double,
    innovationWeight: Double, factors: [Double]?
  ) {
    p.product(with: row, into: &product)
    let (b, d, t) = (ErrorIndex.fieldHorizontal, ErrorIndex.fieldDown, ErrorIndex.fieldDelay)
    let explained =
      row.attitude.dot(Vector3(product[0], product[1], product[2]))
      + row.horizontal * product[b] + row.down * product[d] + row.delay * product[t]
    let innovation =
      residual - row.attitude.dot(vector(at: ErrorIndex.attitude))
      - row.horizontal * correction[b] - row.down * correction[d] - row.delay * correction[t]
    // Two standard deviations are what the errors may well be.
    let unexplained = max(0, innovation * innovation - 4 * explained)
    apply(
      .field(row), to: &p, innovation: innovation, explained: explained,
      variance: variance + innovationWeight * unexplained, factors: factors)
  }

  private mutating func apply(
    _ errors: MeasuredErrors, to p: inout ErrorCovariance, innovation: Double, explained: Double, variance: Double,
    factors: [Double]?
  ) {
    let total = explained + variance
    // A covariance that rounding has spoiled, or a measurement as far off as numbers go, teaches nothing.
    guard total > 0, total.isFinite, innovation.isFinite else { return }
    let scale = 1 / total
    if let factors {
      for index in 0..<ErrorIndex.count { gain[index] = product[index] * scale * factors[index] }
    } else {
      for index in 0..<ErrorIndex.count { gain[index] = product[index] * scale }
    }
    for index in 0..<ErrorIndex.count { correction[index] += gain[index] * innovation }
    p.reduce(product: product, gain: gain, variance: total, gainIsOptimal: factors == nil)
    trace?.add(
      SmoothingTrace.Update(errors: errors, weightedInnovation: innovation * scale, information: scale), gain: gain)
  }
}
