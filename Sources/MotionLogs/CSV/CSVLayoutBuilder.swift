internal import Sensors

/// Decides, from the header and the options, what each column of a CSV is.
struct CSVLayoutBuilder {
  private typealias Quantity = ColumnMeaning.Quantity

  private let header: CSVHeader
  private let options: LogOptions
  private let path: String
  /// The column, counted from 0, of each component found.
  private var columns: [Key: Int] = [:]
  private var layout = CSVLayout(clock: .rate(1), format: .described)
  /// Core Motion's sign (+1) or everybody else's (−1).
  private var accelerationSign = 1.0

  private struct Key: Hashable {
    var quantity: Quantity
    var axis: Int
  }

  /// Throws where columns are missing, doubled, or of a unit that is not told.
  static func layout(
    of header: CSVHeader, options: LogOptions, path: String
  ) throws(LogError) -> CSVLayout {
    var builder = CSVLayoutBuilder(header: header, options: options, path: path)
    try builder.build()
    return builder.layout
  }

  private init(header: CSVHeader, options: LogOptions, path: String) {
    self.header = header
    self.options = options
    self.path = path
    layout.actions = Array(repeating: .skip, count: header.names.count)
  }

  private mutating func build() throws(LogError) {
    try collect()
    let isQuaternionOnly = columns.keys.allSatisfy {
      [.time, .quaternion, .referenceQuaternion, .movement].contains($0.quantity)
    }
    layout.format = format(isQuaternionOnly: isQuaternionOnly)
    try chooseSign()
    try addChannels(isQuaternionOnly: isQuaternionOnly)
    guard !layout.emitters.isEmpty else {
      throw failure(
        "no column of a known quantity (found: \(header.found))",
        remedy: "name columns and units as in \"Gyroscope X (rad/s)\", or with --columns")
    }
    try chooseClock()
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
  }

  // MARK: Columns

