/// The names of a CSV's columns, and how its lines are divided.
struct CSVHeader {
  var separator: FieldSeparator
  var names: [ColumnName]
  /// Line of the header; nil where the names are the user's and the file has none.
  var line: Int?
  /// The first line of data; nil where the file ends before.
  var firstRow: [UInt8]?
  var firstRowNumber = 0
  /// The file's lines after the first row.
  private let scanner: LineScanner

  /// The first rows, `limit` at most and as far as they are loaded: those by which a clock is understood.
  func firstRows(_ limit: Int) -> [[UInt8]] {
    (firstRow.map { [$0] } ?? []) + scanner.linesAhead(limit - 1).filter { !$0.isEmpty }
  }

  /// How far into a file the header is looked for, behind the maker's remarks: lines.
  private static let searchedLines = 64
  /// Bytes of a line: three thousand columns.
  private static let longestLine = 1 << 16

  /// Reads up to the first line of data.
  ///
  /// The header is the first line with two names that are understood; where there is none, the last line before the
  /// first line of numbers. With `columns` the header, if any, is passed over.
  init(_ scanner: LineScanner, columns: [String]?, dialect: CSVDialect? = nil) throws(LogError) {
    self.scanner = scanner
    var candidate: (names: [ColumnName], separator: FieldSeparator, line: Int)?
    var told: FieldSeparator?
    var isRecognized = false
    firstRow = nil
    for _ in 0..<Self.searchedLines {
      guard let line = try scanner.next() else { break }
      guard line.count <= Self.longestLine else {
        throw LogError(
          path: scanner.name, line: scanner.lineNumber,
          problem: "the line is longer than \(Self.longestLine) bytes, and no names of columns or numbers of a row",
          remedy: "give a log with a line of column names and rows of numbers")
      }
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      // What spreadsheets write to tell each other the separator.
      if line.count == 5, line.starts(with: "sep=".utf8) {
        told = FieldSeparator(rawValue: line[4])
        continue
      }
      if isRecognized || Self.isData(line) || columns.map({ Self.isData(line, columns: $0) }) ?? false {
        firstRow = Array(line)
        firstRowNumber = scanner.lineNumber
        break
      }
      let found = Self.names(line, separator: told, dialect: dialect)
      if found.score >= 2 {
        candidate = (found.names, found.separator, scanner.lineNumber)
        isRecognized = true
      } else if found.names.count > candidate?.names.count ?? 0, !found.hasNumbers {
        candidate = (found.names, found.separator, scanner.lineNumber)
      }
    }
    guard candidate != nil || firstRow != nil else {
      throw LogError(
        path: scanner.name,
        problem: scanner.lineNumber == 0 ? "the file is empty" : "the file has no line of column names",
        remedy: "give a log with a line of column names and rows of numbers")
    }

    if let columns {
      line = nil
      names = columns.map { ColumnName($0) }
      separator =
        firstRow.map { Self.separator(of: $0, count: columns.count) } ?? candidate?.separator ?? .comma
      return
    }
    guard let candidate else {
      throw LogError(
        path: scanner.name, line: firstRowNumber, problem: "no line of column names before the numbers",
        remedy: "name the columns with --columns, such as --columns time,accelerationX,accelerationY,...")
    }
    names = candidate.names
    separator = candidate.separator
    line = candidate.line
    if dialect?.allowsTrailingSeparator == true {
      while names.last?.text.isEmpty == true { names.removeLast() }
    }
  }

  /// The fewest numbers in a row of a log: a time and three axes.
  private static let fewestNumbers = 4

  /// Whether a text that no format takes was meant as a log: rows of numbers under some names of motion sensors, or under
  /// names that nobody knows, or under none.
  static func looksLikeLog(_ scanner: LineScanner) -> Bool {
    // The lines' bytes are the scanner's.
    defer { withExtendedLifetime(scanner) {} }
    var hasSensors = false
    for _ in 0..<searchedLines {
      guard let line = try? scanner.next(), line.count <= longestLine else { return false }
      // A log with words in its rows has names that tell; a table of labels has not.
      if isData(line) || hasSensors {
        let counts = FieldSeparator.allCases.map { kinds(line, $0).count { $0 == .number } }
        if counts.contains(where: { $0 >= fewestNumbers }) { return true }
        if isData(line) { return false }
      }
      let found = names(line, separator: nil, dialect: nil).names
      let sensors = found.count { $0.meaning.map { $0.dimension != .none && $0.quantity != .time } ?? false }
      hasSensors = hasSensors || sensors >= 2
      // A table of places, of weather and the like.
      if sensors == 0, found.contains(where: \.isAuxiliary) { return false }
    }
    return false
  }

