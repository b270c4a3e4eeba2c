internal import InertialSensors

extension LogFormat {
  /// Logs of GetSensorData, the Android app of the LOPSI group that recorded the logs of the IPIN competitions: lines
  /// of semicolon-separated values that begin with a tag of four letters, and comments after `%`.
  ///
  /// The comments describe the columns (`'ACCE;AppTimestamp(s);SensorTimestamp(s);Acc_X(m/s^2);...'`). If they are
  /// missing, as in the competitions' files, the app's default columns apply. Values are Android's: m/s² of specific
  /// force, rad/s without bias, µT calibrated by the phone. AHRS has the rotation vector's vector part, device to east,
  /// north, up. Times are seconds of the app's clock. Motion sensors also have their own regular clock, which is
  /// shifted to the app's clock by the constant offset of the first lines.
  static var getSensorData: LogFormat {
    LogFormat(
      id: "get-sensor-data", title: "GetSensorData log",
      recognition: "lines of ACCE, GYRO or MAGN and numbers, separated by semicolons",
      units: "m/s² of specific force, rad/s and µT become g with Core Motion's sign, rad/s and µT; the sensors' own "
        + "seconds are shifted to the app's; the rotation vector is converted to north, west, up",
      recognizes: { isGetSensorData($0) },
      open: { path, options throws(LogError) in try openGetSensorData(path, options) })
  }

  private static let syntax = MixedLogSyntax(separator: .semicolon, comment: 0x25, tagField: 0)
  /// The maximum difference between the clocks of a sensor and the acceleration to count as the same clock, in seconds.
  private static let sameClock = 1.0

  /// Whether a file begins with lines of this format.
  private static func isGetSensorData(_ candidate: LogCandidate) -> Bool {
    guard candidate.head.contains(0x3B), let survey = MixedLogSurvey(candidate, syntax: syntax) else { return false }
    return ["ACCE", "GYRO", "MAGN"].contains { tag in
      switch survey.firstStamp(tag, field: 1) {
      case .integer, .value: true
      case .empty, .text, .end, nil: false
      }
    }
  }

  /// Opens a log. Units and signs are Android's unless the options specify otherwise.
  private static func openGetSensorData(_ path: String, _ options: LogOptions) throws(LogError) -> MixedLog {
    let survey = try MixedLogSurvey(path: path, syntax: syntax)
    guard survey.has("ACCE") else { throw survey.lacksAcceleration(["ACCE"]) }
    let columns = LineKind.getSensorDataColumns(survey.comments)
    let motion = LineKind.getSensorDataMotion(columns, options).filter { survey.has($0.tag) }
    let all = LineKind.getSensorDataOthers(columns)
    let other = all.filter { $0.auxiliary.map(options.auxiliary.contains) ?? false }
    var notes = [options.specificForceNote]
    let offsets = offsets(survey, motion, &notes)

    var description = LogDescription(
      format: "get-sensor-data", summary: "GetSensorData log (Android, LOPSI)", path: path)
    description.auxiliaryChannels = Set(other.filter { survey.has($0.tag) }.compactMap(\.auxiliary))
    if survey.has("GYRO") { notes.append("rotation rate: bias removed by the phone, as there is no raw rate") }
    if survey.has("AHRS") {
      notes.append("device attitude: Android's rotation vector, converted from east, north, up to north, west, up")
    }
    let unread = survey.tags.filter { tag in !(motion + all).contains { $0.tag == tag } }
    if !unread.isEmpty { notes.append("lines not read: \(unread.prefix(12).joined(separator: ", "))") }
    description.notes = notes
    description.clock = LogClock(.recordingStart, unit: .seconds)
    description.clock?.others = notes.filter { $0.hasPrefix("time: ") }.map { String($0.dropFirst(6)) }
    return try MixedLog(description, syntax: syntax, kinds: motion + other, clock: .appSeconds(offsets: offsets))
  }

  /// Returns the offset from each sensor's own timestamps to the app's time; sensors without own timestamps are left
  /// out.
  private static func offsets(
    _ survey: MixedLogSurvey, _ kinds: [LineKind], _ notes: inout [String]
  ) -> [String: Double] {
    func number(_ kind: LineKind, _ index: Int) -> Double? {
      let field = kind.fields.firstIndex { if case .stamp(index) = $0 { true } else { false } }
      switch field.flatMap({ survey.firstStamp(kind.tag, field: $0) }) {
      case .integer(let value): return Double(value)
      case .value(let value): return value.isFinite ? value : nil
      case .empty, .text, .end, nil: return nil
      }
    }
    var offsets: [String: Double] = [:]
    for kind in kinds {
      // A sensor without a clock reports 0.
      if let app = number(kind, 1), let own = number(kind, 0), own != 0 { offsets[kind.tag] = app - own }
    }
    guard let base = offsets["ACCE"] ?? offsets.values.min() else {
      notes.append("time: the app's seconds, as the sensors have no clock")
      return offsets
    }
    notes.append("time: the sensors' own seconds, shifted by a constant to the app's")
    for kind in kinds {
      guard let offset = offsets[kind.tag] else { continue }
      if abs(offset - base) < sameClock {
        offsets[kind.tag] = base
      } else {
        notes.append("time: \(kind.tag) has its own clock, shifted to the app's by its first line")
      }
    }
    return offsets
  }
}
