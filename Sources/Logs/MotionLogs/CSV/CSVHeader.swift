/// The column names of a CSV, its field separator and its first row.
struct CSVHeader {
  var separator = FieldSeparator.comma
  var names: [ColumnName] = []
  /// The line number of the header, or `nil` if the user names the columns.
  var line: Int?
  /// The texts of the header's main line.
  private(set) var lineNames: [String] = []
  /// The first line of data, or `nil` if the file ends before it.
  var firstRow: [UInt8]?
  var firstRowNumber = 0
  /// The scanner of the lines after the first row.
  private let scanner: LineScanner

  /// Returns the first rows for determining the clock: at most `limit`, and only those that are loaded.
  func firstRows(_ limit: Int) -> [[UInt8]] {
    (firstRow.map { [$0] } ?? []) + scanner.linesAhead(limit - 1).filter { !$0.isEmpty }
  }

  /// The maximum number of lines before the header.
  private static let searchedLines = 4096
  /// The number of rows among the searched lines after which no header is expected.
  private static let judgedRows = 32
  /// The maximum number of lines of a header: names, axes and units.
  private static let maximumHeaderLineCount = 3
  /// The maximum length of a line, in bytes. It has room for three thousand columns.
  private static let maximumLineLength = 1 << 16

  /// Reads up to the first line of data.
  ///
  /// The header is the first line with two known names, including adjacent lines of axes and units. Otherwise it is the
  /// last line before the first line of numbers. If `columns` is given, any header is skipped.
  init(_ scanner: LineScanner, columns: [String]?, dialect: CSVDialect? = nil) throws(LogError) {
    self.scanner = scanner
    if dialect == nil {
      Self.findStamps(scanner, columns: columns)
      Self.findTerminators(scanner)
    }
    let candidate = try findNames(columns: columns, dialect: dialect)
    if let columns {
      names = columns.map { ColumnName($0) }
      separator =
        firstRow.map { Self.separator(of: $0, count: columns.count) } ?? candidate?.separator ?? .comma
      return
    }
    guard let candidate else {
      throw LogError(
        path: scanner.name, line: firstRowNumber, problem: "no line of column names before the numbers",
        remedy: "name the columns with --columns, such as --columns time,ax,ay,az,gx,gy,gz",
        question: .columns)
    }
    names = candidate.names
    separator = candidate.separator
    line = candidate.line
    lineNames = candidate.lineNames
    while names.count > 1, names.last?.text.isEmpty == true { names.removeLast() }
    if case .stampField = scanner.edit { names[0] = ColumnName("time") }
    if dialect == nil { joinPairs() }
  }

  /// Gives columns with only an axis the sensor in the file's name, as in `accelerometer.csv` with x, y and z.
  mutating func nameLoneAxes(after file: String) {
    let others = names.filter { CSVFolderFiles.axis($0.text) == nil }
    guard names.count - others.count == 3,
      others.allSatisfy({ $0.meaning == nil || $0.meaning?.quantity == .time })
    else { return }
    let dialect = CSVFolderFiles.dialect(of: file)
    for index in names.indices where CSVFolderFiles.axis(names[index].text) != nil {
      names[index] = ColumnName(names[index].text, dialect: dialect)
    }
  }

