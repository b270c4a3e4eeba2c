internal import InertialSensors
internal import InertialSystem

extension LogFormat {
  /// ArduPilot's text logs (DataFlash `.log`): `FMT` lines describe the columns of all other lines.
  ///
  /// `IMU` lines have m/s² of specific force and rad/s, `MAG` lines milligauss. Of several sensors of the same kind, the
  /// first is read. The axes are the vehicle's: x forward, y right, z down.
  static var arduPilot: LogFormat {
    LogFormat(
      id: "ardupilot", title: "ArduPilot log as text (DataFlash .log)",
      recognition: "a first line of FMT, and lines of FMT that describe those of IMU",
      units:
        "m/s² of specific force, rad/s and mG become g with Core Motion's sign, rad/s and µT; µs since the start; axes "
        + "forward, right, down",
      isRobot: true,
      recognizes: { $0.folder == nil && columns($0.head, $0.path)["FMT"] != nil },
      open: { path, options throws(LogError) in try openDataFlash(path, options) })
  }

  private static let syntax = MixedLogSyntax(separator: .comma, comment: 0x23, tagField: 0)
  /// The columns of each kind of line, in the order of `LineOutput`'s values.
  private static let values = [
    "IMU": ["AccX", "AccY", "AccZ", "GyrX", "GyrY", "GyrZ"], "MAG": ["MagX", "MagY", "MagZ"],
  ]

  /// Returns the columns of each kind of line, from the FMT lines (FMT, type, length, name, format, columns) in the
  /// head.
  private static func columns(_ head: [UInt8], _ name: String) -> [String: [String]] {
    guard head.starts(with: "FMT,".utf8) else { return [:] }
    let lines = LineScanner(bytes: head, name: name)
    defer { withExtendedLifetime(lines) {} }
    var columns: [String: [String]] = [:]
    while let line = (try? lines.next()) ?? nil {
      guard line.starts(with: "FMT,".utf8), !lines.isUnterminated else { continue }
      let parts = String(decoding: line, as: UTF8.self).split(separator: ",").map { String($0).trimmed() }
      if parts.count > 5 { columns[parts[3]] = Array(parts[5...]) }
    }
    return columns
  }

  private static func openDataFlash(_ path: String, _ options: LogOptions) throws(LogError) -> MixedLog {
    let columns = columns(try LogCandidate(path: path).head, path)
    let magnetic = options.fieldUnit == nil ? 0.1 : options.fieldScale
    let outputs: [(String, LineOutput)] = [
      ("IMU", .inertial(acceleration: options.specificForceScale, rotation: options.rotationScale, field: nil)),
      ("MAG", .vector(.magnetometer, scale: magnetic)),
    ]
    var kinds: [LineKind] = []
    for (tag, output) in outputs {
      guard let names = columns[tag], let values = values[tag], values.allSatisfy(names.contains) else { continue }
      let fields = names.map { name -> LineField in
        if name == "TimeUS" || name == "TimeMS" { return .stamp(0) }
        if name == "I" { return .only(0) }
        return values.firstIndex(of: name).map { LineField.value($0) } ?? .skipped
      }
      kinds.append(LineKind(tag, [.skipped] + fields, output))
    }
    guard let motion = kinds.first, motion.tag == "IMU" else {
      throw LogError(
        path: path, problem: "the FMT lines of this ArduPilot log describe no IMU lines",
        remedy:
          "log them (LOG_BITMASK), or convert the log with Mission Planner or mavlogdump.py --format csv --types IMU")
    }
    let isMilliseconds = columns["IMU"]?.contains("TimeMS") ?? false
    var description = LogDescription(format: "ardupilot", summary: "ArduPilot log as text (DataFlash)", path: path)
    description.clock = LogClock(.deviceStart, unit: isMilliseconds ? .milliseconds : .microseconds)
    description.notes =
      [
        options.specificForceNote,
        "lines of " + kinds.map(\.tag).joined(separator: ", ") + " read, of the first sensor of a kind",
        LogDescription.aerospaceAxes(of: "vehicle"),
      ]
    return try MixedLog(
      description, syntax: syntax, kinds: kinds, clock: .ticks(rate: isMilliseconds ? 1e3 : 1e6))
  }
}
