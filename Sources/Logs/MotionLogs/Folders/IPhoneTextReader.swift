internal import InertialSensors

/// Reads a folder of text files from the "iOS Core Motion data logger" (P. Kim), with one file per stream.
///
/// Lines contain a timestamp in whole nanoseconds and the values, separated by blanks, after an optional comment line.
/// Accelerations are in m/s² with Core Motion's sign: the app multiplies Core Motion's g by 9.81 (not 9.80665).
/// Timestamps count from the device's start and are converted to seconds. The early version wrote UNIX time, which
/// becomes seconds since the first sample, with the epoch in the description. Both naming schemes are supported:
/// `acce.txt` ... and `raw-acceleration.txt` ...
struct IPhoneTextReader: SourceReader {
  var description: LogDescription
  var source: MergedLogReader

  /// The factor by which the app multiplies accelerations.
  private static let appGravity = 9.81
  /// The minimum timestamp that is UNIX time: 10¹⁷ ns is the year 1973, or three years since the device's start.
  private static let unixThreshold: Int64 = 100_000_000_000_000_000

  private struct Stream {
    var names: [String]
    var channel: SensorChannel
    var scale = 1.0
  }

  private static let streams = [
    Stream(names: ["acce.txt", "raw-acceleration.txt"], channel: .accelerometer, scale: 1 / appGravity),
    Stream(names: ["gyro_uncalib.txt", "raw-rotation-rate.txt"], channel: .gyroscope),
    Stream(names: ["magnet_uncalib.txt"], channel: .magnetometer),
    Stream(names: ["magnet.txt", "calibrated-magnetic-field.txt"], channel: .calibratedMagneticField),
    Stream(names: ["game_rv.txt", "device-orientation.txt"], channel: .deviceAttitude),
    Stream(names: ["gravity.txt"], channel: .deviceGravity, scale: 1 / appGravity),
    Stream(names: ["linacce.txt"], channel: .deviceUserAcceleration, scale: 1 / appGravity),
    Stream(names: ["gyro.txt"], channel: .deviceRotationRate),
    Stream(names: ["heading.txt"], channel: .deviceHeading),
  ]

  /// Whether a folder comes from this logger: it contains one of the names of the raw acceleration's file.
  static func recognizes(_ folder: LogFolder) -> Bool {
    streams[0].names.contains { folder.names.contains($0) }
  }

  /// Opens a folder. Units and signs are the logger's unless the options specify otherwise.
  init(path: String, options: LogOptions = LogOptions()) throws(LogError) {
    let folder = try LogFolder(path: path)
    var sources: [TableSource] = []
    var notes = ["acceleration: m/s² (the app's factor of 9.81) to g, Core Motion's sign"]
    for stream in Self.streams {
      guard let name = stream.names.first(where: { folder.names.contains($0) }) else { continue }
      try folder.requireFile(name)
      let count = stream.channel.componentCount
      let table = try TextTable(
        path: folder.path(of: name), separator: .blanks, fieldCount: count + 1)
      let source = try TableSource(
        table, channel: stream.channel, stampColumn: 0, columns: Array(1...count),
        scale: stream.scale * Self.factor(stream.channel, options))
      if source.hasRows { sources.append(source) } else { notes.append("\(name) is empty") }
    }
    guard sources.contains(where: { $0.channel == .accelerometer }) else {
      throw folder.lacks("samples of raw acceleration", lookedFor: Self.streams[0].names)
    }

    description = LogDescription(
      format: "iphone-text", summary: "iPhone text folder (Core Motion, one file per stream)", path: path)
    let start = try Self.start(of: sources, folder: folder)
    if start >= Self.unixThreshold {
      description.epoch = Double(start) / 1e9
      notes.append("time: UNIX time in nanoseconds to seconds since the first sample")
    } else {
      notes.append("time: nanoseconds since the device's start to seconds")
    }
    description.clock = LogClock(start >= Self.unixThreshold ? .unix : .deviceStart, unit: .nanoseconds)
    for index in sources.indices {
      sources[index].set(.nanoseconds(origin: start >= Self.unixThreshold ? start : 0))
    }
    let auxiliary = try Self.auxiliaryTables(
      folder, options.auxiliary, isUNIX: start >= Self.unixThreshold, start: start, notes: &notes)
    description.auxiliaryChannels = Set(auxiliary.map(\.channel))
    description.notes = notes
    source = MergedLogReader(description, sources, auxiliary: auxiliary)
  }

  /// Opens the files of pressure, height and steps, if requested. The battery is not read, as its timestamps are UNIX
  /// time, which is unrelated to the log's other clock.
  private static func auxiliaryTables(
    _ folder: LogFolder, _ wanted: Set<AuxiliaryChannel>, isUNIX: Bool, start: Int64, notes: inout [String]
  ) throws(LogError) -> [AuxiliaryTable] {
    let files = [
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
    var tables: [AuxiliaryTable] = []
    for file in files where wanted.contains(file.channel) && folder.has(file.name) {
      if file.channel == .battery, !isUNIX {
        notes.append("battery.txt not read: its timestamps are UNIX time, unlike the motion sensors'")
        continue
      }
      let columns = ["time"] + file.columns.map(\.header)
      let table = try AuxiliaryTable(
        file, path: folder.path(of: file.name), stamp: "time", clock: .nanoseconds(origin: isUNIX ? start : 0),
        separator: .blanks, names: columns, notes: &notes)
      if let table { tables.append(table) }
    }
    return tables
  }

  /// Returns the earliest first timestamp.
  ///
  /// - Throws: ``LogError`` if some files count from 1970 and others from the device's start.
  private static func start(of sources: [TableSource], folder: LogFolder) throws(LogError) -> Int64 {
    var stamps: [Int64] = []
    for source in sources { stamps.append(try source.firstNanoseconds()) }
    let start = stamps.min() ?? 0
    guard stamps.allSatisfy({ ($0 >= unixThreshold) == (start >= unixThreshold) }) else {
      throw LogError(
        path: folder.path, problem: "some files count time from 1970 and others from the device's start",
        remedy: "give a folder with the files of one recording")
    }
    return start
  }

  /// Returns the factor that the options apply in addition to the logger's units.
  private static func factor(_ channel: SensorChannel, _ options: LogOptions) -> Double {
    switch channel {
    case .accelerometer, .deviceGravity, .deviceUserAcceleration:
      (options.accelerationUnit.map { $0 == .metersPerSecondSquared ? 1 : $0.scale * appGravity } ?? 1)
        * (options.accelerationSign == .specificForce ? -1 : 1)
    case .gyroscope, .deviceRotationRate:
      options.rotationScale
    default: 1
    }
  }
}
