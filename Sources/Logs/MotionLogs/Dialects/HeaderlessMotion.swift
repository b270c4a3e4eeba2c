internal import InertialSystem

/// Core Motion's device motion in rows without a header, as in the synchronised files of OxIOD.
///
/// Roll, pitch, yaw, rotation rate, gravity, user acceleration and optionally the field follow in this order after up
/// to three other columns. The layout is verified: gravity follows from roll and pitch, and must match in all examined
/// rows.
enum HeaderlessMotion {
  struct Layout: Equatable {
    /// The number of columns before the attitude.
    var leading: Int
    var hasField: Bool
    var hasTime: Bool
    /// The largest difference between a component of gravity and its value from roll and pitch, in g.
    var error: Double
    var rowCount: Int

    /// The column names for reading the rows.
    var columns: [String] {
      var columns = Array(repeating: "-", count: leading)
      if hasTime { columns[0] = "time" }
      columns += ["attitude.roll", "attitude.pitch", "attitude.yaw"]
      for name in ["rotationRate", "gravity", "userAcceleration"] + (hasField ? ["magneticField"] : []) {
        columns += ["X", "Y", "Z"].map { name + $0 }
      }
      return columns
    }
  }

  /// The maximum difference, in g. Gravity and attitude are one estimate, and single precision is the coarsest that
  /// occurs.
  private static let tolerance = 1e-4
  private static let minimumRowCount = 3

  static func layout(_ candidate: LogCandidate) -> Layout? {
    guard let table = HeadTable(headless: candidate), table.rows.count >= minimumRowCount else { return nil }
    let count = table.rows[0].count
    for (values, hasField) in [(15, true), (12, false)] where (values...values + 3).contains(count) {
      let leading = count - values
      guard let error = largestError(table, leading) else { continue }
      let times = leading == 1 ? table.numbers(0) : []
      let hasTime = !times.isEmpty && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
      return Layout(
        leading: leading, hasField: hasField, hasTime: hasTime, error: error, rowCount: table.rows.count)
    }
    return nil
  }

  /// Returns the largest difference, in g, or `nil` if a row contradicts the layout.
  private static func largestError(_ table: HeadTable, _ leading: Int) -> Double? {
    var largest = 0.0
    for row in table.rows {
      let numbers = row[leading...].map { Double($0) ?? .nan }
      guard numbers[..<12].allSatisfy(\.isFinite) else { return nil }
      let (roll, pitch) = (numbers[0], numbers[1])
      // Core Motion's attitude: gravity in device axes is (cos pitch sin roll, −sin pitch, −cos pitch cos roll).
      let gravity = [cos(pitch) * sin(roll), -sin(pitch), -cos(pitch) * cos(roll)]
      for axis in 0..<3 { largest = max(largest, abs(numbers[6 + axis] - gravity[axis])) }
      if largest > tolerance { return nil }
    }
    return largest
  }

  static func open(_ path: String, _ options: LogOptions) throws(LogError) -> any LogReader {
    guard options.columns == nil, let layout = layout(try LogCandidate(path: path)) else {
      return try CSVLogReader(path: path, options: options)
    }
    var options = options
    options.columns = layout.columns
    var dialect = CSVDialect(id: "device-motion-rows", summary: "Core Motion's device motion in rows without a header")
    dialect.isDeviceMotion = true
    dialect.clockRemedy = "give --sample-rate HZ, the rate at which the rows were recorded"
    dialect.notes = [
      "columns: no header; \(layout.columns.joined(separator: ", ")), as gravity follows from roll and pitch in the "
        + "first \(layout.rowCount) rows; --columns if not"
    ]
    return try CSVLogReader(path: path, options: options, dialect: dialect)
  }
}

extension LogFormat {
  static var headerlessMotion: LogFormat {
    LogFormat(
      id: "device-motion-rows", title: "device motion without a header (OxIOD, synchronised)",
      recognition: "rows of equal length without a header, in which gravity follows from roll and pitch by Core "
        + "Motion's rule",
      units: "s if the first column increases, otherwise --sample-rate; rad, rad/s, g with Core Motion's sign, µT",
      isFolder: false,
      recognizes: { HeaderlessMotion.layout($0) != nil },
      open: { path, options throws(LogError) in try HeaderlessMotion.open(path, options) })
  }
}
