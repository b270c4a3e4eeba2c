internal import InertialSensors

extension LogFormat {
  /// Recordings in the ASL layout of the EuRoC datasets (Burri et al., IJRR 2016): the folder `mav0`, its parent, or
  /// `imu0` alone.
  ///
  /// `imu0/data.csv` has nanoseconds since 1970, rad/s and m/s² of specific force in the sensor's axes, and `sensor.yaml`
  /// has its rate. `state_groundtruth_estimate0/data.csv` (or `mocap0` of TUM VI) has the sensor's attitude in a frame
  /// whose z axis points up and whose heading is arbitrary: align the yaw before evaluating headings.
  static var euroc: LogFormat {
    LogFormat(
      id: "euroc", title: "EuRoC / ASL folder",
      recognition: "a folder mav0, one with mav0 or imu0 in it, or imu0 itself: a data.csv with w_RS_S_x and a_RS_S_x",
      units:
        "UNIX nanoseconds become seconds since the first sample; rad/s, m/s² of specific force; the ground truth's "
        + "q_RS, w first, sensor to a frame with z up",
      isFolder: true, isRobot: true,
      recognizes: { $0.folder.flatMap(folders) != nil },
      open: { path, options throws(LogError) in try openRecording(path, options) })
  }

  private static let data = "data.csv"
  private static let references = ["state_groundtruth_estimate0", "mocap0"]

  /// Returns the folder of a recording's sensor, and the folder that contains it and the reference's, which is `nil` if
  /// there is only the sensor's. Returns `nil` if the folder is not a recording in this layout.
  private static func folders(_ folder: LogFolder) -> (sensor: LogFolder, parent: LogFolder?)? {
    if folder.names.contains("mav0"), let inner = try? LogFolder(path: folder.path(of: "mav0")) {
      if let sensor = sensor(in: inner) { return (sensor, inner) }
    }
    if let sensor = sensor(in: folder) { return (sensor, folder) }
    return isSensor(folder) ? (folder, nil) : nil
  }

  private static func sensor(in folder: LogFolder) -> LogFolder? {
    guard folder.names.contains("imu0"), let sensor = try? LogFolder(path: folder.path(of: "imu0")) else { return nil }
    return isSensor(sensor) ? sensor : nil
  }

  /// Whether a folder has a `data.csv` with the columns of an inertial sensor.
  private static func isSensor(_ folder: LogFolder) -> Bool {
    guard folder.has(data), let candidate = try? LogCandidate(path: folder.path(of: data)) else { return false }
    return HeadTable(candidate) { names in
      ["w_RS_S_x", "a_RS_S_x"].allSatisfy { mark in names.contains { $0.hasPrefix(mark) } }
    } != nil
  }

  /// Opens a recording. Units and signs are the layout's unless the header or the options specify otherwise.
  private static func openRecording(_ path: String, _ options: LogOptions) throws(LogError) -> MergedLogReader {
    let folder = try LogFolder(path: path)
    guard let folders = folders(folder) else {
      throw folder.lacks("inertial sensor", lookedFor: ["mav0/imu0/data.csv", "imu0/data.csv", "data.csv"])
    }
    let sensor = folders.sensor
    var sensorDialect = dialect
    sensorDialect.accelerationSign = .specificForce
    var sources = [
      CSVSource(try CSVLogReader(path: sensor.path(of: data), options: options, dialect: sensorDialect))
    ]
    var description = LogDescription(
      format: sensorDialect.id, summary: "EuRoC / ASL folder (specific force and rate on one clock)", path: path)
    description.notes = sources[0].description.notes
    if let reference = try reference(in: folders.parent, options, &description.notes) {
      sources.append(reference)
      // Only the upward z axis of the frame is known. Aligning the yaw removes the difference from any other such
      // frame.
      description.referenceFrame = "nwu"
      description.notes.append("reference: its frame has z up and an arbitrary heading; align the yaw")
    }
    try readSensorFile(sensor, &description)
    description.clock = sources[0].description.clock
    let clock = CSVSource.shareClock(&sources, from: sources[0].origin)
    guard clock.isShared else {
      throw LogError(
        path: path, problem: "sensor and reference count time from different moments",
        remedy: "give the folder as it was published, or remove the reference's folder")
    }
    description.epoch = clock.epoch
    return MergedLogReader(description, sources)
  }

  /// The dialect of the layout's files, which have nanoseconds even if a header contains only `#timestamp`.
  private static var dialect: CSVDialect {
    var dialect = CSVDialect(id: "euroc", summary: "EuRoC / ASL table")
    dialect.meaning = { name in
      var meaning = ColumnName(name).meaning
      if meaning?.quantity == .time, meaning?.unit == .absent { meaning?.unit = .written("ns") }
      return meaning
    }
    return dialect
  }

  private static func reference(
    in parent: LogFolder?, _ options: LogOptions, _ notes: inout [String]
  ) throws(LogError) -> CSVSource? {
    guard let parent, let name = references.first(where: { parent.names.contains($0) }) else {
      notes.append("reference: none next to the sensor")
      return nil
    }
    let folder = try LogFolder(path: parent.path(of: name))
    guard folder.has(data) else {
      notes.append("\(name): no \(data)")
      return nil
    }
    var plain = LogOptions()
    plain.timeUnit = options.timeUnit
    return CSVSource(try CSVLogReader(path: folder.path(of: data), options: plain, dialect: dialect))
  }

  /// Reads the rate and the noise from sensor.yaml.
  private static func readSensorFile(_ folder: LogFolder, _ description: inout LogDescription) throws(LogError) {
    guard folder.has("sensor.yaml") else { return }
    var values: [String: String] = [:]
    for line in try folder.smallText("sensor.yaml").split(whereSeparator: \.isNewline) {
      let parts = line.prefix { $0 != "#" }.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      values[parts[0].filter { !$0.isWhitespace }] = parts[1].filter { !$0.isWhitespace }
    }
    if let rate = values["rate_hz"].flatMap(Double.init), rate > 0, rate.isFinite { description.declaredRate = rate }
    let noise = [
      ("gyroscope_noise_density", "rad/s/√Hz"), ("gyroscope_random_walk", "rad/s²/√Hz"),
      ("accelerometer_noise_density", "m/s²/√Hz"), ("accelerometer_random_walk", "m/s³/√Hz"),
    ].compactMap { key, unit in values[key].flatMap(Double.init).map { "\(key) \($0) \(unit)" } }
    if !noise.isEmpty { description.notes.append("sensor.yaml: " + noise.joined(separator: ", ")) }
  }
}
