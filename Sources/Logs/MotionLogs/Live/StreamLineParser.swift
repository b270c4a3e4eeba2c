internal import InertialSensors

/// Parses samples from the lines of a stream: rows of a CSV, with or without a header, and JSON objects.
///
/// Each line is parsed independently, so that a sender may restart. A row without a header has the columns of the
/// canonical CSV, in its order: the time and one, two or three sensors. If the rows after a header do not match it, for
/// example after a line was cut off, the header is refused and the previous columns apply again.
struct StreamLineParser {
  /// A header, and the reader of the rows after its first row.
  private struct Columns {
    var header: [UInt8]?
    var line = 0
    var rows: CSVLogReader?

    /// Reads a row with the existing reader. Returns `false` without a reader.
    mutating func take(
      _ line: UnsafeRawBufferPointer, number: Int, into motion: inout [SensorSample]
    ) throws(LogError) -> Bool {
      try rows?.take(line: line, number: number, into: &motion) != nil
    }
  }

  /// The name of the stream in messages.
  let name: String
  private var options: LogOptions
  private var columns = Columns()
  /// The columns before the current header, until a row matches that header.
  private var former: Columns?
  private var refused: LogError?
  private var objects: JSONLineParser

  private static let canonicalColumns =
    ["time"] + ["acceleration", "rotationRate", "magneticField"].flatMap { name in ["X", "Y", "Z"].map { name + $0 } }

  init(name: String, options: LogOptions) {
    self.name = name
    self.options = options
    objects = JSONLineParser(name: name, auxiliary: options.auxiliary)
  }

  /// The channels of the current rows, or `nil` if unknown.
  var sensors: Set<SensorChannel>? { columns.rows?.description.sensors }
  /// The line of the current header, or 0 without one.
  var headerLine: Int { columns.line }
  /// The properties that were inferred from the current header, or `nil` before its first row.
  var notes: [String]? { columns.rows?.description.notes }

  /// Appends the samples of a line; headers and blank lines have no samples.
  mutating func parse(
    _ line: UnsafeRawBufferPointer, number: Int, into motion: inout [SensorSample],
    auxiliary: inout [AuxiliarySample]
  ) throws(LogError) {
    if number == 1, [[0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF]].contains(where: line.starts) {
      throw LogError(
        path: name, line: number, problem: "is text in UTF-16 or UTF-32, and streams are read in UTF-8",
        remedy: "send UTF-8, as by iconv -f UTF-16 -t UTF-8")
    }
    guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
    if first == 0x7B {
      try objects.parse(line, number: number, into: &motion, auxiliary: &auxiliary)
    } else {
      try parseRow(line, number: number, into: &motion)
      columns.rows?.takeAuxiliary(into: &auxiliary)
    }
  }

  /// Returns the error of a header that the last parsed line did not match, or `nil` if the line matched.
  mutating func takeRefusedHeader() -> LogError? {
    defer { refused = nil }
    return refused
  }

  private mutating func parseRow(
    _ line: UnsafeRawBufferPointer, number: Int, into motion: inout [SensorSample]
  ) throws(LogError) {
    if Self.isHeader(line) {
      // A sender that restarted repeats its header; its clock continues.
      guard columns.header.map({ $0.elementsEqual(line) }) != true else { return }
      if let former, former.header.map({ $0.elementsEqual(line) }) == true {
        refuse()
        return
      }
      guard options.columns != nil || Self.hasKnownNames(line) else {
        throw LogError(
          path: name, line: number, problem: "is neither a row nor a header with known names",
          remedy:
            "send a header such as \(Self.canonicalColumns.prefix(4).joined(separator: ",")), rows, or JSON objects")
      }
      // After several headers in a row, the fallback is the last header that rows matched.
      if columns.rows != nil || columns.header != nil && former == nil { former = columns }
      columns = Columns(header: Array(line), line: number)
      return
    }
    let start = motion.count
    do throws(LogError) {
      // Without the parser as an argument, which would be copied with its readers for each row.
      if try !columns.take(line, number: number, into: &motion) {
        columns.rows = try reader(columns.header, line, number: number, into: &motion)
        former = nil
      }
    } catch {
      // Falls back to the columns before a header that this row does not match.
      guard columns.rows == nil, var known = former else { throw error }
      motion.removeSubrange(start...)
      if try !known.take(line, number: number, into: &motion) {
        known.rows = try reader(known.header, line, number: number, into: &motion)
      }
      refuse(error)
      columns = known
    }
    for index in start..<motion.count { motion[index].line = UInt32(truncatingIfNeeded: number) }
  }

  /// Refuses the current header.
  private mutating func refuse(_ reason: LogError? = nil) {
    refused = LogError(
      path: name, line: columns.line,
      problem: "the header does not fit the rows after it" + (reason.map { " (\($0.problem))" } ?? ""),
      remedy: "send a header of the rows' columns")
    if let former { columns = former }
    former = nil
  }

  /// Returns a reader that has read the first row and derived its columns from it.
  private func reader(
    _ header: [UInt8]?, _ line: UnsafeRawBufferPointer, number: Int, into motion: inout [SensorSample]
  ) throws(LogError) -> CSVLogReader {
    var options = options
    if header == nil, options.columns == nil { options.columns = try columns(of: line, number: number) }
    let text = (header.map { $0 + [0x0A] } ?? []) + Array(line)
    do throws(LogError) {
      var reader = try CSVLogReader(scanner: LineScanner(bytes: text, name: name), path: name, options: options)
      _ = try reader.read(into: &motion)
      return reader
    } catch {
      var error = error
      error.line = number
      throw error
    }
  }

  private func columns(of line: UnsafeRawBufferPointer, number: Int) throws(LogError) -> [String] {
    let counts = FieldSeparator.allCases.map { FieldScanner(line, separator: $0).totalCount }
    guard let count = [10, 7, 4].first(where: counts.contains) else {
      throw LogError(
        path: name, line: number, problem: "the row has neither a header nor the canonical columns",
        remedy: "send a header first, rows of \(Self.canonicalColumns.joined(separator: ",")), or JSON objects")
    }
    return Array(Self.canonicalColumns.prefix(count))
  }

  /// Whether a header has at least two known names, unlike a stray line of text.
  private static func hasKnownNames(_ line: UnsafeRawBufferPointer) -> Bool {
    FieldSeparator.allCases.contains { separator in
      var fields = FieldScanner(line, separator: separator)
      var count = 0
      while let text = fields.nextText() { if ColumnName(text).meaning != nil { count += 1 } }
      return count >= 2
    }
  }

  /// Whether a line begins with a word that is not a number, regardless of the separator.
  private static func isHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x22 }) else { return false }
    let isLetter = (0x41...0x5A).contains(first & 0xDF) || first == 0x23
    guard isLetter else { return false }
    return FieldSeparator.allCases.allSatisfy { separator in
      var fields = FieldScanner(line, separator: separator)
      return fields.nextNumber() == .text
    }
  }
}
