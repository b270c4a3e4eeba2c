/// A smoother of the errors over the trace of a forward pass, backward epoch by epoch, without an inverse.
///
/// Bierman, "Fixed interval smoothing with discrete measurements", Int. J. Control 18 (1973), section 3 (the modified
/// Bryson-Frazier smoother). λ and Λ are the information of the measurements after a time: equations (18) to (20) of
/// docs/theory/error-state.md. The results equal those of the Rauch-Tung-Striebel smoother.
public struct ErrorAdjoint: Sendable {
  /// Whether Λ, and with it the smoothed covariance, is computed from here on, with Λ = 0 before.
  public var hasCovariance: Bool
  /// The error for which the results are required, if measurements correct it only in part; `nil` for all others.
  ///
  /// A measurement that is smoothed as optimal has the optimal gain, with which the results are correct except for the
  /// information of the omitted parts. For this error, they are correct with the gain that was used, and with its
  /// fraction of y/s and 1/s.
  public var partialError: Int?
  private let count: Int
  private let products: ErrorProducts
  /// λ.
  private var adjoint: [Double]
  /// Λ, n by n, symmetric to the last bit.
  private var information: [Double]
  private var gain: [Double]
  private var row: [Double]
  private var product: [Double]
  private var scratch: [Double]

  /// Creates a smoother at the end of a trace.
  public init(_ layout: ErrorLayout, hasCovariance: Bool = true, products: ErrorProducts = .standard) {
    BLASThreads.useOne()
    let n = layout.count
    (count, self.products, self.hasCovariance) = (n, products, hasCovariance)
    adjoint = Array(repeating: 0, count: n)
    (gain, row, product) = (adjoint, adjoint, adjoint)
    information = Array(repeating: 0, count: n * n)
    scratch = Array(repeating: 0, count: n * (n + 1))
  }

  // MARK: Results

  /// Returns the smoothed errors of a block with three components at an epoch's end, -P λ: equation (20).
  ///
  /// All later epochs must have been crossed, and this one not.
  public func errors(_ block: ErrorLayout.Block, _ trace: ErrorTrace, _ epoch: Int) -> Vector3 {
    Vector3(
      error(block.start, trace, epoch), error(block.start + 1, trace, epoch), error(block.start + 2, trace, epoch))
  }

  /// Returns one smoothed error at an epoch's end: equation (20).
  public func error(_ index: Int, _ trace: ErrorTrace, _ epoch: Int) -> Double {
    trace.withCovarianceRow(index, of: epoch) { row in
      var sum = 0.0
      for index in 0..<count { sum += row[index] * adjoint[index] }
      return -sum
    }
  }

  /// Returns the smoothed covariance of two errors at an epoch's end, P - P Λ P, or the filter's own without Λ:
  /// equation (20).
  public func covariance(_ first: Int, _ second: Int, _ trace: ErrorTrace, _ epoch: Int) -> Double {
    trace.withCovarianceRow(first, of: epoch) { a in
      trace.withCovarianceRow(second, of: epoch) { b in
        guard hasCovariance else { return a[second] }
        return information.withUnsafeBufferPointer { information in
          var sum = 0.0
          for row in 0..<count {
            var part = 0.0
            for column in 0..<count { part += information[row * count + column] * b[column] }
            sum += a[row] * part
          }
          return a[second] - sum
        }
      }
    }
  }

  /// Returns the smoothed variances of a block with three components at an epoch's end.
  public func variances(_ block: ErrorLayout.Block, _ trace: ErrorTrace, _ epoch: Int) -> Vector3 {
    func variance(_ axis: Int) -> Double { covariance(block.start + axis, block.start + axis, trace, epoch) }
    return Vector3(variance(0), variance(1), variance(2))
  }

  /// Returns the smoothed covariance of a block with three components at an epoch's end.
  public func covariance(_ block: ErrorLayout.Block, _ trace: ErrorTrace, _ epoch: Int) -> Matrix3 {
    func element(_ row: Int, _ column: Int) -> Double {
      covariance(block.start + max(row, column), block.start + min(row, column), trace, epoch)
    }
    func row(_ row: Int) -> Vector3 { Vector3(element(row, 0), element(row, 1), element(row, 2)) }
    return Matrix3(rows: row(0), row(1), row(2))
  }

  // MARK: Backward in time

  /// Crosses an epoch backward: its measurements in reverse order, then its transition.
  public mutating func cross(_ trace: ErrorTrace, _ epoch: Int) {
    for row in trace.rows(of: epoch).reversed() { cross(trace, row: row) }
    trace.withTerms(of: epoch) { cross($0) }
  }

