internal import InertialNumerics
internal import InertialSensors

/// Reads a watch's or an earphone's motion from Sensor Logger: WristMotion.csv or Headphone.csv, as a single file or as
/// the only motion of its folder.
///
/// It is Core Motion's device motion: attitude, gravity, user acceleration and bias-free rotation rate with one
/// timestamp. Raw acceleration is the sum of gravity and user acceleration. Units follow from Metadata.csv next to the
/// file: on iOS the watch's values are in g, the earphone's acceleration in g and its gravity in m/s², all with Core
/// Motion's sign. Standardised values are all in m/s² of specific force. Without the metadata, the magnitude of gravity
/// determines the unit, and the earphone's acceleration is treated as not standardised.
struct SensorLoggerWearable: SourceReader {
  static let files = ["WristMotion.csv", "Headphone.csv"]

  var description: LogDescription
  var source: MergedLogReader

  /// Whether a file is one of these, or a folder has one of them and no motion of the phone.
  static func recognizes(_ candidate: LogCandidate) -> Bool {
    if let folder = candidate.folder {
      guard !SensorLoggerReader.recognizes(folder) else { return false }
      return files.contains { folder.has($0) && isMotion(folder.path(of: $0)) }
    }
    // The line of names is short. This avoids splitting a file that consists of one long line.
    let head = candidate.head.prefix(4096)
    return head.contains(0x0A) && isMotion(LineScanner(bytes: head, name: candidate.path))
  }

  private static func isMotion(_ path: String) -> Bool {
    guard let lines = try? LineScanner(path: path) else { return false }
    return isMotion(lines)
  }

  /// Whether the first line has the names that only these files have.
  private static func isMotion(_ lines: LineScanner) -> Bool {
    // The scanner owns the line's bytes.
    defer { withExtendedLifetime(lines) {} }
    guard let line = try? lines.next() else { return false }
    var fields = FieldScanner(line, separator: .comma)
    var names: Set<String> = []
    while let name = fields.nextText() { names.insert(name) }
    return names.isSuperset(of: ["seconds_elapsed", "rotationRateX", "gravityX", "accelerationX", "quaternionW"])
  }

