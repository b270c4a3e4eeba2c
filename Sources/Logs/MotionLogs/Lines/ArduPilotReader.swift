internal import InertialSensors

/// Reads ArduPilot's text logs (DataFlash `.log`): `FMT` lines describe the columns of all other lines.
///
/// `IMU` lines have m/s² of specific force and rad/s, `MAG` lines milligauss. Of several sensors of the same kind, the
/// first is read. The axes are the vehicle's: x forward, y right, z down.
struct ArduPilotReader: SourceReader {
  var description: LogDescription
  var source: MixedLog

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
      let parts = String(decoding: line, as: UTF8.self).split(separator: ",").map(\.withoutBlanks)
      if parts.count > 5 { columns[parts[3]] = Array(parts[5...]) }
    }
    return columns
  }

  static func recognizes(_ candidate: LogCandidate) -> Bool {
    candidate.folder == nil && columns(candidate.head, candidate.path)["FMT"] != nil
  }

  init(path: String, options: LogOptions) throws(LogError) {
    let columns = Self.columns(try LogCandidate(path: path).head, path)
    let scales = MotionScales(options)
    let magnetic = options.fieldUnit == nil ? 0.1 : scales.field
    let outputs: [(String, LineOutput)] = [
      ("IMU", .inertial(acceleration: scales.acceleration, rotation: scales.rotation, field: nil)),
      ("MAG", .vector(.magnetometer, scale: magnetic)),
    ]
    var kinds: [LineKind] = []
    for (tag, output) in outputs {
      guard let names = columns[tag], let values = Self.values[tag], values.allSatisfy(names.contains) else { continue }
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
    source = try MixedLog(
      path: path, syntax: Self.syntax, kinds: kinds, clock: .ticks(rate: isMilliseconds ? 1e3 : 1e6))
    description = LogDescription(format: "ardupilot", summary: "ArduPilot log as text (DataFlash)", path: path)
    description.clock = LogClock(.deviceStart, unit: isMilliseconds ? .milliseconds : .microseconds)
    description.notes =
      scales.notes + [
        "lines of " + kinds.map(\.tag).joined(separator: ", ") + " read, of the first sensor of a kind",
        LogDescription.aerospaceAxes(of: "vehicle"),
      ]
  }
}

/// Reads VectorNav's sentences as received on the serial line, such as
/// `$VNIMU,mag,acc,gyr,temperature,pressure*checksum`: gauss, m/s² of specific force and rad/s in the unit's axes, x
/// forward, y right, z down. The sentences have no clock.
struct VectorNavReader: SourceReader {
  var description: LogDescription
  var source: MixedLog

  private static let syntax = MixedLogSyntax(separator: .comma, comment: 0x23, tagField: 0, checksumMark: 0x2A)
  /// The sentences with all three sensors, and the number of fields before the sensors' fields.
  private static let leading = ["$VNIMU": 0, "$VNMAR": 0, "$VNYMR": 3, "$VNQMR": 4, "$VNDMR": 9]

  static func recognizes(_ candidate: LogCandidate) -> Bool {
    candidate.folder == nil && tags(candidate.head).count >= 1
  }

  /// Returns the tags of the complete sentences in the head of a file. The first line may be cut off.
  private static func tags(_ head: [UInt8]) -> Set<String> {
    guard head.contains(0x24) else { return [] }
    let lines = LineScanner(bytes: head, name: "")
    defer { withExtendedLifetime(lines) {} }
    var tags: Set<String> = []
    for _ in 0..<16 {
      guard let line = (try? lines.next()) ?? nil else { break }
      guard line.starts(with: "$VN".utf8), syntax.sentence(line) != nil, let tag = syntax.tag(of: line) else {
        continue
      }
      tags.insert(String(decoding: tag.prefix(8), as: UTF8.self))
    }
    return tags
  }

  init(path: String, options: LogOptions) throws(LogError) {
    let tags = Self.tags(try LogCandidate(path: path).head).sorted()
    let known = Self.leading.keys.sorted().joined(separator: ", ")
    guard let tag = tags.first(where: { Self.leading[$0] != nil }), let leading = Self.leading[tag] else {
      throw LogError(
        path: path,
        problem: "VectorNav's sentences \(tags.joined(separator: ", ")) contain no acceleration and rate",
        remedy: "record one of \(known)")
    }
    guard let rate = options.sampleRate else {
      throw LogError(
        path: path, problem: "VectorNav's sentences (\(tag)) have no clock",
        remedy: "give the rate at which they were sent with --sample-rate HZ (VectorNav's own is 40)",
        question: .sampleRate)
    }
    let scales = MotionScales(options)
    let order = [6, 7, 8, 0, 1, 2, 3, 4, 5]
    let fields: [LineField] = Array(repeating: .skipped, count: 1 + leading) + order.map { LineField.value($0) }
    let output = LineOutput.inertial(
      acceleration: scales.acceleration, rotation: scales.rotation, field: options.fieldUnit == nil ? 100 : scales.field
    )
    source = try MixedLog(
      path: path, syntax: Self.syntax, kinds: [LineKind(tag, fields, output)], clock: .ticks(rate: rate))
    description = LogDescription(format: "vectornav", summary: "VectorNav's sentences (\(tag))", path: path)
    description.clock = LogClock(.rows, rate: rate)
    description.declaredRate = rate
    description.notes =
      scales.notes + [
        "time: the sentence's number divided by \(rate) Hz",
        LogDescription.aerospaceAxes(of: "unit"),
      ]
  }
}
