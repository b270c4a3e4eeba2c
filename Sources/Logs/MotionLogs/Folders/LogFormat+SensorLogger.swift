internal import InertialRotations
internal import InertialSensors

extension LogFormat {
  /// Folders of CSV files from the app Sensor Logger (iOS and Android), unpacked from its zip file.
  ///
  /// Every file has the columns `time` (UNIX time in whole nanoseconds), `seconds_elapsed` and the values, which are
  /// identified by name as their order is z, y, x. Times become seconds since the first sample of the recording, and
  /// the epoch is stored in the description. Units and signs follow from Metadata.csv. Without it they come from the
  /// options, or are inferred from the data and noted.
  ///
  /// Raw acceleration is AccelerometerUncalibrated, else TotalAcceleration, else Accelerometer + Gravity. The raw
  /// angular rate is GyroscopeUncalibrated, else Gyroscope, whose bias the phone has removed. The files of other
  /// sensors are read if requested (`LogOptions.auxiliary`).
  static var sensorLogger: LogFormat {
    LogFormat(
      id: "sensor-logger", title: "Sensor Logger folder",
      recognition: "a folder with Accelerometer.csv, Gyroscope.csv ... with the column seconds_elapsed",
      units:
        "as specified by Metadata.csv: g or m/s², Core Motion's or Android's sign, rad/s, µT; UNIX nanoseconds become "
        + "seconds since the first sample",
      isFolder: true,
      recognizes: { candidate in
        guard let folder = candidate.folder else { return false }
        return (rawAcceleration + fusedAcceleration + ["GyroscopeUncalibrated.csv", "Gyroscope.csv"]).contains { name in
          folder.has(name) && LineScanner.firstNames(folder.path(of: name)).contains("seconds_elapsed")
        }
      },
      open: { path, options throws(LogError) in try openPhone(path, options) })
  }

  private static let rawAcceleration = ["AccelerometerUncalibrated.csv", "TotalAcceleration.csv"]
  private static let fusedAcceleration = ["Accelerometer.csv", "Gravity.csv"]
  /// The files of a phone's motion and their units.
  static let sensorLoggerMotion =
    rawAcceleration + fusedAcceleration + [
      "Gyroscope.csv", "GyroscopeUncalibrated.csv", "Magnetometer.csv", "MagnetometerUncalibrated.csv",
      "Orientation.csv", "Metadata.csv",
    ]

  /// Returns the units and signs of a folder's accelerations, and whether the app standardised them.
  private static func convention(
    of folder: LogFolder, rawFile: String?, _ options: LogOptions
  ) throws(LogError) -> (SensorLoggerConvention, isStandardised: Bool) {
    if let (platform, isStandardised) = try folder.sensorLoggerMetadata() {
      let convention = SensorLoggerConvention(platform: platform, isStandardised: isStandardised, options: options)
      return (convention, isStandardised)
    }
    let rawPath = rawFile.map { folder.path(of: $0) }
    var norm: Double?
    if let rawFile, let rawPath {
      let file = ChannelFile(name: rawFile, channel: .accelerometer, stamp: nil)
      var source = try TableSource(file, path: rawPath, separator: .comma)
      norm = try source.medianNorm()
    }
    return (try SensorLoggerConvention(options: options, rawPath: rawPath, medianNorm: norm), false)
  }

  /// Opens a folder.
  ///
  /// - Throws: ``LogError`` if it has no acceleration, or if the meaning of the numbers is unknown.
  private static func openPhone(_ path: String, _ options: LogOptions) throws(LogError) -> MergedLogReader {
    let folder = try LogFolder(path: path)
    let rawFile = rawAcceleration.first { folder.has($0) }
    guard rawFile != nil || fusedAcceleration.allSatisfy({ folder.has($0) }) else {
      for name in rawAcceleration + fusedAcceleration { try folder.requireFile(name) }
      throw folder.lacks("acceleration", lookedFor: rawAcceleration + ["Accelerometer.csv with Gravity.csv"])
    }
    let (convention, isStandardised) = try convention(of: folder, rawFile: rawFile, options)
    let rate = options.rotationScale
    let hasRawRate = folder.has("GyroscopeUncalibrated.csv")
    let gravity = ChannelFile(name: "Gravity.csv", channel: .deviceGravity, scale: convention.fusedScale)
    let user = ChannelFile(name: "Accelerometer.csv", channel: .deviceUserAcceleration, scale: convention.fusedScale)
    let raw = rawFile.map { [ChannelFile(name: $0, channel: .accelerometer, scale: convention.rawScale)] } ?? []
    let files =
      raw + [
        ChannelFile(name: "GyroscopeUncalibrated.csv", channel: .gyroscope, scale: rate),
        ChannelFile(
          name: "Gyroscope.csv", channel: hasRawRate ? .deviceRotationRate : .gyroscope, scale: rate),
        ChannelFile(name: "MagnetometerUncalibrated.csv", channel: .magnetometer),
        ChannelFile(name: "Magnetometer.csv", channel: .calibratedMagneticField),
        gravity, user,
        ChannelFile(
          name: "Orientation.csv", channel: .deviceAttitude, columns: ["qx", "qy", "qz", "qw"],
          frame: convention.frame),
      ]
    var notes = convention.notes
    var halves = rawFile == nil ? try folder.open([user, gravity], separator: .comma, notes: &notes) : []
    var sources = try folder.open(files, separator: .comma, notes: &notes)
    guard halves.count == 2 || sources.contains(where: { $0.channel == .accelerometer }) else {
      throw LogError(
        path: path, problem: "the files of acceleration have no rows", remedy: "give a recording with samples")
    }
    if folder.has("Orientation.csv"), convention.frame == .enu {
      notes.append("device attitude: Android's rotation vector, converted from east, north, up to north, west, up")
    }
    for name in wearableFiles where folder.has(name) {
      notes.append("\(name) not read: it is another device's motion; give the file itself to read it")
    }
    if rawFile == nil {
      notes.append("acceleration: the sum of Gravity and Accelerometer, as there is no raw acceleration")
    }
    if !hasRawRate, folder.has("Gyroscope.csv") {
      notes.append("rotation rate: bias removed by the phone, as there is no raw rate")
    }

    let start = try TableSource.start(of: sources + halves).earliest
    for index in sources.indices { sources[index].clock = .nanoseconds(origin: start) }
    for index in halves.indices { halves[index].clock = .nanoseconds(origin: start) }
    let auxiliary = try folder.openSensorLoggerFiles(
      options.auxiliary, isStandardised: isStandardised, start: start, notes: &notes)
    var description = LogDescription(format: "sensor-logger", summary: convention.summary, path: path)
    description.epoch = Double(start) / 1e9
    description.clock = LogClock(.unix, unit: .nanoseconds)
    description.notes = notes
    var streams: [any SampleSource] = sources
    if !halves.isEmpty { streams.append(SummedSource(halves[0], halves[1])) }
    return MergedLogReader(description, streams, auxiliary: auxiliary)
  }
}
