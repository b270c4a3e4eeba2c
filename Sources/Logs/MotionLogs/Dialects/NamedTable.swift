internal import InertialSensors

/// A manufacturer's table of motion whose columns have fixed names and units: a declaration, read by `CSVLogReader`.
struct NamedTable: Sendable {
  /// Three columns of one quantity: a name followed by an axis.
  struct Vector: Sendable {
    var name: String
    var axes = ["[0]", "[1]", "[2]"]
    var quantity: ColumnMeaning.Quantity
    /// The unit, unless the header has one in brackets.
    var unit: String
  }

  var id: String
  var title: String
  var recognition: String
  var units: String
  /// The names, without the unit in brackets, by which a header is recognised.
  var marks: [String]
  /// The possible names of the time column. Its unit is `timeUnit` unless the header has one.
  var times: [String]
  var timeUnit: String
  var vectors: [Vector]
  var accelerationSign: LogOptions.AccelerationSign?
  /// The maximum number of lines before the header, such as settings.
  var searchedLines = 64
  /// The name that precedes the number of counts per 1 g in a line before the header.
  var countsPerG: String?
  var notes: [String] = []

  /// Splits a name into its unit and the rest, in lower case and without points, blanks and underscores.
  private static func parted(_ name: String) -> (name: String, unit: String?) {
    var (name, unit) = (name[...], String?.none)
    if let end = name.last, end == ")" || end == "]", let start = name.lastIndex(of: end == ")" ? "(" : "["),
      start > name.startIndex, name[name.index(before: start)] == " "
    {
      unit = String(name[name.index(after: start)...].dropLast())
      name = name[..<start]
    }
    return (name.lowercased().filter { !" ._".contains($0) }, unit)
  }

  private func table(_ candidate: LogCandidate) -> HeadTable? {
    HeadTable(candidate, searchedLines: searchedLines) { names in
      guard names.count > marks.count else { return false }
      let found = Set(names.map { Self.parted($0).name })
      return marks.allSatisfy { found.contains(Self.parted($0).name) }
    }
  }

  private func meaning(_ text: String, perG: Double?) -> ColumnMeaning? {
    let (name, unit) = Self.parted(text)
    if times.contains(where: { Self.parted($0).name == name }) {
      return ColumnMeaning(quantity: .time, unit: .written(unit ?? timeUnit))
    }
    for vector in vectors {
      guard let axis = vector.axes.firstIndex(where: { Self.parted(vector.name + $0).name == name }) else { continue }
      let counts = vector.quantity == .acceleration ? perG.map { "\($0)/g" } : nil
      return ColumnMeaning(quantity: vector.quantity, axis: axis, unit: .written(unit ?? counts ?? vector.unit))
    }
    return nil
  }

  private func dialect(_ table: HeadTable) -> CSVDialect {
    var dialect = CSVDialect(id: id, summary: title)
    dialect.accelerationSign = accelerationSign
    dialect.notes = notes
    let perG = countsPerG.flatMap { setting in
      table.preamble.lazy.map { $0.split { $0 == "," || $0 == "\"" } }.first { $0.first.map(String.init) == setting }
        .flatMap { $0.last.flatMap { Double($0) } }
    }
    dialect.meaning = { meaning($0, perG: perG) }
    return dialect
  }

  var format: LogFormat {
    LogFormat(
      id: id, title: title, recognition: recognition, units: units,
      recognizes: { table($0) != nil },
      dialect: { candidate, _ in table(candidate).map(dialect) })
  }
}

extension NamedTable {
  /// All declared tables, in the order of `LogFormat.all`.
  static let all = [px4, betaflight, dji, browser]