  /// Reads up to the first line of data, which is kept, and returns the names before it, or `nil` if there are none.
  private mutating func findNames(columns: [String]?, dialect: CSVDialect?) throws(LogError) -> Candidate? {
    var candidate: Candidate?
    var specified: FieldSeparator?
    var isRecognized = false
    var rowCount = 0
    var above: [[UInt8]] = []
    for _ in 0..<Self.searchedLines {
      guard let whole = try scanner.next() else { break }
      guard whole.count <= Self.maximumLineLength else {
        throw LogError(
          path: scanner.name, line: scanner.lineNumber,
          problem: "the line is longer than \(Self.maximumLineLength) bytes, and is neither column names nor numbers",
          remedy: "give a log with a line of column names and rows of numbers")
      }
      let line = Self.withoutMark(whole)
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      // A spreadsheet's declaration of the separator.
      if line.count == 5, line.starts(with: "sep=".utf8) {
        specified = FieldSeparator(rawValue: line[4])
        continue
      }
      if isRecognized, let found = candidate {
        if let longer = found.extended(by: line, dialect) {
          candidate = longer
          continue
        }
        let isRemark = line.count != whole.count
        if isRemark || !found.isRow(line) && !Self.hasNumbers(line) {
          // A remark between the names and the rows, or the header after a remark that contains names.
          let other = Candidate(line, above: [], separator: specified, dialect: dialect, number: scanner.lineNumber)
          if other.score > found.score { candidate = other }
          continue
        }
      }
      if isRecognized && columns == nil || Self.isData(whole)
        || columns.map({ Self.isData(whole, columns: $0) }) ?? false
      {
        firstRow = Array(whole)
        firstRowNumber = scanner.lineNumber
        break
      }
      if dialect == nil, columns == nil, let labels = LineEdit.labels(line), labels.count(where: Self.isKnown) >= 2 {
        scanner.edit = .removeLabels
        (firstRow, firstRowNumber) = (Array(line), scanner.lineNumber)
        candidate = Self.labelled(labels, &firstRow!, scanner.lineNumber)
        break
      }
      // Searching each row of a table for names is slow.
      if dialect == nil, rowCount > Self.judgedRows { continue }
      if Self.isStampedRow(line) { rowCount += 1 }
      let found = Candidate(line, above: above, separator: specified, dialect: dialect, number: scanner.lineNumber)
      if found.score >= 2 {
        candidate = found
        isRecognized = true
      } else if found.names.count > candidate?.names.count ?? 0, !found.hasNumbers {
        candidate = found
      }
      above = above.suffix(Self.maximumHeaderLineCount - 2) + [Array(line)]
    }
    guard candidate != nil || firstRow != nil else {
      let isEmpty = scanner.lineNumber == 0
      let rows = "give a log with a line of column names and rows of numbers"
      throw LogError(
        path: scanner.name, problem: isEmpty ? "the file is empty" : "the file has no line of column names",
        remedy: isEmpty
          ? rows
          : columns.map {
            "name all columns of a row with --columns, which names \($0.count), with - for those to skip"
          }
            ?? "\(rows), or name the columns with --columns, with - for those to skip")
    }
    return candidate
  }

  // MARK: Edits

  /// Returns a line without a leading comment mark.
  private static func withoutMark(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var rest = line[...].drop { $0 == 0x20 || $0 == 0x09 }
    guard let first = rest.first, first == 0x23 || first == 0x25 || rest.starts(with: [0x2F, 0x2F]) else { return line }
    rest = rest.drop { $0 == first || $0 == 0x20 }
    return UnsafeRawBufferPointer(rebasing: rest)
  }

  /// Detects semicolons at the ends of lines that have commas between the fields.
  private static func findTerminators(_ scanner: LineScanner) {
    let lines = scanner.linesAhead(16).filter { !$0.isEmpty }
    guard scanner.edit == nil, lines.count >= 2,
      lines.allSatisfy({ $0.last == 0x3B && $0.contains(0x2C) && $0.count { $0 == 0x3B } == 1 })
    else { return }
    scanner.edit = .removeTerminator
  }

  /// Detects timestamps that a terminal added before the lines. They become the clock if the table has no other clock.
  private static func findStamps(_ scanner: LineScanner, columns: [String]?) {
    let lines = scanner.linesAhead(16).filter { !$0.isEmpty }
    let stamped = lines.count { line in line.withUnsafeBytes { LineEdit.stamp($0) != nil } }
    guard stamped >= 2, 2 * stamped > lines.count else { return }
    let copy = LineScanner(bytes: Array(lines.joined(separator: [0x0A])), name: scanner.name)
    copy.edit = .removeStamp
    scanner.edit = .removeStamp
    // With a dialect, the header is read without another search for timestamps.
    let noDialect = CSVDialect(id: "", summary: "")
    guard columns == nil, let header = try? CSVHeader(copy, columns: nil, dialect: noDialect),
      header.separator != .blanks
    else { return }
    if !header.names.contains(where: { $0.meaning?.quantity == .time }) { scanner.edit = .stampField(header.separator) }
  }

  /// Returns a header of the labels before the values in each row, and removes them from the first row.
  private static func labelled(_ labels: [String], _ row: inout [UInt8], _ line: Int) -> Candidate {
    var edited: [UInt8] = []
    _ = row.withUnsafeBytes { LineEdit.removeLabels.apply($0, into: &edited) }
    row = edited
    return Candidate(
      names: labels.map { ColumnName($0) }, separator: separator(of: row, count: labels.count), line: line)
  }

