/// The covariance of an error state, and the measurements of one epoch: the error-state Kalman filter of
/// docs/theory/error-state.md.
///
/// An epoch is a propagation, added noise, and then measurements, which are taken one scalar after another. Their effect
/// on the covariance is kept as columns until `close` applies all of them in one matrix product. Covariances and
/// corrections read before `close` include it.
public struct ErrorKalman: Sendable {
  /// The number n of errors.
  public let count: Int
  /// The record for a smoother, or `nil` if none is needed.
  public var trace: ErrorTrace?
  /// P₀, the covariance before the epoch's measurements: n by n, symmetric to the last bit.
  private var covariance: [Double]
  private var pending = PendingColumns()
  private var scratch: [Double] = []
  private let products: ErrorProducts

  /// Creates a covariance of zeros.
  public init(_ layout: ErrorLayout, products: ErrorProducts = .standard) {
    self.init(count: layout.count, products)
  }

  private init(count: Int, _ products: ErrorProducts) {
    BLASThreads.useOne()
    self.count = count
    self.products = products
    covariance = Array(repeating: 0, count: count * count)
  }

  // MARK: Covariance

  /// The covariance of two errors after the measurements taken so far.
  ///
  /// Setting it also sets the transposed element; only between `close` and the next measurement.
  public subscript(row: Int, column: Int) -> Double {
    get { covariance[row * count + column] + pending.change(row, column, count) }
    set {
      requireClosed()
      covariance[row * count + column] = newValue
      covariance[column * count + row] = newValue
    }
  }

  /// The covariance of two blocks with three components after the measurements taken so far.
  ///
  /// Setting it also sets the transposed block; only between `close` and the next measurement.
  public subscript(row: ErrorLayout.Block, column: ErrorLayout.Block) -> Matrix3 {
    get {
      let (first, j) = (row.start, column.start)
      func line(_ i: Int) -> Vector3 {
        let start = i * count + j
        let closed = Vector3(covariance[start], covariance[start + 1], covariance[start + 2])
        guard pending.count > 0 else { return closed }
        return closed
          + Vector3(pending.change(i, j, count), pending.change(i, j + 1, count), pending.change(i, j + 2, count))
      }
      return Matrix3(rows: line(first), line(first + 1), line(first + 2))
    }
    set {
      for i in 0..<3 { for j in 0..<3 { self[row.start + i, column.start + j] = newValue[i, j] } }
    }
  }

  /// Returns the variances of a block with three components.
  public func variances(_ block: ErrorLayout.Block) -> Vector3 {
    let start = block.start
    return Vector3(self[start, start], self[start + 1, start + 1], self[start + 2, start + 2])
  }

  /// Returns the standard deviations of a block with three components; infinite for variances that are not ≥ 0.
  public func standardDeviations(_ block: ErrorLayout.Block) -> Vector3 { variances(block).standardDeviations }

  /// Copies the covariance after the measurements taken so far, row by row.
  ///
  /// - Parameter elements: Memory for n by n elements.
  public func copyCovariance(to elements: UnsafeMutablePointer<Double>) {
    for row in 0..<count { for column in 0..<count { elements[row * count + column] = self[row, column] } }
  }

  /// Whether all variances are finite and not negative.
  public var isFinite: Bool {
    (0..<count).allSatisfy { index in
      let variance = self[index, index]
      return variance >= 0 && variance.isFinite
    }
  }

  private func requireClosed() {
    precondition(pending.count == 0, "the covariance changes only between epochs: call close() first")
  }

  /// Adds independent noise with the same variance to each error of a block: equation (7).
  public mutating func add(_ variance: Double, to block: ErrorLayout.Block) {
    requireClosed()
    for index in block.indices { covariance[index * (count + 1)] += variance }
  }

  /// Adds noise with a symmetric covariance to a block with three components: equation (7).
  public mutating func add(_ noise: Matrix3, to block: ErrorLayout.Block) {
    for row in 0..<3 { for column in 0...row { self[block.start + row, block.start + column] += noise[row, column] } }
  }

  /// Gives errors a new variance and no correlation with the others.
  public mutating func isolate(_ indices: Range<Int>, variance: Double) {
    for index in indices {
      for other in 0..<count { self[index, other] = 0 }
      self[index, index] = variance
    }
  }

