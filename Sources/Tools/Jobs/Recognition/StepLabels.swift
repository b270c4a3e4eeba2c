internal import InertialEssentials
internal import InertialSystem

/// True step counts of recordings, from a CSV file.
///
/// The file has either the column steps, with the true count of the segment between the columns start and end, or of
/// the whole recording if these are absent or empty; or the column time, with one line per step. For several
/// recordings, the column recording has the name of a recording's file or folder, with or without the extension. Times
/// are seconds on the recording's clock.
package struct StepLabels: Sendable {
  /// A segment of a recording with its number of steps.
  package struct Segment: Sendable, Equatable {
    /// The start in seconds, or `nil` for the start of the recording.
    package var start: Double?
    package var end: Double?
    package var steps: Int
  }

  /// The segments by recording, with the key "" if the file has no such column.
  private var stretches: [String: [Segment]] = [:]
  /// The times of the steps by recording, if the file has them.
  private var times: [String: [Double]] = [:]
  /// Whether the file has the column recording.
  package private(set) var namesRecordings = false

  package init(path: String) throws(FusionError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .badData("\(path): the file cannot be read; use a CSV file with the column steps, or time")
    }
    let lines = String(decoding: data, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let names = Self.fields(lines.first ?? "").map { $0.lowercased() }
    let (steps, time) = (names.firstIndex(of: "steps"), names.firstIndex(of: "time"))
    guard steps != nil || time != nil else {
      throw .badData(
        "\(path):1: no column steps with true counts, or time of each step (found: \(names.joined(separator: ", "))); add one"
      )
    }
    let (recording, start, end) = (
      names.firstIndex(of: "recording"), names.firstIndex(of: "start"), names.firstIndex(of: "end")
    )
    namesRecordings = recording != nil
    for (index, line) in lines.enumerated().dropFirst() where !line.allSatisfy(\.isWhitespace) {
      let row = Row(path: path, line: index + 1, fields: Self.fields(line))
      guard row.fields.count == names.count else {
        throw .badData(
          "\(path):\(index + 1): \(row.fields.count) fields instead of \(names.count); fix or remove the line")
      }
      let key = recording.map { row.fields[$0] } ?? ""
      guard let steps else {
        guard let moment = try row.number(time!) else { throw row.wrong(time!) }
        times[key, default: []].append(moment)
        // All steps of a recording form one segment.
        stretches[key, default: [Segment(steps: 0)]][0].steps += 1
        continue
      }
      guard let count = Int(row.fields[steps]), count >= 0 else { throw row.wrong(steps) }
      let stretch = Segment(
        start: try start.flatMap { (column) throws(FusionError) in try row.number(column) },
        end: try end.flatMap { (column) throws(FusionError) in try row.number(column) }, steps: count)
      guard stretch.end ?? .infinity >= stretch.start ?? -.infinity else {
        throw .badData("\(path):\(index + 1): the segment ends before it starts; fix or remove the line")
      }
      stretches[key, default: []].append(stretch)
    }
  }

  private struct Row {
    var path: String
    var line: Int
    var fields: [String]

    /// Returns the number in a column, or `nil` for an empty field.
    func number(_ column: Int) throws(FusionError) -> Double? {
      guard !fields[column].isEmpty else { return nil }
      guard let value = Double(fields[column]), value.isFinite else { throw wrong(column) }
      return value
    }

    func wrong(_ column: Int) -> FusionError {
      .badData(
        "\(path):\(line):\(column + 1): \"\(fields[column])\" is not a number; fix or remove the line")
    }
  }

  /// Returns the true counts of a recording; empty if the file does not list any.
  package func stretches(of input: String) -> [Segment] { find(input, in: stretches) ?? [] }

  /// Returns the times of a recording's steps in file order, in seconds, or `nil` if only their count is known.
  package func times(of input: String) -> [Double]? { find(input, in: times) }

  private func find<Value>(_ input: String, in known: [String: Value]) -> Value? {
    guard namesRecordings else { return known[""] }
    let parts = input.split(separator: "/").map(String.init)
    let name = parts.last ?? input
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    // A log inside a recording's folder belongs to that recording.
    let folder = parts.count > 1 ? parts[parts.count - 2] : ""
    return [name, stem, folder].lazy.compactMap { known[$0] }.first
  }

  private static func fields(_ line: Substring) -> [String] {
    line.split(separator: ",", omittingEmptySubsequences: false).map {
      String($0).trimmed { " \t\u{FEFF}\"".contains($0) }
    }
  }
}
