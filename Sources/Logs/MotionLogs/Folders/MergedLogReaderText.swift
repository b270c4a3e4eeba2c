/// The rows of a folder's file of one stream, field by field as its plan says.
struct TextTable {
  /// What becomes of a column.
  enum Role {
    case skipped
    /// A time stamp, exact where it is a whole number.
    case stamp
    /// A number, by its place among the row's values.
    case value(Int)
  }

  struct Row {
    var stamp = FieldScanner.Integer.empty
    var values: [Double] = []
    /// Whether the stamp and every value are there.
    var isComplete = true
  }

  let path: String
  /// The column names of the first line; empty where the file has none.
  private(set) var names: [String] = []
  private(set) var remarks: [String] = []

  private let separator: FieldSeparator
  private let lines: LineScanner
  private var roles: [Role]
  /// The first line, where reading it has shown that it is a row.
  private var heldLine: UnsafeRawBufferPointer?
  private var decimal = DecimalSign.point

  /// Opens a file whose rows have `fieldCount` numbers, after an optional first line of comment.
  init(path: String, separator: FieldSeparator, fieldCount: Int) throws(LogError) {
    self.path = path
    self.separator = separator
    lines = try LineScanner(path: path)
    roles = Array(repeating: .skipped, count: fieldCount)
    if let first = try lines.next(), !first.starts(with: "#".utf8), !first.starts(with: "Created at".utf8) {
      heldLine = first
    }
  }

  /// How many fields, separated by blanks, the first row of a file without names has; nil where it has none.
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

  /// Opens a file with a first line of column names; an error where it has none.
  ///
  /// With `findsDecimalComma` the numbers may have a comma for the decimal point: the first that has either decides.
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

  /// The place of a named column, counted from 0; nil where there is none.
  func column(_ name: String) -> Int? { names.firstIndex(of: name) }

  /// The places of named columns, or an error that says which are missing.
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

  /// Chooses the columns that are read, counted from 0; before the first row.
  mutating func plan(stamp: Int?, values: [Int]) {
    if let stamp { roles[stamp] = .stamp }
    for (index, column) in values.enumerated() { roles[column] = .value(index) }
  }

  /// Reads the next row that is not blank; false at the end.
  ///
  /// A last line that is cut off is left out with a remark: the log is good up to there.
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

  /// Reads one field; false where the line has no more.
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

  /// The error for a first stamp that the clock of the recording cannot begin with.
  func badFirstStamp(column: Int) -> LogError {
    LogError(
      path: path, line: lines.lineNumber, column: column + 1,
      problem: "the first stamp is not a whole number of nanoseconds",
      remedy: "give the file as the app wrote it")
  }
}

/// What stands before the decimals of a file's numbers.
enum DecimalSign {
  case point, comma
  /// Not yet told by a line.
  case unknown

  /// Decides by the first line that has one of the two.
  @inline(__always)
  mutating func look(at line: UnsafeRawBufferPointer) {
    guard self == .unknown else { return }
    if line.contains(0x2E) { self = .point } else if line.contains(0x2C) { self = .comma }
  }
}
