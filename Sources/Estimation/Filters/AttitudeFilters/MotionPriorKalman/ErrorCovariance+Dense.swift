internal import InertialNumerics

// The same quantities as dense matrices, for the reference implementation.

extension ErrorCovariance {
  /// The full matrix.
  var matrix: Matrix { Matrix(rowCount: ErrorIndex.count, columnCount: ErrorIndex.count) { self[$0, $1] } }

  /// Creates a covariance from the lower triangle of a symmetric matrix.
  init(_ matrix: Matrix) {
    self.init()
    for row in 0..<ErrorIndex.count { for column in 0...row { self[row, column] = matrix[row, column] } }
  }
}

extension ErrorTransition {
  /// F = D + G, with D the persistence of each error.
  var matrix: Matrix {
    var matrix = Matrix.identity(ErrorIndex.count)
    for index in ErrorIndex.fading { matrix[index, index] = persistence }
    for column in 0..<ErrorIndex.count {
      let change = change { $0 == column ? 1 : 0 }
      for axis in 0..<3 {
        matrix[ErrorIndex.attitude + axis, column] += change.attitude[axis]
        matrix[ErrorIndex.velocity + axis, column] += change.velocity[axis]
      }
    }
    return matrix
  }
}

extension MeasuredErrors {
  /// h, the row of H.
  var row: [Double] {
    var row = [Double](repeating: 0, count: ErrorIndex.count)
    forEach { index, derivative in row[index] = derivative }
    return row
  }
}
