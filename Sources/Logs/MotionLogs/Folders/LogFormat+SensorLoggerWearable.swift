internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

extension LogFormat {
  /// A watch's or an earphone's motion from Sensor Logger: WristMotion.csv or Headphone.csv, as a single file or as the
  /// only motion of its folder.
  ///
  /// It is Core Motion's device motion: attitude, gravity, user acceleration and bias-free rotation rate with one
  /// timestamp. Raw acceleration is the sum of gravity and user acceleration. Units follow from Metadata.csv next to
  /// the file: on iOS the watch's values are in g, the earphone's acceleration in g and its gravity in m/s², all with
  /// Core Motion's sign. Standardised values are all in m/s² of specific force. Without the metadata, the magnitude of
  /// gravity determines the unit, and the earphone's acceleration is treated as not standardised.
  static var sensorLoggerWearable: LogFormat {
    LogFormat(
      id: "sensor-logger-wearable", title: "Sensor Logger motion of a watch or an earphone",
      recognition: "WristMotion.csv or Headphone.csv: columns seconds_elapsed, rotationRateX, gravityX, quaternionW",
      units:
        "as in the Metadata.csv next to it: g with Core Motion's sign, or m/s² of specific force; rad/s; UNIX nanoseconds "
        + "become seconds since the first sample; raw acceleration = gravity + acceleration",
      recognizes: { isWearable($0) },
      open: { path, options throws(LogError) in try openWearable(path, options) })
  }

  static let wearableFiles = ["WristMotion.csv", "Headphone.csv"]
  /// The files of the magnetic field. The first existing file of each channel is read.
  private static let fieldFiles = [
    ChannelFile(name: "MagnetometerUncalibrated.csv", channel: .magnetometer),
    ChannelFile(name: "WatchMagnetometerUncalibrated.csv", channel: .magnetometer),
    ChannelFile(name: "Magnetometer.csv", channel: .calibratedMagneticField),
    ChannelFile(name: "WatchMagnetometer.csv", channel: .calibratedMagneticField),
  ]

  /// Whether a file is one of these, or a folder has one of them and no motion of the phone.
  private static func isWearable(_ candidate: LogCandidate) -> Bool {
    // The names that only these files have.
    let marks: Set = ["seconds_elapsed", "rotationRateX", "gravityX", "accelerationX", "quaternionW"]
    if let folder = candidate.folder {
      guard !sensorLogger.recognizes(candidate) else { return false }
      return wearableFiles.contains {
        folder.has($0) && marks.isSubset(of: LineScanner.firstNames(folder.path(of: $0)))
      }
    }
    // The line of names is short. This avoids splitting a file that consists of one long line.
    let head = candidate.head.prefix(4096)
    let lines = LineScanner(bytes: head, name: candidate.path)
    return head.contains(0x0A) && marks.isSubset(of: (try? lines.nextTexts(.comma)) ?? [])
  }

  /// Opens a file or a folder.
  ///
  /// - Throws: ``LogError`` if it has no rows, or if the units are unknown.
  private static func openWearable(_ path: String, _ options: LogOptions) throws(LogError) -> MergedLogReader {
    let candidate = try LogCandidate(path: path)
    let file =
      candidate.folder.flatMap { folder in wearableFiles.first(where: folder.has).map(folder.path(of:)) } ?? path
    let folder = try LogFolder(path: candidate.folder?.path ?? LogFolder.parent(of: file))
    let isEarphone = try LineScanner(path: file).nextTexts(.comma)?.contains("devicelocation") ?? false
    func source(
      _ channel: SensorChannel, _ stem: String, _ scale: Double = 1, stamp: String? = "time"
    ) throws(LogError) -> TableSource {
      let columns = ["X", "Y", "Z", "W"].prefix(channel.componentCount).map { stem + $0 }
      let declared = ChannelFile(name: file, channel: channel, columns: columns, stamp: stamp, scale: scale)
      return try TableSource(declared, path: file, separator: .comma)
    }

    var description = LogDescription(
      format: "sensor-logger-wearable",
      summary: "Sensor Logger motion of \(isEarphone ? "an earphone" : "a watch")", path: path)
    var gravity = try source(.deviceGravity, "gravity", stamp: nil)
    let isInMeters = try gravity.medianNorm().map { $0 > 3 } ?? false
    var isStandardised = !isEarphone && isInMeters
    var authority = "the magnitude of gravity"
    if let metadata = try folder.sensorLoggerMetadata() {
      isStandardised = metadata.isStandardised
      authority = "Metadata.csv"
    }
    if let sign = options.accelerationSign {
      isStandardised = sign == .specificForce
      authority = "option"
    }
    let turn = isStandardised ? -1.0 : 1
    let gravityScale = turn / (isInMeters ? standardGravity : 1)
    let unit = options.accelerationUnit ?? (isStandardised ? .metersPerSecondSquared : .g)
    let userScale = turn * unit.scale
    description.notes = [
      "acceleration: \(unit.title), "
        + (isStandardised ? "specific force, sign inverted" : "Core Motion's sign") + ", by \(authority)",
      "acceleration: the sum of gravity and user acceleration, as there is no raw acceleration",
      "rotation rate: the device has removed the bias",
    ]

    var sources = [
      try source(.gyroscope, "rotationRate", options.rotationScale),
      try source(.deviceAttitude, "quaternion"),
      try source(.deviceGravity, "gravity", gravityScale),
      try source(.deviceUserAcceleration, "acceleration", userScale),
      try source(.deviceRotationRate, "rotationRate", options.rotationScale),
    ]
    guard sources[0].hasRows else {
      throw LogError(path: file, problem: "has no rows", remedy: "give a recording with samples")
    }
    let start = try TableSource.start(of: [sources[0]]).earliest
    var halves = [
      try source(.deviceUserAcceleration, "acceleration", userScale),
      try source(.deviceGravity, "gravity", gravityScale),
    ]
    description.epoch = Double(start) / 1e9
    var auxiliary: [AuxiliaryTable] = []
    // A single file is read without the other files of its folder.
    if candidate.folder != nil {
      sources += try fields(in: folder)
      auxiliary = try folder.openSensorLoggerFiles(
        options.auxiliary, isStandardised: isStandardised, start: start, notes: &description.notes)
      let known =
        wearableFiles + fieldFiles.map(\.name) + ["Metadata.csv"]
        + AuxiliaryFile.sensorLogger(isStandardised: false).flatMap { $0.map(\.name) }
      for name in folder.names where name.hasSuffix(".csv") && !known.contains(name) {
        description.notes.append("\(name) not read: the motion comes from \(file.lastPathPart)")
      }
    }
    for index in sources.indices { sources[index].clock = .nanoseconds(origin: start) }
    for index in halves.indices { halves[index].clock = .nanoseconds(origin: start) }
    return MergedLogReader(description, sources + [SummedSource(halves[0], halves[1])], auxiliary: auxiliary)
  }

  private static func fields(in folder: LogFolder) throws(LogError) -> [TableSource] {
    var sources: [TableSource] = []
    for file in fieldFiles where folder.has(file.name) && !sources.contains(where: { $0.channel == file.channel }) {
      let names = try LineScanner(path: folder.path(of: file.name)).nextTexts(.comma) ?? []
      guard names.contains("time"), names.contains("x") else { continue }
      let source = try TableSource(file, path: folder.path(of: file.name), separator: .comma)
      if source.hasRows { sources.append(source) }
    }
    return sources
  }
}