  /// Crosses a transition backward: equation (19).
  private mutating func cross(_ terms: Span<ErrorTransition.Term>) {
    guard !terms.isEmpty else { return }
    let (n, hasCovariance) = (count, hasCovariance)
    scratch.withUnsafeMutableBufferPointer { scratch in
      let scratch = scratch.baseAddress.unsafelyUnwrapped
      adjoint.withUnsafeMutableBufferPointer {
        ErrorProducts.transform(n, vector: $0.baseAddress.unsafelyUnwrapped, scratch, by: terms)
      }
      guard hasCovariance else { return }
      information.withUnsafeMutableBufferPointer {
        ErrorProducts.transform(n, $0.baseAddress.unsafelyUnwrapped, scratch, by: terms, transposed: true)
      }
    }
  }

  /// Crosses a measurement backward: equation (18).
  private mutating func cross(_ trace: ErrorTrace, row index: Int) {
    var (weightedInnovation, information) = (trace.row(index).weightedInnovation, trace.row(index).information)
    trace.gain(of: index, into: &gain)
    if let partialError {
      for part in trace.parts(of: index) {
        if partialError >= part.start, partialError < part.start + part.count {
          weightedInnovation *= 1 - part.fraction
          information *= 1 - part.fraction
        }
        gain.withUnsafeMutableBufferPointer { part.remove(from: $0.baseAddress.unsafelyUnwrapped) }
      }
    }
    var seen = weightedInnovation
    for index in 0..<count { seen += gain[index] * adjoint[index] }
    trace.forEachDerivative(of: index) { adjoint[$0] -= $1 * seen }
    guard hasCovariance else { return }
    let (n, products) = (count, products)
    for index in 0..<n { row[index] = 0 }
    trace.forEachDerivative(of: index) { row[$0] += $1 }
    self.information.withUnsafeMutableBufferPointer { lambda in
      product.withUnsafeMutableBufferPointer { v in
        gain.withUnsafeBufferPointer { k in
          row.withUnsafeBufferPointer { h in
            // With u = Λ k and v = u - ½ (kᵀ u + 1/s) h: Λ - h vᵀ - v hᵀ.
            products.multiply(
              n, n, lambda.baseAddress.unsafelyUnwrapped, k.baseAddress.unsafelyUnwrapped,
              into: v.baseAddress.unsafelyUnwrapped)
            var quadratic = information
            for index in 0..<n { quadratic += k[index] * v[index] }
            for index in 0..<n { v[index] -= 0.5 * quadratic * h[index] }
            for i in 0..<n where h[i] != 0 {
              for j in 0..<n where j <= i || h[j] == 0 {
                let value = lambda[i * n + j] - (h[i] * v[j] + v[i] * h[j])
                lambda[i * n + j] = value
                lambda[j * n + i] = value
              }
            }
          }
        }
      }
    }
  }

  /// Crosses a reset of errors backward: later measurements contain no information about them.
  public mutating func forget(_ indices: Range<Int>) {
    for index in indices {
      adjoint[index] = 0
      for other in 0..<count {
        information[index * count + other] = 0
        information[other * count + index] = 0
      }
    }
  }

  /// Crosses a rotation of the axes of blocks backward: equation (8).
  ///
  /// - Parameters:
  ///   - blocks: The blocks, each with three components.
  ///   - rotation: The rotation from the axes before to the axes after.
  public mutating func turn(_ blocks: [ErrorLayout.Block], by rotation: Matrix3) {
    let (n, back) = (count, rotation.transpose)
    for block in blocks {
      adjoint.withUnsafeMutableBufferPointer { back.turn($0, at: block.start, stride: 1, step: n, count: 1) }
      information.withUnsafeMutableBufferPointer {
        back.turn($0, at: block.start * n, stride: n, step: 1, count: n)
      }
    }
    information.withUnsafeMutableBufferPointer { values in
      for block in blocks { back.turn(values, at: block.start, stride: 1, step: n, count: n) }
      ErrorProducts.symmetrize(n, values.baseAddress.unsafelyUnwrapped)
    }
  }

  /// Replaces the later information about one error by its smoothed value at an epoch's end.
  ///
  /// - Parameters:
  ///   - index: The index of the error.
  ///   - error: The smoothed error.
  ///   - variance: The variance of the smoothed error.
  ///   - trace: The record of the filter.
  ///   - epoch: The epoch.
  public mutating func tie(
    _ index: Int, to error: Double, variance: Double, _ trace: ErrorTrace, _ epoch: Int
  ) {
    forget(index..<index + 1)
    let own = trace.withCovarianceRow(index, of: epoch) { $0[index] }
    guard own > 0 else { return }
    adjoint[index] = (self.error(index, trace, epoch) - error) / own
    guard hasCovariance else { return }
    let reduction = own - covariance(index, index, trace, epoch)
    information[index * count + index] = max(0, own - variance - reduction) / (own * own)
  }
}

extension PartialGain.Part {
  /// Removes the omitted part from a gain.
  @inline(__always)
  func remove(from gain: UnsafeMutablePointer<Double>) {
    guard let direction else {
      for index in start..<start + count { gain[index] *= 1 - fraction }
      return
    }
    let along = gain[start] * direction.x + gain[start + 1] * direction.y + gain[start + 2] * direction.z
    for axis in 0..<3 { gain[start + axis] -= fraction * along * direction[axis] }
  }
}
