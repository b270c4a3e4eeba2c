internal import InertialSystem

extension LogFormat {
  /// Core Motion's device motion in rows without a header, as in the synchronised files of OxIOD.
  ///
  /// Roll, pitch, yaw, rotation rate, gravity, user acceleration and optionally the field follow in this order after up
  /// to three other columns. The layout is verified: gravity follows from roll and pitch, and must match in all examined
  /// rows.
  static var headerlessMotion: LogFormat {
    LogFormat(
      id: "device-motion-rows", title: "device motion without a header (OxIOD, synchronised)",
      recognition: "rows of equal length without a header, in which gravity follows from roll and pitch by Core "
        + "Motion's rule",
      units: "s if the first column increases, otherwise --sample-rate; rad, rad/s, g with Core Motion's sign, µT",
      recognizes: { layout($0) != nil },
      dialect: { rowsDialect($0, &$1) })
  }

  /// The maximum difference, in g. Gravity and attitude are one estimate, and single precision is the coarsest that
  /// occurs.
  private static let tolerance = 1e-4
  private static let minimumRowCount = 3

  /// Returns the column names for reading the rows and the number of examined rows, or `nil` if a row contradicts the
  /// layout.
  private static func layout(_ candidate: LogCandidate) -> (columns: [String], rowCount: Int)? {
    guard let table = HeadTable(headless: candidate), table.rows.count >= minimumRowCount else { return nil }
    let count = table.rows[0].count
    for (values, hasField) in [(15, true), (12, false)] where (values...values + 3).contains(count) {
      let leading = count - values
      guard gravityMatches(table, leading) else { continue }
      let times = leading == 1 ? table.numbers(0) : []
      let hasTime = !times.isEmpty && Swift.zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
      var columns = Array(repeating: "-", count: leading)
      if hasTime { columns[0] = "time" }
      columns += ["attitude.roll", "attitude.pitch", "attitude.yaw"]
      for name in ["rotationRate", "gravity", "userAcceleration"] + (hasField ? ["magneticField"] : []) {
        columns += ["X", "Y", "Z"].map { name + $0 }
      }
      return (columns, table.rows.count)
    }
    return nil
  }

  /// Whether gravity follows from roll and pitch in all rows, which have `leading` columns before the attitude.
  private static func gravityMatches(_ table: HeadTable, _ leading: Int) -> Bool {
    table.rows.allSatisfy { row in
      let numbers = row[leading...].map { Double($0) ?? .nan }
      guard numbers[..<12].allSatisfy(\.isFinite) else { return false }
      let (roll, pitch) = (numbers[0], numbers[1])
      // Core Motion's attitude: gravity in device axes is (cos pitch sin roll, −sin pitch, −cos pitch cos roll).
      let gravity = [cos(pitch) * sin(roll), -sin(pitch), -cos(pitch) * cos(roll)]
      return (0..<3).allSatisfy { abs(numbers[6 + $0] - gravity[$0]) <= tolerance }
    }
  }

  private static func rowsDialect(_ candidate: LogCandidate, _ options: inout LogOptions) -> CSVDialect? {
    guard let layout = layout(candidate) else { return nil }
    options.columns = layout.columns
    var dialect = CSVDialect(id: "device-motion-rows", summary: "Core Motion's device motion in rows without a header")
    dialect.isDeviceMotion = true
    dialect.clockRemedy = "give --sample-rate HZ, the rate at which the rows were recorded"
    dialect.notes = [
      "columns: no header; \(layout.columns.joined(separator: ", ")), as gravity follows from roll and pitch in the "
        + "first \(layout.rowCount) rows; --columns if not"
    ]
    return dialect
  }
}
