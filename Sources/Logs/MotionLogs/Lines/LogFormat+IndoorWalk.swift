internal import InertialSensors

extension LogFormat {
  /// Walks of Microsoft's indoor location competition 2.0: a text file of lines `UNIX milliseconds, TYPE_..., values`,
  /// separated by tabs, with comments that begin with `#`.
  ///
  /// The values match Android's SensorEvent: m/s² of specific force, rad/s and µT. Raw rate and field are the
  /// uncalibrated ones if the log has them, as these lack corrections that change during the walk. The acceleration is
  /// TYPE_ACCELEROMETER, which paces the lines: up to two thirds of the uncalibrated lines repeat the last value.
  /// TYPE_ROTATION_VECTOR, Android's own attitude, is converted from east, north, up to north, west, up.
  static var indoorWalk: LogFormat {
    LogFormat(
      id: "indoor-walk", title: "Microsoft indoor location walk",
      recognition: "lines of UNIX milliseconds, TYPE_ACCELEROMETER ... and values, separated by tabs",
      units: "m/s² of specific force, rad/s and µT become g with Core Motion's sign, rad/s and µT; UNIX milliseconds "
        + "become seconds since the first sample; the rotation vector is converted to north, west, up",
      recognizes: { isIndoorWalk($0) },
      open: { path, options throws(LogError) in try openIndoorWalk(path, options) })
  }

  private static let syntax = MixedLogSyntax(separator: .tab, comment: 0x23, tagField: 1)
  private static let sensors = ["ACCELEROMETER", "GYROSCOPE", "MAGNETIC_FIELD"]

  /// Whether a file begins with lines of this format.
  private static func isIndoorWalk(_ candidate: LogCandidate) -> Bool {
    guard candidate.head.contains(0x09), let survey = MixedLogSurvey(candidate, syntax: syntax) else { return false }
    return survey.tags.contains { tag in
      guard sensors.contains(where: { tag == "TYPE_" + $0 || tag == "TYPE_\($0)_UNCALIBRATED" }) else { return false }
      return if case .integer = survey.firstStamp(tag, field: 0) { true } else { false }
    }
  }

  /// Opens a walk. Units and signs are Android's unless the options specify otherwise.
  private static func openIndoorWalk(_ path: String, _ options: LogOptions) throws(LogError) -> MixedLog {
    let survey = try MixedLogSurvey(path: path, syntax: syntax)
    let motion = motionKinds(survey, options)
    guard motion.contains(where: { $0.channels.contains(.accelerometer) }) else {
      throw survey.lacksAcceleration(["TYPE_ACCELEROMETER", "TYPE_ACCELEROMETER_UNCALIBRATED"])
    }
    let origin = try origin(survey, motion)
    let other = auxiliaryKinds.filter { $0.auxiliary.map(options.auxiliary.contains) ?? false }
    var description = LogDescription(
      format: "indoor-walk", summary: "Microsoft indoor location walk (Android)" + device(survey), path: path)
    description.epoch = Double(origin) / 1e3
    description.clock = LogClock(.unix, unit: .milliseconds)
    description.auxiliaryChannels = Set(other.filter { survey.has($0.tag) }.compactMap(\.auxiliary))
    description.notes = [
      options.specificForceNote, "time: UNIX milliseconds, to seconds since the first sample of a motion sensor",
    ]
    description.notes += notes(survey)
    return try MixedLog(
      description, syntax: syntax, kinds: motion + other, clock: .unixMilliseconds(origin: origin))
  }

  // MARK: Lines

