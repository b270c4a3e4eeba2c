internal import InertialSensors
internal import InertialSystem

/// Exports of Xsens and Movella: CSV files of the DOT (recorded on the sensor or by its app), text files of the MT Manager.
///
/// Acceleration is m/s² of specific force, the rotation rate in deg/s (DOT) or rad/s (MT), the field in arbitrary units
/// (1 = the field at the factory's calibration), the attitude a quaternion w, x, y, z or roll, pitch and yaw in degrees,
/// sensor to ENU. `SampleTimeFine` counts microseconds (DOT) or steps of 0.1 ms (MT) in 32 bits, `PacketCounter` rows;
/// an MT Manager leaves the first empty where the sensors did not send it.
enum XsensExport {
  enum Maker { case dot, mt }

  /// What a file's beginning tells.
  struct Facts {
    var table: HeadTable
    var maker: Maker?
    /// Hz.
    var declaredRate: Double?
  }

  static func facts(_ candidate: LogCandidate) -> Facts? {
    let known = HeadTable(candidate) { names in
      names.contains { $0.lowercased() == "packetcounter" } && names.contains { meaning($0, rotationUnit: nil) != nil }
    }
    guard let table = known else { return nil }
    let has = { (names: [String]) in names.contains { table.column($0) != nil } }
    let maker: Maker? =
      if table.preamble.contains(where: { $0.hasPrefix("//") || $0.hasPrefix("#MT") })
        || has(["Quat_q0", "Roll", "Mat[1][1]"])
      {
        .mt
      } else if table.preamble.contains(where: { $0.hasPrefix("DeviceTag") || $0.hasPrefix("sep=") })
        || has(["Quat_W", "Euler_X", "dq_W"])
      {
        .dot
      } else {
        nil
      }
    return Facts(table: table, maker: maker, declaredRate: table.preamble.lazy.compactMap(rate).first)
  }

  /// Hz in a line such as `// Update Rate: 100.0Hz` or `OutputRate:,60Hz`.
  static func rate(in line: String) -> Double? {
    guard let word = line.firstRange(of: "Rate"), let unit = line[word.upperBound...].firstRange(of: "Hz") else {
      return nil
    }
    let text = line[word.upperBound..<unit.lowerBound].filter { $0.isNumber || $0 == "." }
    guard let rate = Double(text), rate > 0, rate.isFinite else { return nil }
    return rate
  }

  /// What a column is; nil where it is not read.
  static func meaning(_ name: String, rotationUnit: String?) -> ColumnMeaning? {
    let parts = name.lowercased().split(separator: "_", omittingEmptySubsequences: false)
    if parts.count == 1, let axis = ["roll", "pitch", "yaw"].firstIndex(of: String(parts[0])) {
      return ColumnMeaning(quantity: .aerospaceAngle, axis: axis, unit: .written("deg"))
    }
    guard parts.count == 2 else { return nil }
    let axis = ["x", "y", "z", "w"].firstIndex(of: String(parts[1]))
    switch (parts[0], axis) {
    case ("acc", let axis?) where axis < 3:
      return ColumnMeaning(quantity: .acceleration, axis: axis, unit: .written("m/s^2"))
    case ("gyr", let axis?) where axis < 3:
      return ColumnMeaning(quantity: .rotationRate, axis: axis, unit: rotationUnit.map { .written($0) } ?? .absent)
    case ("mag", let axis?) where axis < 3:
      return ColumnMeaning(quantity: .field, axis: axis, unit: .written("a.u."))
    case ("euler", let axis?) where axis < 3:
      return ColumnMeaning(quantity: .aerospaceAngle, axis: axis, unit: .written("deg"))
    case ("quat", _):
      let place = axis ?? ["q1", "q2", "q3", "q0"].firstIndex(of: String(parts[1]))
      return place.map { ColumnMeaning(quantity: .quaternion, axis: $0, unit: .fixed(.identity)) }
    default: return nil
    }
  }

  static func open(_ path: String, _ options: LogOptions) throws(LogError) -> any LogReader {
    guard options.columns == nil, let facts = facts(try LogCandidate(path: path)) else {
      return try CSVLogReader(path: path, options: options)
    }
    var dialect = CSVDialect(id: "xsens", summary: summary(facts.maker))
    dialect.accelerationSign = .specificForce
    dialect.referenceFrame = "enu"
    dialect.declaredRate = facts.declaredRate
    let unit: String? =
      switch facts.maker {
      case .dot: "deg/s"
      case .mt: "rad/s"
      case nil: nil
      }
    if let unit, facts.table.column("Gyr_X") != nil, options.rotationUnit == nil {
      dialect.notes.append("rotation rate: \(unit), as \(unit == "deg/s" ? "a DOT" : "an MT Manager") writes it")
    }
    if facts.table.column("Quat_W") ?? facts.table.column("Quat_q0") != nil {
      dialect.notes.append("attitude: sensor to earth with z up (ENU)")
    }
    dialect.meaning = { meaning($0, rotationUnit: unit) }
    dialect.ticks = try ticks(facts, options, path)
    return try CSVLogReader(path: path, options: options, dialect: dialect)
  }

  private static func summary(_ maker: Maker?) -> String {
    switch maker {
    case .dot: "Xsens or Movella DOT export"
    case .mt: "Xsens MT Manager export"
    case nil: "Xsens export (maker's program not told)"
    }
  }
}

extension LogFormat {
  static var xsens: LogFormat {
    LogFormat(
      id: "xsens", title: "Xsens and Movella export (DOT, MT Manager)",
      recognition:
        "a header with PacketCounter and Acc_X, Gyr_X, Quat_..., Euler_X or Roll, behind the maker's remarks",
      units: "m/s² of specific force; deg/s of a DOT, rad/s of an MT; SampleTimeFine in µs or 0.1 ms, unwrapped; "
        + "arbitrary units of the field: --field-unit; attitude to ENU",
      isFolder: false,
      recognizes: { XsensExport.facts($0) != nil },
      open: { path, options throws(LogError) in try XsensExport.open(path, options) })
  }
}
