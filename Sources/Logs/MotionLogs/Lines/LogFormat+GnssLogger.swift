internal import InertialSensors
internal import InertialSystem

extension LogFormat {
  /// Logs of Google's GnssLogger for Android: lines of comma-separated values that begin with a tag, described by
  /// comments (`# UncalAccel,utcTimeMillis,elapsedRealtimeNanos,UncalAccelXMps2,...`).
  ///
  /// Acceleration is specific force in m/s², rates are in rad/s, fields in µT. Lines of an uncalibrated sensor also
  /// contain the bias estimated by the phone. If the calibrated sensor has no lines, its value is the difference. Times
  /// count from the phone's start (elapsedRealtimeNanos), which all sensors share; the first line's UTC yields the
  /// epoch.
  static var gnssLogger: LogFormat {
    LogFormat(
      id: "gnss-logger", title: "GnssLogger log",
      recognition: "comments that describe lines of UncalAccel, UncalGyro ... with the column elapsedRealtimeNanos",
      units: "m/s² of specific force, rad/s and µT become g with Core Motion's sign, rad/s and µT; nanoseconds since "
        + "the phone's start become seconds; OrientationDeg is converted to north, west, up",
      recognizes: { isGnssLogger($0) },
      open: { path, options throws(LogError) in try openGnssLogger(path, options) })
  }

  private static let syntax = MixedLogSyntax(separator: .comma, comment: 0x23, tagField: 0)
  private static let accelerations = ["UncalAccel", "Accel"]
  private static let motion = accelerations + ["UncalGyro", "Gyro", "UncalMag", "Mag", "OrientationDeg"]

  /// Whether a file begins with comments that describe lines of motion.
  private static func isGnssLogger(_ candidate: LogCandidate) -> Bool {
    guard candidate.head.contains(0x23), candidate.head.contains(0x2C),
      let survey = MixedLogSurvey(candidate, syntax: syntax)
    else { return false }
    let headers = headers(survey)
    return motion.contains { headers[$0]?.contains("elapsedrealtimenanos") ?? false }
  }

  /// Opens a log. Units and signs are Android's unless the options specify otherwise.
  private static func openGnssLogger(_ path: String, _ options: LogOptions) throws(LogError) -> MixedLog {
    let survey = try MixedLogSurvey(path: path, syntax: syntax)
    let headers = headers(survey)
    var notes = [options.specificForceNote]
    let kinds = motionKinds(survey, headers, options, &notes)
    guard kinds.contains(where: { $0.channels.contains(.accelerometer) }) else {
      throw survey.lacksAcceleration(accelerations)
    }
    let epoch = epoch(survey, kinds)
    var other: [LineKind] = []
    if options.auxiliary.contains(.location), let header = headers["Fix"] {
      other.append(LineKind("Fix", [.skipped] + header.map { fixField($0) }, .auxiliary(.location)))
    }
    var description = LogDescription(format: "gnss-logger", summary: "GnssLogger log (Android)", path: path)
    description.epoch = epoch
    description.clock = LogClock(.deviceStart, unit: .nanoseconds)
    if epoch != nil { description.clock?.others = ["lines with UTC only by the first line that has both"] }
    description.auxiliaryChannels = Set(other.filter { survey.has($0.tag) }.compactMap(\.auxiliary))
    description.notes = notes + ["time: nanoseconds since the phone's start, to seconds"]
    return try MixedLog(description, syntax: syntax, kinds: kinds + other, clock: .bootNanoseconds(epoch: epoch))
  }

  // MARK: The header

