internal import InertialRotations
internal import InertialSensors

extension LogFormat {
  /// Trials of the Tyrex benchmark of smartphone attitude (Michel et al., "On Attitude Estimation with Smartphones",
  /// PerCom 2017): a folder of text files without headers, with times in seconds.
  ///
  /// Acceleration is in g with Core Motion's sign, the angular rate in rad/s with its bias, and the raw field in µT
  /// with the phone's hard iron. The calibrated field has Apple's accuracy, and attitude.txt has Apple's attitude (w,
  /// x, y, z). ground-truth.csv contains the optical reference on the tracker's clock: its time is the log's time minus
  /// BootTime (description.txt) plus the alignment (timeAlignment.txt). Its z axis points up and its x axis about east,
  /// with a constant rotation about z: align the yaw by one constant before evaluating headings.
  ///
  /// The Android trials (record.properties, rotation-vector.txt) are in m/s² of specific force, with times from the
  /// start of the log. Their further values after the axes, biases or an accuracy, are not read.
  static var tyrex: LogFormat {
    LogFormat(
      id: "tyrex", title: "Tyrex trial folder",
      recognition: "a folder with accelerometer.txt and gyroscope.txt, description.txt or magnetometer.txt",
      units:
        "s, g with Core Motion's sign, rad/s, µT; for Android trials m/s² of specific force, and the rotation "
        + "vector converted to north, west, up",
      isFolder: true,
      recognizes: { candidate in
        let names = candidate.folder?.names ?? []
        let others = ["gyroscope.txt", "description.txt", "magnetometer.txt", "record.properties"]
        return names.contains("accelerometer.txt") && others.contains(where: names.contains)
      },
      open: { path, options throws(LogError) in try openTrial(path, options) })
  }

  private static let reference = "ground-truth.csv"
  /// The files that only the Android trials have.
  private static let androidNames = ["record.properties", "rotation-vector.txt", "gyroscope-calibrated.txt"]

  private static func files(isAndroid: Bool, _ options: LogOptions) -> [ChannelFile] {
    let unit = options.accelerationUnit ?? (isAndroid ? .metersPerSecondSquared : .g)
    let isSpecificForce = options.accelerationSign.map { $0 == .specificForce } ?? isAndroid
    let acceleration = (isSpecificForce ? -1.0 : 1) * unit.scale
    let rate = options.rotationScale
    let axes = ["time", "x", "y", "z"]
    func file(
      _ name: String, _ channel: SensorChannel, _ names: [String], scale: Double = 1, frame: EarthFrame = .nwu
    ) -> ChannelFile {
      let columns = ["x", "y", "z", "w"].filter(names.contains)
      return ChannelFile(
        name: name, channel: channel, columns: columns, names: names, hasHeader: false, scale: scale, frame: frame)
    }
    let raw = [
      file("accelerometer.txt", .accelerometer, axes, scale: acceleration),
      file("gyroscope.txt", .gyroscope, axes, scale: rate), file("magnetometer.txt", .magnetometer, axes),
    ]
    guard isAndroid else {
      return raw + [
        file("magnetometer-calibrated.txt", .calibratedMagneticField, axes + ["w"]),
        file("attitude.txt", .deviceAttitude, ["time", "w", "x", "y", "z"]),
      ]
    }
    return raw + [
      file("magnetometer-calibrated.txt", .calibratedMagneticField, axes),
      file("gyroscope-calibrated.txt", .deviceRotationRate, axes, scale: rate),
      file("linear-acceleration.txt", .deviceUserAcceleration, axes, scale: acceleration),
      file("rotation-vector.txt", .deviceAttitude, axes + ["w"], frame: .enu),
    ]
  }

