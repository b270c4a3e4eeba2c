internal import InertialSensors

/// What the files of a folder are, as far as their names and headers tell: one sensor each, if it is a log.
struct CSVFolderFiles {
  struct File {
    var name: String
    var header: CSVHeader
    var dialect: CSVDialect
    /// Of motion.
    var quantities: Set<ColumnMeaning.Quantity> = []
    /// Beside motion.
    var channels: Set<AuxiliaryChannel> = []
  }

  /// Why a folder is no log of this kind.
  struct Obstacle {
    var problem: String
    var remedy = "give a folder with one CSV for each sensor, such as accelerometer.csv and gyroscope.csv"

    func error(_ path: String) -> LogError { LogError(path: path, problem: problem, remedy: remedy) }
  }

  /// Files with a motion sensor.
  private(set) var sensors: [File] = []
  /// Files with other sensors only.
  private(set) var others: [File] = []
  private(set) var unread: [(name: String, reason: String)] = []
  /// nil where the folder is a log of this kind.
  private(set) var obstacle: Obstacle?
  /// Whether a file has Core Motion's user acceleration: the sign is then Core Motion's in every file.
  private(set) var hasCoreMotionSign = false

  /// A log has a few sensors; a folder of more tables is something else.
  private static let most = 64

  init(_ folder: LogFolder) {
    let names = folder.names.filter { name in
      [".csv", ".tsv"].contains(where: name.lowercased().hasSuffix) && !LogFinder.isDataset(name)
        && !name.hasSuffix(EventTable.ending)
    }
    guard (2...Self.most).contains(names.count) else {
      obstacle = Obstacle(
        problem: "has \(names.isEmpty ? "no" : "\(names.count)") CSV file\(names.count == 1 ? "" : "s")")
      return
    }
    for name in names { look(at: name, in: folder) }
    obstacle = findObstacle()
    hasCoreMotionSign = sensors.contains { $0.quantities.contains(.userAcceleration) }
    if hasCoreMotionSign {
      for index in sensors.indices { sensors[index].dialect.accelerationSign = .gravity }
    }
  }

  private mutating func look(at name: String, in folder: LogFolder) {
    guard !folder.hasEmpty(name) else { return unread.append((name, "it is empty")) }
    guard folder.has(name), let candidate = try? LogCandidate(path: folder.path(of: name)) else {
      return unread.append((name, "it cannot be opened"))
    }
    let lines = LineScanner(bytes: candidate.head, name: name)
    // The lines' bytes are the scanner's.
    defer { withExtendedLifetime(lines) {} }
    let dialect = Self.dialect(of: name)
    guard let header = try? CSVHeader(lines, columns: nil, dialect: dialect) else {
      return unread.append((name, "it has no names of columns"))
    }
    guard header.firstRow != nil else { return unread.append((name, "it has no rows")) }
    var file = File(name: name, header: header, dialect: dialect)
    let none: Set<ColumnMeaning.Quantity> = [.time, .movement, .absence, .fieldAccuracy, .heading]
    file.quantities = Set(header.names.compactMap { $0.meaning?.quantity }).subtracting(none)
    for column in header.names where column.meaning == nil {
      if case .cell(let channel, _) = AuxiliaryColumnName.match(column.text) { file.channels.insert(channel) }
    }
    if file.quantities.contains(.rotationRate), !file.quantities.isDisjoint(with: [.gravity, .quaternion]) {
      unread.append((name, "it is a log of device motion by itself, or a dataset"))
    } else if !file.quantities.isEmpty {
      sensors.append(file)
    } else if !file.channels.isEmpty, header.names.contains(where: { $0.meaning?.quantity == .time }) {
      others.append(file)
    } else {
      unread.append((name, "no sensor that is known by its columns (\(header.found)) or its name"))
    }
  }

  private func findObstacle() -> Obstacle? {
    func files(_ quantity: ColumnMeaning.Quantity) -> [String] {
      sensors.filter { $0.quantities.contains(quantity) }.map(\.name)
    }
    if let whole = sensors.first(where: { $0.quantities.isSuperset(of: [.acceleration, .rotationRate]) }) {
      return Obstacle(problem: "\(whole.name) is a whole log", remedy: "give the path of that file")
    }
    for (quantity, words) in Self.needed {
      let found = files(quantity)
      guard found.count != 1 else { continue }
      return found.isEmpty
        ? Obstacle(problem: "no CSV file has the \(words)")
        : Obstacle(
          problem: "\(found[0]) and \(found[1]) both have the \(words)", remedy: "leave one of them in the folder")
    }
    return nil
  }

  private static let needed: [(ColumnMeaning.Quantity, String)] = [
    (.acceleration, "acceleration"), (.rotationRate, "rotation rate"),
  ]

  // MARK: Names

  /// How the columns of a file are understood: an axis alone is of the sensor that the file is named after.
  private static func dialect(of name: String) -> CSVDialect {
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
      // A unit may say what it is; x, y, z alone in a file of any other name may be anything.
      return unit == nil ? nil : ColumnName(axis + written).meaning
    }
    return dialect
  }

  /// The axis and the unit of a column that names nothing else, such as `x`, `X (m/s^2)` or `z-axis (g)`.
  private static func axis(_ column: String) -> (axis: String, unit: String?)? {
    guard column.utf8.count <= 200 else { return nil }
    let (body, unit) = ColumnName.splitUnit(column[...])
    let words = ColumnName.words(body).filter { $0 != "axis" && $0 != "value" && $0 != "values" }
    guard words.count == 1, ["x", "y", "z", "w"].contains(words[0]) else { return nil }
    return (words[0], unit)
  }
}
