internal import InertialSensors

/// Determines the meaning of each column of a CSV from the header and the options.
struct CSVLayoutBuilder {
  typealias Quantity = ColumnMeaning.Quantity

  let header: CSVHeader
  let options: LogOptions
  let path: String
  let dialect: CSVDialect?
  /// The column of each component of a quantity, counted from 0.
  var columns: [Key: Int] = [:]
  var layout = CSVLayout(clock: .rate(1), format: .described)
  /// The required columns with an unknown unit, with the reason.
  var unitless: [(column: Int, problem: String)] = []
  /// The quantities of a table in long form without a specified unit.
  var unspecifiedReadings: [UnspecifiedUnit] = []
  /// Whether the angles in columns with Inertial's names are in degrees: angles beyond 2π are not in radians.
  lazy var areDegrees: Bool = {
    let places = (0..<3).compactMap { columns[Key(quantity: .eulerAngle, axis: $0)] }
    return !places.isEmpty && firstNumbers(places).contains { row in row.contains { abs($0) > 6.5 } }
  }()
  /// The sign of acceleration: Core Motion's (+1) or that of other programs (−1).
  var accelerationSign = 1.0

  struct Key: Hashable {
    var quantity: Quantity
    var axis: Int
  }

  /// Returns the layout.
  ///
  /// - Throws: ``LogError`` if columns are missing or duplicated, or if a unit is unknown.
  static func layout(
    of header: CSVHeader, options: LogOptions, path: String, dialect: CSVDialect? = nil
  ) throws(LogError) -> CSVLayout {
    var builder = CSVLayoutBuilder(header: header, options: options, path: path, dialect: dialect)
    try builder.build()
    return builder.layout
  }

  /// Returns the columns with a unit that neither the header nor the options specify, regardless of other errors.
  static func unspecifiedUnits(
    of header: CSVHeader, options: LogOptions, path: String, dialect: CSVDialect? = nil
  ) -> [UnspecifiedUnit] {
    var builder = CSVLayoutBuilder(header: header, options: options, path: path, dialect: dialect)
    try? builder.build()
    return builder.unspecifiedUnits
  }

  private init(header: CSVHeader, options: LogOptions, path: String, dialect: CSVDialect?) {
    self.header = header
    self.options = options
    self.path = path
    self.dialect = dialect
    layout.notes = dialect?.notes ?? []
    layout.actions = Array(repeating: .skip, count: header.names.count)
  }

  private mutating func build() throws(LogError) {
    try collectColumns()
    dropForeignAngles()
    judgeLinearAcceleration()
    addLongForm()
    let isQuaternionOnly = columns.keys.allSatisfy {
      [.time, .quaternion, .referenceQuaternion, .movement].contains($0.quantity)
    }
    layout.format = format(isQuaternionOnly: isQuaternionOnly)
    try chooseSign()
    try addChannels(isQuaternionOnly: isQuaternionOnly)
    addAuxiliary()
    // A log of only auxiliary channels, such as a barometer, is valid if they are requested.
    guard !layout.emitters.isEmpty || !layout.auxiliary.isEmpty || layout.longForm != nil else {
      try refuseLoneAxes()
      var error = failure(
        "no column of a known quantity (found: \(header.found))",
        remedy: "name columns and units as in \"Gyroscope X (rad/s)\", or with --columns")
      error.question = .columns
      throw error
    }
    try chooseClock()
    try requireUnits()
    let skipped = header.names.indices.filter {
      if case .skip = layout.actions[$0] {
        !header.names[$0].text.isEmpty && header.names[$0].text != "-"
      } else {
        false
      }
    }
    if !skipped.isEmpty {
      let names = skipped.prefix(12).map { header.names[$0].text }.joined(separator: ", ")
      layout.notes.append(
        "columns not read: \(names)\(skipped.count > 12 ? " and \(skipped.count - 12) more" : "")")
    }
    try addTags()
  }

  // MARK: Columns

  private mutating func collectColumns() throws(LogError) {
    for (column, name) in header.names.enumerated() {
      guard let meaning = name.meaning else { continue }
      let key = Key(quantity: meaning.quantity, axis: meaning.axis)
      guard let first = columns[key] else {
        columns[key] = column
        continue
      }
      // If another acceleration is "with gravity", this is the linear acceleration.
      if meaning.quantity == .acceleration, statesGravity(column) != statesGravity(first) {
        let linear = statesGravity(column) ? first : column
        columns[key] = statesGravity(column) ? column : first
        columns[Key(quantity: .linearAcceleration, axis: meaning.axis)] = linear
        continue
      }
      // The exact name takes precedence. Otherwise any of several clocks is used, but several sensors are an error.
      if name.meaning?.isCanonical == true, header.names[first].meaning?.isCanonical == false {
        columns[key] = column
      } else if meaning.dimension != .none, meaning.quantity != .time {
        throw failure(
          column: column,
          "columns \"\(header.names[first].text)\" and \"\(name.text)\" are the same quantity",
          remedy: "name the columns with --columns, with - for those to skip")
      }
    }
  }

