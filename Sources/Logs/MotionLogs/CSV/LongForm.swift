internal import InertialSensors

/// A table in long form: each row is one reading of the sensor that a column names.
struct LongForm {
  /// The first of the three slots of a reading.
  var slot: Int
  /// The index in the layout's tags of the column with the sensor's name.
  var tag: Int
  var acceleration = UnitConversion.identity
  var rotation = UnitConversion.identity
  var field = UnitConversion.identity

  /// Returns the channel for a sensor's name, or `nil` if the name is not a motion sensor's.
  static func channel(_ name: String) -> SensorChannel? {
    let text = name.lowercased().filter(\.isLetter)
    if text.contains("gyr") || text.contains("rotationrate") || text.contains("angular") || text == "g" {
      return .gyroscope
    }
    if text.contains("mag") || text == "m" { return .magnetometer }
    if text.contains("grav") { return .deviceGravity }
    guard text.contains("acc") || text == "a" else { return nil }
    return text.contains("lin") || text.contains("user") ? .deviceUserAcceleration : .accelerometer
  }

  /// Returns the columns of a reading's three values, or `nil` if they are missing: `x`, `y`, `z`, `value_x` ...,
  /// `Value 0` ..., `v1` ....
  static func axes(of names: [ColumnName]) -> [Int]? {
    let texts = names.map { name in
      name.meaning == nil || name.meaning?.quantity == .quaternion
        ? name.text.lowercased().filter { $0.isLetter || $0.isNumber } : ""
    }
    for letters in [["x", "y", "z"], ["0", "1", "2"], ["1", "2", "3"]] {
      for word in ["", "value", "values", "val", "v", "axis", "data"] where word != "" || letters[0] == "x" {
        let places = letters.compactMap { letter in texts.firstIndex(of: word + letter) }
        if places.count == 3 { return places }
      }
    }
    return nil
  }

  /// Whether a column's text names a motion sensor. A single letter counts only in a column of sensors: "A" may be a
  /// label.
  static func names(_ text: String, in column: String) -> Bool {
    guard channel(text) != nil else { return false }
    let words: Set = ["sensor", "type", "kind", "channel", "stream", "quantity", "measurement", "signal"]
    return text.count > 1 || ColumnName.words(column[...]).contains(where: words.contains)
  }

  func conversion(_ channel: SensorChannel) -> UnitConversion {
    switch channel {
    case .gyroscope: rotation
    case .magnetometer: field
    default: acceleration
    }
  }
}

extension CSVLayoutBuilder {
  /// Lays out a table whose only values are x, y and z, with a column that names the sensor.
  mutating func addLongForm() {
    let sensors = columns.keys.filter { $0.quantity != .time }
    guard dialect == nil, let places = LongForm.axes(of: header.names),
      sensors.allSatisfy({ $0.quantity == .quaternion && $0.axis < 3 }),
      let kind = firstTexts.first(where: {
        header.names[$0.column].meaning == nil && LongForm.names($0.text, in: header.names[$0.column].text)
      })
    else { return }
    for key in sensors { columns[key] = nil }
    var form = LongForm(slot: layout.slotCount, tag: layout.tags.count)
    for index in places {
      layout.actions[index] = .value(slot: layout.slotCount, .identity)
      layout.slotCount += 1
    }
    let name = header.names[kind.column].text
    layout.actions[kind.column] = .tag(layout.tags.count)
    layout.tags.append(RowTag(column: kind.column, name: name))
    layout.notes.append("rows: one reading per row, of the sensor named in the column \"\(name)\"")
    let isGravity = options.accelerationSign == .gravity
    layout.notes.append(
      isGravity
        ? "acceleration: Core Motion's sign, by --acceleration-sign"
        : "acceleration: interpreted as specific force (+1 g up at rest), sign inverted; "
          + "--acceleration-sign gravity if not")
    if let unit = options.accelerationUnit, let found = Dimension.acceleration.conversion(from: unit.text) {
      form.acceleration = isGravity ? found : found.negated
      layout.notes.append("acceleration: in \(unit.text), by option")
    } else {
      unspecifiedReadings.append(UnspecifiedUnit(column: "x of an accelerometer", dimension: .acceleration))
    }
    if let unit = options.rotationUnit, let found = Dimension.rotation.conversion(from: unit.text) {
      form.rotation = found
      layout.notes.append("rotation rate: in \(unit.text), by option")
    } else {
      unspecifiedReadings.append(UnspecifiedUnit(column: "x of a gyroscope", dimension: .rotation))
    }
    if let unit = options.fieldUnit, let found = Dimension.field.conversion(from: unit.rawValue) {
      form.field = found
    } else {
      layout.notes.append("magnetic field: interpreted as µT, if present; --field-unit if not")
    }
    layout.longForm = form
  }

  /// The first row's fields that are not numbers, with the column, counted from 0, and the text.
  var firstTexts: [(column: Int, text: String)] {
    guard let row = header.firstRow else { return [] }
    return row.withUnsafeBytes { bytes in
      var (numbers, texts) = (
        FieldScanner(bytes, separator: header.separator), FieldScanner(bytes, separator: header.separator)
      )
      var found: [(column: Int, text: String)] = []
      for column in header.names.indices {
        guard let text = texts.nextText() else { break }
        if case .text = numbers.nextNumber() { found.append((column, text)) }
      }
      return found
    }
  }

  /// Adds the columns that select rows, and the columns that distinguish devices.
  mutating func addTags() throws(LogError) {
    for condition in options.conditions ?? [] {
      guard
        let column = header.names.firstIndex(where: { $0.text == condition.column })
          ?? header.names.firstIndex(where: { $0.text.lowercased() == condition.column.lowercased() })
      else {
        throw failure(
          "--where names the column \"\(condition.column)\", which the log does not have (found: \(header.found))",
          remedy: "name a column of the header")
      }
      guard case .skip = layout.actions[column] else {
        throw failure(
          column: column, "the column \"\(header.names[column].text)\" is read as motion",
          remedy: "give --where a column that names the device, the person or the recording")
      }
      layout.actions[column] = .tag(layout.tags.count)
      var tag = RowTag(column: column, name: header.names[column].text)
      tag.wanted = Array(condition.value.utf8)
      layout.tags.append(tag)
      layout.notes.append("rows: those with \(tag.name)=\(condition.value), by --where")
    }
    guard dialect == nil, options.conditions == nil else { return }
    let texts = Set(firstTexts.map(\.column))
    for (column, name) in header.names.enumerated() where layout.tags.count < 8 {
      guard case .skip = layout.actions[column], !name.text.isEmpty, name.text != "-" else { continue }
      let isDevice = RowTag.isDevice(name.text)
      guard isDevice || texts.contains(column) else { continue }
      layout.actions[column] = .tag(layout.tags.count)
      var tag = RowTag(column: column, name: name.text)
      tag.isDevice = isDevice
      layout.tags.append(tag)
    }
  }
}
