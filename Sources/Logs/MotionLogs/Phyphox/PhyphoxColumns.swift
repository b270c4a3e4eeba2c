internal import InertialSensors

/// The columns of a phyphox file according to its header: "Time (s)" and the columns sampled at these times.
///
/// The words before the unit are in the language of the phone or of the experiment's author, so columns are recognized
/// by unit and axis. Only acceleration without gravity requires a word, in the header or in the file's name.
struct PhyphoxColumns {
  let separator: FieldSeparator
  /// The sensors' vectors, sorted by channel. The columns are named by their numbers, counted from 0, as the names of
  /// time columns repeat.
  private(set) var vectors: [ChannelFile] = []
  /// The columns of other sensors, with the name of the column of their times.
  private(set) var auxiliary: [AuxiliaryFile] = []
  private(set) var stampName = ""

  private static let quote: UInt8 = 0x22

  /// Parses a header line, or returns `nil` if it is not a phyphox header: each name is in quotes, the first is a time
  /// in seconds.
  init?(header: UnsafeRawBufferPointer, fileName: String) {
    guard let separator = Self.separator(header) else { return nil }
    self.separator = separator
    let names = FieldScanner.texts(header, separator)
    guard names.count >= 2, Self.isTime(names[0]) else { return nil }

    let isLinearFile = Self.isWithoutGravity(fileName)
    var stamp = 0
    var found: [SensorChannel: [Int: Int]] = [:]
    var numbers: [AuxiliaryChannel: [AuxiliaryColumn]] = [:]
    func finish(_ vectors: inout [ChannelFile]) {
      for (channel, axes) in found {
        guard let x = axes[0], let y = axes[1], let z = axes[2] else { continue }
        vectors.append(
          ChannelFile(
            name: fileName, channel: channel, columns: [x, y, z].map(String.init), stamp: String(stamp),
            names: names.indices.map(String.init)))
      }
      found = [:]
    }
    for (column, name) in names.enumerated() {
      if Self.isTime(name) {
        finish(&vectors)
        stamp = column
      } else if let (channel, axis) = Self.component(name, isLinearFile: isLinearFile) {
        if found[channel]?[axis] == nil { found[channel, default: [:]][axis] = column }
      } else if stamp == 0, let (channel, number) = Self.other(name, fileName: fileName) {
        numbers[channel, default: []].append(number)
      }
    }
    finish(&vectors)
    vectors.sort { $0.channel < $1.channel }
    stampName = names[0]
    auxiliary = numbers.sorted { $0.key < $1.key }.map {
      AuxiliaryFile(name: fileName, channel: $0.key, columns: $0.value, ignored: names)
    }
  }

  /// Returns the separator after the first name, which must be in quotes like all others.
  private static func separator(_ header: UnsafeRawBufferPointer) -> FieldSeparator? {
    guard header.first == quote, let end = header.dropFirst().firstIndex(of: quote), end + 2 < header.count,
      header[end + 2] == quote, header.last == quote
    else { return nil }
    return [FieldSeparator.comma, .semicolon, .tab].first { $0.rawValue == header[end + 1] }
  }

  private static func isTime(_ name: String) -> Bool { ColumnName.splitUnit(name[...]).1 == "s" }

  /// Returns the sensor component with the unit and axis of a name.
  private static func component(_ name: String, isLinearFile: Bool) -> (SensorChannel, Int)? {
    guard name.utf8.count <= 200 else { return nil }
    let (body, unit) = ColumnName.splitUnit(name[...])
    guard let unit, let last = ColumnName.words(body).last, let axis = ["x", "y", "z"].firstIndex(of: last) else {
      return nil
    }
    if Dimension.acceleration.conversion(from: unit) == UnitConversion(divisor: standardGravity) {
      return (isLinearFile || isWithoutGravity(String(body)) ? .deviceUserAcceleration : .accelerometer, axis)
    }
    if Dimension.rotation.conversion(from: unit) == .identity { return (.gyroscope, axis) }
    if Dimension.field.conversion(from: unit) == .identity { return (.calibratedMagneticField, axis) }
    return nil
  }

  private static func isWithoutGravity(_ text: String) -> Bool {
    let text = text.lowercased()
    return ["linear", "lineal", "linéaire", "without g", "ohne g"].contains { text.contains($0) }
  }

  /// Returns the field of another sensor.
  private static func other(_ name: String, fileName: String) -> (AuxiliaryChannel, AuxiliaryColumn)? {
    guard name.utf8.count <= 200 else { return nil }
    let (body, unit) = ColumnName.splitUnit(name[...])
    let words = ColumnName.words(body).joined()
    let place = [
      "latitude": "latitude", "longitude": "longitude", "height": "locationAltitude", "altitude": "locationAltitude",
      "altitudewgs84": "ellipsoidalAltitude", "velocity": "speed", "speed": "speed", "direction": "course",
      "horizontalaccuracy": "horizontalAccuracy", "verticalaccuracy": "verticalAccuracy",
    ]
    if let field = place[words] { return (.location, .number(name, field)) }
    switch unit {
    case "hPa": return (.barometer, .number(name, "pressure", scale: 0.1))
    case "lx": return (.light, .number(name, "illuminance"))
    case "cm" where words == "x" || words.contains("distance") || words.contains("prox"):
      return (.proximity, .number(name, "proximityDistance", scale: 0.01))
    case "°C": return (.temperature, .number(name, "temperature"))
    case "%" where words == "x" || words.contains("humid"): return (.humidity, .number(name, "relativeHumidity"))
    case "dB": return (.microphone, .number(name, "soundLevel"))
    default: return nil
    }
  }
}
