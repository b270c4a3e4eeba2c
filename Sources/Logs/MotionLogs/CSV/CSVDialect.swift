internal import InertialSensors

/// A manufacturer's variant of CSV: the meaning of its column names, and the facts that its headers omit.
///
/// A dialect is created for one file, after its first lines have been examined.
struct CSVDialect: Sendable {
  /// The identifier of the `LogFormat`.
  var id: String
  var summary: String
  /// The function that maps a column's name to its meaning, or to `nil` if the column is not read.
  var meaning: @Sendable (String) -> ColumnMeaning? = { ColumnName($0).meaning }
  /// The manufacturer's sign convention for acceleration, or `nil` if the names specify it.
  var accelerationSign: LogOptions.AccelerationSign?
  /// Whether all values come from Core Motion's device motion, regardless of the column names.
  var isDeviceMotion = false
  /// The channel of a quaternion that is a file's only quantity.
  var loneAttitude = SensorChannel.referenceAttitude
  /// The reference frame of the attitudes, as in `LogDescription.referenceFrame`.
  var referenceFrame: String?
  /// The counter that replaces a clock.
  var ticks: CSVLayout.Ticks?
  /// Whether a clock with an epoch common to all files of a folder is preferred.
  var prefersSharedClock = false
  /// The rate that the file declares, in Hz.
  var declaredRate: Double?
  /// The remedy for an error about missing times.
  var clockRemedy: String?
  /// The findings from examining the file, one sentence each.
  var notes: [String] = []
}

/// The table at the beginning of a file: the header's names, the lines before it and the first rows after it.
struct HeadTable {
  var names: [String]
  var separator: FieldSeparator
  /// The lines before the header.
  var preamble: [String]
  /// The fields of the first rows. Incomplete lines are excluded.
  var rows: [[String]]

  private static let keptRows = 64

  /// Finds the first header that `isHeader` accepts among the first lines of a file, or returns `nil` if there is no
  /// such line.
  init?(_ candidate: LogCandidate, searchedLines: Int = 64, isHeader: ([String]) -> Bool) {
    guard candidate.folder == nil, !candidate.head.isEmpty else { return nil }
    let lines = LineScanner(bytes: candidate.head, name: candidate.path)
    var preamble: [String] = []
    while preamble.count < searchedLines, let line = (try? lines.next()) ?? nil {
      for separator in Self.beginsWithNumber(line) ? [] : [FieldSeparator.comma, .tab, .semicolon] {
        var names = Self.fields(line, separator)
        while names.last?.isEmpty == true { names.removeLast() }
        guard isHeader(names) else { continue }
        self.names = names
        self.separator = separator
        self.preamble = preamble
        rows = Self.rows(lines, separator, candidate)
        return
      }
      preamble.append(String(decoding: line, as: UTF8.self))
    }
    return nil
  }

  /// Reads the first rows of a file without a header. Returns `nil` without rows or if their numbers of fields differ.
  init?(headless candidate: LogCandidate, separator: FieldSeparator = .comma) {
    guard candidate.folder == nil, !candidate.head.isEmpty else { return nil }
    names = []
    preamble = []
    self.separator = separator
    rows = Self.rows(LineScanner(bytes: candidate.head, name: candidate.path), separator, candidate)
    guard let first = rows.first, rows.allSatisfy({ $0.count == first.count }) else { return nil }
  }

  /// Whether a line begins like a row. Such lines cannot be headers, and splitting all rows of a head is slow.
  private static func beginsWithNumber(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let first = line.first else { return false }
    return (0x30...0x39).contains(first) || first == 0x2D || first == 0x2E
  }

  private static func rows(_ lines: LineScanner, _ separator: FieldSeparator, _ candidate: LogCandidate) -> [[String]] {
    let isWhole = candidate.head.count < LogCandidate.headSize
    var rows: [[String]] = []
    while rows.count < keptRows, let line = (try? lines.next()) ?? nil {
      if line.isEmpty || line.first == 0x23 { continue }
      let row = fields(line, separator)
      // The head of a long file ends within a line.
      if lines.isUnterminated, !isWhole { break }
      rows.append(row)
    }
    return rows
  }

  /// Returns the first fields of a line, as a line of a binary file may have any number of them.
  private static func fields(_ line: UnsafeRawBufferPointer, _ separator: FieldSeparator) -> [String] {
    FieldScanner.texts(line, separator, limit: 512)
  }

  /// Returns the index of a column by its name, ignoring case, or `nil` if it is missing.
  func column(_ name: String) -> Int? {
    names.firstIndex { $0.count == name.count && $0.lowercased() == name.lowercased() }
  }

  /// Returns a column's numbers in the first rows, with NaN for a field that is not a number.
  func numbers(_ column: Int) -> [Double] {
    rows.map { column < $0.count ? Double($0[column]) ?? .nan : .nan }
  }
}
