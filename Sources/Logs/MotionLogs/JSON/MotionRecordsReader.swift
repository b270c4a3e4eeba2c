internal import InertialNumerics
internal import InertialRotations
package import InertialSensors

/// Reads the JSON clips of an iOS recorder for stairs and lifts: an object with the array `motionRecords`.
///
/// A record has `recordTimestamp` (UNIX time in seconds) and, from Core Motion, `attitude` (roll, pitch, yaw in rad),
/// `rotationRate` (rad/s), `accelerationWithOutGravity` (g) and `altitude` (relative altitude in m, pressure in kPa).
/// The raw acceleration is the sum of the attitude's gravity and that acceleration.
package struct MotionRecordsReader: LogReader {
  package private(set) var description: LogDescription
  package private(set) var emptyCounts: [SensorChannel: Int] = [:]

  private static let records = "motionRecords"
  private static let stamp = "recordTimestamp"
  private static let batchSize = 512
  /// The index of each of a record's numbers, by its key path.
  private static let places: [String: Int] = {
    let names = [
      "attitude.roll", "attitude.pitch", "attitude.yaw", "rotationRate.x", "rotationRate.y", "rotationRate.z",
      "accelerationWithOutGravity.x", "accelerationWithOutGravity.y", "accelerationWithOutGravity.z",
      "altitude.relativeAltitude", "altitude.pressure", stamp,
    ]
    return Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
  }()

  private let scanner: JSONScanner
  private let wantsAltitude: Bool
  private var pending: [AuxiliarySample] = []
  /// The last reported altitude; the recorder repeats it in every record.
  private var lastAltitude: AuxiliarySample?
  private var isFinished = false
  private var count = 0

  static func recognizes(_ candidate: LogCandidate) -> Bool {
    guard candidate.folder == nil, candidate.head.first(where: { $0 > 0x20 }) == 0x7B else { return false }
    let scanner = JSONScanner(bytes: candidate.head, name: candidate.path)
    return (try? seek(scanner)) == true && scanner.firstRecordHas(stamp)
  }

  /// Opens a clip. Throws ``LogError`` if the clip has no records.
  package init(path: String, options: LogOptions = LogOptions()) throws(LogError) {
    scanner = try JSONScanner(path: path)
    description = LogDescription(format: "motion-records-json", summary: "iOS motion records (JSON)", path: path)
    wantsAltitude = options.auxiliary.contains(.barometer)
    if wantsAltitude { description.auxiliaryChannels = [.barometer] }
    description.epoch = 0
    description.clock = LogClock(.unix, unit: .seconds)
    description.notes = [
      "acceleration: Core Motion's sign; raw acceleration: gravity from the attitude + accelerationWithOutGravity",
      "attitude: from roll, pitch and yaw by Core Motion's rule",
      "rotation rate: the device's, with the bias removed, replaces the raw gyroscope too",
    ]
    var rate: Double?
    let hasRecords = try Self.seek(scanner) { [scanner] key, kind in
      if key == "sampleRate", kind == .number { rate = scanner.number }
    }
    guard hasRecords else {
      throw LogError(path: path, problem: "no array motionRecords", remedy: "give the file as the app wrote it")
    }
    setRate(rate)
  }

  package var progress: Double { isFinished ? 1 : scanner.progress }

  package mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    while !isFinished, batch.count - start < Self.batchSize {
      switch try scanner.advance() {
      case .beginObject?:
        if let values = try scanner.record(Self.places) { emit(values, into: &batch) } else { try finish() }
      case .endArray?, nil: try finish()
      case .beginArray?: if try !scanner.skipNested() { try finish() }
      default: throw scanner.failure("a motion record is not an object")
      }
    }
    return batch.count > start
  }

  package mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) {
    batch += pending
    pending.removeAll(keepingCapacity: true)
  }

  /// Reads up to the first record and passes the preceding members to `member`. Returns `false` if there are no
  /// records.
  private static func seek(
    _ scanner: JSONScanner, _ member: (String, JSONScanner.Kind) -> Void = { _, _ in }
  ) throws(LogError) -> Bool {
    try scanner.advance() == .beginObject ? try scanner.enterArray(named: records, member) : false
  }

  /// Reads the members after the records and checks whether the file is complete.
  private mutating func finish() throws(LogError) {
    isFinished = true
    while let kind = try scanner.advance() {
      guard kind == .key, scanner.string == "sampleRate", try scanner.advance() == .number else { continue }
      setRate(scanner.number)
    }
    if !scanner.isComplete { description.notes.append("the file is cut off: \(count) complete records were read") }
  }

  private mutating func setRate(_ rate: Double?) {
    if let rate, rate > 0, rate.isFinite { description.declaredRate = rate }
  }

  private mutating func emit(_ values: [Double], into batch: inout [SensorSample]) {
    count += 1
    let time = values[11]
    let attitude: Quaternion? =
      values[0...2].contains(where: \.isNaN)
      ? nil : Quaternion(eulerAngles: EulerAngles(roll: values[0], pitch: values[1], yaw: values[2]))
    let rate = Vector3(values[3], values[4], values[5])
    let user = Vector3(values[6], values[7], values[8])
    func add(_ channel: SensorChannel, _ sample: SensorSample?) {
      guard var sample else {
        emptyCounts[channel, default: 0] += 1
        return
      }
      sample.line = UInt32(truncatingIfNeeded: scanner.line)
      batch.append(sample)
    }
    let hasRate = !values[3...5].contains(where: \.isNaN)
    let hasUser = !values[6...8].contains(where: \.isNaN)
    add(.gyroscope, hasRate ? SensorSample(time: time, channel: .gyroscope, rate) : nil)
    add(
      .accelerometer,
      attitude.flatMap { attitude in
        hasUser
          ? SensorSample(time: time, channel: .accelerometer, attitude.rotateInverse(Vector3(0, 0, -1)) + user) : nil
      })
    add(.deviceAttitude, attitude.map { SensorSample(time: time, channel: .deviceAttitude, $0) })
    add(.deviceUserAcceleration, hasUser ? SensorSample(time: time, channel: .deviceUserAcceleration, user) : nil)
    add(.deviceRotationRate, hasRate ? SensorSample(time: time, channel: .deviceRotationRate, rate) : nil)
    if wantsAltitude { emitAltitude(time, relative: values[9], pressure: values[10]) }
  }

  private mutating func emitAltitude(_ time: Double, relative: Double, pressure: Double) {
    var sample = AuxiliarySample(time: time, channel: .barometer)
    sample["relativeAltitude"] = relative
    sample["pressure"] = pressure
    guard !sample.isEmpty else { return }
    if let last = lastAltitude, last["relativeAltitude"] == relative, last["pressure"] == pressure { return }
    lastAltitude = sample
    pending.append(sample)
  }
}

extension LogFormat {
  static var motionRecords: LogFormat {
    LogFormat(
      id: "motion-records-json", title: "iOS motion records (JSON)",
      recognition: "a JSON object with an array motionRecords of records with recordTimestamp",
      units:
        "UNIX seconds, rad, rad/s, g with Core Motion's sign, m, kPa; raw acceleration = gravity from the attitude + "
        + "accelerationWithOutGravity",
      recognizes: { MotionRecordsReader.recognizes($0) },
      open: { path, options throws(LogError) in try MotionRecordsReader(path: path, options: options) })
  }
}
