internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

extension LogFormat {
  /// Folders of text files from P. Kim's data loggers for iOS (Core Motion) and Android, with one file per stream.
  ///
  /// Lines contain a timestamp in whole nanoseconds and the values, separated by blanks, after an optional comment
  /// line. Accelerations are in m/s². On iOS they have Core Motion's sign, and the app multiplies Core Motion's g by
  /// 9.81 (not 9.80665); on Android they are specific forces. Both apps use the same names, so files that only one of
  /// them writes, or the attitude, determine the sign. Timestamps count from the device's start and are converted to
  /// seconds. The early version wrote UNIX time, which becomes seconds since the first sample, with the epoch in the
  /// description. Both naming schemes are supported: `acce.txt` ... and `raw-acceleration.txt` ...
  static var iPhoneText: LogFormat {
    LogFormat(
      id: "iphone-text", title: "iOS or Android data logger folder",
      recognition: "a folder with acce.txt or raw-acceleration.txt",
      units: "m/s² with the sign of the phone's system become g; rad/s, µT; nanoseconds become seconds",
      isFolder: true,
      recognizes: { candidate in
        streams[0].names.contains { name in candidate.folder?.names.contains(name) ?? false }
      },
      open: { path, options throws(LogError) in try openStreams(path, options) })
  }

  /// The factor by which the app for iOS multiplies accelerations.
  private static let appGravity = 9.81
  /// Files that only one of the apps writes.
  private static let iPhoneFiles = ["heading.txt", "height.txt", "raw-acceleration.txt"]
  private static let androidFiles = [
    "rv.txt", "magnetic_rv.txt", "acce_uncalib.txt", "acce_bias.txt", "gyro_bias.txt", "magnet_bias.txt",
  ]
  /// The minimum timestamp that is UNIX time: 10¹⁷ ns is the year 1973, or three years since the device's start.
  private static let unixThreshold: Int64 = 100_000_000_000_000_000

  /// The channels and the possible names of their files.
  private static let streams: [(channel: SensorChannel, names: [String])] = [
    (.accelerometer, ["acce.txt", "raw-acceleration.txt"]),
    (.gyroscope, ["gyro_uncalib.txt", "raw-rotation-rate.txt"]),
    (.magnetometer, ["magnet_uncalib.txt"]),
    (.calibratedMagneticField, ["magnet.txt", "calibrated-magnetic-field.txt"]),
    (.deviceAttitude, ["game_rv.txt", "device-orientation.txt"]), (.deviceGravity, ["gravity.txt"]),
    (.deviceUserAcceleration, ["linacce.txt"]), (.deviceRotationRate, ["gyro.txt"]), (.deviceHeading, ["heading.txt"]),
  ]

  private static let auxiliaryFiles = [
    AuxiliaryFile(name: "pressure.txt", channel: .barometer, columns: [.number("0", "pressure")]),
    AuxiliaryFile(name: "height.txt", channel: .barometer, columns: [.number("0", "relativeAltitude")]),
    AuxiliaryFile(
      name: "step.txt", channel: .pedometer,
      columns: [.number("0", "numberOfSteps"), .number("1", "pedometerDistance")]),
    AuxiliaryFile(
      name: "pedometer.txt", channel: .pedometer,
      columns: [.number("0", "numberOfSteps"), .number("1", "pedometerDistance")]),
    AuxiliaryFile(name: "battery.txt", channel: .battery, columns: [.number("0", "batteryLevel")]),
  ]

