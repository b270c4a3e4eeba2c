internal import InertialEssentials
package import InertialEvaluation
internal import InertialSystem

/// Labels of recordings, from a CSV file with the columns start, end and label, and recording where there are several;
/// a column person says whose motion it is.
///
/// Times are seconds on the recording's clock; `start_s` and `end_s` are names for them too. A recording is named by its
/// file or folder, with or without what follows the last dot. Other columns are not read.
package struct EventLabels: Sendable {
  /// By recording; the key "" where the file has no such column.
  private var stretches: [String: [LabelledStretch]] = [:]
  /// By recording, where the file has the column person.
  private var persons: [String: String] = [:]
  /// Whether the file says which recording a label is of.
  package private(set) var namesRecordings = false

  package init(path: String) throws(FusionError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .badData("\(path): the file cannot be read; give a CSV file with the columns start, end and label")
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
          "\(path):\(index + 1): \(fields.count) fields instead of \(names.count); repair or remove the line")
      }
      func time(_ column: Int) throws(FusionError) -> Double {
        guard let value = Double(fields[column]), value.isFinite else {
          throw .badData(
            "\(path):\(index + 1):\(column + 1): \"\(fields[column])\" is not a number; repair or remove the line")
        }
        return value
      }
      let stretch = LabelledStretch(start: try time(start), end: try time(end), label: fields[label].lowercased())
      guard stretch.end >= stretch.start else {
        throw .badData("\(path):\(index + 1): the stretch ends before it starts; repair or remove the line")
      }
      let name = recording.map { fields[$0] } ?? ""
      stretches[name, default: []].append(stretch)
      if let person, !fields[person].isEmpty { persons[name] = fields[person] }
    }
  }

  /// The labels of a recording; none where the file has nothing about it.
  package func stretches(of input: String) -> [LabelledStretch] {
    guard namesRecordings else { return stretches[""] ?? [] }
    let (name, stem) = Self.names(of: input)
    return (stretches[name] ?? []) + (stem == name ? [] : stretches[stem] ?? [])
  }

  /// Whose motion a recording is; nil where the file does not say.
  package func person(of input: String) -> String? {
    guard namesRecordings else { return persons[""] }
    let (name, stem) = Self.names(of: input)
    return persons[name] ?? persons[stem]
  }

  /// The name of a recording's file or folder, with and without what follows the last dot.
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
