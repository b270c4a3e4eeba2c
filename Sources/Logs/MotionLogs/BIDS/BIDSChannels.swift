/// The channel table of a BIDS-Motion recording, `*_channels.tsv`: one row for each column of `*_motion.tsv`.
///
/// BIDS 1.9, "Motion", requires the columns name, component, type, tracked_point and units, and permits others.
struct BIDSChannels {
  struct Channel {
    var name: String
    /// The component: x, y, z, quat_x, quat_y, quat_z, quat_w or n/a.
    var component: String
    /// The type: ACCEL, GYRO, MAGN, ORNT, LATENCY and others.
    var type: String
    var trackedPoint: String
    var units: String
  }

  private static let required = ["name", "component", "type", "units"]
  private static let maximumChannelCount = 10_000

  private(set) var channels: [Channel] = []

  /// Whether a file begins with the column names of a channel table.
  static func recognizes(path: String) -> Bool {
    guard let file = try? InputFile(path: path), let head = try? file.readBytes(upTo: 4096) else { return false }
    // The lines are valid during the scanner's lifetime.
    let lines = LineScanner(bytes: head, name: path)
    let names = withExtendedLifetime(lines) { (try? lines.next()).map(Self.names) ?? [] }
    return required.allSatisfy(names.contains)
  }

  private static func names(_ line: UnsafeRawBufferPointer) -> [String] {
    var fields = FieldScanner(line, separator: .tab)
    var names: [String] = []
    while let name = fields.nextText() { names.append(name.lowercased()) }
    return names
  }

  /// Reads a table.
  ///
  /// - Throws: ``LogError`` if a required column is missing.
  init(path: String) throws(LogError) {
    let lines = try LineScanner(path: path)
    let names = try lines.next().map(Self.names) ?? []
    for name in Self.required where !names.contains(name) {
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
      guard channels.count < Self.maximumChannelCount else {
        throw LogError(
          path: path, line: lines.lineNumber, problem: "more than \(Self.maximumChannelCount) channels",
          remedy: "give the table of one recording's channels")
      }
      channels.append(
        Channel(
          name: values["name"] ?? "", component: (values["component"] ?? "").lowercased(),
          type: (values["type"] ?? "").uppercased(), trackedPoint: values["tracked_point"] ?? "n/a",
          units: values["units"] ?? "n/a"))
    }
  }

  /// The tracked points with three axes of acceleration, in the order of the table.
  var points: [String] {
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
  func columns(of point: String) -> [String] {
    var taken: Set<String> = []
    return channels.map { channel in
      let isOfPoint = channel.trackedPoint == point || channel.type == "LATENCY"
      guard isOfPoint, let name = Self.column(channel), taken.insert(Self.quantity(name)).inserted else { return "-" }
      return name
    }
  }

  /// Returns the name without its unit, which identifies the quantity.
  private static func quantity(_ name: String) -> String { String(name.prefix { $0 != "(" }) }

  private static func column(_ channel: Channel) -> String? {
    let unit = ["n/a", ""].contains(channel.units.lowercased()) ? "" : " (\(channel.units))"
    if channel.type == "LATENCY" { return unit.isEmpty || channel.units == "s" ? "time" : "time" + unit }
    // Channels with Inertial's names and units also have its sign convention.
    let own = ["ACCEL": "g", "GYRO": "rad/s", "MAGN": "ut"][channel.type]
    let isOwnUnit = own == channel.units.lowercased().replacing("µ", with: "u")
    if let meaning = ColumnName(channel.name).meaning, meaning.isCanonical {
      if isOwnUnit { return channel.name }
      // The columns of a fused dataset: quaternion, angles, heading, accuracy of the field, movement.
      switch (channel.type, meaning.dimension) {
      case ("ORNT", .none) where unit.isEmpty: return channel.name
      case ("ORNT", .angle) where channel.units == "rad": return channel.name
      case ("MISC", .none): return channel.name
      default: break
      }
    }
    let name = channel.name.lowercased()
    guard let axis = ["x", "y", "z"].first(where: { channel.component == $0 }) else {
      guard channel.type == "ORNT", channel.component.hasPrefix("quat_"), channel.component.count == 6 else {
        return nil
      }
      return "Quaternion " + channel.component.suffix(1).uppercased()
    }
    switch channel.type {
    case "ACCEL":
      let word =
        if name.contains("grav") { "Gravity" } else if ["user", "lin", "free"].contains(where: name.contains) {
          "Linear acceleration"
        } else { "Accelerometer" }
      return "\(word) \(axis)\(unit)"
    case "GYRO": return "Gyroscope \(axis)\(unit)"
    case "MAGN": return "\(name.contains("cal") ? "Calibrated magnetometer" : "Magnetometer") \(axis)\(unit)"
    default: return nil
    }
  }
}