  private func statesGravity(_ column: Int) -> Bool { header.names[column].text.lowercased().contains("grav") }

  /// Ignores roll, pitch and yaw if other columns have names that are not Inertial's, as the convention and the unit of
  /// such angles vary between manufacturers.
  private mutating func dropForeignAngles() {
    func isForeign(_ column: Int) -> Bool {
      !meaning(column).isCanonical && [.acceleration, .rotation, .field].contains(meaning(column).dimension)
    }
    guard dialect == nil, columns.values.contains(where: isForeign) else { return }
    for axis in 0..<3 {
      let key = Key(quantity: .eulerAngle, axis: axis)
      if let column = columns[key], meaning(column).isCanonical, !header.names[column].text.contains(".") {
        columns[key] = nil
      }
    }
  }

  /// Treats a linear acceleration as raw if its mean is 1 g.
  private mutating func judgeLinearAcceleration() {
    guard !has(.acceleration), !has(.gravity) else { return }
    let places = (0..<3).compactMap { columns[Key(quantity: .linearAcceleration, axis: $0)] }
    guard places.count == 3 else { return }
    let rows = firstNumbers(places)
    guard rows.count >= 16 else { return }
    let sums = rows.reduce(into: [0.0, 0, 0]) { sums, row in for axis in 0..<3 { sums[axis] += row[axis] } }
    let size = sums.reduce(0) { $0 + $1 * $1 }.squareRoot() / Double(rows.count)
    let unit: String? =
      if case .written(let text) = meaning(places[0]).unit { text } else { options.accelerationUnit?.text }
    let conversions = (unit.map { [$0] } ?? ["g", "m/s2"]).compactMap { Dimension.acceleration.conversion(from: $0) }
    guard conversions.contains(where: { (0.8..<1.25).contains($0(size)) }) else { return }
    for axis in 0..<3 {
      columns[Key(quantity: .linearAcceleration, axis: axis)] = nil
      columns[Key(quantity: .acceleration, axis: axis)] = places[axis]
    }
    layout.notes.append(
      "acceleration: \"\(header.names[places[0]].text)\" is 1 g on average, so it includes gravity")
  }

  /// Returns the numbers of the given columns in the first rows that have all of them.
  func firstNumbers(_ places: [Int]) -> [[Double]] {
    header.firstRows(256).compactMap { row in
      row.withUnsafeBytes { line in
        for hasDecimalComma in [false, true] {
          var fields = FieldScanner(line, separator: header.separator, hasDecimalComma: hasDecimalComma)
          var numbers: [Int: Double] = [:]
          for column in 0...places.max()! {
            guard places.contains(column) else {
              _ = fields.skip()
              continue
            }
            if case .value(let value) = fields.nextNumber(), value.isFinite { numbers[column] = value }
          }
          if numbers.count == places.count { return places.map { numbers[$0]! } }
        }
        return nil
      }
    }
  }

