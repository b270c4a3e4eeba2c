internal import InertialEssentials
internal import InertialSystem

/// A CSV file with labels of recordings.
///
/// For several recordings, the column recording has the name of a recording's file or folder, with or without the
/// extension.
struct LabelTable {
  private let path: String
  /// The names of the columns in lower case.
  let names: [String]
  /// The lines with values; lines are numbered from 1 for the header.
  let lines: [(number: Int, text: Substring)]
  /// The column with the names of recordings, or `nil`.
  let recording: Int?

  /// Reads the header.
  ///
  /// - Parameter wanted: The columns that an unreadable file should have, for the error message.
  init(path: String, wanted: String) throws(FusionError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .badData("\(path): the file cannot be read; use a CSV file with the \(wanted)")
    }
    let lines = String(decoding: data, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    self.path = path
    names = Self.fields(lines.first ?? "").map { $0.lowercased() }
    self.lines = lines.enumerated().dropFirst().filter { !$0.element.allSatisfy(\.isWhitespace) }
      .map { ($0.offset + 1, $0.element) }
    recording = names.firstIndex(of: "recording")
  }

  /// Returns the fields of a line, as many as there are columns.
  func fields(of line: (number: Int, text: Substring)) throws(FusionError) -> [String] {
    let fields = Self.fields(line.text)
    guard fields.count == names.count else {
      throw .badData("\(path):\(line.number): \(fields.count) fields instead of \(names.count); fix or remove the line")
    }
    return fields
  }

  /// Returns the number in a field.
  func number(_ field: String, line: Int, column: Int) throws(FusionError) -> Double {
    guard let value = Double(field), value.isFinite else { throw notANumber(field, line: line, column: column) }
    return value
  }

  /// Returns the error for a field that is not the expected number.
  func notANumber(_ field: String, line: Int, column: Int) -> FusionError {
    .badData("\(path):\(line):\(column + 1): \"\(field)\" is not a number; fix or remove the line")
  }

  /// Checks the order of a segment's times in seconds.
  func checkOrder(_ start: Double, _ end: Double, line: Int) throws(FusionError) {
    guard end >= start else {
      throw .badData("\(path):\(line): the segment ends before it starts; fix or remove the line")
    }
  }

  /// Returns the name of a recording's file or folder, with and without the extension.
  static func names(of input: String) -> (name: String, stem: String) {
    let name = input.split(separator: "/").last.map(String.init) ?? input
    return (name, name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name)
  }

  private static func fields(_ line: Substring) -> [String] {
    line.split(separator: ",", omittingEmptySubsequences: false).map {
      String($0).trimmed { " \t\u{FEFF}\"".contains($0) }
    }
  }
}
