internal import InertialSensors
internal import InertialSystem

extension LogFormat {
  /// Folders with one CSV file per sensor, from any source. The headers specify the quantities; if they name only axes,
  /// the files' names do.
  ///
  /// One file has the acceleration and another one the rotation rate. The files may have different rates, but their
  /// times must have the same epoch. Units come from the headers or the options. If a unit is unknown, one error lists
  /// all unknown units. Acceleration is treated as specific force unless the options or the names specify otherwise.
  static var csvFolder: LogFormat {
    LogFormat(
      id: "csv-folder", title: "folder with a CSV file for each sensor",
      recognition: "one CSV with acceleration and another one with rotation rate, by their headers or names",
      units: "from the headers or the options; acceleration is specific force unless specified otherwise",
      isFolder: true,
      recognizes: { $0.folder.map { CSVFolderFiles($0).obstacle == nil } ?? false },
      open: { path, options throws(LogError) in try openTables(path, options) })
  }

  /// Opens a folder.
  ///
  /// - Throws: ``LogError`` if a file cannot be read, a unit is unknown, or the files' epochs differ.
  private static func openTables(_ path: String, _ options: LogOptions) throws(LogError) -> MergedLogReader {
    let folder = try LogFolder(path: path)
    var files = CSVFolderFiles(folder)
    if let obstacle = files.obstacle { throw obstacle }
    try requireUnits(files, options, path)
    var description = LogDescription(
      format: "csv-folder", summary: "folder with a CSV file for each sensor", path: path)
    if files.useCoreMotionSign(unit: options.accelerationUnit), options.accelerationSign == nil {
      description.notes.append(
        "acceleration: Core Motion's sign, as \"user acceleration\" is its term; --acceleration-sign specific-force if not"
      )
    }

    let read = (files.sensors + files.others).filter { file in
      !file.quantities.isEmpty || !file.channels.isDisjoint(with: options.auxiliary)
    }
    for file in files.others where !read.contains(where: { $0.name == file.name }) {
      description.notes.append(
        "\(file.name) not read: it has \(file.channels.sorted().map(\.name).joined(separator: ", "))")
    }
    // Each file may count from its own first sample. A common clock is preferred if all files have it.
    var (sources, clock) = try openSources(read, folder, options, prefersSharedClock: true)
    if !clock.isShared { (sources, clock) = try openSources(read, folder, options, prefersSharedClock: false) }
    guard clock.isShared else { throw otherClock(sources, path) }
    for (file, source) in Swift.zip(read, sources) {
      description.notes += source.description.notes.filter { !isOfWholeLogs($0) }.map { "\(file.name): \($0)" }
      description.auxiliaryChannels.formUnion(source.description.auxiliaryChannels)
    }
    description.notes += files.unread.map { "\($0.name) not read: \($0.reason)" }
    description.epoch = clock.epoch
    description.clock = sources[0].description.clock
    if clock.epoch == nil, description.clock?.origin != .timeOfDay {
      description.notes.append("time: all files are assumed to count from the same moment")
    }
    let count = files.sensors.count
    return MergedLogReader(description, Array(sources[..<count]), auxiliary: Array(sources[count...]))
  }

  private static func openSources(
    _ files: [CSVFolderFiles.File], _ folder: LogFolder, _ options: LogOptions, prefersSharedClock: Bool
  ) throws(LogError) -> ([CSVSource], clock: (isShared: Bool, epoch: Double?)) {
    var own = options
    own.columns = nil
    var sources: [CSVSource] = []
    for file in files {
      var dialect = file.dialect
      dialect.prefersSharedClock = prefersSharedClock
      sources.append(CSVSource(try CSVLogReader(path: folder.path(of: file.name), options: own, dialect: dialect)))
    }
    let clock = CSVSource.shareClock(&sources)
    return (sources, clock)
  }

  /// Checks the units of all files together.
  private static func requireUnits(_ files: CSVFolderFiles, _ options: LogOptions, _ path: String) throws(LogError) {
    var unspecified: [UnspecifiedUnit] = []
    for file in files.sensors + files.others.filter({ !$0.channels.isDisjoint(with: options.auxiliary) }) {
      let units = CSVLayoutBuilder.unspecifiedUnits(
        of: file.header, options: options, path: path, dialect: file.dialect)
      unspecified += units.map { UnspecifiedUnit(column: $0.column, dimension: $0.dimension, file: file.name) }
    }
    guard unspecified.isEmpty else { throw UnspecifiedUnit.error(unspecified, of: path) }
  }

  /// Whether a note applies to the file and not to the folder.
  private static func isOfWholeLogs(_ note: String) -> Bool {
    note.hasPrefix("raw acceleration: absent") || note.hasPrefix("raw gyroscope: absent")
  }

  private static func otherClock(_ sources: [CSVSource], _ path: String) -> LogError {
    let unix = sources.first { $0.description.epoch != nil }?.description.path.lastPathPart ?? ""
    let other = sources.first { $0.description.epoch == nil }?.description.path.lastPathPart ?? ""
    return LogError(
      path: path, problem: "\(unix) has UNIX times, and \(other) counts from another moment",
      remedy: "use the same clock in all files, or remove those with the other clock")
  }
}