  /// Returns the columns after the tag of each kind that the comments describe, in lower case.
  private static func headers(_ survey: MixedLogSurvey) -> [String: [String]] {
    var headers: [String: [String]] = [:]
    for comment in survey.comments {
      let names = comment.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed() }
      guard names.count > 2, headers[names[0]] == nil else { continue }
      headers[names[0]] = names.dropFirst().map { $0.lowercased() }
    }
    return headers
  }

  private static func stamp(_ name: String) -> LineField? {
    switch name {
    case "elapsedrealtimenanos": .stamp(0)
    case "utctimemillis", "unixtimemillis", "(utc)timeinms": .stamp(1)
    default: nil
    }
  }

  /// Returns the field of a sensor's column: UncalGyroXRadPerSec, BiasYMicroT, DriftZRadPerSec, CalibrationAccuracy ...
  private static func sensorField(_ name: String, tag: String) -> LineField {
    if let stamp = stamp(name) { return stamp }
    if name == "calibrationaccuracy" { return tag == "Mag" ? .optionalValue(3) : .skipped }
    for unit in ["mps2", "radpersec", "microt"] where name.hasSuffix(unit) {
      let rest = name.dropLast(unit.count)
      guard let axis = rest.last.flatMap({ ["x", "y", "z"].firstIndex(of: $0) }) else { return .skipped }
      switch rest.dropLast() {
      case "bias", "drift": return .optionalValue(3 + axis)
      case tag.lowercased()[...]: return .value(axis)
      default: return .skipped
      }
    }
    return .skipped
  }

  private static func orientationField(_ name: String) -> LineField {
    switch name {
    case "yawdeg": .value(0)
    case "pitchdeg": .value(1)
    case "rolldeg": .value(2)
    default: stamp(name) ?? .skipped
    }
  }

  private static func fixField(_ name: String) -> LineField {
    let fields = [
      "latitude": "latitude", "longitude": "longitude", "altitude": "ellipsoidalAltitude", "speed": "speed",
      "accuracy": "horizontalAccuracy", "bearing": "course", "speedaccuracy": "speedAccuracy",
      "bearingaccuracy": "courseAccuracy", "verticalaccuracy": "verticalAccuracy",
    ]
    if let stamp = stamp(name) { return stamp }
    let unit = ["degrees", "meters", "mps"].first { name.hasSuffix($0) } ?? ""
    guard let field = fields[String(name.dropLast(unit.count))] else { return .skipped }
    return .cell(.number("", field), in: .location)
  }

  // MARK: Kinds of lines

  private static func motionKinds(
    _ survey: MixedLogSurvey, _ headers: [String: [String]], _ options: LogOptions, _ notes: inout [String]
  ) -> [LineKind] {
    for tag in motion where survey.has(tag) && headers[tag] == nil {
      notes.append("lines of \(tag) not read: the log's comments do not describe them")
    }
    func kind(_ tag: String, _ output: LineOutput) -> LineKind? {
      guard survey.has(tag), let header = headers[tag] else { return nil }
      let fields = header.map { tag == "OrientationDeg" ? orientationField($0) : sensorField($0, tag: tag) }
      return LineKind(tag, [.skipped] + fields, output)
    }
    func raw(
      _ name: String, _ channel: SensorChannel, _ corrected: SensorChannel?, _ scale: Double
    ) -> [LineKind?] {
      let isRaw = survey.has("Uncal" + name) && headers["Uncal" + name] != nil
      let isCorrected = survey.has(name) && headers[name] != nil
      if isRaw {
        return [
          kind("Uncal" + name, .biased(channel, corrected: isCorrected ? nil : corrected, scale: scale)),
          corrected.flatMap { kind(name, .vector($0, scale: scale)) },
        ]
      }
      if isCorrected, name == "Gyro" {
        notes.append("rotation rate: bias removed by the phone, as there is no raw rate")
      }
      return [kind(name, .vector(channel, scale: scale))]
    }
    let isCalibrated = survey.has("Mag") && headers["Mag"] != nil
    var kinds =
      raw("Gyro", .gyroscope, .deviceRotationRate, options.rotationScale)
      + raw("Accel", .accelerometer, nil, options.specificForceScale)
    kinds += [
      kind(
        "UncalMag",
        .biased(.magnetometer, corrected: isCalibrated ? nil : .calibratedMagneticField, scale: options.fieldScale)),
      kind("Mag", .calibratedField(scale: options.fieldScale)), kind("OrientationDeg", .orientation),
    ]
    let found = kinds.compactMap { $0 }
    if found.contains(where: { $0.tag == "UncalMag" }), !isCalibrated {
      notes.append("calibrated field: the raw field minus the phone's bias")
    }
    if found.contains(where: { $0.tag == "OrientationDeg" }) {
      notes.append(
        "device attitude: OrientationDeg, Android's angles, converted to north, west, up; its yaw includes the rotation of a "
          + "screen in landscape")
    }
    return found
  }

  /// Returns the UNIX time of the phone's start in seconds, or `nil` if no sensor's first line contains both times.
  private static func epoch(_ survey: MixedLogSurvey, _ kinds: [LineKind]) -> Double? {
    for kind in kinds {
      guard let own = kind.fields.firstIndex(where: { if case .stamp(0) = $0 { true } else { false } }),
        let utc = kind.fields.firstIndex(where: { if case .stamp(1) = $0 { true } else { false } }),
        case .integer(let nanoseconds) = survey.firstStamp(kind.tag, field: own),
        case .integer(let milliseconds) = survey.firstStamp(kind.tag, field: utc)
      else { continue }
      return Double(milliseconds) / 1e3 - Double(nanoseconds) / 1e9
    }
    return nil
  }
}
