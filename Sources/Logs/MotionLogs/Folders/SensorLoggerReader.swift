internal import InertialRotations
internal import InertialSensors

/// Reads a folder of CSV files from the app Sensor Logger (iOS and Android), unpacked from its zip file.
///
/// Every file has the columns `time` (UNIX time in whole nanoseconds), `seconds_elapsed` and the values, which are
/// identified by name as their order is z, y, x. Times become seconds since the first sample of the recording, and the
/// epoch is stored in the description. Units and signs follow from Metadata.csv. Without it they come from the options,
/// or are inferred from the data and noted.
///
/// Raw acceleration is AccelerometerUncalibrated, else TotalAcceleration, else Accelerometer + Gravity. The raw angular
/// rate is GyroscopeUncalibrated, else Gyroscope, whose bias the phone has removed. The files of other sensors are read
/// if requested (`LogOptions.auxiliary`).
struct SensorLoggerReader: SourceReader {
  var description: LogDescription
  var source: MergedLogReader

  static let rawAcceleration = ["AccelerometerUncalibrated.csv", "TotalAcceleration.csv"]
  static let fusedAcceleration = ["Accelerometer.csv", "Gravity.csv"]

  /// Whether a folder comes from Sensor Logger: one of its files has the column that only this app writes.
  static func recognizes(_ folder: LogFolder) -> Bool {
    (rawAcceleration + fusedAcceleration + ["GyroscopeUncalibrated.csv", "Gyroscope.csv"]).contains { name in
      guard folder.has(name), let table = try? open(name, in: folder) else { return false }
      return table.column("seconds_elapsed") != nil
    }
  }

  /// Opens a folder.
  ///
  /// - Throws: ``LogError`` if it has no acceleration, or if the meaning of the numbers is unknown.
  init(path: String, options: LogOptions = LogOptions()) throws(LogError) {
    let folder = try LogFolder(path: path)
    var builder = Builder(folder: folder)
    let rawFile = Self.rawAcceleration.first { folder.has($0) }
    let hasFused = Self.fusedAcceleration.allSatisfy { folder.has($0) }
    guard rawFile != nil || hasFused else {
      for name in Self.rawAcceleration + Self.fusedAcceleration { try folder.requireFile(name) }
      throw folder.lacks(
        "acceleration", lookedFor: Self.rawAcceleration + ["Accelerometer.csv with Gravity.csv"])
    }

    let convention: SensorLoggerConvention
    var isStandardised = false
    if folder.has("Metadata.csv") {
      let text = try folder.smallText("Metadata.csv")
      let metadata = try SensorLoggerMetadata(text: text, path: folder.path(of: "Metadata.csv"))
      convention = SensorLoggerConvention(metadata: metadata, options: options)
      isStandardised = metadata.isStandardised
    } else {
      let norm = try rawFile.flatMap { name throws(LogError) in
        try TextTable.medianNorm(of: folder.path(of: name), columns: ["x", "y", "z"])
      }
      convention = try SensorLoggerConvention(
        options: options, rawPath: rawFile.map { folder.path(of: $0) }, medianNorm: norm)
    }
    let rate = options.rotationScale

    let axes = ["x", "y", "z"]
    if let rawFile {
      try builder.add(rawFile, .accelerometer, axes, scale: convention.rawScale)
    } else if let scale = convention.fusedScale {
      try builder.addSum(Self.fusedAcceleration, scale: scale)
    }
    let hasRawRate = folder.has("GyroscopeUncalibrated.csv")
    try builder.add("GyroscopeUncalibrated.csv", .gyroscope, axes, scale: rate)
    try builder.add("Gyroscope.csv", hasRawRate ? .deviceRotationRate : .gyroscope, axes, scale: rate)
    try builder.add("MagnetometerUncalibrated.csv", .magnetometer, axes)
    try builder.add("Magnetometer.csv", .calibratedMagneticField, axes)
    if let scale = convention.fusedScale {
      try builder.add("Gravity.csv", .deviceGravity, axes, scale: scale)
      try builder.add("Accelerometer.csv", .deviceUserAcceleration, axes, scale: scale)
    }
    try builder.add("Orientation.csv", .deviceAttitude, ["qx", "qy", "qz", "qw"], frame: convention.frame)
    if folder.has("Orientation.csv"), convention.frame == .enu {
      builder.notes.append(
        "device attitude: Android's rotation vector, converted from east, north, up to north, west, up")
    }
    for name in SensorLoggerWearable.files where folder.has(name) {
      builder.notes.append("\(name) not read: it is another device's motion; give the file itself to read it")
    }

    let start = try builder.startClocks(folder: folder)
    description = LogDescription(format: "sensor-logger", summary: convention.summary, path: path)
    description.epoch = Double(start) / 1e9
    description.clock = LogClock(.unix, unit: .nanoseconds)
    description.notes = convention.notes + builder.notes
    if rawFile == nil {
      description.notes.append("acceleration: the sum of Gravity and Accelerometer, as there is no raw acceleration")
    }
    if !hasRawRate, folder.has("Gyroscope.csv") {
      description.notes.append("rotation rate: bias removed by the phone, as there is no raw rate")
    }
    let auxiliary = try SensorLoggerAuxiliary.tables(
      in: folder, wanted: options.auxiliary, isStandardised: isStandardised, start: start, notes: &description.notes)
    description.auxiliaryChannels = Set(auxiliary.map(\.channel))
    source = MergedLogReader(description, builder.sources, auxiliary: auxiliary)
  }

