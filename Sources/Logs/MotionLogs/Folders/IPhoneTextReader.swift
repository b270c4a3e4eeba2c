internal import InertialSensors

/// Reads a folder of the text files of the "iOS Core Motion data logger" (P. Kim), one file per stream.
///
/// Lines are a stamp in whole nanoseconds and the values, with blanks between them, after an optional first
/// line of comment. Accelerations are in m/s², made by the app from Core Motion's g with a factor of 9.81 (not
/// 9.80665) and with Core Motion's sign. Stamps count from the device's start and become seconds as they are;
/// the early version wrote UNIX time, which becomes seconds since the first sample, with the epoch in the
/// description. Both naming schemes are known: `acce.txt` ... and `raw-acceleration.txt` ...
struct IPhoneTextReader: SourceReader {
  var description: LogDescription
  var source: MergedLogReader

  /// What the app multiplied accelerations by.
  private static let appGravity = 9.81
  /// Stamps from here on are UNIX time: 10¹⁷ ns is the year 1973, or three years since the device's start.
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

  /// Whether a folder is one of this logger's: it has one of the names of its file of raw acceleration.
  static func recognizes(_ folder: LogFolder) -> Bool {
    streams[0].names.contains { folder.names.contains($0) }
  }

  /// Opens a folder. Units and signs are the logger's, unless the options say otherwise.
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
      format: "iphone-text", summary: "iPhone text folder (Core Motion streams, one file each)", path: path)
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
    source = MergedLogReader(sources, auxiliary: auxiliary)
  }

  /// Pressure, height and steps, where they are wanted. The battery's stamps are UNIX time, which the other clock of the
  /// log has no tie to.
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
        notes.append("battery.txt not read: its stamps are UNIX time, those of the motion sensors are not")
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

  /// The earliest first stamp; an error where some files count from 1970 and others from the device's start.
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

  /// What the options make of the values beyond the logger's own units.
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
