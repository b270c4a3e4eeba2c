internal import InertialSensors
internal import InertialSystem

/// The facts that the beginning of an export from Xsens or Movella determines: CSV files of the DOT (recorded on the
/// sensor or by its app) and text files of the MT Manager.
///
/// The acceleration is m/s² of specific force. The rotation rate is in deg/s (DOT) or rad/s (MT). The field is in
/// arbitrary units (1 is the field at the factory calibration). The attitude, sensor to ENU, is a quaternion w, x, y, z
/// or roll, pitch and yaw in degrees. `SampleTimeFine` counts microseconds (DOT) or steps of 0.1 ms (MT) in 32 bits,
/// and `PacketCounter` counts rows. MT Manager leaves `SampleTimeFine` empty if the sensors do not send it.
struct XsensExport {
  let table: HeadTable
  /// Whether the file comes from a DOT, or `nil` if it comes from a DOT or an MT.
  let isDOT: Bool?
  /// The declared rate, in Hz.
  let declaredRate: Double?

  /// Returns `nil` if the file does not begin like an export.
  init?(_ candidate: LogCandidate) {
    let known = HeadTable(candidate) { names in
      names.contains { $0.lowercased() == "packetcounter" }
        && names.contains { Self.meaning($0, rotationUnit: nil) != nil }
    }
    guard let table = known else { return nil }
    let has = { (names: [String]) in names.contains { table.column($0) != nil } }
    isDOT =
      if table.preamble.contains(where: { $0.hasPrefix("//") || $0.hasPrefix("#MT") })
        || has(["Quat_q0", "Roll", "Mat[1][1]"])
      {
        false
      } else if table.preamble.contains(where: { $0.hasPrefix("DeviceTag") || $0.hasPrefix("sep=") })
        || has(["Quat_W", "Euler_X", "dq_W"])
      {
        true
      } else {
        nil
      }
    self.table = table
    declaredRate = table.preamble.lazy.compactMap(Self.rate).first
  }

  /// Returns the rate, in Hz, from a line such as `// Update Rate: 100.0Hz` or `OutputRate:,60Hz`.
  private static func rate(in line: String) -> Double? {
    guard let word = line.firstRange(of: "Rate"), let unit = line[word.upperBound...].firstRange(of: "Hz") else {
      return nil
    }
    let text = line[word.upperBound..<unit.lowerBound].filter { $0.isNumber || $0 == "." }
    guard let rate = Double(text), rate > 0, rate.isFinite else { return nil }
    return rate
  }

  /// Returns the dialect of the file.
  ///
  /// - Throws: ``LogError`` if the file and the options do not determine the time.
  func dialect(_ options: LogOptions, _ path: String) throws(LogError) -> CSVDialect {
    let summary = isDOT.map { $0 ? "Xsens or Movella DOT export" : "Xsens MT Manager export" }
    var dialect = CSVDialect(id: "xsens", summary: summary ?? "Xsens export (unknown program)")
    dialect.accelerationSign = .specificForce
    dialect.referenceFrame = "enu"
    dialect.declaredRate = declaredRate
    let unit = isDOT.map { $0 ? "deg/s" : "rad/s" }
    if let unit, table.column("Gyr_X") != nil, options.rotationUnit == nil {
      dialect.notes.append("rotation rate: \(unit), as \(unit == "deg/s" ? "a DOT" : "an MT Manager") writes it")
    }
    if table.column("Quat_W") ?? table.column("Quat_q0") != nil {
      dialect.notes.append("attitude: sensor to earth with z up (ENU)")
    }
    dialect.meaning = { Self.meaning($0, rotationUnit: unit) }
    dialect.ticks = try ticks(options, path)
    return dialect
  }

  /// Returns the meaning of a column, or `nil` if it is not read.
  private static func meaning(_ name: String, rotationUnit: String?) -> ColumnMeaning? {
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
      let index = axis ?? ["q1", "q2", "q3", "q0"].firstIndex(of: String(parts[1]))
      return index.map { ColumnMeaning(quantity: .quaternion, axis: $0, unit: .fixed(.identity)) }
    default: return nil
    }
  }
}

extension LogFormat {
  static var xsens: LogFormat {
    LogFormat(
      id: "xsens", title: "Xsens and Movella export (DOT, MT Manager)",
      recognition:
        "a header with PacketCounter and Acc_X, Gyr_X, Quat_..., Euler_X or Roll, after the maker's comments",
      units: "m/s² of specific force; deg/s of a DOT, rad/s of an MT; SampleTimeFine in µs or 0.1 ms, unwrapped; "
        + "arbitrary units of the field: --field-unit; attitude to ENU",
      recognizes: { XsensExport($0) != nil },
      dialect: { candidate, options throws(LogError) in
        try XsensExport(candidate)?.dialect(options, candidate.path)
      })
  }
}
