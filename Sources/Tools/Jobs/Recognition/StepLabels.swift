/// True step counts of recordings, from a CSV file.
///
/// The file has either the column steps, with the true count of the segment between the columns start and end, or of
/// the whole recording if these are absent or empty; or the column time, with one line per step. For several
/// recordings, the column recording has the name of a recording's file or folder, with or without the extension. Times
/// are seconds on the recording's clock.
package struct StepLabels: Sendable {
  /// A segment with its number of steps. The start and the end are in seconds, or `nil` for those of the recording.
  package typealias Segment = (start: Double?, end: Double?, steps: Int)

  /// The segments by recording, with the key "" if the file has no such column.
  private var stretches: [String: [Segment]] = [:]
  /// The times of the steps by recording, if the file has them.
  private var times: [String: [Double]] = [:]
  /// Whether the file has the column recording.
  package private(set) var namesRecordings = false

  package init(path: String) throws(FusionError) {
    let table = try LabelTable(path: path, wanted: "column steps, or time")
    let names = table.names
    let (steps, time) = (names.firstIndex(of: "steps"), names.firstIndex(of: "time"))
    guard let counts = steps ?? time else {
      throw .badData(
        "\(path):1: no column steps with true counts, or time of each step (found: \(names.joined(separator: ", "))); add one"
      )
    }
    let (start, end) = (names.firstIndex(of: "start"), names.firstIndex(of: "end"))
    namesRecordings = table.recording != nil
    for line in table.lines {
      let fields = try table.fields(of: line)
      let key = table.recording.map { fields[$0] } ?? ""
      guard steps != nil else {
        times[key, default: []].append(try table.number(fields[counts], line: line.number, column: counts))
        // All steps of a recording form one segment.
        stretches[key, default: [(nil, nil, 0)]][0].steps += 1
        continue
      }
      guard let count = Int(fields[counts]), count >= 0 else {
        throw table.notANumber(fields[counts], line: line.number, column: counts)
      }
      func limit(_ column: Int?) throws(FusionError) -> Double? {
        guard let column, !fields[column].isEmpty else { return nil }
        return try table.number(fields[column], line: line.number, column: column)
      }
      let stretch = (start: try limit(start), end: try limit(end), steps: count)
      try table.checkOrder(stretch.start ?? -.infinity, stretch.end ?? .infinity, line: line.number)
      stretches[key, default: []].append(stretch)
    }
  }

  /// Returns the true counts of a recording; empty if the file does not list any.
  package func stretches(of input: String) -> [Segment] { find(input, in: stretches) ?? [] }

  /// Returns the times of a recording's steps in file order, in seconds, or `nil` if only their count is known.
  package func times(of input: String) -> [Double]? { find(input, in: times) }

  private func find<Value>(_ input: String, in known: [String: Value]) -> Value? {
    guard namesRecordings else { return known[""] }
    let (name, stem) = LabelTable.names(of: input)
    // A log inside a recording's folder belongs to that recording.
    let folder = input.split(separator: "/").dropLast().last.map(String.init) ?? ""
    return [name, stem, folder].lazy.compactMap { known[$0] }.first
  }
}