  /// Treats commas as both separators and decimal signs if all first rows have twice as many fields as the header.
  private mutating func joinPairs() {
    guard separator == .comma, names.count >= 3, let row = firstRow else { return }
    let pairs = ([row] + scanner.linesAhead(16)).allSatisfy { line in
      let pieces = line.split(separator: 0x2C, omittingEmptySubsequences: false)
      return pieces.count == 2 * names.count
        && pieces.indices.allSatisfy { index in
          let digits = index % 2 == 0 ? pieces[index].drop { $0 == 0x2D || $0 == 0x20 } : pieces[index]
          return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
        }
    }
    guard pairs else { return }
    scanner.edit = .joinPairs
    var edited: [UInt8] = []
    _ = row.withUnsafeBytes { LineEdit.joinPairs.apply($0, into: &edited) }
    firstRow = edited
  }

  /// The inferred form of the rows, or `nil` if it is the usual form.
  var editNote: String? {
    switch scanner.edit {
    case .removeStamp: "rows: without the terminal's timestamp before each"
    case .stampField: "time: the time of day that a terminal wrote before each row"
    case .removeTerminator: "rows: each ends with a semicolon"
    case .removeLabels: "rows: each value follows its name"
    case .joinPairs: "rows: commas separate the fields and are the decimal mark of every number"
    case nil: nil
    }
  }

  /// The minimum number of numbers in a row of a log: a time and three axes.
  private static let minimumNumberCount = 4

  /// Whether a file of unknown format was meant as a log: it has rows of numbers below names of motion sensors, below
  /// unknown names, or without names.
  static func looksLikeLog(_ scanner: LineScanner) -> Bool {
    // The scanner owns the lines' bytes.
    defer { withExtendedLifetime(scanner) {} }
    var hasSensors = false
    for _ in 0..<searchedLines {
      guard let line = try? scanner.next(), line.count <= maximumLineLength else { return false }
      // The header of a log with words in its rows names sensors, unlike the header of a table of labels.
      if isData(line) || hasSensors {
        let counts = FieldSeparator.splitting(line).map { areNumbers(line, $0).count { $0 == true } }
        if counts.contains(where: { $0 >= minimumNumberCount }) { return true }
        if isData(line) { return false }
      }
      let found = Candidate(line, above: [], separator: nil, dialect: nil, number: 0).names
      let sensors = found.count { $0.meaning.map { $0.dimension != .none && $0.quantity != .time } ?? false }
      hasSensors = hasSensors || sensors >= 2
      // A table of locations, weather or similar data.
      if sensors == 0, found.contains(where: \.isAuxiliary) { return false }
    }
    return false
  }

  /// The column names, for messages.
  var found: String {
    let texts = names.map { $0.text.isEmpty ? "(no name)" : Self.short($0.text) }
    return texts.prefix(16).joined(separator: ", ")
      + (texts.count > 16 ? ", ... (\(texts.count) in all)" : "")
  }

  private static func short(_ text: String) -> String { text.count > 40 ? text.prefix(40) + "..." : text }

  /// Whether a line consists of two or more numbers, with any separator.
  private static func isData(_ line: UnsafeRawBufferPointer) -> Bool {
    FieldSeparator.splitting(line).contains { separator in
      let fields = areNumbers(line, separator)
      return fields.count(where: { $0 == true }) >= 2 && !fields.contains(false)
    }
  }

  /// Whether a line begins with a date or another word with digits, and has at least three numbers.
  private static func isStampedRow(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let first = line.first, (0x30...0x39).contains(first) || first == 0x22 else { return false }
    return [FieldSeparator.comma, .semicolon, .tab].contains { separator in
      let fields = areNumbers(line, separator)
      return fields.count { $0 == true } >= 3 && fields.dropFirst().allSatisfy { $0 != false }
    }
  }

  private static func hasNumbers(_ line: UnsafeRawBufferPointer) -> Bool {
    FieldSeparator.splitting(line).contains { areNumbers(line, $0).contains(true) }
  }

  private static func isKnown(_ name: String) -> Bool { ColumnName(name).meaning != nil }

  /// Whether a line has a field for each named column, and a number in at least one column that is read.
  private static func isData(_ line: UnsafeRawBufferPointer, columns: [String]) -> Bool {
    FieldSeparator.splitting(line).contains { separator in
      let fields = areNumbers(line, separator)
      return fields.count == columns.count
        && zip(fields, columns).contains { field, column in field == true && column != "-" }
    }
  }

