/// A row of the channel table of a BIDS-Motion recording, `*_channels.tsv`: one for each column of `*_motion.tsv`.
///
/// BIDS 1.9, "Motion", requires the columns name, component, type, tracked_point and units, and permits others.
struct BIDSChannel {
  var name: String
  /// The component: x, y, z, quat_x, quat_y, quat_z, quat_w or n/a.
  var component: String
  /// The type: ACCEL, GYRO, MAGN, ORNT, LATENCY and others.
  var type: String
  var trackedPoint: String
  var units: String

  private static let required = ["name", "component", "type", "units"]
  private static let maximumChannelCount = 10_000

  /// Whether a file begins with the column names of a channel table.
  static func recognizes(path: String) -> Bool {
    guard let file = try? InputFile(path: path), let head = try? file.readBytes(upTo: 4096) else { return false }
    let names = ((try? LineScanner(bytes: head, name: path).nextTexts(.tab)) ?? []).map { $0.lowercased() }
    return required.allSatisfy(names.contains)
  }

  /// Reads a table.
  ///
  /// - Throws: ``LogError`` if a required column is missing.
  static func read(path: String) throws(LogError) -> [BIDSChannel] {
    let lines = try LineScanner(path: path)
    let names = (try lines.nextTexts(.tab) ?? []).map { $0.lowercased() }
    var channels: [BIDSChannel] = []
    for name in required where !names.contains(name) {
      throw LogError(
        path: path, line: 1, problem: "no column \(name) (found: \(names.prefix(16).joined(separator: ", ")))",
        remedy: "BIDS-Motion requires the columns name, component, type, tracked_point and units")
    }
    while let line = try lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      var fields = FieldScanner(line, separator: .tab)
      var values: [String: String] = [:]
      for name in names {
        guard let text = fields.nextText() else {
          throw LogError(
            path: path, line: lines.lineNumber,
            problem: "the line has \(fields.totalCount) fields, the header has "
              + "\(names.count)", remedy: "give every channel a field for each column; use n/a for missing values")
        }
        values[name] = text
      }
      guard channels.count < maximumChannelCount else {
        throw LogError(
          path: path, line: lines.lineNumber, problem: "more than \(maximumChannelCount) channels",
          remedy: "give the table of one recording's channels")
      }
      channels.append(
        BIDSChannel(
          name: values["name"] ?? "", component: (values["component"] ?? "").lowercased(),
          type: (values["type"] ?? "").uppercased(), trackedPoint: values["tracked_point"] ?? "n/a",
          units: values["units"] ?? "n/a"))
    }
    return channels
  }

  /// Returns the tracked points with three axes of acceleration, in the order of the table.
  static func points(_ channels: [BIDSChannel]) -> [String] {
    var axes: [String: Set<String>] = [:]
    var points: [String] = []
    for channel in channels where channel.type == "ACCEL" {
      if !points.contains(channel.trackedPoint) { points.append(channel.trackedPoint) }
      axes[channel.trackedPoint, default: []].insert(channel.component)
    }
    return points.filter { axes[$0]!.isSuperset(of: ["x", "y", "z"]) }
  }

  /// Returns column names for the table reader, with "-" for the columns to skip.
  ///
  /// If a point has the same sensor twice, only the first is read.
  static func columns(_ channels: [BIDSChannel], of point: String) -> [String] {
    var taken: Set<String> = []
    return channels.map { channel in
      let isOfPoint = channel.trackedPoint == point || channel.type == "LATENCY"
      guard isOfPoint, let name = channel.column, taken.insert(quantity(name)).inserted else { return "-" }
      return name
    }
  }

  /// Returns the name without its unit, which identifies the quantity.
  private static func quantity(_ name: String) -> String { String(name.prefix { $0 != "(" }) }

  /// The name of the channel's column for the table reader, or `nil` if it is not read.
  private var column: String? {
    let unit = ["n/a", ""].contains(units.lowercased()) ? "" : " (\(units))"
    if type == "LATENCY" { return unit.isEmpty || units == "s" ? "time" : "time" + unit }
    // Channels with Inertial's names and units also have its sign convention.
    let own = ["ACCEL": "g", "GYRO": "rad/s", "MAGN": "ut"][type]
    let isOwnUnit = own == units.lowercased().replacing("µ", with: "u")
    if let meaning = ColumnName(name).meaning, meaning.isCanonical {
      if isOwnUnit { return name }
      // The columns of a fused dataset: quaternion, angles, heading, accuracy of the field, movement.
      switch (type, meaning.dimension) {
      case ("ORNT", .none) where unit.isEmpty: return name
      case ("ORNT", .angle) where units == "rad": return name
      case ("MISC", .none): return name
      default: break
      }
    }
    let words = name.lowercased()
    guard let axis = ["x", "y", "z"].first(where: { component == $0 }) else {
      guard type == "ORNT", component.hasPrefix("quat_"), component.count == 6 else {
        return nil
      }
      return "Quaternion " + component.suffix(1).uppercased()
    }
    switch type {
    case "ACCEL":
      let word =
        if words.contains("grav") { "Gravity" } else if ["user", "lin", "free"].contains(where: words.contains) {
          "Linear acceleration"
        } else { "Accelerometer" }
      return "\(word) \(axis)\(unit)"
    case "GYRO": return "Gyroscope \(axis)\(unit)"
    case "MAGN": return "\(words.contains("cal") ? "Calibrated magnetometer" : "Magnetometer") \(axis)\(unit)"
    default: return nil
    }
  }
}
