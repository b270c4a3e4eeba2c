package import InertialSensors

/// Writes events (scans, annotations, tags) as CSV: `time,channel`, and a column per number and text of the channels,
/// empty if an event lacks it. Texts are quoted according to RFC 4180.
///
/// `close` creates the complete file; without it, no file remains.
package final class EventTableWriter {
  /// The number of events written so far.
  package private(set) var count = 0

  private let file: AtomicFile
  private let channels: [AuxiliaryChannel]
  /// The index of each channel's first number column after `time,channel`; its text columns follow the numbers.
  private var places: [AuxiliaryChannel: Int] = [:]
  private var columnCount = 0
  private var text = ""

  /// Creates a file ("-" is standard output) for events of these channels; an existing file is an error unless `force`
  /// is set.
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

  /// Appends an event; events of other channels are left out.
  package func append(_ sample: AuxiliarySample) throws(OutputError) {
    guard let position = places[sample.channel] else { return }
    var fields = Array(repeating: "", count: columnCount)
    for (index, value) in sample.values.enumerated() where !value.isNaN { fields[position + index] = "\(value)" }
    for (index, value) in sample.texts.enumerated() {
      fields[position + sample.values.count + index] = Self.quoted(value)
    }
    text += "\(sample.time),\(sample.channel.name),\(fields.joined(separator: ","))\n"
    count += 1
    if text.utf8.count > 1 << 16 { try flush() }
  }

  /// Writes all remaining events, so that `close` only has to name the file. Nothing can be appended afterwards.
  package func finish() throws(OutputError) {
    try flush()
    try file.prepare()
  }

  /// Writes the remaining events and moves the file to its path. Nothing can be appended afterwards.
  package func close() throws(OutputError) {
    try finish()
    try file.commit()
  }

  private func flush() throws(OutputError) {
    try file.write(text)
    text = ""
  }

  /// Returns a field, in quotes if it contains a separator, a quote, a line end, or a leading or trailing blank.
  private static func quoted(_ text: String) -> String {
    let needs = text.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
    guard needs || text.first == " " || text.last == " " else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