  private static func open(_ name: String, in folder: LogFolder) throws(LogError) -> TextTable {
    try TextTable(path: folder.path(of: name), separator: .comma)
  }

  /// Opens the folder's files one by one.
  private struct Builder {
    let folder: LogFolder
    var tables: [TableSource] = []
    var sum: (TableSource, TableSource)?
    var notes: [String] = []

    init(folder: LogFolder) { self.folder = folder }

    private mutating func source(
      _ name: String, _ channel: SensorChannel, _ columns: [String], scale: Double, frame: EarthFrame = .nwu
    ) throws(LogError) -> TableSource? {
      try folder.requireFile(name)
      if folder.hasEmpty(name) { notes.append("\(name) is empty") }
      guard folder.has(name) else { return nil }
      let table = try SensorLoggerReader.open(name, in: folder)
      let time = try table.columns(["time"])[0]
      let source = try TableSource(
        table, channel: channel, stampColumn: time, columns: table.columns(columns), scale: scale,
        frame: frame)
      if !source.hasRows { notes.append("\(name) has no rows") }
      return source.hasRows ? source : nil
    }

    mutating func add(
      _ name: String, _ channel: SensorChannel, _ columns: [String], scale: Double = 1, frame: EarthFrame = .nwu
    ) throws(LogError) {
      if let source = try source(name, channel, columns, scale: scale, frame: frame) { tables.append(source) }
    }

    mutating func addSum(_ names: [String], scale: Double) throws(LogError) {
      let axes = ["x", "y", "z"]
      guard let first = try source(names[0], .deviceUserAcceleration, axes, scale: scale),
        let second = try source(names[1], .deviceGravity, axes, scale: scale)
      else { return }
      sum = (first, second)
    }

    /// Sets time 0 to the earliest first timestamp and returns it, in nanoseconds.
    mutating func startClocks(folder: LogFolder) throws(LogError) -> Int64 {
      guard sum != nil || tables.contains(where: { $0.channel == .accelerometer }) else {
        throw LogError(
          path: folder.path, problem: "the files of acceleration have no rows",
          remedy: "give a recording with samples")
      }
      var start = Int64.max
      for source in tables { start = min(start, try source.firstNanoseconds()) }
      if let sum { start = min(start, try sum.0.firstNanoseconds(), try sum.1.firstNanoseconds()) }
      for index in tables.indices { tables[index].set(.nanoseconds(origin: start)) }
      sum?.0.set(.nanoseconds(origin: start))
      sum?.1.set(.nanoseconds(origin: start))
      return start
    }

    var sources: [any SampleSource] {
      var sources: [any SampleSource] = tables
      if let sum { sources.append(SummedSource(sum.0, sum.1)) }
      return sources
    }
  }
}
