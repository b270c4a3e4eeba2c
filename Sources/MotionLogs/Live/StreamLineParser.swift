internal import Sensors

/// Makes samples of the lines of a stream: rows of a CSV, with or without a header, and JSON objects.
///
/// Each line is told by itself, so a sender may start anew. A row whose columns nobody named has those of the canonical
/// CSV, in its order: the time and one, two or three sensors.
struct StreamLineParser {
  /// As messages name the stream.
  let name: String
  private var options: LogOptions
  private var header: [UInt8]?
  private var rows: CSVLogReader?
  private var objects: JSONLineParser

  private static let canonicalColumns =
    ["time"] + ["acceleration", "rotationRate", "magneticField"].flatMap { name in ["X", "Y", "Z"].map { name + $0 } }

  init(name: String, options: LogOptions) {
    self.name = name
    self.options = options
    objects = JSONLineParser(name: name, auxiliary: options.auxiliary)
  }

  /// Appends the samples of a line; a header and a blank line have none.
  mutating func parse(
    _ line: UnsafeRawBufferPointer, number: Int, into motion: inout [SensorSample],
    auxiliary: inout [AuxiliarySample]
  ) throws(LogError) {
    guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
    if first == 0x7B {
      try objects.parse(line, number: number, into: &motion, auxiliary: &auxiliary)
    } else {
      try parseRow(line, number: number, into: &motion)
      rows?.takeAuxiliary(into: &auxiliary)
    }
  }

  private mutating func parseRow(
    _ line: UnsafeRawBufferPointer, number: Int, into motion: inout [SensorSample]
  ) throws(LogError) {
    if Self.isHeader(line) {
      // The same header again comes from a sender that has started anew; its clock goes on.
      guard header.map({ $0.elementsEqual(line) }) != true else { return }
      guard options.columns != nil || Self.hasKnownNames(line) else {
        throw LogError(
          path: name, line: number, problem: "is neither a row nor a header whose names are known",
          remedy:
            "send a header such as \(Self.canonicalColumns.prefix(4).joined(separator: ",")), rows, or JSON objects")
      }
      header = Array(line)
      rows = nil
      return
    }
    let start = motion.count
    if rows == nil {
      try begin(line, number: number, into: &motion)
    } else {
      try rows?.take(line: line, number: number, into: &motion)
    }
    for index in start..<motion.count { motion[index].line = UInt32(truncatingIfNeeded: number) }
  }

  /// Settles by the first row what the columns are.
  private mutating func begin(
    _ line: UnsafeRawBufferPointer, number: Int, into motion: inout [SensorSample]
  ) throws(LogError) {
    var options = options
    if header == nil, options.columns == nil { options.columns = try columns(of: line, number: number) }
    let text = (header.map { $0 + [0x0A] } ?? []) + Array(line)
    do throws(LogError) {
      var reader = try CSVLogReader(scanner: LineScanner(bytes: text, name: name), path: name, options: options)
      _ = try reader.read(into: &motion)
      rows = reader
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
        path: name, line: number, problem: "a row without a header, and not of the canonical columns",
        remedy: "send a header first, rows of \(Self.canonicalColumns.joined(separator: ",")), or JSON objects")
    }
    return Array(Self.canonicalColumns.prefix(count))
  }

  /// Whether a header has two names that are understood; a stray line of text has none.
  private static func hasKnownNames(_ line: UnsafeRawBufferPointer) -> Bool {
    FieldSeparator.allCases.contains { separator in
      var fields = FieldScanner(line, separator: separator)
      var count = 0
      while let text = fields.nextText() { if ColumnName(text).meaning != nil { count += 1 } }
      return count >= 2
    }
  }

  /// Whether a line begins with a word that is no number, whatever stands between its fields.
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