  /// Returns whether each field of a line is a number, with either decimal sign; `nil` for an empty field.
  private static func areNumbers(_ line: UnsafeRawBufferPointer, _ separator: FieldSeparator) -> [Bool?] {
    var comma = FieldScanner(line, separator: separator, hasDecimalComma: true)
    var point = FieldScanner(line, separator: separator)
    var areNumbers: [Bool?] = []
    while true {
      switch (comma.nextNumber(), point.nextNumber()) {
      case (.end, _), (_, .end): return areNumbers
      case (.value, _), (_, .value): areNumbers.append(true)
      case (.empty, _), (_, .empty): areNumbers.append(nil)
      case (.text, .text): areNumbers.append(false)
      }
    }
  }

  /// The names in a line, or in consecutive lines.
  private struct Candidate {
    var names: [ColumnName] = []
    var separator = FieldSeparator.comma
    var line = 0
    /// The number of known quantities and axes.
    var score = 0
    /// The number of names with a known unit.
    var units = 0
    var hasNumbers = false
    var lineCount = 1
    /// The texts of the header's main line.
    var lineNames: [String] = []

    init(names: [ColumnName], separator: FieldSeparator, line: Int) {
      (self.names, self.separator, self.line) = (names, separator, line)
      judge()
    }

    /// Splits a line such that most of its names are known, alone or combined with the lines above it.
    init(
      _ line: UnsafeRawBufferPointer, above: [[UInt8]], separator: FieldSeparator?, dialect: CSVDialect?, number: Int
    ) {
      var best: Candidate?
      for separator in separator.map({ [$0] }) ?? FieldSeparator.splitting(line) {
        let texts = CSVHeader.texts(line, separator)
        var found = Candidate(texts, separator, dialect, number)
        found.hasNumbers = CSVHeader.areNumbers(line, separator).contains(true)
        // Blanks also separate the words of a name, so they are used only if no other separator yields a better result.
        if best.map({ found.isBetter(than: $0) }) ?? true { best = found }
        guard !found.hasNumbers else { continue }
        for line in above {
          let upper = line.withUnsafeBytes { CSVHeader.texts($0, separator) }
          guard let joined = CSVHeader.joined(upper, texts) else { continue }
          var higher = Candidate(joined, separator, dialect, number)
          (higher.lineCount, higher.lineNames) = (2, texts)
          if let best, higher.score > best.score || higher.score == best.score && higher.units > best.units {
            self = higher
            return
          }
        }
      }
      self = best!
    }

    private init(_ texts: [String], _ separator: FieldSeparator, _ dialect: CSVDialect?, _ line: Int) {
      names = texts.map { ColumnName($0, dialect: dialect) }
      CSVHeader.nameAxes(of: &names, dialect)
      if dialect == nil { CSVHeader.dropIncompleteQuaternion(&names) }
      (self.separator, self.line, lineNames) = (separator, line, texts)
      judge()
    }

    private mutating func judge() {
      var known: [ColumnMeaning] = []
      for meaning in names.compactMap(\.meaning)
      where !known.contains(where: { $0.quantity == meaning.quantity && $0.axis == meaning.axis }) {
        known.append(meaning)
      }
      // Three axes of a sensor that another column or the file's name specifies.
      score = known.count + names.count(where: \.isAuxiliary) + (LongForm.axes(of: names) != nil ? 1 : 0)
      units = names.count { name in
        guard let meaning = name.meaning, case .written(let unit) = meaning.unit else { return false }
        return meaning.dimension.conversion(from: unit) != nil
      }
    }

    private func isBetter(than other: Candidate) -> Bool {
      if score != other.score { return score > other.score }
      return separator != .blanks && names.count > other.names.count
    }

    /// Whether a line has as many fields as the header.
    func isRow(_ line: UnsafeRawBufferPointer) -> Bool {
      let used = names.count - (names.last?.text.isEmpty == true ? 1 : 0)
      return (used...names.count + 1).contains(FieldScanner(line, separator: separator).totalCount)
    }

