internal import InertialSensors
internal import InertialSystem

/// The event file next to a log or a dataset, as written by `EventTableWriter`: `walk.events.csv` for `walk.csv`.
enum EventTable {
  static let ending = ".events.csv"

  /// Returns the path of a log's event file, or `nil` if it does not exist or the log is itself an event file.
  static func path(beside log: String) -> String? {
    guard log != "-", !log.hasSuffix(ending) else { return nil }
    // First appends the suffix to the full name, for a name without a format's extension.
    return [log.withoutSlashesAtEnd + ending, name(beside: log)].first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
  }

  /// Returns the path of a log's event file, whether or not it exists.
  static func name(beside log: String) -> String {
    var base = log.withoutSlashesAtEnd[...]
    if let dot = base.lastIndex(of: "."), !base[dot...].contains("/"), dot > base.startIndex { base = base[..<dot] }
    return String(base) + ending
  }

  /// Returns the wanted events of a file, sorted by time, and its description with the channels that it has columns
  /// for. All events are held in memory.
  ///
  /// - Parameter epoch: The UNIX time of time 0 on the log's clock. If the file's timestamps are UNIX time in
  ///   nanoseconds, they are converted to this clock.
  static func read(
    _ path: String, wanted: Set<AuxiliaryChannel>, epoch: Double?
  ) throws(LogError) -> (events: [AuxiliarySample], description: LogDescription)? {
    var options = LogOptions()
    options.auxiliary = wanted
    guard let found = try CSVLogReader.table(path: path, options: options) else { return nil }
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
}

extension CSVLogReader {
  /// Opens a table that may have no rows. Returns `nil` if it has no rows or no wanted column.
  static func table(path: String, options: LogOptions) throws(LogError) -> CSVLogReader? {
    let header = try CSVHeader(LineScanner(path: path), columns: nil)
    let hasWanted = header.names.contains {
      guard case .cell(let channel, _) = AuxiliaryColumnName.match($0.text) else { return false }
      return options.auxiliary.contains(channel)
    }
    guard header.firstRow != nil, hasWanted else { return nil }
    return try CSVLogReader(path: path, options: options)
  }
}
