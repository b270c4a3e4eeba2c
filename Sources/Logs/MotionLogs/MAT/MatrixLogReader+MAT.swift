internal import InertialSensors

extension MatrixLogReader {
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

  /// Opens a MAT file (MATLAB, versions 5 to 7).
  ///
  /// For other names than BROAD's (Accelerometer, Gyroscope, Magnetometer, Acc, Gyr, Mag, fs, in a structure or not) the
  /// options must specify the units.
  package init(mat path: String, options: LogOptions = LogOptions()) throws(LogError) {
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
    let (rotation, field, reference) = (array(Self.rotations), array(Self.fields), array(Self.references))
    var description = LogDescription(format: "mat", summary: "MAT file (MATLAB, versions 5 to 7)", path: path)
    let rows = acceleration.columns == 3 ? acceleration.rows : acceleration.columns
    guard rows > 0 else {
      throw LogError(path: path, problem: "\(acceleration.name) has no rows", remedy: "give a recording with samples")
    }

    let times = Self.times(array(Self.clocks), options)
    let specifiedRate = options.sampleRate ?? array(Self.rates).flatMap { $0.values.count == 1 ? $0.values[0] : nil }
    guard times != nil || specifiedRate != nil else {
      throw LogError(
        path: path, problem: "no sampling_rate",
        remedy: "give the rate with --sample-rate HZ, or the unit of a vector time with --time-unit")
    }
    let rate = specifiedRate ?? 1
    try Self.checkRate(rate, path: path)
    description.clock = times == nil ? LogClock(.rows, rate: rate) : LogClock(.unstated, unit: options.timeUnit)
    if times == nil {
      description.declaredRate = rate
      description.notes.append("time: row number divided by \(rate) Hz")
    }
    try Self.requireUnits(acceleration, rotation, field, options, path)
    var sources: [Source] = []
    /// Adds a matrix, whose rows may be the axes. Throws ``LogError`` if its number of rows differs from the others.
    func add(_ array: MATArray?, _ channel: SensorChannel, _ columns: Int, scale: Double) throws(LogError) {
      guard let array else { return }
      let isTurned = array.columns != columns && array.rows == columns
      guard isTurned ? array.columns == rows : array.columns == columns && array.rows == rows else {
        throw LogError(
          path: path, problem: "\(array.name) is \(array.rows) by \(array.columns), and not \(rows) by \(columns)",
          remedy: "save one row per sample in every matrix")
      }
      sources.append((channel, scale, { array.read($0, isTurned: isTurned, into: &$1) }))
    }
    description.notes.append(
      options.specificForceConversion
        + (options.accelerationSign == .gravity ? "" : "; --acceleration-sign gravity if not"))
    try add(rotation, .gyroscope, 3, scale: options.rotationScale)
    try add(acceleration, .accelerometer, 3, scale: options.specificForceScale)
    if let field {
      // The magnetic field is optional: an unknown unit is not an error.
      if options.fieldUnit != nil || field.name == "imu_mag" {
        let channel = field.name == "imu_mag" ? SensorChannel.calibratedMagneticField : .magnetometer
        try add(field, channel, 3, scale: options.fieldScale)
      } else {
        description.notes.append(
          "\(field.name) not read, as its unit is unknown: --field-unit uT, nT, mT or gauss")
      }
    }
    try add(reference, .referenceAttitude, 4, scale: 1)
    try add(array(Self.movements), .movement, 1, scale: 1)
    if let times, times.count != rows {
      throw LogError(
        path: path, problem: "\(acceleration.name) has \(rows) rows and time has \(times.count)",
        remedy: "save one row per sample in every matrix")
    }
    if reference != nil { description.referenceFrame = "enu" }
    self.init(sources, rowCount: rows, rate: rate, times: times, description: description)
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

  /// Returns the times in seconds, or `nil` if the times or their unit are missing.
  private static func times(_ array: MATArray?, _ options: LogOptions) -> [Double]? {
    guard let array, let unit = options.timeUnit, min(array.rows, array.columns) == 1 else { return nil }
    return array.values.map { unit.conversion($0) }
  }
}

extension LogFormat {
  /// MAT files with one matrix per sensor, such as BROAD's.
  static var mat: LogFormat {
    LogFormat(
      id: "mat", title: "MAT file (versions 5 to 7)",
      recognition: "a MAT file, by its first bytes; matrices imu_acc, imu_gyr ... or Accelerometer, Gyroscope ...",
      units: "for BROAD's names m/s² of specific force, rad/s and µT; for other names from the options; row i is at "
        + "i / sampling_rate seconds",
      recognizes: { $0.folder == nil && MATFile.begins($0.head) },
      open: { path, options throws(LogError) in try MatrixLogReader(mat: path, options: options) })
  }
}