  /// Gives a block with three components a new symmetric covariance and no correlation with the others.
  public mutating func isolate(_ block: ErrorLayout.Block, covariance: Matrix3) {
    isolate(block.indices, variance: 0)
    self[block, block] = covariance
  }

  /// Expresses the errors of blocks in rotated axes, P ← T P Tᵀ: equation (8).
  ///
  /// - Parameters:
  ///   - blocks: The blocks, each with three components.
  ///   - rotation: The rotation from the old axes to the new ones.
  public mutating func turn(_ blocks: [ErrorLayout.Block], by rotation: Matrix3) {
    requireClosed()
    let n = count
    covariance.withUnsafeMutableBufferPointer { p in
      for block in blocks { rotation.turn(p, at: block.start * n, stride: n, step: 1, count: n) }
      for block in blocks { rotation.turn(p, at: block.start, stride: 1, step: n, count: n) }
      ErrorProducts.symmetrize(n, p.baseAddress.unsafelyUnwrapped)
    }
  }

  // MARK: Propagation

  /// Propagates P ← F P Fᵀ, equation (6).
  public mutating func propagate(by transition: ErrorTransition) {
    requireClosed()
    let n = count
    if scratch.isEmpty { scratch = Array(repeating: 0, count: n * (n + 1)) }
    trace?.propagate(by: transition, covariance, n)
    covariance.withUnsafeMutableBufferPointer { p in
      scratch.withUnsafeMutableBufferPointer { x in
        ErrorProducts.transform(
          n, p.baseAddress.unsafelyUnwrapped, x.baseAddress.unsafelyUnwrapped,
          by: transition.terms.span.extracting(first: transition.count), transposed: false)
      }
    }
  }

  // MARK: Measurements

  /// Takes a measurement of one scalar; see `take(_:)` for several.
  @discardableResult
  public mutating func take(
    _ row: MeasurementRow, holding: PartialGain? = nil, gate: ErrorMeasurement.Gate = .none
  ) -> ErrorInnovation {
    var measurement = ErrorMeasurement()
    measurement.append(row)
    (measurement.holding, measurement.gate) = (holding, gate)
    return take(measurement)
  }

  /// Takes a measurement: equations (10) to (17).
  ///
  /// - Returns: The innovation. A row whose innovation or variance is not finite, or whose variance does not have the
  ///   sign of its noise, is left out and reported as unusable.
  @discardableResult
  public mutating func take(_ measurement: ErrorMeasurement) -> ErrorInnovation {
    let start = pending.count
    var innovation = take(measurement, noiseFactor: 1)
    switch measurement.gate {
    case .none, .redescend: return innovation
    case .reject(let limit):
      guard innovation.normalizedSquared > limit else { return innovation }
      pending.rollBack(to: start)
      innovation.outcome = .rejected
    case .weaken(let limit):
      guard innovation.normalizedSquared > limit else { return innovation }
      pending.rollBack(to: start)
      innovation = take(measurement, noiseFactor: innovation.normalizedSquared / limit)
      innovation.normalizedSquared = limit
      if innovation.outcome == .taken { innovation.outcome = .weakened }
    }
    return innovation
  }

  private mutating func take(_ measurement: ErrorMeasurement, noiseFactor: Double) -> ErrorInnovation {
    var innovation = ErrorInnovation()
    innovation.count = measurement.count
    var weight = 0.0
    if case .redescend(let value) = measurement.gate { weight = value }
    let start = pending.count
    for index in 0..<measurement.count {
      let component = measurement.components[index]
      // A row is not bound to a name, which would copy it.
      let projection = pending.project(measurement.rows[index], covariance, count, from: start)
      let y = measurement.rows[index].residual - projection.predicted
      var noise = measurement.rows[index].variance * noiseFactor
      if weight > 0 { noise += weight * max(0, y * y - 4 * projection.explained) }
      let s = projection.explained + noise
      innovation.residual[component] = y + projection.predictedByGroup
      innovation.residualVariance[component] = projection.explainedBefore + noise
      innovation.value[component] = y
      innovation.variance[component] = s
      innovation.noise[component] = noise
      guard s.isFinite, y.isFinite, noise < 0 ? s < 0 : s > 0 else {
        innovation.outcome = .unusable
        continue
      }
      innovation.normalizedSquared += y * y / s
      innovation.determinant *= s
      pending.push(count, y: y, s: s, holding: measurement.holding)
      if trace != nil { pending.keep(measurement.rows[index], y: y, s: s, holding: measurement.holding) }
    }
    return innovation
  }