  /// Opens a trial. Units and signs are the dataset's unless the options specify otherwise.
  private static func openTrial(_ path: String, _ options: LogOptions) throws(LogError) -> MergedLogReader {
    let folder = try LogFolder(path: path)
    let isAndroid = androidNames.contains { folder.names.contains($0) }
    var files = files(isAndroid: isAndroid, options)
    if isAndroid {
      // After the axes, Android writes biases or an accuracy, depending on the version.
      for index in files.indices where folder.has(files[index].name) {
        let count = try fieldCount(folder.path(of: files[index].name)) ?? 0
        let missing = max(0, count - files[index].columns.count - 1)
        files[index].names? += Array(repeating: "", count: missing)
      }
    }
    var notes: [String] = []
    var sources = try folder.open(files, separator: .blanks, notes: &notes)
    guard sources.first?.channel == .accelerometer else {
      throw folder.lacks("samples of acceleration", lookedFor: ["accelerometer.txt"])
    }

    var description = LogDescription(
      format: "tyrex", summary: "Tyrex trial (\(isAndroid ? "Android" : "iPhone"), one text file per sensor)",
      path: path)
    if isAndroid {
      notes.append("acceleration: m/s² of specific force to g, sign inverted")
      notes.append("device attitude: Android's rotation vector, converted from east, north, up to north, west, up")
      description.epoch = try? number(in: "record.properties", after: "StartTime", folder)
    }
    description.clock = LogClock(.deviceStart, unit: .seconds)
    if let source = try openReference(folder, isAndroid: isAndroid, &notes) {
      description.referenceFrame = "enu"
      notes.append("reference: its frame is off by a constant yaw; align the yaw before evaluating headings")
      sources.append(source)
      description.clock?.others = ["the optical reference by BootTime and timeAlignment.txt"]
    }
    description.notes = notes
    return MergedLogReader(description, sources)
  }

  /// Returns the number of fields in the first row of a file without names, or `nil` if it has no rows.
  private static func fieldCount(_ path: String) throws(LogError) -> Int? {
    let lines = try LineScanner(path: path)
    // The scanner owns the line's bytes.
    defer { withExtendedLifetime(lines) {} }
    while let line = try lines.next() {
      guard !line.starts(with: "#".utf8), !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { continue }
      return FieldScanner(line, separator: .blanks).totalCount
    }
    return nil
  }

  /// Returns the optical reference on the log's clock. Returns `nil` and adds a note if it or its time alignment is
  /// missing.
  private static func openReference(
    _ folder: LogFolder, isAndroid: Bool, _ notes: inout [String]
  ) throws(LogError) -> TableSource? {
    try folder.requireFile(reference)
    guard folder.has(reference) else {
      notes.append("no \(reference)")
      return nil
    }
    guard isAndroid || folder.has("description.txt"), folder.has("timeAlignment.txt") else {
      notes.append(
        "\(reference) left out: description.txt and timeAlignment.txt, which define its time, are missing")
      return nil
    }
    let boot = isAndroid ? 0 : try number(in: "description.txt", after: "BootTime", folder)
    let alignment = try number(in: "timeAlignment.txt", after: nil, folder)
    let file = ChannelFile(
      name: reference, channel: .referenceAttitude, columns: ["qx", "qy", "qz", "qw"], stamp: "t_s")
    var source = try TableSource(file, path: folder.path(of: reference), separator: .comma)
    // The alignment is added to (time − BootTime) to get the tracker's time.
    source.clock = .seconds(offset: boot - alignment)
    return source.hasRows ? source : nil
  }

  /// Returns the number in a small file: the number after `key =`, or the only number.
  private static func number(
    in name: String, after key: String?, _ folder: LogFolder
  ) throws(LogError) -> Double {
    let lines = try folder.smallText(name).split { $0.isNewline }
    let text =
      key.map { key in
        lines.first { $0.hasPrefix(key) }?.split(separator: "=").dropFirst().first ?? ""
      } ?? lines.first ?? ""
    guard let value = Double(text.filter { !$0.isWhitespace }), value.isFinite else {
      throw LogError(
        path: folder.path(of: name), problem: key.map { "there is no line \"\($0) = number\"" } ?? "there is no number",
        remedy: "repair it, or remove it to read the trial without its reference")
    }
    return value
  }
}
