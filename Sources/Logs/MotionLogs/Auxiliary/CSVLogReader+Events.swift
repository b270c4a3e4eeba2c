internal import InertialSensors

extension CSVLogReader {
  /// Returns the wanted events of a file, sorted by time, and its description with the channels that it has columns
  /// for. All events are held in memory.
  ///
  /// - Parameter epoch: The UNIX time of time 0 on the log's clock. If the file's timestamps are UNIX time in
  ///   nanoseconds, they are converted to this clock.
  static func events(
    of path: String, wanted: Set<AuxiliaryChannel>, epoch: Double?
  ) throws(LogError) -> (events: [AuxiliarySample], description: LogDescription)? {
    var options = LogOptions()
    options.auxiliary = wanted
    guard let found = try table(path: path, options: options) else { return nil }
    var reader = found
    var events: [AuxiliarySample] = []
    var motion: [SensorSample] = []
    while try reader.read(into: &motion) { motion.removeAll(keepingCapacity: true) }
    reader.takeAuxiliary(into: &events)
    if let epoch, let own = reader.description.epoch, own != epoch {
      for index in events.indices { events[index].time += own - epoch }
    }
    let order = events.indices.sorted {
      events[$0].time != events[$1].time ? events[$0].time < events[$1].time : $0 < $1
    }
    return (order.map { events[$0] }, reader.description)
  }

  /// Opens a table that may have no rows. Returns `nil` if it has no rows or no wanted column.
  private static func table(path: String, options: LogOptions) throws(LogError) -> CSVLogReader? {
    let header = try CSVHeader(LineScanner(path: path), columns: nil)
    let hasWanted = header.names.contains { name in
      AuxiliaryCell.match(name.text).map { $0.cell != nil && options.auxiliary.contains($0.channel) } ?? false
    }
    guard header.firstRow != nil, hasWanted else { return nil }
    return try CSVLogReader(path: path, options: options)
  }
}
