internal import InertialSensors
internal import InertialSystem

extension LogFormat {
  /// Exports of the app phyphox (iOS and Android): a folder of CSV files, one per data set, with meta/device.csv and
  /// meta/time.csv.
  ///
  /// Fields are separated by commas, semicolons or tabs, with a decimal point or, with the last two, a decimal comma.
  /// Acceleration is specific force on both systems: on iOS phyphox inverts the sign of Core Motion's values and
  /// multiplies them by 9.81, on Android it writes the system's m/s². Times are seconds since the experiment's first
  /// start. phyphox's own clock stops during pauses. If meta/time.csv lists the pauses, they are added back, so that a
  /// pause is a gap in time, and a time plus the epoch is UNIX time throughout. The description notes this.
  static var phyphox: LogFormat {
    LogFormat(
      id: "phyphox", title: "phyphox folder",
      recognition: "a folder with CSV files whose columns are \"Time (s)\" and others in quotes, such as "
        + "\"Gyroscope x (rad/s)\"",
      units: "m/s² of specific force, rad/s and µT become g with Core Motion's sign, rad/s and µT; seconds since "
        + "the experiment's start, with its pauses from meta/time.csv",
      isFolder: true,
      recognizes: { $0.folder.map(isExport) ?? false },
      open: { path, options throws(LogError) in try openExport(path, options) })
  }

  /// Single CSV files of phyphox's exports.
  static var phyphoxFile: LogFormat {
    LogFormat(
      id: "phyphox-csv", title: "phyphox CSV",
      recognition: "a CSV whose columns are \"Time (s)\" and others in quotes, with every number in powers of ten",
      units: phyphox.units,
      recognizes: { candidate in
        guard candidate.folder == nil, !candidate.head.isEmpty else { return false }
        return isTable(LineScanner(bytes: candidate.head, name: candidate.path), name: candidate.path, hasMarks: false)
      },
      open: { path, options throws(LogError) in
        // Column names in the options require the generic reader.
        if options.columns != nil { return try CSVLogReader(path: path, options: options) }
        return try openExport(path, options)
      })
  }

  /// The factor that phyphox applies to Core Motion's accelerations.
  private static let appGravity = 9.81

  /// Whether a folder is a phyphox export: one of its files has phyphox's header, and phyphox's numbers or time marks.
  private static func isExport(_ folder: LogFolder) -> Bool {
    let hasMarks = (try? time(beside: folder.path)) != nil
    return folder.names.contains { name in
      guard folder.has(name), name.lowercased().hasSuffix(".csv"),
        let lines = try? LineScanner(path: folder.path(of: name))
      else { return false }
      return isTable(lines, name: name, hasMarks: hasMarks)
    }
  }

  /// Whether a table is phyphox's: it writes every number with an exponent, unlike other apps with such a header.
  private static func isTable(_ lines: LineScanner, name: String, hasMarks: Bool) -> Bool {
    // The scanner owns the lines' bytes.
    defer { withExtendedLifetime(lines) {} }
    guard let header = try? lines.next(), header.count < 1 << 14,
      let columns = PhyphoxColumns(header: header, fileName: name.lastPathPart), !columns.vectors.isEmpty
    else { return false }
    if hasMarks { return true }
    guard let row = try? lines.next() else { return false }
    var fields = FieldScanner(row, separator: columns.separator)
    guard let first = fields.nextText() else { return false }
    return first.contains("E") && !first.contains { $0.isLetter && $0 != "E" }
  }

  /// Returns the columns of a file by its first line, or `nil` if the file is not phyphox's.
  private static func columns(of path: String, name: String) throws(LogError) -> PhyphoxColumns? {
    let lines = try LineScanner(path: path)
    // The scanner owns the line's bytes.
    defer { withExtendedLifetime(lines) {} }
    guard let header = try lines.next() else { return nil }
    return PhyphoxColumns(header: header, fileName: name)
  }

