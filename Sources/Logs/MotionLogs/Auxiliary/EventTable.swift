internal import InertialSensors
internal import InertialSystem

/// The file of events beside a log or a dataset, as `EventTableWriter` writes it: `walk.events.csv` beside `walk.csv`.
enum EventTable {
  static let ending = ".events.csv"

  /// Where the events of a log are; nil where it has no such file, or is one itself.
  static func path(beside log: String) -> String? {
    guard log != "-", !log.hasSuffix(ending) else { return nil }
    // Behind the whole name where that has no ending that stands for a format.
    var whole = log[...]
    while whole.count > 1, whole.last == "/" { whole.removeLast() }
    return [String(whole) + ending, name(beside: log)].first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
  }

  /// What the file beside a log is called, whether it is there or not.
  static func name(beside log: String) -> String {
    var base = log[...]
    while base.count > 1, base.last == "/" { base.removeLast() }
    if let dot = base.lastIndex(of: "."), !base[dot...].contains("/"), dot > base.startIndex { base = base[..<dot] }
    return String(base) + ending
  }

  /// The wanted events of a file in order of time, and which channels it has columns for. They are all in memory.
  ///
  /// - Parameter epoch: UNIX time of time 0 on the log's clock; where the file's stamps are UNIX time in nanoseconds, they
  ///   are put on that.
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
  /// Opens a table that may have no rows; nil where it has none, or no wanted column.
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