  /// The names found, for messages.
  var found: String {
    let texts = names.map { $0.text.isEmpty ? "(no name)" : Self.short($0.text) }
    return texts.prefix(16).joined(separator: ", ")
      + (texts.count > 16 ? ", ... (\(texts.count) in all)" : "")
  }

  private static func short(_ text: String) -> String { text.count > 40 ? text.prefix(40) + "..." : text }

  /// Whether a line has numbers and nothing else, whatever the separator.
  private static func isData(_ line: UnsafeRawBufferPointer) -> Bool {
    FieldSeparator.allCases.contains { separator in
      let fields = kinds(line, separator)
      return fields.contains(.number) && !fields.contains(.text)
    }
  }

  /// Whether a line has a field for each of the named columns, and a number in one of those that are read.
  private static func isData(_ line: UnsafeRawBufferPointer, columns: [String]) -> Bool {
    FieldSeparator.allCases.contains { separator in
      let fields = kinds(line, separator)
      return fields.count == columns.count
        && zip(fields, columns).contains { field, column in field == .number && column != "-" }
    }
  }

  private enum Kind { case number, empty, text }

  /// What the fields of a line are, with either decimal sign.
  private static func kinds(_ line: UnsafeRawBufferPointer, _ separator: FieldSeparator) -> [Kind] {
    var comma = FieldScanner(line, separator: separator, hasDecimalComma: separator != .comma)
    var point = FieldScanner(line, separator: separator)
    var kinds: [Kind] = []
    while true {
      switch (comma.nextNumber(), point.nextNumber()) {
      case (.end, _), (_, .end): return kinds
      case (.value, _), (_, .value): kinds.append(.number)
      case (.empty, _), (_, .empty): kinds.append(.empty)
      case (.text, .text): kinds.append(.text)
      }
    }
  }

  private struct Division {
    var names: [ColumnName]
    var separator: FieldSeparator
    /// How many names are understood.
    var score: Int
    var hasNumbers: Bool
  }

  /// The names of a line, divided so that most of them are understood.
  private static func names(
    _ line: UnsafeRawBufferPointer, separator: FieldSeparator?, dialect: CSVDialect?
  ) -> Division {
    var best: Division?
    for separator in separator.map({ [$0] }) ?? FieldSeparator.allCases {
      var scanner = FieldScanner(line, separator: separator)
      var names: [ColumnName] = []
      while let text = scanner.nextText() {
        names.append(dialect.map { ColumnName(text, dialect: $0) } ?? ColumnName(text))
      }
      nameAxes(of: &names, dialect)
      let score = names.count { $0.meaning != nil || $0.isAuxiliary }
      // Blanks also part the words of a name: they divide only where nothing else does better.
      if let best,
        score < best.score || score == best.score && (separator == .blanks || names.count <= best.names.count)
      {
        continue
      }
      best = Division(
        names: names, separator: separator, score: score, hasNumbers: kinds(line, separator).contains(.number)
      )
    }
    return best!
  }

  /// Gives their axes to three columns of which the first names a sensor and the next two are called 1 and 2, as extractors of
  /// a camera's telemetry write them: `Accelerometer [m/s2]`, `1`, `2`.
  private static func nameAxes(of names: inout [ColumnName], _ dialect: CSVDialect?) {
    for place in names.indices.dropLast(2) where names[place + 1].text == "1" && names[place + 2].text == "2" {
      let (body, unit) = ColumnName.splitUnit(names[place].text[...])
      let axes = ["x", "y", "z"].map { axis in "\(body) \(axis)" + (unit.map { " (\($0))" } ?? "") }
      guard axes.allSatisfy({ ColumnName($0).meaning != nil }) else { continue }
      for (axis, name) in axes.enumerated() {
        names[place + axis] = dialect.map { ColumnName(name, dialect: $0) } ?? ColumnName(name)
      }
    }
  }

  /// The separator that divides a row into so many numbers; else into the most fields.
  private static func separator(of row: [UInt8], count: Int) -> FieldSeparator {
    row.withUnsafeBytes { line in
      let counts = FieldSeparator.allCases.map { separator in
        (separator, FieldScanner(line, separator: separator).totalCount)
      }
      return counts.first { $0.1 == count }?.0 ?? counts.max { $0.1 < $1.1 }!.0
    }
  }
}
