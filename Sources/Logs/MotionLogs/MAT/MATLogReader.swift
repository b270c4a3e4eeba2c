package import InertialSensors

/// Reads a MAT file (MATLAB, versions 5 to 7) with a matrix of one row per sample for each sensor.
///
/// BROAD's names imply BROAD's units: `imu_acc` (m/s², specific force), `imu_gyr` (rad/s), `imu_mag` (µT), `opt_quat`
/// (w, x, y, z; sensor to ENU; NaN if not tracked), `movement` and `sampling_rate` in Hz. For other common names
/// (Accelerometer, Gyroscope, Magnetometer, Acc, Gyr, Mag, fs, in a structure or not) the options must specify the
/// units. Row i is at i / sampling_rate seconds, or at the time in `time`.
package struct MATLogReader: LogReader {
  package private(set) var description: LogDescription
  package private(set) var emptyCounts: [SensorChannel: Int] = [:]

  /// The number of rows per batch.
  private static let blockSize = 1024
  /// The known names, in lower case and without underscores.
  private static let accelerations = ["imuacc", "acc", "accel", "accelerometer", "acceleration", "accelerations"]
  private static let rotations = [
    "imugyr", "gyr", "gyro", "gyroscope", "angularvelocity", "angularrate", "rotationrate", "omega",
  ]
  private static let fields = ["imumag", "mag", "magn", "magnetometer", "magneticfield"]
  private static let rates = ["samplingrate", "fs", "samplerate", "freq", "frequency", "samplingfrequency"]
  private static let clocks = ["time", "t", "timestamp", "timestamps"]
  private static let references = ["optquat"]
  private static let movements = ["movement"]

  /// Returns a variable's name in the form of the lists; for a field of a structure, the field's name.
  private static func plain(_ name: String) -> String {
    String((name.split(separator: ".").last ?? "").lowercased().filter { $0 != "_" })
  }

  private struct Source {
    let array: MATArray
    let channel: SensorChannel
    let scale: Double
  }

  private var sources: [Source] = []
  private let times: [Double]?
  private let rate: Double
  private let rows: Int
  private var row = 0

  /// Opens a recording.
  package init(path: String, options: LogOptions = LogOptions()) throws(LogError) {
    let wanted = Set(
      Self.accelerations + Self.rotations + Self.fields + Self.rates + Self.clocks + Self.references + Self.movements)
    let file = try MATFile(path: path) { wanted.contains(Self.plain($0)) }
    let owners = Set(
      file.arrays.keys.filter { Self.accelerations.contains(Self.plain($0)) }.map(Self.owner))
    guard owners.count <= 1 else {
      let names = owners.sorted().prefix(8).joined(separator: ", ")
      throw LogError(
        path: path, problem: "\(owners.count) structures have an acceleration: \(names)",
        remedy: "save the one of a device alone: save('one.mat', '-struct', 'NAME')")
    }
    let owner = owners.first ?? ""
    // Variables outside the structure, such as fs, apply to it, too.
    func array(_ names: [String]) -> MATArray? {
      for place in [owner, ""] {
        for name in names {
          let found = file.arrays.filter { Self.owner($0.key) == place && Self.plain($0.key) == name }
          if let array = found.min(by: { $0.key < $1.key })?.value { return array }
        }
      }
      return nil
    }
    guard let acceleration = array(Self.accelerations) else {
      let found = file.names.prefix(12).joined(separator: ", ")
      throw LogError(
        path: path, problem: "no matrix of acceleration (found: \(found.isEmpty ? "nothing" : found))",
        remedy:
          "save matrices of numbers, one row per sample, such as imu_acc and imu_gyr; for a timetable, its variables")
    }
    let (rotation, field) = (array(Self.rotations), array(Self.fields))
    description = LogDescription(format: "mat", summary: "MAT file (MATLAB, versions 5 to 7)", path: path)
    rows = acceleration.columns == 3 ? acceleration.rows : acceleration.columns
    guard rows > 0 else {
      throw LogError(path: path, problem: "\(acceleration.name) has no rows", remedy: "give a recording with samples")
    }

    times = try Self.times(array(Self.clocks), options, path)
    let specifiedRate = options.sampleRate ?? array(Self.rates).flatMap { $0.values.count == 1 ? $0.values[0] : nil }
    guard times != nil || specifiedRate != nil else {
      throw LogError(
        path: path, problem: "no sampling_rate",
        remedy: "give the rate with --sample-rate HZ, or the unit of a vector "
          + "time with --time-unit")
    }
    rate = specifiedRate ?? 1
    guard rate.isFinite, rate > 0 else {
      throw LogError(
        path: path, problem: "the sampling rate \(rate) Hz is not valid", remedy: "give the rate with --sample-rate HZ")
    }
    description.clock = times == nil ? LogClock(.rows, rate: rate) : LogClock(.unstated, unit: options.timeUnit)
    if times == nil {
      description.declaredRate = rate
      description.notes.append("time: row number divided by \(rate) Hz")
    }
    try Self.requireUnits(acceleration, rotation, field, options, path)
    try add(rotation, .gyroscope, 3, scale: options.rotationScale, path)
    try add(acceleration, .accelerometer, 3, scale: accelerationScale(acceleration, options), path)
    if let field {
      if let scale = fieldScale(field, options) {
        try add(field, field.name == "imu_mag" ? .calibratedMagneticField : .magnetometer, 3, scale: scale, path)
      }
    }
    try add(array(Self.references), .referenceAttitude, 4, scale: 1, path)
    try add(array(Self.movements), .movement, 1, scale: 1, path)
    if let times, times.count != rows {
      throw LogError(
        path: path, problem: "\(acceleration.name) has \(rows) rows and time has \(times.count)",
        remedy: "save one row per sample in every matrix")
    }
    if array(Self.references) != nil { description.referenceFrame = "enu" }
  }

  package var progress: Double { Double(row) / Double(rows) }

  package mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let range = row..<min(row + Self.blockSize, rows)
    guard !range.isEmpty else { return false }
    for row in range {
      let time = times?[row] ?? Double(row) / rate
      for source in sources { append(source, row, time, to: &batch) }
    }
    row = range.upperBound
    return true
  }

  private mutating func append(_ source: Source, _ row: Int, _ time: Double, to batch: inout [SensorSample]) {
    let (array, scale) = (source.array, source.scale)
    switch source.channel {
    case .referenceAttitude:
      // The scalar part comes first.
      let q = (array[row, 0], array[row, 1], array[row, 2], array[row, 3])
      if q.0.isNaN || q.1.isNaN || q.2.isNaN || q.3.isNaN {
        emptyCounts[.referenceAttitude, default: 0] += 1
      } else {
        batch.append(SensorSample(time: time, channel: source.channel, x: q.1, y: q.2, z: q.3, w: q.0))
      }
    case .movement: batch.append(SensorSample(time: time, channel: source.channel, x: array[row, 0]))
    default:
      batch.append(
        SensorSample(
          time: time, channel: source.channel, x: array[row, 0] * scale, y: array[row, 1] * scale,
          z: array[row, 2] * scale, w: source.channel == .calibratedMagneticField ? .nan : 0))
    }
  }

  /// Adds a matrix, transposed if its rows are the axes. Throws ``LogError`` if its number of rows differs from the
  /// others.
  private mutating func add(
    _ array: MATArray?, _ channel: SensorChannel, _ columns: Int, scale: Double, _ path: String
  ) throws(LogError) {
    guard let array else { return }
    let turned = array.columns != columns && array.rows == columns ? array.transposed : array
    guard turned.columns == columns, turned.rows == rows else {
      throw LogError(
        path: path, problem: "\(array.name) is \(array.rows) by \(array.columns), and not \(rows) by \(columns)",
        remedy: "save one row per sample in every matrix")
    }
    sources.append(Source(array: turned, channel: channel, scale: scale))
  }

  // MARK: Units

  /// Returns the name of the structure that contains a variable, or an empty string.
  private static func owner(_ name: String) -> String { name.split(separator: ".").dropLast().joined(separator: ".") }

  /// Requests all units at once that neither BROAD's names nor the options specify.
  private static func requireUnits(
    _ acceleration: MATArray, _ rotation: MATArray?, _ field: MATArray?, _ options: LogOptions, _ path: String
  ) throws(LogError) {
    var unspecified: [UnspecifiedUnit] = []
    if options.accelerationUnit == nil, acceleration.name != "imu_acc" {
      unspecified.append(UnspecifiedUnit(column: acceleration.name, dimension: .acceleration))
    }
    if let rotation, options.rotationUnit == nil, rotation.name != "imu_gyr" {
      unspecified.append(UnspecifiedUnit(column: rotation.name, dimension: .rotation))
    }
    // The magnetic field is optional: its missing unit alone is not an error.
    if !unspecified.isEmpty, let field, options.fieldUnit == nil, field.name != "imu_mag" {
      unspecified.append(UnspecifiedUnit(column: field.name, dimension: .field))
    }
    guard unspecified.isEmpty else { throw UnspecifiedUnit.error(unspecified, of: path, hasHeader: false) }
  }

  private mutating func accelerationScale(_ array: MATArray, _ options: LogOptions) -> Double {
    let unit = options.accelerationUnit ?? .metersPerSecondSquared
    let sign = options.accelerationSign ?? .specificForce
    description.notes.append(
      "acceleration: \(unit.title) of "
        + (sign == .gravity
          ? "Core Motion's sign to g"
          : "specific force to g, sign inverted; "
            + "--acceleration-sign gravity if not"))
    return (sign == .gravity ? 1 : -1) * unit.scale
  }

  /// Returns `nil`, and adds a note, if the unit is unknown, as the magnetic field is optional.
  private mutating func fieldScale(_ array: MATArray, _ options: LogOptions) -> Double? {
    switch options.fieldUnit ?? (array.name == "imu_mag" ? .microtesla : nil) {
    case .microtesla: return 1
    case .nanotesla: return 1e-3
    case .millitesla: return 1e3
    case .gauss: return 100
    case nil:
      description.notes.append("\(array.name) not read, as its unit is unknown: --field-unit uT, nT, mT or gauss")
      return nil
    }
  }

  /// Returns the times in seconds, or `nil` if the times or their unit are missing.
  private static func times(_ array: MATArray?, _ options: LogOptions, _ path: String) throws(LogError) -> [Double]? {
    guard let array, let unit = options.timeUnit, min(array.rows, array.columns) == 1 else { return nil }
    return array.values.map { unit.conversion($0) }
  }
}
