/// A matrix whose shape is part of its type, stored in place, row by row.
///
/// It is intended for small matrices with sizes known at compile time, and does not allocate. All functions are
/// inlinable, because code generic over a shape is fast only if the compiler can specialise it in the caller's module.
///
/// The element subscript is for callers and tests. Each read may copy the whole matrix if the optimiser does not remove
/// the copy, so the operators use `rows` and write each row once.
public struct FixedMatrix<let Rows: Int, let Columns: Int>: Sendable {
  @usableFromInline var rows: InlineArray<Rows, InlineArray<Columns, Double>>

  /// Creates a matrix with the same value in all elements.
  @inlinable
  public init(repeating value: Double = 0) {
    rows = InlineArray(repeating: InlineArray(repeating: value))
  }

  /// Creates a matrix whose element at (row, column), from 0, is the closure's result.
  @inlinable
  public init(element: (_ row: Int, _ column: Int) -> Double) {
    rows = InlineArray { row in InlineArray { column in element(row, column) } }
  }

  /// Creates a matrix from one with a shape known at run time; another shape traps.
  @inlinable
  public init(_ matrix: Matrix) {
    precondition(
      matrix.rowCount == Rows && matrix.columnCount == Columns,
      "a \(matrix.rowCount) by \(matrix.columnCount) matrix is not \(Rows) by \(Columns)")
    self.init { matrix[$0, $1] }
  }

  /// The element at a row and column, from 0.
  @inlinable
  public subscript(row: Int, column: Int) -> Double {
    get { rows[row][column] }
    set { rows[row][column] = newValue }
  }

  /// Whether all elements are finite.
  @inlinable
  public var isFinite: Bool {
    for row in 0..<Rows {
      for column in 0..<Columns where !rows[row][column].isFinite { return false }
    }
    return true
  }

  /// The transpose, as a new matrix. Products with a transpose do not need it.
  @inlinable
  public var transpose: FixedMatrix<Columns, Rows> {
    var result = FixedMatrix<Columns, Rows>()
    for row in 0..<Columns {
      var line = InlineArray<Rows, Double>(repeating: 0)
      for column in 0..<Rows { line[column] = rows[column][row] }
      result.rows[row] = line
    }
    return result
  }

  /// Returns one row, by its index from 0.
  @inlinable
  public func row(_ row: Int) -> FixedVector<Columns> {
    var vector = FixedVector<Columns>()
    vector.elements = rows[row]
    return vector
  }
}

extension FixedMatrix where Rows == Columns {
  /// The identity.
  @inlinable
  public static var identity: FixedMatrix { FixedMatrix { $0 == $1 ? 1 : 0 } }

  /// Creates a matrix with these elements on its diagonal and zeros elsewhere.
  @inlinable
  public init(diagonal: FixedVector<Rows>) {
    self.init { $0 == $1 ? diagonal[$0] : 0 }
  }

  /// Replaces the matrix by the mean of itself and its transpose, which is exactly symmetric.
  @inlinable
  public mutating func symmetrize() {
    for row in 0..<Rows {
      for column in 0..<row {
        let mean = (rows[row][column] + rows[column][row]) / 2
        rows[row][column] = mean
        rows[column][row] = mean
      }
    }
  }
}

extension FixedMatrix where Rows == 3, Columns == 3 {
  /// Creates a matrix from the elements of a `Matrix3`.
  @inlinable
  public init(_ matrix: Matrix3) {
    rows = [
      [matrix.m11, matrix.m12, matrix.m13],
      [matrix.m21, matrix.m22, matrix.m23],
      [matrix.m31, matrix.m32, matrix.m33],
    ]
  }
}

extension Matrix {
  /// Creates a matrix from one with a fixed shape.
  @inlinable
  public init<let Rows: Int, let Columns: Int>(_ matrix: FixedMatrix<Rows, Columns>) {
    self.init(rowCount: Rows, columnCount: Columns) { matrix[$0, $1] }
  }
}

extension FixedMatrix: Equatable {
  /// Returns whether all elements are equal; NaN is not equal to any number.
  @inlinable
  public static func == (a: FixedMatrix, b: FixedMatrix) -> Bool {
    for row in 0..<Rows {
      for column in 0..<Columns where a.rows[row][column] != b.rows[row][column] { return false }
    }
    return true
  }
}

extension FixedMatrix: Codable {
  /// Decodes an array of Rows arrays of Columns numbers.
  public init(from decoder: any Decoder) throws {
    let values = try [[Double]](from: decoder)
    guard values.count == Rows, values.allSatisfy({ $0.count == Columns }) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "rows of \(values.map(\.count)) elements for a \(Rows) by \(Columns) matrix"))
    }
    self.init { values[$0][$1] }
  }

  /// Encodes an array of rows.
  public func encode(to encoder: any Encoder) throws {
    try (0..<Rows).map { row($0).array }.encode(to: encoder)
  }
}

extension FixedMatrix: CustomStringConvertible {
  /// The rows, one per line.
  public var description: String { Matrix(self).description }
}