  /// Opens a folder or a file. Throws ``LogError`` if it has no motion samples.
  private static func openExport(_ path: String, _ options: LogOptions) throws(LogError) -> MergedLogReader {
    let folder = try? LogFolder(path: path)
    let base = folder?.path ?? LogFolder.parent(of: path)
    let names =
      folder.map { folder in folder.names.filter { $0.lowercased().hasSuffix(".csv") } } ?? [path.lastPathPart]
    let isApple = try isApple(beside: base)
    let time = try time(beside: base)
    let clock = time.flatMap { $0.pauses.isEmpty ? nil : .experiment($0) } ?? TableClock.seconds(offset: 0)
    var notes: [String] = []
    var sources: [TableSource] = []
    var others: [(AuxiliaryFile, PhyphoxColumns, String)] = []
    var taken: [SensorChannel: String] = [:]
    for name in names {
      let file = folder?.path(of: name) ?? path
      if let folder {
        try folder.requireFile(name)
        if folder.hasEmpty(name) { notes.append("\(name) is empty") }
        guard folder.has(name) else { continue }
      }
      guard let columns = try columns(of: file, name: name) else {
        notes.append("\(name) not read: its first line is not phyphox's")
        continue
      }
      for var vector in columns.vectors {
        if let first = taken[vector.channel] {
          notes.append("\(name): \(vector.channel.name) not read, as \(first) contains it")
          continue
        }
        vector.scale = scale(vector.channel, isApple: isApple ?? false, options)
        var source = try TableSource(vector, path: file, separator: columns.separator, findsDecimalComma: true)
        source.clock = clock
        if source.hasRows {
          sources.append(source)
          taken[vector.channel] = name
        } else {
          notes.append("\(name) has no rows")
        }
      }
      others += columns.auxiliary.map { ($0, columns, file) }
    }
    guard !sources.isEmpty else {
      throw LogError(
        path: path, problem: "no samples of motion in this phyphox export",
        remedy: "export the data of an experiment with the accelerometer or the gyroscope")
    }

    let system = isApple.map { $0 ? "iOS" : "Android" } ?? "system unknown"
    var description = LogDescription(
      format: folder == nil ? "phyphox-csv" : "phyphox",
      summary: "phyphox \(folder == nil ? "file" : "folder") (\(system))", path: path)
    note(taken, isApple: isApple, options, &notes)
    description.epoch = time?.epoch
    description.clock = LogClock(.recordingStart, unit: .seconds)
    if let note = time?.note { notes.append(note) }
    var tables: [AuxiliaryTable] = []
    for (file, columns, path) in others where options.auxiliary.contains(file.channel) {
      if tables.contains(where: { $0.channel == file.channel }) { continue }
      let table = try AuxiliaryTable(
        file, path: path, stamp: columns.stampName, clock: clock, separator: columns.separator,
        notes: &notes)
      if let table { tables.append(table) }
    }
    description.notes = notes
    let marks = options.auxiliary.contains(.annotation) ? time?.annotations ?? [] : []
    return MergedLogReader(description, sources, auxiliary: tables, marks: marks)
  }

  // MARK: Units

  private static func scale(_ channel: SensorChannel, isApple: Bool, _ options: LogOptions) -> Double {
    switch channel {
    case .accelerometer, .deviceUserAcceleration:
      let turn = options.accelerationSign == .gravity ? 1.0 : -1
      if let unit = options.accelerationUnit, unit != .metersPerSecondSquared { return turn * unit.scale }
      return turn / (isApple ? appGravity : standardGravity)
    case .gyroscope: return options.rotationScale
    default: return 1
    }
  }

  private static func note(
    _ taken: [SensorChannel: String], isApple: Bool?, _ options: LogOptions, _ notes: inout [String]
  ) {
    if taken[.accelerometer] != nil || taken[.deviceUserAcceleration] != nil {
      let unit = options.accelerationUnit ?? .metersPerSecondSquared
      let factor = unit == .metersPerSecondSquared && isApple == true ? " (the app's factor of 9.81)" : ""
      let isTurned = options.accelerationSign != .gravity
      let isGiven = options.accelerationUnit != nil || options.accelerationSign != nil
      notes.append(
        "acceleration: \(unit.title)\(factor), "
          + (isTurned ? "specific force, sign inverted" : "Core Motion's sign") + (isGiven ? ", by option" : ""))
    }
    if taken[.accelerometer] == nil, taken[.deviceUserAcceleration] != nil {
      notes.append("raw acceleration: absent, the log only has acceleration without gravity")
    }
    if taken[.gyroscope] != nil, isApple == true {
      notes.append("rotation rate: bias removed by iOS, as phyphox reads the device motion")
    }
    if taken[.calibratedMagneticField] != nil {
      notes.append("magnetic field: interpreted as calibrated by the phone, phyphox's default")
    }
  }

  // MARK: Metadata

  private static func meta(beside path: String) -> LogFolder? {
    try? LogFolder(path: path.hasSuffix("/") ? path + "meta" : path + "/meta")
  }

  private static func time(beside path: String) throws(LogError) -> PhyphoxTime? {
    guard let meta = meta(beside: path), meta.has("time.csv") else { return nil }
    let text = try meta.smallText("time.csv")
    guard let first = text.split(maxSplits: 1, whereSeparator: \.isNewline).first, PhyphoxTime.isHeader(first) else {
      return nil
    }
    return PhyphoxTime(text: text)
  }

  /// Whether meta/device.csv names an Apple device, or `nil` if it names no device.
  private static func isApple(beside path: String) throws(LogError) -> Bool? {
    guard let meta = meta(beside: path), meta.has("device.csv") else { return nil }
    let lines = try meta.smallText("device.csv").lowercased().split(whereSeparator: \.isNewline)
    func value(_ name: String) -> Substring? {
      lines.first { $0.hasPrefix("\"\(name)\"") }?.dropFirst(name.count + 3).filter { $0 != "\"" }[...]
    }
    if let model = value("devicemodel"), ["iphone", "ipad", "ipod"].contains(where: model.hasPrefix) { return true }
    guard let brand = value("devicebrand"), !brand.isEmpty else { return nil }
    return brand == "apple"
  }
}
