extension Matrix {
  /// Creates a matrix with the elements of a 3 by 3 matrix.
  public init(_ matrix: Matrix3) {
    self.init(rowCount: 3, columnCount: 3)
    setBlock(0, 0, matrix)
  }

  /// Creates a matrix of one column.
  public init(column: [Double]) {
    self.init(rowCount: column.count, columnCount: 1, columnMajor: column)
  }

  /// Returns the block of `rowCount` by `columnCount` elements whose first element is at (row, column).
  public func block(_ row: Int, _ column: Int, rowCount: Int, columnCount: Int) -> Matrix {
    checkBlock(row, column, rowCount, columnCount)
    return Matrix(rowCount: rowCount, columnCount: columnCount) { self[row + $0, column + $1] }
  }

  /// Returns the 3 by 3 block whose first element is at (row, column).
  public func block3(_ row: Int, _ column: Int) -> Matrix3 {
    checkBlock(row, column, 3, 3)
    return Matrix3(
      columns: vector3(row, column), vector3(row, column + 1), vector3(row, column + 2))
  }

  /// Returns the three elements of one column that start at (row, column).
  public func vector3(_ row: Int, _ column: Int) -> Vector3 {
    checkBlock(row, column, 3, 1)
    let start = row + column * rowCount
    return Vector3(elements[start], elements[start + 1], elements[start + 2])
  }

  /// Replaces the block whose first element is at (row, column).
  public mutating func setBlock(_ row: Int, _ column: Int, _ block: Matrix) {
    checkBlock(row, column, block.rowCount, block.columnCount)
    for j in 0..<block.columnCount {
      for i in 0..<block.rowCount {
        elements[row + i + (column + j) * rowCount] = block.elements[i + j * block.rowCount]
      }
    }
  }

  /// Replaces the 3 by 3 block whose first element is at (row, column), in place.
  public mutating func setBlock(_ row: Int, _ column: Int, _ block: Matrix3) {
    checkBlock(row, column, 3, 3)
    var start = row + column * rowCount
    (elements[start], elements[start + 1], elements[start + 2]) = (block.m11, block.m21, block.m31)
    start += rowCount
    (elements[start], elements[start + 1], elements[start + 2]) = (block.m12, block.m22, block.m32)
    start += rowCount
    (elements[start], elements[start + 1], elements[start + 2]) = (block.m13, block.m23, block.m33)
  }

  /// Replaces three elements of one column, from (row, column) down, in place.
  public mutating func setBlock(_ row: Int, _ column: Int, _ block: Vector3) {
    checkBlock(row, column, 3, 1)
    let start = row + column * rowCount
    (elements[start], elements[start + 1], elements[start + 2]) = (block.x, block.y, block.z)
  }

  private func checkBlock(_ row: Int, _ column: Int, _ rowCount: Int, _ columnCount: Int) {
    precondition(
      row >= 0 && column >= 0 && rowCount >= 0 && columnCount >= 0 && row + rowCount <= self.rowCount
        && column + columnCount <= self.columnCount,
      "a \(shape) matrix has no \(rowCount) by \(columnCount) block at (\(row), \(column))")
  }
}

extension Matrix3 {
  /// Creates a 3 by 3 matrix from a matrix with a shape known at run time; any other shape traps.
  public init(_ matrix: Matrix) {
    precondition(
      matrix.rowCount == 3 && matrix.columnCount == 3, "a \(matrix.shape) matrix is not 3 by 3")
    self = matrix.block3(0, 0)
  }
}

extension Vector3 {
  /// Creates a vector from three consecutive elements of an array, such as the attitude part of a filter's correction.
  public init(_ elements: [Double], at start: Int = 0) {
    self.init(elements[start], elements[start + 1], elements[start + 2])
  }
}

extension Array where Element == Double {
  /// Creates an array of the three components in order.
  public init(_ vector: Vector3) { self = [vector.x, vector.y, vector.z] }
}