    /// Returns the header combined with the next line, or `nil` if that line has no axes or units.
    func extended(by line: UnsafeRawBufferPointer, _ dialect: CSVDialect?) -> Candidate? {
      guard lineCount < CSVHeader.maximumHeaderLineCount, isRow(line),
        !CSVHeader.areNumbers(line, separator).contains(true),
        let joined = CSVHeader.joined(names.map(\.text), CSVHeader.texts(line, separator))
      else { return nil }
      var longer = Candidate(joined, separator, dialect, self.line)
      (longer.lineCount, longer.lineNames) = (lineCount + 1, lineNames)
      return longer.score > score || longer.score == score && longer.units > units ? longer : nil
    }
  }

  private static func texts(_ line: UnsafeRawBufferPointer, _ separator: FieldSeparator) -> [String] {
    var scanner = FieldScanner(line, separator: separator)
    var texts: [String] = []
    var isOpen = false
    while let text = scanner.nextText() {
      // A unit in brackets may contain a comma.
      if isOpen { texts[texts.count - 1] += ", " + text } else { texts.append(text) }
      let whole = texts[texts.count - 1]
      isOpen =
        separator == .comma && whole.utf8.count <= 200
        && [(0x28, 0x29), (0x5B, 0x5D)].contains { open, close in
          whole.utf8.count { $0 == open } > whole.utf8.count { $0 == close }
        }
    }
    return texts
  }

  /// Returns the names from two consecutive lines: a sensor and its axes, or a name and its unit. Returns `nil` if the
  /// lines' numbers of fields differ.
  private static func joined(_ upper: [String], _ lower: [String]) -> [String]? {
    guard upper.count >= 2, abs(upper.count - lower.count) <= 1 else { return nil }
    var last = ""
    return (0..<max(upper.count, lower.count)).map { index in
      var (above, below) = (index < upper.count ? upper[index] : "", index < lower.count ? lower[index] : "")
      if above.isEmpty, ["x", "y", "z", "w"].contains(below.lowercased()) { above = last }
      if !above.isEmpty { last = above }
      let bare = below.trimmingUnit
      if bare.isEmpty || above.isEmpty { return above.isEmpty ? below : above }
      let (name, unit) = ColumnName.splitUnit(above[...])
      // `g` and `s` are units, `x` is an axis.
      if ColumnName.isUnit(bare) { return unit == nil ? "\(above) (\(bare))" : above }
      let (axis, axisUnit) = ColumnName.splitUnit(below[...])
      return "\(name) \(axis)" + ((axisUnit ?? unit).map { " (\($0))" } ?? "")
    }
  }

  /// Treats three axes without a sensor's name as unknown, instead of as an incomplete quaternion.
  private static func dropIncompleteQuaternion(_ names: inout [ColumnName]) {
    let places = names.indices.filter { names[$0].meaning?.quantity == .quaternion }
    guard !places.isEmpty, !places.contains(where: { names[$0].meaning?.axis == 3 }),
      !places.contains(where: { names[$0].text.lowercased().contains("q") })
    else { return }
    for index in places { names[index] = ColumnName(unknown: names[index].text) }
  }

  /// Names the axes of three columns if the first names a sensor and the next two are called 1 and 2, as extractors of
  /// camera telemetry write them: `Accelerometer [m/s2]`, `1`, `2`.
  private static func nameAxes(of names: inout [ColumnName], _ dialect: CSVDialect?) {
    for index in names.indices.dropLast(2) where names[index + 1].text == "1" && names[index + 2].text == "2" {
      let (body, unit) = ColumnName.splitUnit(names[index].text[...])
      let axes = ["x", "y", "z"].map { axis in "\(body) \(axis)" + (unit.map { " (\($0))" } ?? "") }
      guard axes.allSatisfy({ ColumnName($0).meaning != nil }) else { continue }
      for (axis, name) in axes.enumerated() { names[index + axis] = ColumnName(name, dialect: dialect) }
    }
  }

  /// Returns the separator that splits a row into the given number of fields, else the one that yields the most fields.
  private static func separator(of row: [UInt8], count: Int) -> FieldSeparator {
    row.withUnsafeBytes { line in
      let counts = FieldSeparator.allCases.map { separator in
        (separator, FieldScanner(line, separator: separator).totalCount)
      }
      return counts.first { $0.1 == count }?.0 ?? counts.max { $0.1 < $1.1 }!.0
    }
  }
}

extension String {
  /// The text without enclosing brackets.
  fileprivate var trimmingUnit: String {
    guard let first, let last, first == "(" && last == ")" || first == "[" && last == "]" else { return self }
    return String(dropFirst().dropLast())
  }
}
