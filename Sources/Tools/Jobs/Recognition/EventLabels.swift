internal import InertialEssentials
package import InertialEvaluation
internal import InertialSystem

/// Labels from a CSV file with the columns start, end and label; also recording if there are several, and optionally
/// person.
///
/// Times are seconds on the recording's clock; `start_s` and `end_s` are accepted as column names. A recording is named
/// by its file or folder, with or without the extension. Other columns are ignored.
package struct EventLabels: Sendable {
  /// The labelled segments by recording, with the key "" if the file has no such column.
  private var stretches: [String: [LabelledSegment]] = [:]
  /// The participants by recording, if the file has the column person.
  private var persons: [String: String] = [:]
  /// Whether the file has the column recording.
  package private(set) var namesRecordings = false

  package init(path: String) throws(FusionError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .badData("\(path): the file cannot be read; use a CSV file with the columns start, end and label")
    }
    let lines = String(decoding: data, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let names = Self.fields(lines.first ?? "").map { $0.lowercased() }
    func column(_ wanted: [String]) -> Int? { names.firstIndex { wanted.contains($0) } }
    guard let start = column(["start", "start_s"]), let end = column(["end", "end_s"]), let label = column(["label"])
    else {
      throw .badData("\(path):1: no columns start, end and label (found: \(names.joined(separator: ", "))); add them")
    }
    let recording = column(["recording"])
    let person = column(["person"])
    namesRecordings = recording != nil
    for (index, line) in lines.enumerated().dropFirst() where !line.allSatisfy(\.isWhitespace) {
      let fields = Self.fields(line)
      guard fields.count == names.count else {
        throw .badData(
          "\(path):\(index + 1): \(fields.count) fields instead of \(names.count); fix or remove the line")
      }
      func time(_ column: Int) throws(FusionError) -> Double {
        guard let value = Double(fields[column]), value.isFinite else {
          throw .badData(
            "\(path):\(index + 1):\(column + 1): \"\(fields[column])\" is not a number; fix or remove the line")
        }
        return value
      }
      let stretch = LabelledSegment(start: try time(start), end: try time(end), label: fields[label].lowercased())
      guard stretch.end >= stretch.start else {
        throw .badData("\(path):\(index + 1): the segment ends before it starts; fix or remove the line")
      }
      let name = recording.map { fields[$0] } ?? ""
      stretches[name, default: []].append(stretch)
      if let person, !fields[person].isEmpty { persons[name] = fields[person] }
    }
  }

  /// Returns the labels of a recording; empty if the file does not list any.
  package func stretches(of input: String) -> [LabelledSegment] {
    guard namesRecordings else { return stretches[""] ?? [] }
    let (name, stem) = Self.names(of: input)
    return (stretches[name] ?? []) + (stem == name ? [] : stretches[stem] ?? [])
  }

  /// Returns the participant of a recording, or `nil` if the file does not specify one.
  package func person(of input: String) -> String? {
    guard namesRecordings else { return persons[""] }
    let (name, stem) = Self.names(of: input)
    return persons[name] ?? persons[stem]
  }

  /// Returns the name of a recording's file or folder, with and without the extension.
  private static func names(of input: String) -> (name: String, stem: String) {
    let name = input.split(separator: "/").last.map(String.init) ?? input
    return (name, name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name)
  }

  private static func fields(_ line: Substring) -> [String] {
    line.split(separator: ",", omittingEmptySubsequences: false).map {
      String($0).trimmed { " \t\u{FEFF}\"".contains($0) }
    }
  }
}
