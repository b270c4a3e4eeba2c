extension Matrix {
  /// Returns the sum; both matrices must have the same shape.
  public static func + (a: Matrix, b: Matrix) -> Matrix {
    var sum = a
    sum += b
    return sum
  }

  /// Returns the difference; both matrices must have the same shape.
  public static func - (a: Matrix, b: Matrix) -> Matrix {
    var difference = a
    difference -= b
    return difference
  }

  /// Adds a matrix of the same shape.
  public static func += (a: inout Matrix, b: Matrix) { a.add(b, scaledBy: 1) }

  /// Subtracts a matrix of the same shape.
  public static func -= (a: inout Matrix, b: Matrix) { a.add(b, scaledBy: -1) }

  /// Returns the matrix with all elements negated.
  public static prefix func - (a: Matrix) -> Matrix { a * -1 }

  /// Returns the matrix with all elements multiplied by a number.
  public static func * (a: Matrix, s: Double) -> Matrix {
    Matrix(rowCount: a.rowCount, columnCount: a.columnCount, columnMajor: a.elements.map { $0 * s })
  }

  /// Returns the matrix with all elements multiplied by a number.
  public static func * (s: Double, a: Matrix) -> Matrix { a * s }

  /// Multiplies all elements by a number.
  public static func *= (a: inout Matrix, s: Double) { a = a * s }

  /// Adds a multiple of a matrix of the same shape.
  public mutating func add(_ other: Matrix, scaledBy scale: Double) {
    precondition(
      rowCount == other.rowCount && columnCount == other.columnCount,
      "cannot add a \(other.shape) matrix to a \(shape) matrix")
    BLAS.axpy(elements.count, scale, other.elements, &elements)
  }

  /// The transpose, as a new matrix. Products with a transpose do not need it: see `transposeTimes` and
  /// `timesTranspose`.
  public var transpose: Matrix {
    Matrix(rowCount: columnCount, columnCount: rowCount) { row, column in
      elements[column + row * rowCount]
    }
  }

  /// The sum of the diagonal elements.
  public var trace: Double { diagonal.reduce(0, +) }

  /// The largest absolute element, 0 for an empty matrix, or `NaN` if an element is NaN.
  public var maximumMagnitude: Double {
    elements.reduce(0) { $0.isNaN || $1.isNaN ? .nan : Swift.max($0, abs($1)) }
  }

  /// The square root of the sum of the squared elements, safe against overflow and underflow.
  public var frobeniusNorm: Double { BLAS.norm(elements.count, elements) }

  /// Replaces a square matrix by the mean of itself and its transpose.
  ///
  /// Rounding makes covariances slightly asymmetric at every step; this function restores exact symmetry.
  public mutating func symmetrize() {
    precondition(isSquare, "a \(shape) matrix cannot be symmetric")
    let n = rowCount
    elements.withUnsafeMutableBufferPointer { elements in
      for column in 0..<n {
        for row in (column + 1)..<Swift.max(n, column + 1) {
          let mean = (elements[row + column * n] + elements[column + row * n]) / 2
          elements[row + column * n] = mean
          elements[column + row * n] = mean
        }
      }
    }
  }

  /// Copies the lower triangle of a square matrix into the upper one.
  mutating func mirrorLowerTriangle() {
    let n = rowCount
    elements.withUnsafeMutableBufferPointer { elements in
      for column in 0..<n {
        for row in (column + 1)..<Swift.max(n, column + 1) {
          elements[column + row * n] = elements[row + column * n]
        }
      }
    }
  }

  /// Sets all elements above the diagonal, or below it, to zero.
  mutating func clearTriangle(above: Bool) {
    for column in 0..<columnCount {
      for row in 0..<rowCount where above ? row < column : row > column {
        elements[row + column * rowCount] = 0
      }
    }
  }
}