  private mutating func collect() throws(LogError) {
    for (column, name) in header.names.enumerated() {
      guard let meaning = name.meaning else { continue }
      let key = Key(quantity: meaning.quantity, axis: meaning.axis)
      guard let first = columns[key] else {
        columns[key] = column
        continue
      }
      // The exact name wins; else one clock is as good as another, but not one sensor.
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

  private func has(_ quantity: Quantity) -> Bool { columns.keys.contains { $0.quantity == quantity } }

  private func meaning(_ column: Int) -> ColumnMeaning { header.names[column].meaning! }

  private func isCanonical(_ quantity: Quantity) -> Bool {
    columns.contains { $0.key.quantity == quantity && meaning($0.value).isCanonical }
  }

  private func format(isQuaternionOnly: Bool) -> CSVFormat {
    if isQuaternionOnly, has(.quaternion) || has(.referenceQuaternion) { return .reference }
    let areCanonical = columns.values.allSatisfy { meaning($0).isCanonical }
    guard areCanonical else { return .described }
    let isDeviceMotion = [.gravity, .userAcceleration, .quaternion, .eulerAngle, .fieldAccuracy].contains(
      where: has)
    return isDeviceMotion && !has(.acceleration) ? .deviceMotion : .canonical
  }

  /// Finds a quantity's columns, makes slots for them and gives the first slot; nil where it is absent altogether.
  private mutating func slots(_ quantity: Quantity, count: Int = 3) throws(LogError) -> Int? {
    guard has(quantity) else { return nil }
    let first = layout.slotCount
    let missing = (0..<count).filter { columns[Key(quantity: quantity, axis: $0)] == nil }
    guard missing.isEmpty else {
      let known = columns.filter { $0.key.quantity == quantity }.map(\.value).min()!
      let letters = quantity == .eulerAngle ? ["roll", "pitch", "yaw"] : ["x", "y", "z", "w"]
      throw failure(
        column: known,
        "\"\(header.names[known].text)\" has no companion for \(missing.map { letters[$0] }.joined(separator: ", ")) (found: \(header.found))",
        remedy: "add the missing columns, or name the columns with --columns, with - for those to skip")
    }
    for axis in 0..<count {
      let column = columns[Key(quantity: quantity, axis: axis)]!
      layout.actions[column] = .value(slot: layout.slotCount, try conversion(column))
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

    let rate = try slots(.rotationRate)
    let deviceRate = try slots(.deviceRotationRate)
    if let raw = rate ?? deviceRate { layout.emitters.append(.plain(.gyroscope, slot: raw)) }
    let isDeviceMotion = layout.format == .deviceMotion
    if acceleration == nil { try addDerivedAcceleration(gravity, user ?? linear, quaternion, euler) }
    if let acceleration { layout.emitters.append(.plain(.accelerometer, slot: acceleration)) }
    try addFields(isDeviceMotion: isDeviceMotion)

    if isQuaternionOnly, let quaternion {
      layout.emitters.append(.plain(.referenceAttitude, slot: quaternion))
    } else if let quaternion {
      layout.emitters.append(.plain(.deviceAttitude, slot: quaternion))
    } else if let euler {
      layout.emitters.append(.attitudeFromEuler(slot: euler))
      layout.notes.append("attitude: from roll, pitch and yaw by Core Motion's rule")
    }
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
      layout.notes.append("rotation rate: the device's, its bias taken off, stands for the raw gyroscope too")
    } else if rate == nil, deviceRate != nil {
      layout.notes.append("raw gyroscope: absent, the device's rotation rate stands for it")
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
      layout.notes.append("raw acceleration: gravity by the attitude + user acceleration")
    } else {
      layout.notes.append("raw acceleration: absent, the log has acceleration without gravity only")
    }
  }

  private mutating func addFields(isDeviceMotion: Bool) throws(LogError) {
    guard try !dropArbitraryUnits() else { return }
    // The accuracy makes a field a calibrated one, and so does a device-motion log.
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

  /// A field in arbitrary units cannot become µT; whether there is one, which is then left out.
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

  // MARK: Units and signs

  private mutating func chooseSign() throws(LogError) {
    let kinds: [Quantity] = [.acceleration, .gravity, .userAcceleration, .linearAcceleration]
    let found = columns.filter { kinds.contains($0.key.quantity) }
    guard !found.isEmpty else { return }
    if let sign = options.accelerationSign {
      accelerationSign = sign == .gravity ? 1 : -1
      layout.notes.append(
        sign == .gravity
          ? "acceleration: Core Motion's sign, by --acceleration-sign"
          : "acceleration: specific force (+1 g up at rest), by --acceleration-sign; sign turned")
    } else if found.values.allSatisfy({ meaning($0).isCanonical }) {
      return
    } else if has(.userAcceleration) {
      layout.notes.append(
        "acceleration: Core Motion's sign, as \"user acceleration\" is its word; --acceleration-sign specific-force if not"
      )
    } else {
      accelerationSign = -1
      layout.notes.append(
        "acceleration: taken as specific force (+1 g up at rest), as all makers but Apple write it, sign turned; "
          + "--acceleration-sign gravity if not")
    }
  }

  /// The step from a column's numbers to the channel's unit; an error where nothing tells the unit.
  private mutating func conversion(_ column: Int) throws(LogError) -> UnitConversion {
    let meaning = meaning(column)
    let chosen: String? =
      switch meaning.dimension {
      case .acceleration: options.accelerationUnit?.rawValue
      case .rotation: options.rotationUnit?.rawValue
      case .field: options.fieldUnit?.rawValue
      default: nil
      }
    let found: UnitConversion
    if let chosen {
      found = meaning.dimension.conversion(from: chosen)!
      note(meaning.dimension, "\(chosen), by option")
    } else {
      switch meaning.unit {
      case .fixed(let conversion): found = conversion
      case .written(let unit):
        guard let conversion = meaning.dimension.conversion(from: unit) else {
          throw unitError(column, "has the unknown unit \"\(unit)\"")
        }
        found = conversion
        note(meaning.dimension, "\(unit), as the header says")
      case .absent:
        throw unitError(column, "does not say its unit")
      }
    }
    return meaning.dimension == .acceleration && accelerationSign < 0 ? found.negated : found
  }

  private mutating func note(_ dimension: Dimension, _ text: String) {
    let word =
      switch dimension {
      case .acceleration: "acceleration"
      case .rotation: "rotation rate"
      case .field: "magnetic field"
      case .angle: "roll, pitch, yaw"
      case .time: "time"
      case .none: "value"
      }
    let note = "\(word): in \(text)"
    if !layout.notes.contains(note) { layout.notes.append(note) }
  }

  private func unitError(_ column: Int, _ problem: String) -> LogError {
    let name = header.names[column].text
    let (option, example) =
      switch meaning(column).dimension {
      case .acceleration: ("--acceleration-unit g or m/s2", "(m/s^2)")
      case .rotation: ("--rotation-unit rad/s or deg/s", "(rad/s)")
      case .field: ("--field-unit uT, nT, mT or gauss", "(uT)")
      case .time: ("--time-unit s, ms, us or ns", "(s)")
      case .angle, .none: ("--columns with - for the columns to skip", "(rad)")
      }
    return failure(
      column: column, "column \"\(name)\" \(problem)",
      remedy:
        "give \(option), or a header such as \"\(name.prefix { $0 != "(" && $0 != "[" }.trimmedEnd) \(example)\""
    )
  }

  // MARK: Time

  private mutating func chooseClock() throws(LogError) {
    let times = header.names.indices.filter { header.names[$0].meaning?.quantity == .time }
    guard let first = columns[Key(quantity: .time, axis: 0)] else {
      guard let rate = options.sampleRate else {
        throw failure(
          "no column of time (found: \(header.found))",
          remedy: "give --sample-rate HZ if the rows are evenly spaced, or name the columns with --columns")
      }
      guard rate > 0, rate.isFinite else {
        throw failure("a sample rate of \(rate) Hz cannot be", remedy: "give --sample-rate a number above 0")
      }
      layout.clock = .rate(rate)
      layout.notes.append("time: row number / \(rate) Hz, by --sample-rate")
      return
    }
    // A clock of a known unit before one of an unknown unit.
    let column = meaning(first).isCanonical ? first : times.first { meaning($0).unit != .absent } ?? first
    if options.sampleRate != nil {
      layout.notes.append("--sample-rate not used: the log has times in \"\(header.names[column].text)\"")
    } else if times.count > 1 {
      layout.notes.append("time: from \"\(header.names[column].text)\", the other clocks not read")
    }
    layout.actions[column] = .time
    if let unit = options.timeUnit {
      layout.clock = .column(.known(Dimension.TimeUnit(unit)))
      layout.notes.append("time: in \(unit.rawValue), by option")
    } else if case .written(let unit) = meaning(column).unit,
      let found = Dimension.time.conversion(from: unit)
    {
      layout.clock = .column(.known(Dimension.TimeUnit(rawValue: found.divisor)!))
      if found != .identity { layout.notes.append("time: in \(unit), as the header says") }
    } else if meaning(column).isCanonical {
      layout.clock = .column(.secondsOrUNIXNanoseconds)
    } else {
      layout.clock = .column(
        .unknown(line: header.line, column: column + 1, name: header.names[column].text))
    }
  }

  private func failure(column: Int? = nil, _ problem: String, remedy: String) -> LogError {
    LogError(
      path: path, line: header.line, column: header.line == nil ? nil : column.map { $0 + 1 },
      problem: problem, remedy: remedy)
  }
}

extension Substring {
  fileprivate var trimmedEnd: Substring {
    var text = self
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
