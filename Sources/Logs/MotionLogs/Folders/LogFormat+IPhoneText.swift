internal import InertialSensors

extension LogFormat {
  /// Folders of text files from the "iOS Core Motion data logger" (P. Kim), with one file per stream.
  ///
  /// Lines contain a timestamp in whole nanoseconds and the values, separated by blanks, after an optional comment
  /// line. Accelerations are in m/s² with Core Motion's sign: the app multiplies Core Motion's g by 9.81 (not 9.80665).
  /// Timestamps count from the device's start and are converted to seconds. The early version wrote UNIX time, which
  /// becomes seconds since the first sample, with the epoch in the description. Both naming schemes are supported:
  /// `acce.txt` ... and `raw-acceleration.txt` ...
  static var iPhoneText: LogFormat {
    LogFormat(
      id: "iphone-text", title: "iOS Core Motion data logger folder",
      recognition: "a folder with acce.txt or raw-acceleration.txt",
      units: "m/s² (the app's factor of 9.81) with Core Motion's sign become g; rad/s, µT; nanoseconds become seconds",
      isFolder: true,
      recognizes: { candidate in
        streams[0].names.contains { name in candidate.folder?.names.contains(name) ?? false }
      },
      open: { path, options throws(LogError) in try openStreams(path, options) })
  }

  /// The factor by which the app multiplies accelerations.
  private static let appGravity = 9.81
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
    let files = streams.compactMap { channel, names -> ChannelFile? in
      guard let name = names.first(where: { folder.names.contains($0) }) else { return nil }
      let columns = Array(["x", "y", "z", "w"].prefix(channel.componentCount))
      return ChannelFile(
        name: name, channel: channel, columns: columns, names: ["time"] + columns, hasHeader: false,
        scale: scale(channel, options))
    }
    var notes = ["acceleration: m/s² (the app's factor of 9.81) to g, Core Motion's sign"]
    var sources = try folder.open(files, separator: .blanks, notes: &notes)
    guard sources.contains(where: { $0.channel == .accelerometer }) else {
      throw folder.lacks("samples of raw acceleration", lookedFor: streams[0].names)
    }

    var description = LogDescription(
      format: "iphone-text", summary: "iPhone text folder (Core Motion, one file per stream)", path: path)
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

  /// Returns the factor from the logger's unit, or the unit and sign of the options, to the channel's.
  private static func scale(_ channel: SensorChannel, _ options: LogOptions) -> Double {
    switch channel {
    case .accelerometer, .deviceGravity, .deviceUserAcceleration:
      1 / appGravity
        * ((options.accelerationUnit.map { $0 == .metersPerSecondSquared ? 1 : $0.scale * appGravity } ?? 1)
          * (options.accelerationSign == .specificForce ? -1 : 1))
    case .gyroscope, .deviceRotationRate: options.rotationScale
    default: 1
    }
  }
}
