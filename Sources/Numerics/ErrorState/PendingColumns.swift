/// The effect of an epoch's measurements on the covariance: P = P₀ + Σ σ c cᵀ, with σ = ±1 for each column c.
///
/// A row with the innovation y and its variance s > 0 adds the column a = P hᵀ/√s with σ = -1 and, if a part of the gain
/// is omitted, the column b of that part with σ = 1. Negative information has the opposite signs.
struct PendingColumns: Sendable {
  /// The number of columns.
  private(set) var count = 0
  /// Columns of n elements each, one after another.
  private var columns: [Double] = []
  /// Each column times σ.
  private var signed: [Double] = []
  private var signs: [Double] = []
  /// The weight of each column in the correction: y/√s, negative for an omitted part.
  private var weights: [Double] = []
  /// The measurements, if a smoother needs them.
  private(set) var taken: [Taken] = []

  /// A row with its effect.
  struct Taken: Sendable {
    var row: MeasurementRow
    /// The index of its column a.
    var column: Int
    /// y/s and 1/s.
    var weightedInnovation: Double
    var information: Double
    var holding: PartialGain?
  }

  /// The projection of a row on the errors.
  struct Projection {
    /// h·δ, with the correction δ by all previous rows, and by those of the same measurement.
    var predicted = 0.0
    var predictedByGroup = 0.0
    /// h P hᵀ after all previous rows, and before those of the same measurement.
    var explained = 0.0
    var explainedBefore = 0.0
  }

  /// Returns the change of an element of the covariance.
  func change(_ row: Int, _ column: Int, _ n: Int) -> Double {
    var sum = 0.0
    for index in 0..<count { sum += signed[index * n + row] * columns[index * n + column] }
    return sum
  }

  /// Returns the correction of one error.
  func correction(at index: Int, _ n: Int) -> Double {
    var sum = 0.0
    for column in 0..<count { sum += weights[column] * columns[column * n + index] }
    return sum
  }

  /// Computes P hᵀ of a row into the memory of the next column: equation (10).
  ///
  /// - Parameter start: The number of columns before the measurement that the row belongs to.
  mutating func project(_ row: MeasurementRow, _ covariance: [Double], _ n: Int, from start: Int) -> Projection {
    reserve(n)
    let count = count
    var result = Projection()
    columns.withUnsafeMutableBufferPointer { columns in
      let columns = columns.baseAddress.unsafelyUnwrapped
      let c = columns + count * n
      covariance.withUnsafeBufferPointer { row.project(n, $0.baseAddress.unsafelyUnwrapped, into: c) }
      signs.withUnsafeBufferPointer { signs in
        weights.withUnsafeBufferPointer { weights in
          for index in 0..<count {
            let seen = row.dot(columns + index * n)
            guard seen != 0 else { continue }
            ErrorProducts.add(n, signs[index] * seen, columns + index * n, to: c)
            result.predicted += weights[index] * seen
            guard index >= start else { continue }
            result.predictedByGroup += weights[index] * seen
            result.explainedBefore -= signs[index] * seen * seen
          }
        }
      }
      result.explained = row.dot(c)
    }
    result.explainedBefore += result.explained
    return result
  }

  /// Makes room for two more columns.
  private mutating func reserve(_ n: Int) {
    guard signs.count < count + 2 else { return }
    let more = max(8, signs.count)
    columns.append(contentsOf: repeatElement(0, count: more * n))
    signed.append(contentsOf: repeatElement(0, count: more * n))
    signs.append(contentsOf: repeatElement(0, count: more))
    weights.append(contentsOf: repeatElement(0, count: more))
  }

  /// Sets the memory of the next column to a known P hᵀ.
  mutating func place(_ c: ErrorValues, _ n: Int) {
    reserve(n)
    for index in 0..<n { columns[count * n + index] = c[index] }
  }

  /// Adds the columns of the row that was last projected or placed: equations (11), (13) and (14).
  mutating func push(_ n: Int, y: Double, s: Double, holding: PartialGain?) {
    let (sign, scale) = (s > 0 ? 1.0 : -1.0, 1 / abs(s).squareRoot())
    let column = count
    columns.withUnsafeMutableBufferPointer { columns in
      signed.withUnsafeMutableBufferPointer { signed in
        let a = columns.baseAddress.unsafelyUnwrapped + column * n
        let signedA = signed.baseAddress.unsafelyUnwrapped + column * n
        for index in 0..<n {
          let value = scale * a[index]
          a[index] = value
          signedA[index] = -sign * value
        }
        guard let holding else { return }
        let (b, signedB) = (a + n, signedA + n)
        for index in 0..<n { b[index] = 0 }
        for part in 0..<holding.count { holding.parts[part].omit(a, into: b) }
        for index in 0..<n { signedB[index] = sign * b[index] }
      }
    }
    (signs[column], weights[column]) = (-sign, sign * y * scale)
    if holding != nil { (signs[column + 1], weights[column + 1]) = (sign, -sign * y * scale) }
    count += holding != nil ? 2 : 1
  }

  /// Records the row that was last pushed for a smoother.
  mutating func keep(_ row: MeasurementRow, y: Double, s: Double, holding: PartialGain?) {
    taken.append(
      Taken(
        row: row, column: count - (holding != nil ? 2 : 1), weightedInnovation: y / s, information: 1 / s,
        holding: holding))
  }

  /// Removes the columns from an index on, with their rows.
  mutating func rollBack(to start: Int) {
    count = start
    while let last = taken.last, last.column >= start { taken.removeLast() }
  }

  /// Computes P ← P + Σ σ c cᵀ, equation (12), and the correction, equation (11).
  func apply(
    _ n: Int, _ count: Int, _ products: ErrorProducts, to p: ErrorProducts.Output, correction: ErrorProducts.Output
  ) {
    columns.withUnsafeBufferPointer { columns in
      signed.withUnsafeBufferPointer { signed in
        weights.withUnsafeBufferPointer { weights in
          let columns = columns.baseAddress.unsafelyUnwrapped
          products.multiply(n, count, columns, weights.baseAddress.unsafelyUnwrapped, into: correction)
          products.addProduct(n, count, columns, signed.baseAddress.unsafelyUnwrapped, to: p)
        }
      }
    }
  }

  /// Appends the gain of a row for a smoother to numbers: the optimal k = a/√|s|, or the part that was used.
  func appendGain(of row: Taken, _ n: Int, to gains: inout [Double]) {
    let scale = row.information.sign == .minus ? -(-row.information).squareRoot() : row.information.squareRoot()
    let start = row.column * n
    guard let holding = row.holding, !holding.isSmoothedAsOptimal else {
      for index in start..<start + n { gains.append(scale * columns[index]) }
      return
    }
    for index in start..<start + n { gains.append(scale * (columns[index] - columns[index + n])) }
  }
}
