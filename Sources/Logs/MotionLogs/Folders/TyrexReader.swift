internal import InertialRotations
internal import InertialSensors

/// Reads a trial of the Tyrex benchmark of smartphone attitude (Michel et al., "On Attitude Estimation with
/// Smartphones", PerCom 2017): a folder of text files without headers, with times in seconds.
///
/// Acceleration is in g with Core Motion's sign, the angular rate in rad/s with its bias, and the raw field in µT with
/// the phone's hard iron. The calibrated field has Apple's accuracy, and attitude.txt has Apple's attitude (w, x, y,
/// z). ground-truth.csv contains the optical reference on the tracker's clock: its time is the log's time minus
/// BootTime (description.txt) plus the alignment (timeAlignment.txt). Its z axis points up and its x axis about east,
/// with a constant rotation about z: align the yaw by one constant before evaluating headings.
///
/// The Android trials (record.properties, rotation-vector.txt) are in m/s² of specific force, with times from the start
/// of the log. Their further values after the axes, biases or an accuracy, are not read.
struct TyrexReader: SourceReader {
  var description: LogDescription
  var source: MergedLogReader

  private struct Stream {
    var name: String
    var channel: SensorChannel
    /// The columns of x, y, z and w, counted from 0. Column 0 is the time.
    var columns = [1, 2, 3]
    var scale = 1.0
    var frame = EarthFrame.nwu
  }

  private static let reference = "ground-truth.csv"
  /// The files that only the Android trials have.
  private static let androidNames = ["record.properties", "rotation-vector.txt", "gyroscope-calibrated.txt"]

  private static func streams(isAndroid: Bool, options: LogOptions) -> [Stream] {
    let unit = options.accelerationUnit ?? (isAndroid ? .metersPerSecondSquared : .g)
    let isSpecificForce = options.accelerationSign.map { $0 == .specificForce } ?? isAndroid
    let acceleration = (isSpecificForce ? -1.0 : 1) * unit.scale
    let rate = options.rotationScale
    let raw = [
      Stream(name: "accelerometer.txt", channel: .accelerometer, scale: acceleration),
      Stream(name: "gyroscope.txt", channel: .gyroscope, scale: rate),
      Stream(name: "magnetometer.txt", channel: .magnetometer),
    ]
    guard isAndroid else {
      return raw + [
        Stream(name: "magnetometer-calibrated.txt", channel: .calibratedMagneticField, columns: [1, 2, 3, 4]),
        Stream(name: "attitude.txt", channel: .deviceAttitude, columns: [2, 3, 4, 1]),
      ]
    }
    return raw + [
      Stream(name: "magnetometer-calibrated.txt", channel: .calibratedMagneticField),
      Stream(name: "gyroscope-calibrated.txt", channel: .deviceRotationRate, scale: rate),
      Stream(name: "linear-acceleration.txt", channel: .deviceUserAcceleration, scale: acceleration),
      Stream(name: "rotation-vector.txt", channel: .deviceAttitude, columns: [1, 2, 3, 4], frame: .enu),
    ]
  }

  /// Whether a folder is a trial of this dataset.
  static func recognizes(_ folder: LogFolder) -> Bool {
    folder.names.contains("accelerometer.txt")
      && ["gyroscope.txt", "description.txt", "magnetometer.txt", "record.properties"].contains {
        folder.names.contains($0)
      }
  }

  /// Opens a trial. Units and signs are the dataset's unless the options specify otherwise.
  init(path: String, options: LogOptions = LogOptions()) throws(LogError) {
    let folder = try LogFolder(path: path)
    let isAndroid = Self.androidNames.contains { folder.names.contains($0) }
    let streams = Self.streams(isAndroid: isAndroid, options: options)
    var sources: [TableSource] = []
    var notes: [String] = []
    for stream in streams {
      try folder.requireFile(stream.name)
      guard folder.names.contains(stream.name) else { continue }
      let path = folder.path(of: stream.name)
      // After the axes, Android writes biases or an accuracy, depending on the version.
      let count = isAndroid ? try TextTable.fieldCount(path: path) : nil
      let table = try TextTable(
        path: path, separator: .blanks, fieldCount: max(count ?? 0, stream.columns.count + 1))
      let source = try TableSource(
        table, channel: stream.channel, stampColumn: 0, columns: stream.columns, scale: stream.scale,
        frame: stream.frame)
      if source.hasRows { sources.append(source) } else { notes.append("\(stream.name) is empty") }
    }
    guard sources.first?.channel == .accelerometer else {
      throw folder.lacks("samples of acceleration", lookedFor: ["accelerometer.txt"])
    }

    description = LogDescription(
      format: "tyrex", summary: "Tyrex trial (\(isAndroid ? "Android" : "iPhone"), one text file per sensor)",
      path: path)
    if isAndroid {
      notes.append("acceleration: m/s² of specific force to g, sign inverted")
      notes.append("device attitude: Android's rotation vector, converted from east, north, up to north, west, up")
      description.epoch = try? Self.number(in: "record.properties", after: "StartTime", folder)
    }
    if let source = try Self.referenceSource(folder, isAndroid: isAndroid, &notes) {
      description.referenceFrame = "enu"
      notes.append("reference: its frame is off by a constant yaw; align the yaw before evaluating headings")
      sources.append(source)
    }
    description.notes = notes
    description.clock = LogClock(.deviceStart, unit: .seconds)
    if description.referenceFrame != nil {
      description.clock?.others = ["the optical reference by BootTime and timeAlignment.txt"]
    }
    source = MergedLogReader(description, sources)
  }

  /// Returns the optical reference on the log's clock. Returns `nil` and adds a note if it or its time alignment is
  /// missing.
  private static func referenceSource(
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
    let table = try TextTable(
      path: folder.path(of: reference), separator: .comma)
    var source = try TableSource(
      table, channel: .referenceAttitude, stampColumn: table.columns(["t_s"])[0],
      columns: table.columns(["qx", "qy", "qz", "qw"]))
    // The alignment is added to (time − BootTime) to get the tracker's time.
    source.set(.seconds(offset: boot - alignment))
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
