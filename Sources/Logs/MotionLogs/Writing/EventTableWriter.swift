package import InertialSensors

/// Writes events (scans, annotations, tags) as CSV: `time,channel`, and a column for each number and text of the
/// channels, empty where an event has none of it. Texts are quoted as RFC 4180 has it.
///
/// The file appears with `close`, whole; a writer that is dropped without it leaves nothing.
package final class EventTableWriter {
  /// Events written so far.
  package private(set) var count = 0

  private let file: AtomicFile
  private let channels: [AuxiliaryChannel]
  /// The first number column of each channel, counted behind `time,channel`, and the first of its texts.
  private var places: [AuxiliaryChannel: Int] = [:]
  private var columnCount = 0
  private var text = ""

  /// Begins a file ("-" is standard output) for events of these channels; an existing one is an error unless `force`.
  package init(path: String, channels: Set<AuxiliaryChannel>, force: Bool = false) throws(OutputError) {
    self.channels = channels.sorted()
    file = try AtomicFile(path: path, force: force)
    var names = ["time", "channel"]
    for channel in self.channels {
      places[channel] = columnCount
      let own = channel.fields.map(\.name) + channel.textFields
      columnCount += own.count
      names += own
    }
    text = names.joined(separator: ",") + "\n"
  }

  /// Appends an event; one of another channel is left out.
  package func append(_ sample: AuxiliarySample) throws(OutputError) {
    guard let place = places[sample.channel] else { return }
    var fields = Array(repeating: "", count: columnCount)
    for (index, value) in sample.values.enumerated() where !value.isNaN { fields[place + index] = "\(value)" }
    for (index, value) in sample.texts.enumerated() {
      fields[place + sample.values.count + index] = Self.quoted(value)
    }
    text += "\(sample.time),\(sample.channel.name),\(fields.joined(separator: ","))\n"
    count += 1
    if text.utf8.count > 1 << 16 { try flush() }
  }

  /// Writes all that remains, so that `close` has but to name the file. Nothing can be appended after it.
  package func finish() throws(OutputError) {
    try flush()
    try file.prepare()
  }

  /// Writes the rest and puts the file in its place. Nothing can be appended after it.
  package func close() throws(OutputError) {
    try finish()
    try file.commit()
  }

  private func flush() throws(OutputError) {
    try file.write(text)
    text = ""
  }

  /// A field as it is, or in quotes where it has a separator, a quote, a line end, or a blank at an end.
  private static func quoted(_ text: String) -> String {
    let needs = text.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
    guard needs || text.first == " " || text.last == " " else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
