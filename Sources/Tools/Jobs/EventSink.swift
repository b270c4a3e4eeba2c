internal import InertialLogs
internal import InertialSensors

/// Writes the events of a log to a file next to the dataset, sorted by time.
struct EventSink {
  private let writer: EventTableWriter
  private let channels: Set<AuxiliaryChannel>
  private var events: [AuxiliarySample] = []

  /// Returns the path of the events' file: the dataset's name with `.events.csv` instead of its extension.
  static func path(for output: String) -> String {
    DatasetFormat.split(output).base + ".events.csv"
  }

  /// Creates a sink for the event channels among `channels`, or returns `nil` if there are none.
  init?(output: String, channels: [AuxiliaryChannel], force: Bool) throws(FusionError) {
    self.channels = Set(channels.filter(\.isEvent))
    guard !self.channels.isEmpty else { return nil }
    do throws(OutputError) {
      writer = try EventTableWriter(path: Self.path(for: output), channels: self.channels, force: force)
    } catch {
      throw FusionError(error)
    }
  }

  mutating func add(_ sample: AuxiliarySample) {
    if channels.contains(sample.channel) { events.append(sample) }
  }

  /// Writes the sorted events, so that `close` only has to rename the file, and returns their number.
  ///
  /// - Parameter time: Converts a time of the log to a time of the dataset.
  func finish(time: (Double) -> Double) throws(FusionError) -> Int {
    // A total order makes the file independent of the sorting algorithm.
    let order = events.indices.sorted { a, b in
      let (p, q) = (events[a], events[b])
      if p.time != q.time { return p.time < q.time }
      return p.channel != q.channel ? p.channel < q.channel : a < b
    }
    do throws(OutputError) {
      for index in order {
        var event = events[index]
        event.time = time(event.time)
        try writer.append(event)
      }
      try writer.finish()
    } catch {
      throw FusionError(error)
    }
    return writer.count
  }

  /// Moves the file to its final name.
  func close() throws(OutputError) { try writer.close() }
}
