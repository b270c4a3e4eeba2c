internal import InertialSensors

extension CSVLayoutBuilder {
  // MARK: Units and signs

  mutating func chooseSign() throws(LogError) {
    let kinds: [Quantity] = [.acceleration, .gravity, .userAcceleration, .linearAcceleration]
    let found = columns.filter { kinds.contains($0.key.quantity) }
    guard !found.isEmpty else { return }
    if let sign = options.accelerationSign {
      accelerationSign = sign == .gravity ? 1 : -1
      layout.notes.append(
        sign == .gravity
          ? "acceleration: Core Motion's sign, by --acceleration-sign"
          : "acceleration: specific force (+1 g up at rest), by --acceleration-sign; sign inverted")
    } else if let sign = dialect?.accelerationSign {
      accelerationSign = sign == .gravity ? 1 : -1
      layout.notes.append(
        sign == .gravity
          ? "acceleration: Core Motion's sign, as the format defines"
          : "acceleration: specific force (+1 g up at rest), as the format defines; sign inverted")
    } else if ColumnMeaning.areInMeters(found.values.map(meaning), option: options.accelerationUnit) {
      noteSpecificForce()
    } else if found.values.allSatisfy({ meaning($0).isCanonical }) {
      return
    } else if has(.userAcceleration) {
      layout.notes.append(
        "acceleration: Core Motion's sign, as \"user acceleration\" is its term; --acceleration-sign specific-force if not"
      )
    } else {
      noteSpecificForce()
    }
  }

  private mutating func noteSpecificForce() {
    accelerationSign = -1
    layout.notes.append(
      "acceleration: interpreted as specific force (+1 g up at rest), as from all makers except Apple, sign inverted; "
        + "--acceleration-sign gravity if not")
  }

  /// Returns the conversion from a column's numbers to the channel's unit. An unknown unit is recorded for
  /// `requireUnits`.
  mutating func conversion(_ column: Int) -> UnitConversion {
    let meaning = meaning(column)
    let chosen: String? =
      switch meaning.dimension {
      case .acceleration: options.accelerationUnit?.text
      case .rotation: options.rotationUnit?.text
      case .field: options.fieldUnit?.rawValue
      default: nil
      }
    let found: UnitConversion
    if let chosen {
      guard let conversion = meaning.dimension.conversion(from: chosen) else {
        return lacksUnit(column, "has the unknown unit \"\(chosen)\", by option")
      }
      found = conversion
      note(meaning.dimension, "\(chosen), by option")
    } else {
      switch meaning.unit {
      case .fixed(let conversion):
        found = meaning.quantity == .eulerAngle && areDegrees ? Dimension.angle.conversion(from: "deg")! : conversion
        if found != conversion { note(.angle, "degrees, as they exceed a full turn in radians") }
      case .written(let unit):
        guard let conversion = meaning.dimension.conversion(from: unit) else {
          return lacksUnit(column, "has the unknown unit \"\(unit)\"")
        }
        found = conversion
        note(meaning.dimension, "\(unit), from the header")
      case .absent:
        return lacksUnit(column, Self.noUnit)
      }
    }
    return meaning.dimension == .acceleration && accelerationSign < 0 ? found.negated : found
  }

  /// The problem of a column without a unit. Only then do the numbers suggest one.
  private static let noUnit = "does not specify its unit"

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

  private mutating func lacksUnit(_ column: Int, _ problem: String) -> UnitConversion {
    // One column represents all columns of a dimension, as an option applies to all of them.
    if !unitless.contains(where: { meaning($0.column).dimension == meaning(column).dimension }) {
      unitless.append((column, problem))
    }
    return .identity
  }

  /// Checks that all units are known.
  ///
  /// - Throws: ``LogError`` for all unknown units, with the command that specifies them.
  func requireUnits() throws(LogError) {
    guard unspecifiedReadings.isEmpty else { throw UnspecifiedUnit.error(unspecifiedUnits, of: path) }
    guard let first = unitless.first else { return }
    let asksForTime = timeLacksUnit
    var error = UnspecifiedUnit.error(unspecifiedUnits, of: path)
    if unitless.count == 1, asksForTime == nil {
      let question = error.question
      error = unitError(first.column, first.problem)
      error.question = first.problem == Self.noUnit ? question : nil
    } else {
      (error.line, error.column) = (header.line, header.line == nil ? nil : first.column + 1)
    }
    throw error
  }

  /// The columns with unknown units, one per dimension, including the time.
  var unspecifiedUnits: [UnspecifiedUnit] {
    unspecifiedReadings
      + (unitless.map(\.column) + [timeLacksUnit].compactMap { $0 }).map { column in
        UnspecifiedUnit(column: header.names[column].text, dimension: meaning(column).dimension)
      }
  }

  /// The time column if its unit must also be requested, or `nil` if the unit is known.
  private var timeLacksUnit: Int? {
    guard case .unknown(_, let column, _) = layout.clock, let row = header.firstRow else { return nil }
    let isUNIX = row.withUnsafeBytes { bytes in
      var fields = FieldScanner(bytes, separator: header.separator)
      for _ in 1..<column { _ = fields.skip() }
      return RowClock.isUNIXNanoseconds(fields.nextInteger())
    }
    return isUNIX ? nil : column - 1
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
}

extension ColumnMeaning {
  /// Whether accelerations are in m/s², a unit that Core Motion does not have, by the option or else by the header.
  static func areInMeters(_ meanings: [ColumnMeaning], option: LogOptions.AccelerationUnit?) -> Bool {
    if let option { return option == .metersPerSecondSquared }
    let meters = Dimension.acceleration.conversion(from: LogOptions.AccelerationUnit.metersPerSecondSquared.text)
    return meanings.contains { meaning in
      guard meaning.dimension == .acceleration, case .written(let unit) = meaning.unit else { return false }
      return Dimension.acceleration.conversion(from: unit) == meters
    }
  }
}

extension Substring {
  fileprivate var trimmedEnd: Substring {
    var text = self
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