  /// Tables from ulog2csv (pyulog): the topic `sensor_combined` of a PX4 flight log, with one message per row.
  private static let px4 = NamedTable(
    id: "px4-csv", title: "topic of PX4 as CSV (ulog2csv)",
    recognition: "a header with gyro_rad[0] and accelerometer_m_s2[0]",
    units:
      "microseconds since the flight controller's start; rad/s, m/s² of specific force, gauss; axes forward, right, down",
    marks: ["gyro_rad[0]", "accelerometer_m_s2[0]"], times: ["timestamp"], timeUnit: "us",
    vectors: [
      Vector(name: "gyro_rad", quantity: .rotationRate, unit: "rad/s"),
      Vector(name: "accelerometer_m_s2", quantity: .acceleration, unit: "m/s^2"),
      Vector(name: "magnetometer_ga", quantity: .field, unit: "gauss"),
    ], accelerationSign: .specificForce,
    notes: [LogDescription.aerospaceAxes(of: "vehicle")])

  /// Flight logs of Betaflight, Cleanflight and INAV as CSV, from Blackbox Explorer or blackbox_decode. Settings may
  /// precede the header, including `acc_1G`. Blackbox Explorer writes the acceleration in counts.
  private static let betaflight = NamedTable(
    id: "blackbox-csv", title: "flight log of Betaflight as CSV (Blackbox)",
    recognition: "a header with loopIteration, gyroADC[0] and accSmooth[0]",
    units:
      "microseconds; deg/s; acceleration in the header's unit, or in counts of acc_1G in the settings before it, else 2048 "
      + "per g; axes forward, left, up",
    marks: ["loopIteration", "gyroADC[0]", "accSmooth[0]"], times: ["time"], timeUnit: "us",
    vectors: [
      Vector(name: "gyroADC", quantity: .rotationRate, unit: "deg/s"),
      Vector(name: "accSmooth", quantity: .acceleration, unit: "2048/g"),
    ], accelerationSign: .specificForce, searchedLines: 400, countsPerG: "acc_1G",
    notes: ["axes: the board's own, x forward, y left, z up"])

  /// Flight logs of DJI as CSV, from DatCon.
  private static let dji = NamedTable(
    id: "dji-csv", title: "flight log of DJI as CSV (DatCon)",
    recognition: "a header with IMU_ATTI(0):accelX and IMU_ATTI(0):gyroX",
    units: "seconds; g of specific force and deg/s; axes forward, right, down",
    marks: ["IMU_ATTI(0):accelX", "IMU_ATTI(0):gyroX"], times: ["Clock:offsetTime", "offsetTime"], timeUnit: "s",
    vectors: [
      Vector(name: "IMU_ATTI(0):gyro", axes: ["X", "Y", "Z"], quantity: .rotationRate, unit: "deg/s"),
      Vector(name: "IMU_ATTI(0):accel", axes: ["X", "Y", "Z"], quantity: .acceleration, unit: "g"),
    ], accelerationSign: .specificForce,
    notes: [
      LogDescription.aerospaceAxes(of: "aircraft"),
      "magnetometer: not read, as its numbers have no unit",
    ])

  /// Motion events of a browser (the W3C's DeviceMotionEvent) as CSV.
  private static let browser = NamedTable(
    id: "browser-motion-csv", title: "browser's motion events as CSV (DeviceMotionEvent)",
    recognition: "a header with accelerationIncludingGravity.x and rotationRate.alpha",
    units:
      "milliseconds; m/s² of specific force as in the specification and on Android, --acceleration-sign gravity for Apple's; "
      + "deg/s of rotationRate, alpha about x, beta about y, gamma about z",
    marks: ["accelerationIncludingGravity.x", "rotationRate.alpha"],
    times: ["timeStamp", "timestamp", "time", "t"], timeUnit: "ms",
    vectors: [
      Vector(
        name: "accelerationIncludingGravity", axes: [".x", ".y", ".z"], quantity: .acceleration, unit: "m/s^2"),
      Vector(name: "rotationRate", axes: [".alpha", ".beta", ".gamma"], quantity: .rotationRate, unit: "deg/s"),
    ],
    notes: ["rotation rate: alpha about x, beta about y, gamma about z, as in browsers"])
}
