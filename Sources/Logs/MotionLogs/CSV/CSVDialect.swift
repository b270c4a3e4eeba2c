internal import InertialSensors

/// A maker's kind of CSV: what its column names mean, and what its headers leave out.
///
/// A dialect is made for one file, after a look at its beginning.
struct CSVDialect: Sendable {
  /// The `LogFormat`'s identifier.
  var id: String
  var summary: String
  /// What a column holds, by its name; nil where it is not read.
  var meaning: @Sendable (String) -> ColumnMeaning? = { ColumnName($0).meaning }
  /// How the maker writes acceleration; nil where the names tell.
  var accelerationSign: LogOptions.AccelerationSign?
  /// Whether everything comes from Core Motion's device motion, whatever the columns are called.
  var isDeviceMotion = false
  /// The channel of a quaternion that stands alone in a file.
  var loneAttitude = SensorChannel.referenceAttitude
  /// The frame of the attitudes, as in `LogDescription.referenceFrame`.
  var referenceFrame: String?
  /// A counter in place of a clock.
  var ticks: CSVLayout.Ticks?
  /// Whether a clock with an epoch common to all files of a folder is preferred.
  var prefersSharedClock = false
  /// The rate that the file declares, in Hz.
  var declaredRate: Double?
  /// What the user can do where the file has no times.
  var clockRemedy: String?
  /// What was found on looking at the file, one sentence each.
  var notes: [String] = []
}

/// The table at the beginning of a file: the header's names, and what stands before and behind it.
struct HeadTable {
  var names: [String]
  var separator: FieldSeparator
  /// The lines before the header.
  var preamble: [String]
  /// The first rows, field by field; whole lines only.
  var rows: [[String]]

  private static let keptRows = 64

  /// Looks for the header that `isHeader` knows among the first lines of a file; nil where there is none.
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

  /// The first rows of a file without a header; nil where it has none, or they differ in their number of fields.
  init?(headless candidate: LogCandidate, separator: FieldSeparator = .comma) {
    guard candidate.folder == nil, !candidate.head.isEmpty else { return nil }
    names = []
    preamble = []
    self.separator = separator
    rows = Self.rows(LineScanner(bytes: candidate.head, name: candidate.path), separator, candidate)
    guard let first = rows.first, rows.allSatisfy({ $0.count == first.count }) else { return nil }
  }

  /// A row's beginning. A header's is not, and to take every row of a head apart costs more than all else.
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

  private static func fields(_ line: UnsafeRawBufferPointer, _ separator: FieldSeparator) -> [String] {
    var scanner = FieldScanner(line, separator: separator)
    var fields: [String] = []
    while fields.count < 512, let text = scanner.nextText() { fields.append(text) }
    return fields
  }

  /// The place of a name, whatever its capitals; nil where it is not there.
  func column(_ name: String) -> Int? {
    names.firstIndex { $0.count == name.count && $0.lowercased() == name.lowercased() }
  }

  /// The numbers of a column's first rows; NaN where there is none.
  func numbers(_ column: Int) -> [Double] {
    rows.map { column < $0.count ? Double($0[column]) ?? .nan : .nan }
  }
}