  /// - Throws: ``LogError`` if three columns are the axes of a sensor that no name specifies.
  private func refuseLoneAxes() throws(LogError) {
    let axes = header.names.filter { ["x", "y", "z"].contains($0.text.lowercased()) }.map(\.text)
    guard axes.count == 3 else { return }
    throw failure(
      "the columns \(axes.map { "\"\($0)\"" }.joined(separator: ", ")) belong to one unnamed sensor, and there is no "
        + "gyroscope (found: \(header.found))",
      remedy:
        "put the files of the accelerometer and of the gyroscope into one folder, as accelerometer.csv and gyroscope.csv, or "
        + "name the columns with --columns")
  }

  func has(_ quantity: Quantity) -> Bool { columns.keys.contains { $0.quantity == quantity } }

  /// Returns the meaning of a column that is read. A column with an unknown name is a time.
  func meaning(_ column: Int) -> ColumnMeaning { header.names[column].meaning ?? ColumnMeaning(quantity: .time) }

  private func format(isQuaternionOnly: Bool) -> CSVFormat {
    if isQuaternionOnly, has(.quaternion) || has(.referenceQuaternion) { return .reference }
    if dialect?.isDeviceMotion == true { return .deviceMotion }
    let areCanonical = columns.values.allSatisfy { meaning($0).isCanonical }
    guard areCanonical else { return .described }
    let isDeviceMotion = [.gravity, .userAcceleration, .quaternion, .eulerAngle, .fieldAccuracy].contains(
      where: has)
    return isDeviceMotion && !has(.acceleration) ? .deviceMotion : .canonical
  }

  /// Finds a quantity's columns and creates their slots. Returns the first slot, or `nil` if the quantity is absent.
  private mutating func slots(_ quantity: Quantity, count: Int = 3) throws(LogError) -> Int? {
    guard has(quantity) else { return nil }
    let first = layout.slotCount
    let missing = (0..<count).filter { columns[Key(quantity: quantity, axis: $0)] == nil }
    guard missing.isEmpty else {
      let known = columns.filter { $0.key.quantity == quantity }.map(\.value).min()!
      let letters =
        [.eulerAngle, .aerospaceAngle].contains(quantity) ? ["roll", "pitch", "yaw"] : ["x", "y", "z", "w"]
      throw failure(
        column: known,
        "\"\(header.names[known].text)\" has no matching column for \(missing.map { letters[$0] }.joined(separator: ", ")) (found: \(header.found))",
        remedy: "add the missing columns, or name the columns with --columns, with - for those to skip")
    }
    for axis in 0..<count {
      let column = columns[Key(quantity: quantity, axis: axis)]!
      let conversion = conversion(column)
      layout.actions[column] =
        conversion.isCount ? .count(slot: layout.slotCount, conversion) : .value(slot: layout.slotCount, conversion)
      layout.slotCount += 1
    }
    return first
  }

  // MARK: Channels

  private mutating func addChannels(isQuaternionOnly: Bool) throws(LogError) {
    let acceleration = try slots(.acceleration)
    let gravity = try slots(.gravity)
    let user = try slots(.userAcceleration)
    let linear = user == nil ? try slots(.linearAcceleration) : nil
    let quaternion = try slots(.quaternion, count: 4)
    let euler = quaternion == nil && has(.eulerAngle) ? try slots(.eulerAngle) : nil
    let aerospace = quaternion == nil && has(.aerospaceAngle) ? try slots(.aerospaceAngle) : nil

    let rate = try slots(.rotationRate)
    let deviceRate = try slots(.deviceRotationRate)
    if let raw = rate ?? deviceRate { layout.emitters.append(.plain(.gyroscope, slot: raw)) }
    let isDeviceMotion = layout.format == .deviceMotion
    if acceleration == nil { try addDerivedAcceleration(gravity, user ?? linear, quaternion, euler) }
    if let acceleration { layout.emitters.append(.plain(.accelerometer, slot: acceleration)) }
    try addFields(isDeviceMotion: isDeviceMotion)

    if isQuaternionOnly, let quaternion {
      layout.emitters.append(.plain(dialect?.loneAttitude ?? .referenceAttitude, slot: quaternion))
    } else if let quaternion {
      layout.emitters.append(.plain(.deviceAttitude, slot: quaternion))
    } else if let euler {
      layout.emitters.append(.attitudeFromEuler(slot: euler))
      layout.notes.append("attitude: from roll, pitch and yaw by Core Motion's rule")
    }
    if let aerospace {
      layout.emitters.append(.attitudeFromAerospace(slot: aerospace))
      layout.notes.append("attitude: from roll, pitch and yaw, R = Rz(yaw) Ry(pitch) Rx(roll)")
    }
    addAbsences([(quaternion, 4), (rate, 3), (acceleration, 3)])
    if let gravity { layout.emitters.append(.plain(.deviceGravity, slot: gravity)) }
    if let user = user ?? linear { layout.emitters.append(.plain(.deviceUserAcceleration, slot: user)) }
    if let device = deviceRate ?? (isDeviceMotion ? rate : nil) {
      layout.emitters.append(.plain(.deviceRotationRate, slot: device))
    }
    if let heading = try slots(.heading, count: 1) {
      layout.emitters.append(.plain(.deviceHeading, slot: heading))
    }
    if let reference = try slots(.referenceQuaternion, count: 4) {
      layout.emitters.append(.plain(.referenceAttitude, slot: reference))
    }
    if let movement = try slots(.movement, count: 1) {
      layout.emitters.append(.plain(.movement, slot: movement))
    }
    if isDeviceMotion, rate != nil {
      layout.notes.append("rotation rate: the device's, with the bias removed, replaces the raw gyroscope too")
    } else if rate == nil, deviceRate != nil {
      layout.notes.append("raw gyroscope: absent, replaced by the device's rotation rate")
    }
  }

  /// Adds the columns that indicate whether a row has an orientation, a rotation rate and an acceleration.
  private mutating func addAbsences(_ places: [(slot: Int?, count: Int)]) {
    for (axis, place) in places.enumerated() {
      guard let slot = place.slot, let column = columns[Key(quantity: .absence, axis: axis)] else { continue }
      layout.actions[column] = .absence(slot: slot, count: place.count)
    }
  }

  private mutating func addDerivedAcceleration(
    _ gravity: Int?, _ user: Int?, _ quaternion: Int?, _ euler: Int?
  ) throws(LogError) {
    guard let user else { return }
    if let gravity {
      layout.emitters.append(.accelerationSum(gravity: gravity, user: user))
      layout.notes.append("raw acceleration: gravity + user acceleration")
    } else if let slot = quaternion ?? euler {
      layout.emitters.append(.accelerationFromAttitude(slot: slot, isEuler: quaternion == nil, user: user))
      layout.notes.append("raw acceleration: gravity from the attitude + user acceleration")
    } else {
      layout.notes.append("raw acceleration: absent, the log only has acceleration without gravity")
    }
  }

  private mutating func addFields(isDeviceMotion: Bool) throws(LogError) {
    guard try !dropArbitraryUnits() else { return }
    // A field with an accuracy is calibrated, as is the field of a device-motion log.
    if has(.field), !has(.calibratedField), has(.fieldAccuracy) || isDeviceMotion {
      let field = try slots(.field)!
      layout.emitters.append(.calibratedField(slot: field, accuracy: try slots(.fieldAccuracy, count: 1)))
      return
    }
    if let field = try slots(.field) { layout.emitters.append(.plain(.magnetometer, slot: field)) }
    if let field = try slots(.calibratedField) {
      layout.emitters.append(.calibratedField(slot: field, accuracy: try slots(.fieldAccuracy, count: 1)))
    }
  }

  /// Whether the field is in arbitrary units, which cannot be converted to µT. Such a field is skipped.
  private mutating func dropArbitraryUnits() throws(LogError) -> Bool {
    guard options.fieldUnit == nil else { return false }
    let isArbitrary = columns.contains { key, column in
      guard meaning(column).dimension == .field, case .written(let unit) = meaning(column).unit else {
        return false
      }
      return ["a.u.", "a.u", "au", "arb"].contains(unit.lowercased())
    }
    if isArbitrary {
      layout.notes.append("magnetometer: in arbitrary units, not read; --field-unit if they are known")
    }
    return isArbitrary
  }

  /// Adds columns of the requested auxiliary channels. If a quantity occurs several times, the first column is used.
  private mutating func addAuxiliary() {
    guard !options.auxiliary.isEmpty else { return }
    var taken: Set<String> = []
    for (column, name) in header.names.enumerated() {
      guard case .skip = layout.actions[column], name.meaning == nil, name.text.utf8.count <= 200 else { continue }
      guard let (channel, known) = AuxiliaryCell.match(name.text) else { continue }
      guard let cell = known else {
        layout.notes.append("\(name.text): not read, as its unit is unknown")
        continue
      }
      guard options.auxiliary.contains(channel), taken.insert("\(channel.name) \(cell.place)").inserted else {
        continue
      }
      let place = layout.auxiliary.firstIndex(of: channel) ?? layout.auxiliary.count
      if place == layout.auxiliary.count { layout.auxiliary.append(channel) }
      layout.actions[column] = .auxiliary(channel: place, cell)
      if case .list(let text) = cell { layout.listPlaces[channel] = text }
    }
    addChannelNames()
  }

  /// Adds the column `channel` of an event table.
  private mutating func addChannelNames() {
    guard layout.emitters.isEmpty, !layout.auxiliary.isEmpty, layout.auxiliary.allSatisfy(\.isEvent),
      let column = header.names.firstIndex(where: { $0.text == "channel" })
    else { return }
    layout.actions[column] = .channelName
    layout.isEventTable = true
  }

  func failure(column: Int? = nil, _ problem: String, remedy: String) -> LogError {
    LogError(
      path: path, line: header.line, column: header.line == nil ? nil : column.map { $0 + 1 },
      problem: problem, remedy: remedy)
  }
}