  /// Opens a folder. Units and signs are the logger's unless the options specify otherwise.
  private static func openStreams(_ path: String, _ options: LogOptions) throws(LogError) -> MergedLogReader {
    let folder = try LogFolder(path: path)
    let knownSign = options.accelerationSign ?? accelerationSign(of: folder)
    let sign = knownSign ?? .gravity
    let isIPhone = sign == .gravity
    // On Android, gyro.txt is the calibrated gyroscope, on iOS the rotation rate of device motion.
    let usesCalibratedRate = !isIPhone && !folder.names.contains("gyro_uncalib.txt")
    let files = streams.compactMap { channel, names -> ChannelFile? in
      guard let name = names.first(where: { folder.names.contains($0) }) else { return nil }
      let columns = Array(["x", "y", "z", "w"].prefix(channel.componentCount))
      return ChannelFile(
        name: name, channel: usesCalibratedRate && channel == .deviceRotationRate ? .gyroscope : channel,
        columns: columns, names: ["time"] + columns, hasHeader: false, scale: scale(channel, sign, options))
    }
    var notes = [
      isIPhone
        ? "acceleration: m/s² (the app's factor of 9.81) to g, Core Motion's sign"
        : "acceleration: specific force (+1 g up at rest) in m/s² to g, as on Android; sign inverted"
    ]
    var sources = try folder.open(files, separator: .blanks, notes: &notes)
    guard sources.contains(where: { $0.channel == .accelerometer }) else {
      throw folder.lacks("samples of raw acceleration", lookedFor: streams[0].names)
    }

    var description = LogDescription(
      format: "iphone-text",
      summary: isIPhone
        ? "iPhone text folder (Core Motion, one file per stream)" : "Android text folder (one file per stream)",
      path: path)
    let start = try TableSource.start(of: sources)
    let isUNIX = start.earliest >= unixThreshold
    guard (start.latest >= unixThreshold) == isUNIX else {
      throw LogError(
        path: path, problem: "some files count time from 1970 and others from the device's start",
        remedy: "give a folder with the files of one recording")
    }
    if isUNIX {
      description.epoch = Double(start.earliest) / 1e9
      notes.append("time: UNIX time in nanoseconds to seconds since the first sample")
    } else {
      notes.append("time: nanoseconds since the device's start to seconds")
    }
    guard knownSign != nil else {
      throw LogError(
        path: path, problem: "the sign of acce.txt is unknown, as apps for iOS and for Android write this name",
        remedy: "give --acceleration-sign gravity for an iPhone, or --acceleration-sign specific-force for Android")
    }
    description.clock = LogClock(isUNIX ? .unix : .deviceStart, unit: .nanoseconds)
    let clock = TableClock.nanoseconds(origin: isUNIX ? start.earliest : 0)
    for index in sources.indices { sources[index].clock = clock }
    var auxiliary: [AuxiliaryTable] = []
    for file in auxiliaryFiles where options.auxiliary.contains(file.channel) && folder.has(file.name) {
      // The battery's timestamps are UNIX time, which is unrelated to the log's other clock.
      if file.channel == .battery, !isUNIX {
        notes.append("battery.txt not read: its timestamps are UNIX time, unlike the motion sensors'")
        continue
      }
      let table = try AuxiliaryTable(
        file, path: folder.path(of: file.name), stamp: "time", clock: clock, separator: .blanks,
        names: ["time"] + file.columns.map(\.header), notes: &notes)
      if let table { auxiliary.append(table) }
    }
    description.notes = notes
    return MergedLogReader(description, sources, auxiliary: auxiliary)
  }

  /// Returns the sign of the folder's accelerations, or `nil` if it is unknown.
  private static func accelerationSign(of folder: LogFolder) -> LogOptions.AccelerationSign? {
    if iPhoneFiles.contains(where: folder.names.contains) { return .gravity }
    if androidFiles.contains(where: folder.names.contains) { return .specificForce }
    guard let q = firstValues(of: "game_rv.txt", in: folder, count: 4),
      let force = firstValues(of: "acce.txt", in: folder, count: 3),
      let up = Quaternion(x: q[0], y: q[1], z: q[2], w: q[3]).normalized?.rotateInverse(.unitZ)
    else { return nil }
    let upward = up.dot(Vector3(force[0], force[1], force[2]))
    return abs(upward) > 0.5 * standardGravity ? (upward > 0 ? .specificForce : .gravity) : nil
  }

  /// Returns the values of a file's first row, or `nil` if it does not have as many.
  private static func firstValues(of name: String, in folder: LogFolder, count: Int) -> [Double]? {
    guard folder.has(name), let candidate = try? LogCandidate(path: folder.path(of: name)) else { return nil }
    for line in LineScanner(bytes: candidate.head, name: name).linesAhead(8) {
      let values = line.withUnsafeBytes { bytes in
        var fields = FieldScanner(bytes, separator: .blanks)
        return (0...count).compactMap { _ -> Double? in
          if case .value(let number) = fields.nextNumber() { number } else { nil }
        }
      }
      // The first field is the timestamp.
      if values.count > count { return Array(values.dropFirst()) }
    }
    return nil
  }

  /// Returns the factor from the logger's unit, or the unit of the options, to the channel's unit and sign.
  private static func scale(
    _ channel: SensorChannel, _ sign: LogOptions.AccelerationSign, _ options: LogOptions
  ) -> Double {
    switch channel {
    case .accelerometer, .deviceGravity, .deviceUserAcceleration:
      let gravity = sign == .gravity ? appGravity : standardGravity
      let unit = options.accelerationUnit.map { $0 == .metersPerSecondSquared ? 1 / gravity : $0.scale } ?? 1 / gravity
      return sign == .gravity ? unit : -unit
    case .gyroscope, .deviceRotationRate: return options.rotationScale
    default: return 1
    }
  }
}
