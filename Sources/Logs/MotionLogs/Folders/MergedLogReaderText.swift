/// The rows of a folder's file of one stream, read according to the roles of its columns.
struct TextTable {
  /// The role of a column.
  enum Role {
    case skipped
    /// A timestamp, which is exact if it is an integer.
    case stamp
    /// A number, with its index among the row's values.
    case value(Int)
  }

  struct Row {
    var stamp = FieldScanner.Integer.empty
    var values: [Double] = []
    /// Whether the timestamp and all values are present.
    var isComplete = true
  }

  let path: String
  /// The column names in the first line, or an empty array if the file has no names.
  private(set) var names: [String] = []
  private(set) var remarks: [String] = []

  private let separator: FieldSeparator
  private let lines: LineScanner
  private var roles: [Role]
  /// The first line, if it turned out to be a row.
  private var heldLine: UnsafeRawBufferPointer?
  private var decimal = DecimalSign.point

  /// Opens a file whose rows have `fieldCount` numbers, after an optional comment line.
  init(path: String, separator: FieldSeparator, fieldCount: Int) throws(LogError) {
    self.path = path
    self.separator = separator
    lines = try LineScanner(path: path)
    roles = Array(repeating: .skipped, count: fieldCount)
    if let first = try lines.next(), !first.starts(with: "#".utf8), !first.starts(with: "Created at".utf8) {
      heldLine = first
    }
  }

  /// Returns the number of blank-separated fields in the first row of a file without names, or `nil` if it has no rows.
  static func fieldCount(path: String) throws(LogError) -> Int? {
    let lines = try LineScanner(path: path)
    // A line's bytes are the scanner's.
    defer { withExtendedLifetime(lines) {} }
    while let line = try lines.next() {
      guard !line.starts(with: "#".utf8), !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { continue }
      var fields = FieldScanner(line, separator: .blanks)
      var count = 0
      while fields.skip() { count += 1 }
      return count
    }
    return nil
  }

  /// Opens a file whose first line contains the column names.
  ///
  /// - Parameter findsDecimalComma: Whether the numbers may have a decimal comma. The first line with a comma or a
  ///   point determines it.
  /// - Throws: ``LogError`` if the file is empty.
  init(path: String, separator: FieldSeparator, findsDecimalComma: Bool = false) throws(LogError) {
    self.path = path
    self.separator = separator
    if findsDecimalComma, separator != .comma { decimal = .unknown }
    lines = try LineScanner(path: path)
    guard let first = try lines.next() else {
      throw LogError(path: path, problem: "the file is empty", remedy: "give the file as the app wrote it")
    }
    var scanner = FieldScanner(first, separator: separator)
    while let name = scanner.nextText() { names.append(name) }
    roles = Array(repeating: .skipped, count: names.count)
  }

  var progress: Double { lines.progress }

  /// Returns the index of a named column, counted from 0, or `nil` if it is missing.
  func column(_ name: String) -> Int? { names.firstIndex(of: name) }

  /// Returns the indices of named columns.
  ///
  /// - Throws: ``LogError`` with the names of missing columns.
  func columns(_ wanted: [String]) throws(LogError) -> [Int] {
    let found = wanted.compactMap { column($0) }
    guard found.count == wanted.count else {
      let missing = wanted.filter { column($0) == nil }.joined(separator: ", ")
      throw LogError(
        path: path, line: 1,
        problem: "no column \(missing) (found: \(names.prefix(16).joined(separator: ", ")))",
        remedy: "give the file as the app wrote it")
    }
    return found
  }

  /// Selects the columns to read, counted from 0. Must be called before the first row is read.
  mutating func plan(stamp: Int?, values: [Int]) {
    if let stamp { roles[stamp] = .stamp }
    for (index, column) in values.enumerated() { roles[column] = .value(index) }
  }

  /// Reads the next row that is not blank. Returns `false` at the end.
  ///
  /// A truncated last line is skipped with a note, as the preceding rows are valid.
  mutating func read(into row: inout Row) throws(LogError) -> Bool {
    while let line = try nextLine() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      decimal.look(at: line)
      var scanner = FieldScanner(line, separator: separator, hasDecimalComma: decimal == .comma)
      row.isComplete = true
      for role in roles where try !read(role, &scanner, into: &row) {
        if lines.isUnterminated {
          remarks.append("\(path): the last line is cut off and was left out")
          return false
        }
        throw wrongCount(scanner)
      }
      if scanner.skip() { throw wrongCount(scanner) }
      return true
    }
    return false
  }

  private mutating func nextLine() throws(LogError) -> UnsafeRawBufferPointer? {
    guard let held = heldLine else { return try lines.next() }
    heldLine = nil
    return held
  }

  /// Reads one field. Returns `false` if the line has no further fields.
  private func read(
    _ role: Role, _ scanner: inout FieldScanner, into row: inout Row
  ) throws(LogError) -> Bool {
    switch role {
    case .skipped:
      return scanner.skip()
    case .stamp:
      row.stamp = scanner.nextInteger()
      switch row.stamp {
      case .integer, .value: break
      case .empty: row.isComplete = false
      case .text: throw notANumber(scanner)
      case .end: return false
      }
    case .value(let index):
      switch scanner.nextNumber() {
      case .value(let value): row.values[index] = value
      case .empty: row.isComplete = false
      case .text: throw notANumber(scanner)
      case .end: return false
      }
    }
    return true
  }

  private func wrongCount(_ scanner: FieldScanner) -> LogError {
    LogError(
      path: path, line: lines.lineNumber, problem: "\(scanner.totalCount) fields instead of \(roles.count)",
      remedy: "repair or remove the line")
  }

  private func notANumber(_ scanner: FieldScanner) -> LogError {
    LogError(
      path: path, line: lines.lineNumber, column: scanner.column,
      problem: "\"\(scanner.fieldText.prefix(32))\" is not a number", remedy: "repair or remove the line")
  }

  /// Returns the error for a first timestamp that is not a valid start of the recording's clock.
  func badFirstStamp(column: Int) -> LogError {
    LogError(
      path: path, line: lines.lineNumber, column: column + 1,
      problem: "the first timestamp is not a whole number of nanoseconds",
      remedy: "give the file as the app wrote it")
  }
}

/// The decimal sign of a file's numbers.
enum DecimalSign {
  case point, comma
  /// Unknown until a line determines it.
  case unknown

  /// Determines the sign from the first line that contains a point or a comma.
  @inline(__always)
  mutating func look(at line: UnsafeRawBufferPointer) {
    guard self == .unknown else { return }
    if line.contains(0x2E) { self = .point } else if line.contains(0x2C) { self = .comma }
  }
}