  /// Opens a file or a folder.
  ///
  /// - Throws: ``LogError`` if it has no rows, or if the units are unknown.
  init(path: String, options: LogOptions = LogOptions()) throws(LogError) {
    let candidate = try LogCandidate(path: path)
    let file = candidate.folder.flatMap { folder in Self.files.first { folder.has($0) }.map(folder.path(of:)) } ?? path
    let folder = try LogFolder(path: candidate.folder?.path ?? Self.parent(of: file))
    let isEarphone = try TextTable(path: file, separator: .comma).column("devicelocation") != nil

    description = LogDescription(
      format: "sensor-logger-wearable",
      summary: "Sensor Logger motion of \(isEarphone ? "an earphone" : "a watch")", path: path)
    let size = try TextTable.medianNorm(of: file, columns: ["gravityX", "gravityY", "gravityZ"])
    let isInMeters = size.map { $0 > 3 } ?? false
    var isStandardised = !isEarphone && isInMeters
    var source = "the magnitude of gravity"
    if folder.has("Metadata.csv") {
      let path = folder.path(of: "Metadata.csv")
      isStandardised = try SensorLoggerMetadata(text: folder.smallText("Metadata.csv"), path: path).isStandardised
      source = "Metadata.csv"
    }
    if let sign = options.accelerationSign {
      isStandardised = sign == .specificForce
      source = "option"
    }
    let turn = isStandardised ? -1.0 : 1
    let gravityScale = turn / (isInMeters ? standardGravity : 1)
    let unit = options.accelerationUnit ?? (isStandardised ? .metersPerSecondSquared : .g)
    let userScale = turn * unit.scale
    description.notes.append(
      "acceleration: \(unit.title), "
        + (isStandardised ? "specific force, sign inverted" : "Core Motion's sign") + ", by \(source)")
    description.notes.append("acceleration: the sum of gravity and user acceleration, as there is no raw acceleration")
    description.notes.append("rotation rate: the device has removed the bias")

    func stream(_ channel: SensorChannel, _ columns: [String], _ scale: Double) throws(LogError) -> TableSource {
      let table = try TextTable(path: file, separator: .comma)
      let stamp = try table.columns(["time"])[0]
      return try TableSource(
        table, channel: channel, stampColumn: stamp, columns: table.columns(columns), scale: scale)
    }
    func axes(_ stem: String) -> [String] { ["X", "Y", "Z"].map { stem + $0 } }
    let rate = options.rotationScale
    var streams = [
      try stream(.gyroscope, axes("rotationRate"), rate),
      try stream(.deviceAttitude, ["X", "Y", "Z", "W"].map { "quaternion" + $0 }, 1),
      try stream(.deviceGravity, axes("gravity"), gravityScale),
      try stream(.deviceUserAcceleration, axes("acceleration"), userScale),
      try stream(.deviceRotationRate, axes("rotationRate"), rate),
    ]
    guard streams[0].hasRows else {
      throw LogError(path: file, problem: "has no rows", remedy: "give a recording with samples")
    }
    let start = try streams[0].firstNanoseconds()
    for index in streams.indices { streams[index].set(.nanoseconds(origin: start)) }
    var halves = (
      try stream(.deviceUserAcceleration, axes("acceleration"), userScale),
      try stream(.deviceGravity, axes("gravity"), gravityScale)
    )
    halves.0.set(.nanoseconds(origin: start))
    halves.1.set(.nanoseconds(origin: start))
    description.epoch = Double(start) / 1e9
    var others: [TableSource] = []
    var auxiliary: [AuxiliaryTable] = []
    // A single file is read without the other files of its folder.
    if candidate.folder != nil {
      others = try Self.fields(in: folder, start: start)
      auxiliary = try SensorLoggerAuxiliary.tables(
        in: folder, wanted: options.auxiliary, isStandardised: isStandardised, start: start,
        notes: &description.notes)
      let read = Set(Self.files + Self.fieldFiles.map(\.name) + ["Metadata.csv"])
      let known = Set(SensorLoggerAuxiliary.files(isStandardised: false).flatMap { $0.map(\.name) })
      for name in folder.names where name.hasSuffix(".csv") && !read.contains(name) && !known.contains(name) {
        description.notes.append("\(name) not read: the motion comes from \(file.split(separator: "/").last ?? "")")
      }
    }
    description.auxiliaryChannels = Set(auxiliary.map(\.channel))
    self.source = MergedLogReader(description, streams + others + [SummedSource(halves.0, halves.1)], auxiliary: auxiliary)
  }

  /// The files of the magnetic field. The first existing file of each channel is read.
  private static let fieldFiles: [(name: String, channel: SensorChannel)] = [
    ("MagnetometerUncalibrated.csv", .magnetometer), ("WatchMagnetometerUncalibrated.csv", .magnetometer),
    ("Magnetometer.csv", .calibratedMagneticField), ("WatchMagnetometer.csv", .calibratedMagneticField),
  ]

  private static func fields(in folder: LogFolder, start: Int64) throws(LogError) -> [TableSource] {
    var sources: [TableSource] = []
    for (name, channel) in fieldFiles where folder.has(name) && !sources.contains(where: { $0.channel == channel }) {
      let table = try TextTable(path: folder.path(of: name), separator: .comma)
      guard let stamp = table.column("time"), table.column("x") != nil else { continue }
      var source = try TableSource(
        table, channel: channel, stampColumn: stamp, columns: table.columns(["x", "y", "z"]))
      guard source.hasRows else { continue }
      source.set(.nanoseconds(origin: start))
      sources.append(source)
    }
    return sources
  }

  private static func parent(of file: String) -> String {
    guard let slash = file.lastIndex(of: "/") else { return "." }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }
}

extension LogFormat {
  static var sensorLoggerWearable: LogFormat {
    LogFormat(
      id: "sensor-logger-wearable", title: "Sensor Logger motion of a watch or an earphone",
      recognition: "WristMotion.csv or Headphone.csv: columns seconds_elapsed, rotationRateX, gravityX, quaternionW",
      units:
        "as in the Metadata.csv next to it: g with Core Motion's sign, or m/s² of specific force; rad/s; UNIX nanoseconds "
        + "become seconds since the first sample; raw acceleration = gravity + acceleration",
      isFolder: false,
      recognizes: { SensorLoggerWearable.recognizes($0) },
      open: { path, options throws(LogError) in try SensorLoggerWearable(path: path, options: options) })
  }
}
