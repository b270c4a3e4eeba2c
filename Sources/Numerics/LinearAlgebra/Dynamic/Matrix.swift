/// A matrix of doubles with a shape known at run time: column-major, a value type, any size.
///
/// Row and column indices start at 0. Products and decompositions use BLAS and LAPACK, which are faster from about 6 by
/// 6; use `Matrix3` for 3 by 3, and `FixedMatrix` for small fixed shapes. Wrong shapes and indices trap, with the
/// shapes in the message.
public struct Matrix: Sendable, Hashable {
  /// The number of rows.
  public private(set) var rowCount: Int

  /// The number of columns.
  public private(set) var columnCount: Int

  /// The elements in column-major order: element (row, column) is at row + column · rowCount.
  public internal(set) var elements: [Double]

  /// Creates a matrix with the same value in all elements.
  public init(rowCount: Int, columnCount: Int, repeating value: Double = 0) {
    self.init(
      rowCount: rowCount, columnCount: columnCount,
      columnMajor: Array(repeating: value, count: Self.checkedCount(rowCount, columnCount)))
  }

  /// Creates a matrix from its rowCount · columnCount elements in column-major order.
  public init(rowCount: Int, columnCount: Int, columnMajor elements: [Double]) {
    precondition(
      elements.count == Self.checkedCount(rowCount, columnCount),
      "a \(rowCount) by \(columnCount) matrix cannot have \(elements.count) elements")
    self.rowCount = rowCount
    self.columnCount = columnCount
    self.elements = elements
  }

  /// Creates a matrix whose element at (row, column) is the closure's result.
  public init(rowCount: Int, columnCount: Int, element: (_ row: Int, _ column: Int) -> Double) {
    self.init(rowCount: rowCount, columnCount: columnCount)
    for column in 0..<columnCount {
      for row in 0..<rowCount { elements[row + column * rowCount] = element(row, column) }
    }
  }

  /// Creates a matrix from its rows, which all have the same length.
  public init(rows: [[Double]]) {
    self.init(columns: rows)
    self = transpose
  }

  /// Creates a matrix from its columns, which all have the same length.
  public init(columns: [[Double]]) {
    let length = columns.first?.count ?? 0
    precondition(
      columns.allSatisfy { $0.count == length },
      "rows or columns of a matrix differ in length: \(columns.map(\.count))")
    self.init(
      rowCount: length, columnCount: columns.count, columnMajor: Array(columns.joined()))
  }

  /// Creates a square matrix with these elements on its diagonal and zeros elsewhere.
  public init(diagonal: [Double]) {
    self.init(rowCount: diagonal.count, columnCount: diagonal.count)
    for index in diagonal.indices { self[index, index] = diagonal[index] }
  }

  /// Returns the identity matrix with n rows and columns.
  public static func identity(_ n: Int) -> Matrix {
    Matrix(diagonal: Array(repeating: 1, count: n))
  }

  /// The element at a row and column, from 0.
  public subscript(row: Int, column: Int) -> Double {
    get { elements[index(row, column)] }
    set { elements[index(row, column)] = newValue }
  }

  /// Returns one row, by its index from 0.
  public func row(_ row: Int) -> [Double] { (0..<columnCount).map { self[row, $0] } }

  /// Returns one column, by its index from 0.
  public func column(_ column: Int) -> [Double] { (0..<rowCount).map { self[$0, column] } }

  /// The elements (i, i), as many as the smaller of the two counts.
  public var diagonal: [Double] { (0..<Swift.min(rowCount, columnCount)).map { self[$0, $0] } }

  /// Whether the numbers of rows and columns are equal.
  public var isSquare: Bool { rowCount == columnCount }

  /// Whether all elements are finite.
  public var isFinite: Bool { elements.allSatisfy(\.isFinite) }

  /// The shape as text for messages: "3 by 6".
  var shape: String { "\(rowCount) by \(columnCount)" }

  /// The distance between columns for BLAS and LAPACK, at least 1.
  var leadingDimension: Int { Swift.max(1, rowCount) }

  private func index(_ row: Int, _ column: Int) -> Int {
    precondition(
      row >= 0 && row < rowCount && column >= 0 && column < columnCount,
      "a \(shape) matrix has no element (\(row), \(column))")
    return row + column * rowCount
  }

  private static func checkedCount(_ rowCount: Int, _ columnCount: Int) -> Int {
    precondition(rowCount >= 0 && columnCount >= 0, "no matrix is \(rowCount) by \(columnCount)")
    return rowCount * columnCount
  }
}

extension Matrix: Codable {
  private enum CodingKeys: String, CodingKey {
    case rowCount, columnCount, elements
  }

  /// Decodes the shape and the column-major elements; a wrong number of elements is a decoding error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let rowCount = try container.decode(Int.self, forKey: .rowCount)
    let columnCount = try container.decode(Int.self, forKey: .columnCount)
    let elements = try container.decode([Double].self, forKey: .elements)
    let (count, overflow) = rowCount.multipliedReportingOverflow(by: columnCount)
    guard rowCount >= 0, columnCount >= 0, !overflow, count == elements.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .elements, in: container,
        debugDescription: "\(elements.count) elements for a \(rowCount) by \(columnCount) matrix")
    }
    self.init(rowCount: rowCount, columnCount: columnCount, columnMajor: elements)
  }
}

extension Matrix: CustomStringConvertible {
  /// The rows, one per line: "[1.0, 2.0]".
  public var description: String {
    guard !elements.isEmpty else { return "[\(shape)]" }
    return (0..<rowCount).map { "\(row($0))" }.joined(separator: "\n")
  }
}
