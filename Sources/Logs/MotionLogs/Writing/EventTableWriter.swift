package import InertialSensors

/// Writes events (scans, annotations, tags) as CSV, sorted by time: `time,channel`, and a column per number and text of
/// the channels, empty if an event lacks it. Texts are quoted according to RFC 4180.
///
/// Events are held in memory until `finish`. `close` creates the complete file; without it, no file remains.
package final class EventTableWriter {
  private let file: AtomicFile
  private let channels: [AuxiliaryChannel]
  /// The index of each channel's first number column after `time,channel`; its text columns follow the numbers.
  private var places: [AuxiliaryChannel: Int] = [:]
  private var columnCount = 0
  private var text = ""
  private var events: [AuxiliarySample] = []
  private var isFinished = false

  /// The number of events.
  package var count: Int { events.count }

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
  package func append(_ event: AuxiliarySample) {
    if places[event.channel] != nil { events.append(event) }
  }

  /// Writes the events, so that `close` only has to name the file. Nothing can be appended afterwards.
  ///
  /// - `time`: returns the time in the file, in seconds, of an event's time.
  package func finish(time: (Double) -> Double = { $0 }) throws(OutputError) {
    guard !isFinished else { return }
    isFinished = true
    // A total order makes the file independent of the sorting algorithm.
    let order = events.indices.sorted {
      (events[$0].time, events[$0].channel, $0) < (events[$1].time, events[$1].channel, $1)
    }
    for index in order { try write(events[index], time: time(events[index].time)) }
    try flush()
    try file.prepare()
  }

  /// Writes the remaining events and moves the file to its path. Nothing can be appended afterwards.
  package func close() throws(OutputError) {
    try finish()
    try file.commit()
  }

  private func write(_ event: AuxiliarySample, time: Double) throws(OutputError) {
    guard let position = places[event.channel] else { return }
    var fields = Array(repeating: "", count: columnCount)
    for (index, value) in event.values.enumerated() where !value.isNaN { fields[position + index] = "\(value)" }
    for (index, value) in event.texts.enumerated() {
      fields[position + event.values.count + index] = Self.quoted(value)
    }
    text += "\(time),\(event.channel.name),\(fields.joined(separator: ","))\n"
    if text.utf8.count > 1 << 16 { try flush() }
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
