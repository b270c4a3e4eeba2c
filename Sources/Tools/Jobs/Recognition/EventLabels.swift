package import InertialEvaluation

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
  private var namesRecordings = false

  package init(path: String) throws(FusionError) {
    let table = try LabelTable(path: path, wanted: "columns start, end and label")
    func column(_ wanted: String...) -> Int? { table.names.firstIndex { wanted.contains($0) } }
    guard let start = column("start", "start_s"), let end = column("end", "end_s"), let label = column("label") else {
      throw .badData(
        "\(path):1: no columns start, end and label (found: \(table.names.joined(separator: ", "))); add them")
    }
    let person = column("person")
    namesRecordings = table.recording != nil
    for line in table.lines {
      let fields = try table.fields(of: line)
      func time(_ column: Int) throws(FusionError) -> Double {
        try table.number(fields[column], line: line.number, column: column)
      }
      let stretch = LabelledSegment(start: try time(start), end: try time(end), label: fields[label].lowercased())
      try table.checkOrder(stretch.start, stretch.end, line: line.number)
      let name = table.recording.map { fields[$0] } ?? ""
      stretches[name, default: []].append(stretch)
      if let person, !fields[person].isEmpty { persons[name] = fields[person] }
    }
  }

  /// - Throws: ``FusionError`` if the labels of several recordings do not name the recordings, or name none of these.
  func check(_ inputs: [String]) throws(FusionError) {
    guard namesRecordings || inputs.count == 1 else {
      throw .usage(
        "labels of several recordings need the column recording, with the name of the file or folder of each")
    }
    guard namesRecordings, !stretches.isEmpty, inputs.allSatisfy({ stretches(of: $0).isEmpty }) else { return }
    let known = stretches.keys.sorted().prefix(3).joined(separator: ", ")
    let logs = inputs.prefix(3).map { LabelTable.names(of: $0).stem }.joined(separator: ", ")
    throw .usage(
      "the labels are of other recordings (\(known)) than the logs (\(logs)); "
        + "write the names of the logs into the column recording")
  }

  /// Returns the labels of a recording; empty if the file does not list any.
  package func stretches(of input: String) -> [LabelledSegment] {
    guard namesRecordings else { return stretches[""] ?? [] }
    let (name, stem) = LabelTable.names(of: input)
    return (stretches[name] ?? []) + (stem == name ? [] : stretches[stem] ?? [])
  }

  /// Returns the participant of a recording, or `nil` if the file does not specify one.
  package func person(of input: String) -> String? {
    guard namesRecordings else { return persons[""] }
    let (name, stem) = LabelTable.names(of: input)
    return persons[name] ?? persons[stem]
  }
}
