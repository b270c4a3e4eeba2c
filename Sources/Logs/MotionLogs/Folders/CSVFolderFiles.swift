internal import InertialSensors

/// The files of a folder, identified by their names and headers. In a log, each contains one sensor.
struct CSVFolderFiles {
  struct File {
    var name: String
    var header: CSVHeader
    var dialect: CSVDialect
    /// The quantities of motion.
    var quantities: Set<ColumnMeaning.Quantity> = []
    /// The auxiliary channels.
    var channels: Set<AuxiliaryChannel> = []
  }

  /// The files with a motion sensor.
  private(set) var sensors: [File] = []
  /// The files with only auxiliary channels.
  private(set) var others: [File] = []
  private(set) var unread: [(name: String, reason: String)] = []
  /// The reason for which the folder is not a log of this kind, or `nil` if it is.
  private(set) var obstacle: LogError?
  /// The maximum number of tables. A log has few sensors, so a folder with more tables is not a log.
  private static let maximumTableCount = 64
  private static let remedy = "give a folder with one CSV for each sensor, such as accelerometer.csv and gyroscope.csv"

  init(_ folder: LogFolder) {
    let names = folder.names.filter { name in
      [".csv", ".tsv"].contains(where: name.lowercased().hasSuffix) && !LogFeed.isDataset(name)
        && !name.hasSuffix(LogFeed.eventsEnding)
    }
    guard (2...Self.maximumTableCount).contains(names.count) else {
      obstacle = LogError(
        path: folder.path,
        problem: "has \(names.isEmpty ? "no" : "\(names.count)") CSV file\(names.count == 1 ? "" : "s")",
        remedy: Self.remedy)
      return
    }
    for name in names { look(at: name, in: folder) }
    obstacle = findObstacle(folder.path)
  }

  /// Sets Core Motion's sign for all files if one of them contains Core Motion's user acceleration, which is in g.
  ///
  /// - Parameter unit: The unit of accelerations by option, or `nil` for that of the headers.
  /// - Returns: Whether the files have this sign.
  mutating func useCoreMotionSign(unit: LogOptions.AccelerationUnit?) -> Bool {
    let meanings = sensors.flatMap { $0.header.names.compactMap(\.meaning) }
    guard sensors.contains(where: { $0.quantities.contains(.userAcceleration) }),
      !ColumnMeaning.areInMeters(meanings, option: unit)
    else { return false }
    for index in sensors.indices { sensors[index].dialect.accelerationSign = .gravity }
    return true
  }

  private mutating func look(at name: String, in folder: LogFolder) {
    guard !folder.hasEmpty(name) else { return unread.append((name, "it is empty")) }
    guard folder.has(name), let candidate = try? LogCandidate(path: folder.path(of: name)) else {
      return unread.append((name, "it cannot be opened"))
    }
    let lines = LineScanner(bytes: candidate.head, name: name)
    // The scanner owns the lines' bytes.
    defer { withExtendedLifetime(lines) {} }
    let dialect = Self.dialect(of: name)
    guard let header = try? CSVHeader(lines, columns: nil, dialect: dialect) else {
      return unread.append((name, "it has no column names"))
    }
    guard header.firstRow != nil else { return unread.append((name, "it has no rows")) }
    var file = File(name: name, header: header, dialect: dialect)
    let none: Set<ColumnMeaning.Quantity> = [.time, .movement, .absence, .fieldAccuracy, .heading]
    file.quantities = Set(header.names.compactMap { $0.meaning?.quantity }).subtracting(none)
    for column in header.names where column.meaning == nil {
      if let match = AuxiliaryCell.match(column.text), match.cell != nil { file.channels.insert(match.channel) }
    }
    if file.quantities.contains(.rotationRate), !file.quantities.isDisjoint(with: [.gravity, .quaternion]) {
      unread.append((name, "it is a complete log of device motion, or a dataset"))
    } else if !file.quantities.isEmpty {
      sensors.append(file)
    } else if !file.channels.isEmpty, header.names.contains(where: { $0.meaning?.quantity == .time }) {
      others.append(file)
    } else {
      unread.append((name, "no known sensor by its columns (\(header.found)) or its name"))
    }
  }

  private func findObstacle(_ path: String) -> LogError? {
    func files(_ quantity: ColumnMeaning.Quantity) -> [String] {
      sensors.filter { $0.quantities.contains(quantity) }.map(\.name)
    }
    if let whole = sensors.first(where: { $0.quantities.isSuperset(of: [.acceleration, .rotationRate]) }) {
      return LogError(path: path, problem: "\(whole.name) is a complete log", remedy: "give the path of that file")
    }
    for (quantity, words) in [(ColumnMeaning.Quantity.acceleration, "acceleration"), (.rotationRate, "rotation rate")] {
      let found = files(quantity)
      guard found.count != 1 else { continue }
      return found.isEmpty
        ? LogError(path: path, problem: "no CSV file has the \(words)", remedy: Self.remedy)
        : LogError(
          path: path, problem: "\(found[0]) and \(found[1]) both have the \(words)",
          remedy: "leave one of them in the folder")
    }
    return nil
  }

  // MARK: Names

  /// Returns the dialect of a file, in which a column with only an axis belongs to the sensor in the file's name.
  static func dialect(of name: String) -> CSVDialect {
    let stem = name.split(separator: ".").first.map(String.init) ?? name
    let isReference = ColumnName(stem + " qw").meaning?.quantity == .referenceQuaternion
    var dialect = CSVDialect(id: "csv-folder", summary: "table of a sensor")
    dialect.loneAttitude = isReference ? .referenceAttitude : .deviceAttitude
    dialect.meaning = { column in
      guard let (axis, unit) = axis(column) else {
        var meaning = ColumnName(column).meaning
        if isReference, meaning?.quantity == .quaternion { meaning?.quantity = .referenceQuaternion }
        return meaning
      }
      let written = unit.map { " (\($0))" } ?? ""
      if let meaning = ColumnName("\(stem) \(axis)\(written)").meaning { return meaning }
      // A unit may determine the quantity. Without it, x, y and z in a file with any other name are ambiguous.
      return unit == nil ? nil : ColumnName(axis + written).meaning
    }
    return dialect
  }

  /// Returns the axis and the unit of a column with no other name, such as `x`, `X (m/s^2)` or `z-axis (g)`.
  static func axis(_ column: String) -> (axis: String, unit: String?)? {
    guard column.utf8.count <= 200 else { return nil }
    let (body, unit) = ColumnName.splitUnit(column[...])
    let words = ColumnName.words(body).filter { $0 != "axis" && $0 != "value" && $0 != "values" }
    guard words.count == 1, ["x", "y", "z", "w"].contains(words[0]) else { return nil }
    return (words[0], unit)
  }
}