  /// Takes a scalar measurement whose covariance with the errors is known, for example from sigma points, instead of
  /// its derivative: equations (11) to (14). A trace does not record it.
  ///
  /// - Parameters:
  ///   - c: The covariance of the errors with the measurement, P hᵀ of a linear one, given the previous measurements.
  ///   - y: The innovation, given the previous measurements.
  ///   - s: The variance of the innovation.
  ///   - holding: The omitted part of the gain, or `nil` for the optimal gain.
  /// - Returns: Whether the innovation is finite and its variance finite and positive; otherwise it corrects nothing.
  @discardableResult
  public mutating func take(
    covariance c: ErrorValues, innovation y: Double, variance s: Double, holding: PartialGain? = nil
  ) -> Bool {
    guard s.isFinite, y.isFinite, s > 0 else { return false }
    pending.place(c, count)
    pending.push(count, y: y, s: s, holding: holding)
    return true
  }

  /// Returns the correction of one error by the measurements taken so far: equation (11).
  public func correction(at index: Int) -> Double { pending.correction(at: index, count) }

  /// Applies the epoch's measurements to the covariance, equation (12), and returns their correction of the errors,
  /// equation (11).
  ///
  /// With a trace, it also ends an epoch of the trace.
  @discardableResult
  public mutating func close() -> ErrorValues {
    var correction = ErrorValues()
    if pending.count > 0 {
      let n = count
      if scratch.isEmpty { scratch = Array(repeating: 0, count: n * (n + 1)) }
      let (products, columns) = (products, pending.count)
      covariance.withUnsafeMutableBufferPointer { p in
        scratch.withUnsafeMutableBufferPointer { x in
          pending.apply(
            n, columns, products, to: p.baseAddress.unsafelyUnwrapped, correction: x.baseAddress.unsafelyUnwrapped)
        }
      }
      for index in 0..<n { correction[index] = scratch[index] }
      assert((0..<n).allSatisfy { covariance[$0 * (n + 1)].isFinite }, "a variance of the errors is not finite")
    }
    trace?.close(pending, covariance, count)
    pending.rollBack(to: 0)
    return correction
  }
}

extension ErrorKalman: Equatable {
  /// Returns whether two covariances are equal; the record for a smoother is not compared.
  public static func == (a: ErrorKalman, b: ErrorKalman) -> Bool { a.covariance == b.covariance }
}

extension ErrorKalman: Codable {
  private enum CodingKeys: CodingKey { case elements }

  /// Encodes the lower triangle row by row.
  public func encode(to encoder: any Encoder) throws {
    let triangle = (0..<count).flatMap { row in (0...row).map { self[row, $0] } }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(triangle, forKey: .elements)
  }

  /// Decodes a covariance of any layout.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the elements are not a triangle of at most 32 rows.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let triangle = try container.decode([Double].self, forKey: .elements)
    guard let n = (1...ErrorLayout.maximumCount).first(where: { $0 * ($0 + 1) / 2 == triangle.count }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .elements, in: container, debugDescription: "\(triangle.count) elements of a covariance")
    }
    self.init(count: n, .standard)
    for row in 0..<n { for column in 0...row { self[row, column] = triangle[row * (row + 1) / 2 + column] } }
  }
}

extension Matrix3 {
  /// Rotates vectors in memory.
  ///
  /// - Parameters:
  ///   - first: The index of the first vector's first component.
  ///   - stride: The distance of a vector's components.
  ///   - step: The distance of successive vectors.
  ///   - count: The number of vectors.
  func turn(
    _ values: UnsafeMutableBufferPointer<Double>, at first: Int, stride: Int, step: Int, count: Int
  ) {
    for number in 0..<count {
      let start = first + number * step
      let turned = self * Vector3(values[start], values[start + stride], values[start + 2 * stride])
      for axis in 0..<3 { values[start + axis * stride] = turned[axis] }
    }
  }
}
