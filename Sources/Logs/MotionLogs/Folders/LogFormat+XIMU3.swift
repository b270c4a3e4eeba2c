internal import InertialSensors

extension LogFormat {
  /// Folders of CSV files from the programs of x-io's x-IMU3, with one file per kind of message.
  ///
  /// Every file has `Timestamp (us)`: microseconds since the device's start, or UNIX time if its clock was set.
  /// Inertial.csv has deg/s and g of specific force. Magnetometer.csv has arbitrary units and is read only if a unit is
  /// given. The attitude is Quaternion.csv, else EulerAngles.csv, sensor to NWU. Temperature, battery and signal
  /// strength are read if requested.
  static var xIMU3: LogFormat {
    LogFormat(
      id: "x-imu3", title: "x-IMU3 folder",
      recognition: "a folder with an Inertial.csv of Timestamp (us), Gyroscope X (deg/s) ...",
      units: "µs become seconds; deg/s and g of specific force; arbitrary units of the field: --field-unit; quaternion "
        + "or roll, pitch, yaw, sensor to NWU",
      isFolder: true,
      recognizes: { $0.folder.map(isXIMU3) ?? false },
      open: { path, options throws(LogError) in try openMessages(path, options) })
  }

  private static let stamp = "Timestamp (us)"
  private static let inertial = "Inertial.csv"
  private static let magnetometer = "Magnetometer.csv"
  private static let attitudes = ["Quaternion.csv", "EulerAngles.csv"]

  /// Whether a folder comes from an x-IMU3: its Inertial.csv has the clock and the rates that only these files have.
  private static func isXIMU3(_ folder: LogFolder) -> Bool {
    guard folder.has(inertial), let candidate = try? LogCandidate(path: folder.path(of: inertial)) else { return false }
    return HeadTable(candidate) { $0.contains(stamp) && $0.contains("Gyroscope X (deg/s)") } != nil
  }

  /// Opens a folder.
  ///
  /// - Throws: ``LogError`` if it has no Inertial.csv.
  private static func openMessages(_ path: String, _ options: LogOptions) throws(LogError) -> MergedLogReader {
    let folder = try LogFolder(path: path)
    try folder.requireFile(inertial)
    guard folder.has(inertial) else { throw folder.lacks("inertial messages", lookedFor: [inertial]) }
    var description = LogDescription(
      format: "x-imu3", summary: "x-IMU3 folder (one file for each kind of message)", path: path)

    let main = try table(inertial, folder, options)
    var sources = [main]
    description.notes = main.description.notes
    description.epoch = main.description.epoch
    // Times that are not UNIX time count from the device's start.
    description.clock = LogClock(main.description.clock?.origin == .unix ? .unix : .deviceStart, unit: .microseconds)
    // The options for the sensors apply to the other files only in their clock.
    if folder.has(magnetometer) {
      if options.fieldUnit == nil {
        description.notes.append("magnetometer: in arbitrary units, not read; --field-unit if they are known")
      } else {
        try add(magnetometer, folder, options, to: &sources, &description.notes)
      }
    }
    if let name = attitudes.first(where: { folder.has($0) }) {
      try add(name, folder, LogOptions(), to: &sources, &description.notes)
      description.referenceFrame = "nwu"
      description.notes.append(
        "attitude: \(name), sensor to earth with x north, y west, z up unless the device was configured otherwise")
    }
    let used =
      [inertial, magnetometer] + attitudes.filter { folder.has($0) }.prefix(1) + auxiliaryFiles.map(\.name)
    let left = folder.names.filter { $0.hasSuffix(".csv") && folder.has($0) && !used.contains($0) }
    if !left.isEmpty { description.notes.append("not read: \(left.prefix(12).joined(separator: ", "))") }

    var tables: [AuxiliaryTable] = []
    for file in auxiliaryFiles where options.auxiliary.contains(file.channel) && folder.has(file.name) {
      let table = try AuxiliaryTable(
        file, path: folder.path(of: file.name), stamp: stamp, clock: .microseconds, notes: &description.notes)
      if let table { tables.append(table) }
    }
    return MergedLogReader(description, sources, auxiliary: tables)
  }

  private static let auxiliaryFiles = [
    AuxiliaryFile(
      name: "Temperature.csv", channel: .temperature, columns: [.number("Temperature (degC)", "temperature")]),
    AuxiliaryFile(
      name: "Battery.csv", channel: .battery,
      columns: [.number("Percentage (%)", "batteryLevel", scale: 0.01), .number("Voltage (V)", "batteryVoltage")]),
    AuxiliaryFile(
      name: "Rssi.csv", channel: .wifi, columns: [.number("Power (dBm)", "wifiRSSI")], ignored: ["Percentage (%)"]),
  ]

  /// Opens a file next to the main one.
  private static func add(
    _ name: String, _ folder: LogFolder, _ options: LogOptions, to sources: inout [CSVSource],
    _ notes: inout [String]
  ) throws(LogError) {
    // A disabled message has a header but no rows.
    let candidate = try LogCandidate(path: folder.path(of: name))
    if let head = HeadTable(candidate, isHeader: { $0.contains(stamp) }), head.rows.isEmpty {
      return notes.append("\(name) has no rows")
    }
    let source = try table(name, folder, options)
    for note in source.description.notes where note.hasPrefix("magnetic field") || note.hasPrefix("attitude") {
      notes.append(note)
    }
    sources.append(source)
  }

  private static func table(_ name: String, _ folder: LogFolder, _ options: LogOptions) throws(LogError) -> CSVSource {
    var dialect = CSVDialect(id: "x-imu3", summary: "x-IMU3 table")
    dialect.accelerationSign = .specificForce
    dialect.loneAttitude = .deviceAttitude
    dialect.meaning = { column in
      // Earlier versions write X Axis and W Element.
      let plain = column.replacing(" Axis", with: "").replacing(" Element", with: "")
      let (body, unit) = ColumnName.splitUnit(plain[...])
      let word = body.filter { !$0.isWhitespace }.lowercased()
      if let axis = ["roll", "pitch", "yaw"].firstIndex(of: word) {
        return ColumnMeaning(quantity: .aerospaceAngle, axis: axis, unit: unit.map { .written($0) } ?? .absent)
      }
      if name == magnetometer, let axis = ["x", "y", "z"].firstIndex(of: word) {
        return ColumnMeaning(quantity: .field, axis: axis, unit: unit.map { .written($0) } ?? .absent)
      }
      return ColumnName(plain).meaning
    }
    return CSVSource(try CSVLogReader(path: folder.path(of: name), options: options, dialect: dialect))
  }
}
