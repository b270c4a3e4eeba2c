internal import LinearAlgebra

/// Where each error is in the error state.
///
/// The attitude's error θ is a rotation vector in earth axes, q_true = exp(θ) ⊗ q, so that heading is exactly one
/// component. Every other error is the true value less the estimated one.
enum ErrorIndex {
  /// Attitude about the earth's X, Y (tilt) and Z (heading), rad.
  static let attitude = 0
  static let heading = 2
  /// Gyroscope bias, rad/s, device axes.
  static let gyroscopeBias = 3
  /// Velocity, m/s, earth axes.
  static let velocity = 6
  /// Gyroscope scale and misalignment S column by column: ω = (I + S)(measured − bias).
  static let scale = 9
  /// Accelerometer bias, m/s², device axes.
  static let accelerometerBias = 18
  /// Horizontal part of the earth's field, µT.
  static let fieldHorizontal = 21
  /// Downward part of the earth's field, µT.
  static let fieldDown = 22
  /// How much later than the gyroscope the magnetometer measures, s.
  static let fieldDelay = 23
  static let count = 24
}

/// The covariance of the 24 errors: the lower triangle row by row, so that it is symmetric by construction.
struct ErrorCovariance: Sendable, Codable, Equatable {
  private var elements = [Double](repeating: 0, count: ErrorIndex.count * (ErrorIndex.count + 1) / 2)

  @inline(__always)
  private static func position(_ row: Int, _ column: Int) -> Int {
    row >= column ? row * (row + 1) / 2 + column : column * (column + 1) / 2 + row
  }

  subscript(row: Int, column: Int) -> Double {
    get { elements[Self.position(row, column)] }
    set { elements[Self.position(row, column)] = newValue }
  }

  /// The 3 by 3 block on the diagonal that begins at an index.
  func block(at start: Int) -> Matrix3 {
    func row(_ index: Int) -> Vector3 {
      Vector3(self[start + index, start], self[start + index, start + 1], self[start + index, start + 2])
    }
    return Matrix3(rows: row(0), row(1), row(2))
  }

  // MARK: Changes of single errors

  /// Adds independent noise of one variance to errors that follow each other.
  mutating func add(_ variance: Double, to indices: Range<Int>) {
    for index in indices { self[index, index] += variance }
  }

  /// Adds independent noise of a covariance to three errors that follow each other.
  mutating func add(_ covariance: Matrix3, at start: Int) {
    for row in 0..<3 { for column in 0...row { self[start + row, start + column] += covariance[row, column] } }
  }

  /// Gives errors a new variance and no correlation with the others.
  mutating func isolate(_ indices: Range<Int>, variance: Double) {
    for index in indices {
      for other in 0..<ErrorIndex.count { self[index, other] = 0 }
      self[index, index] = variance
    }
  }

  // MARK: Propagation

  /// P ← F P Fᵀ with F = I + G, as P + G P + (G P)ᵀ + (G P) Gᵀ: G has six rows, of attitude and velocity.
  mutating func propagate(by transition: ErrorTransition) {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 6 * ErrorIndex.count) { changes in
      elements.withUnsafeMutableBufferPointer { p in
        for column in 0..<ErrorIndex.count {
          let change = transition.change { p[Self.position($0, column)] }
          changes.store(change, at: column)
        }
        for column in 0..<ErrorIndex.count {
          for (row, index) in transition.rows.enumerated() {
            let change = changes[row * ErrorIndex.count + column]
            p[Self.position(index, column)] += index == column ? 2 * change : change
          }
        }
        for (row, index) in transition.rows.enumerated() {
          let change = transition.change { changes[row * ErrorIndex.count + $0] }
          for (column, other) in transition.rows.enumerated() where other <= index {
            p[Self.position(index, other)] += column < 3 ? change.attitude[column] : change.velocity[column - 3]
          }
        }
      }
    }
  }

  // MARK: Measurements

  /// P Hᵀ of a measurement of one error.
  func product(with index: Int, into product: inout [Double]) {
    elements.withUnsafeBufferPointer { p in
      for other in 0..<ErrorIndex.count { product[other] = p[Self.position(other, index)] }
    }
  }

  /// P Hᵀ of a measurement of one component of the field.
  func product(with row: FieldObservation, into product: inout [Double]) {
    elements.withUnsafeBufferPointer { p in
      product.withUnsafeMutableBufferPointer { product in
        for other in 0..<ErrorIndex.count {
          let start = other * (other + 1) / 2
          // The attitude's errors come first, so that only their own block is read crosswise.
          let attitude =
            other >= 2
            ? Vector3(p[start], p[start + 1], p[start + 2])
            : Vector3(p[Self.position(other, 0)], p[Self.position(other, 1)], p[Self.position(other, 2)])
          product[other] =
            row.attitude.dot(attitude)
            + row.horizontal * p[Self.position(other, ErrorIndex.fieldHorizontal)]
            + row.down * p[Self.position(other, ErrorIndex.fieldDown)]
            + row.delay * p[Self.position(other, ErrorIndex.fieldDelay)]
        }
      }
    }
  }

  /// P ← P − k (P Hᵀ)ᵀ − (P Hᵀ) kᵀ + k S kᵀ, right for any gain k; the last two cancel for the optimal one.
  mutating func reduce(product: [Double], gain: [Double], variance: Double, gainIsOptimal: Bool) {
    elements.withUnsafeMutableBufferPointer { p in
      product.withUnsafeBufferPointer { product in
        gain.withUnsafeBufferPointer { gain in
          var start = 0
          for row in 0..<ErrorIndex.count {
            let k = gain[row]
            if gainIsOptimal {
              for column in 0...row { p[start + column] -= k * product[column] }
            } else {
              let rest = product[row] - variance * k
              for column in 0...row { p[start + column] -= k * product[column] + rest * gain[column] }
            }
            start += row + 1
          }
        }
      }
    }
  }
}

extension UnsafeMutableBufferPointer<Double> {
  fileprivate func store(_ change: (attitude: Vector3, velocity: Vector3), at column: Int) {
    let count = ErrorIndex.count
    self[column] = change.attitude.x
    self[count + column] = change.attitude.y
    self[2 * count + column] = change.attitude.z
    self[3 * count + column] = change.velocity.x
    self[4 * count + column] = change.velocity.y
    self[5 * count + column] = change.velocity.z
  }
}