  private static func motionKinds(_ survey: MixedLogSurvey, _ options: LogOptions) -> [LineKind] {
    let start: [LineField] = [.stamp(0), .skipped]
    let vector = start + [.value(0), .value(1), .value(2)]
    let biased = vector + [.optionalValue(3), .optionalValue(4), .optionalValue(5)]
    func raw(_ name: String, _ channel: SensorChannel, _ corrected: SensorChannel?, _ scale: Double) -> [LineKind] {
      let plain = "TYPE_" + name
      let uncalibrated = plain + "_UNCALIBRATED"
      let isPlain = channel == .accelerometer && survey.has(plain)
      guard survey.has(uncalibrated), !isPlain else {
        return survey.has(plain) ? [LineKind(plain, vector, .vector(channel, scale: scale), largestCount: 6)] : []
      }
      // The device's own corrected values take precedence over the difference to its bias.
      let missing = survey.has(plain) ? nil : corrected
      let kind = LineKind(
        uncalibrated, biased, .biased(channel, corrected: missing, scale: scale), largestCount: 9)
      guard let corrected, survey.has(plain) else { return [kind] }
      return [kind, LineKind(plain, vector, .vector(corrected, scale: scale), largestCount: 6)]
    }
    var kinds =
      raw("GYROSCOPE", .gyroscope, .deviceRotationRate, options.rotationScale)
      + raw("ACCELEROMETER", .accelerometer, nil, options.specificForceScale)
    let field = "TYPE_MAGNETIC_FIELD"
    if survey.has(field) {
      kinds.append(
        LineKind(field, vector + [.optionalValue(3)], .calibratedField(scale: options.fieldScale), largestCount: 6))
    }
    if survey.has(field + "_UNCALIBRATED") {
      let corrected: SensorChannel? = survey.has(field) ? nil : .calibratedMagneticField
      kinds.append(
        LineKind(
          field + "_UNCALIBRATED", biased, .biased(.magnetometer, corrected: corrected, scale: options.fieldScale),
          largestCount: 9))
    }
    if survey.has("TYPE_ROTATION_VECTOR") {
      kinds.append(LineKind("TYPE_ROTATION_VECTOR", vector, .rotationVector, largestCount: 6))
    }
    return kinds
  }

  private static var auxiliaryKinds: [LineKind] {
    let start: [LineField] = [.stamp(0), .skipped]
    return [
      LineKind(
        "TYPE_WAYPOINT", start + cells([.number("", "waypointX"), .number("", "waypointY")], in: .waypoint),
        .auxiliary(.waypoint)),
      LineKind(
        "TYPE_WIFI",
        start
          + cells(
            [.text("", "wifiSSID"), .text("", "wifiBSSID"), .number("", "wifiRSSI"), .number("", "wifiFrequency")],
            in: .wifi), .auxiliary(.wifi)),
      // The columns: UUID, major and minor number, power at 1 m, signal strength, distance derived from both, address.
      LineKind(
        "TYPE_BEACON",
        start + cells([.text("", "bluetoothData")], in: .bluetooth) + [.moreText(2), .moreText(2)]
          + cells([.number("", "bluetoothTransmitPower"), .number("", "bluetoothRSSI")], in: .bluetooth) + [.skipped]
          + cells([.text("", "bluetoothIdentifier")], in: .bluetooth), .auxiliary(.bluetooth)),
    ]
  }

  private static func cells(_ columns: [AuxiliaryColumn], in channel: AuxiliaryChannel) -> [LineField] {
    columns.map { .cell($0, in: channel) }
  }

  // MARK: The beginning

  /// Returns the earliest of the motion sensors' first timestamps.
  private static func origin(_ survey: MixedLogSurvey, _ motion: [LineKind]) throws(LogError) -> Int64 {
    var origin = Int64.max
    for kind in motion {
      guard case .integer(let stamp) = survey.firstStamp(kind.tag, field: 0), stamp > 0 else {
        throw LogError(
          path: survey.path, line: survey.firstLines[kind.tag]?.line, column: 1,
          problem: "the first timestamp of \(kind.tag) is not a whole number of milliseconds",
          remedy: "repair or remove the line")
      }
      origin = min(origin, stamp)
    }
    return origin
  }

  /// Returns the comments' description of the phone, in parentheses.
  private static func device(_ survey: MixedLogSurvey) -> String {
    for comment in survey.comments {
      let fields = comment.split(separator: "\t")
      guard let brand = fields.first(where: { $0.hasPrefix("Brand:") })?.dropFirst(6),
        let model = fields.first(where: { $0.hasPrefix("Model:") })?.dropFirst(6)
      else { continue }
      let words = "\(brand) \(model)".filter { $0.isLetter || $0.isNumber || " -_.".contains($0) }
      return words.count <= 60 ? " (\(words))" : ""
    }
    return ""
  }

  private static func notes(_ survey: MixedLogSurvey) -> [String] {
    var notes: [String] = []
    if survey.has("TYPE_ACCELEROMETER_UNCALIBRATED"), survey.has("TYPE_ACCELEROMETER") {
      notes.append("acceleration: TYPE_ACCELEROMETER_UNCALIBRATED not read: its lines may repeat the previous value")
    }
    if !survey.has("TYPE_GYROSCOPE_UNCALIBRATED"), survey.has("TYPE_GYROSCOPE") {
      notes.append("rotation rate: bias removed by the phone, as there is no raw rate")
    }
    if survey.has("TYPE_ROTATION_VECTOR") {
      notes.append("device attitude: Android's rotation vector, converted from east, north, up to north, west, up")
    }
    return notes
  }
}
