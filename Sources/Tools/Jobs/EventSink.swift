internal import InertialLogs
internal import InertialSensors

/// Writes the events of a log beside its dataset, in order of time.
struct EventSink {
  private let writer: EventTableWriter
  private let channels: Set<AuxiliaryChannel>
  private var events: [AuxiliarySample] = []

  /// The events' file: the dataset's name with `.events.csv` in place of its ending.
  static func path(for output: String) -> String {
    DatasetFormat.split(output).base + ".events.csv"
  }

  /// nil where none of the channels is one of events.
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

  /// Writes the events, so that `close` has but to name the file, and gives how many there are.
  ///
  /// - Parameter time: the dataset's time at one of the log.
  func finish(time: (Double) -> Double) throws(FusionError) -> Int {
    // A total order keeps the file the same whatever the sorting algorithm.
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

  /// Puts the file in its place.
  func close() throws(OutputError) { try writer.close() }
}
