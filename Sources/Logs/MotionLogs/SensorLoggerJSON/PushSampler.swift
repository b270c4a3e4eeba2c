package import InertialSensors

/// Converts the messages of a session to samples in real time, equivalent to `LogFormat.sensorLogger` for a whole log.
///
/// The options or, without them, the magnitude of the first raw accelerations determine the units. Until then, messages
/// are queued.
package struct PushSampler {
  /// The notes on the units, once they are determined.
  package private(set) var notes: [String] = []
  /// The reason why the units cannot be determined, or `nil`.
  package private(set) var obstacle: LogError?
  /// The UNIX time of time 0 in nanoseconds: that of the first reading of a motion sensor.
  package private(set) var origin: Int64?
  /// The last reported battery charge, 0 to 1, or `nil` if none was reported.
  package private(set) var battery: Double?

  private var options: LogOptions
  private var convention: SensorLoggerConvention?
  private var hasRawRate = false
  private var rawAcceleration: String?
  private var pending: [PushMessage] = []
  private var norms: [Double] = []
  /// The readings of gravity and user acceleration that lack their counterpart of the same time.
  private var halves: [Int64: (gravity: PushMessage.Reading?, user: PushMessage.Reading?)] = [:]
  private let channels: [String: (file: AuxiliaryFile, cells: [(key: String, cell: AuxiliaryCell)])]

  /// The number of raw accelerations required to determine their unit.
  private static let enough = 20
  /// The maximum number of queued messages until then.
  private static let maximumPendingCount = 64
  private static let maximumPendingReadings = 50_000
  /// The number of accelerations that determine their unit.
  private static let maximumNormCount = 1000
  private static let axes = ["x", "y", "z"]

  package init(options: LogOptions) {
    self.options = options
    var channels: [String: (AuxiliaryFile, [(key: String, cell: AuxiliaryCell)])] = [:]
    for files in AuxiliaryFile.sensorLogger(isStandardised: false) {
      for file in files where options.auxiliary.contains(file.channel) {
        let cells = file.columns.compactMap { column in column.cell(in: file.channel).map { (column.header, $0) } }
        channels[PushMessage.plainName(String(file.name.dropLast(4)))] = (file, cells)
      }
    }
    self.channels = channels
  }

  /// Adds a message and appends the samples that are complete, sorted by time.
  package mutating func append(
    _ message: PushMessage, into motion: inout [SensorSample], auxiliary: inout [AuxiliarySample]
  ) {
    noteBattery(message)
    // A raw gyroscope may begin later. The two are never mixed.
    hasRawRate = hasRawRate || message.readings.contains { PushMessage.plainName($0.name) == "gyroscopeuncalibrated" }
    if convention == nil {
      pending.append(message)
      settle(message)
      if convention == nil {
        var count = pending.reduce(0) { $0 + $1.readings.count }
        while pending.count > Self.maximumPendingCount || count > Self.maximumPendingReadings {
          count -= pending.removeFirst().readings.count
        }
        return
      }
    } else {
      pending = [message]
    }
    let start = (motion.count, auxiliary.count)
    for message in pending {
      for reading in message.readings { add(reading, &motion, &auxiliary) }
    }
    pending = []
    motion[start.0...].sort { ($0.time, $0.channel.rawValue) < ($1.time, $1.channel.rawValue) }
    auxiliary[start.1...].sort { $0.time < $1.time }
  }

  private mutating func noteBattery(_ message: PushMessage) {
    for reading in message.readings where PushMessage.plainName(reading.name) == "battery" {
      let level = reading.number("batteryLevel")
      if level.isFinite, (0...1).contains(level) { battery = level }
    }
  }

  // MARK: Units

  private mutating func settle(_ message: PushMessage) {
    if options.accelerationUnit == nil { options.accelerationUnit = message.accelerationUnit }
    if options.accelerationSign == nil { options.accelerationSign = message.accelerationSign }
    for reading in message.readings {
      let name = PushMessage.plainName(reading.name)
      // The raw accelerometer with the highest priority is used, as for a folder's files.
      let isRaw =
        name == "accelerometeruncalibrated"
        || (name == "totalacceleration" && rawAcceleration != "accelerometeruncalibrated")
      guard isRaw else { continue }
      if rawAcceleration != name { (rawAcceleration, norms) = (name, []) }
      let squares = Self.axes.reduce(0) { $0 + reading.number($1) * reading.number($1) }
      if squares.isFinite { norms.append(squares.squareRoot()) }
    }
    if norms.count > Self.maximumNormCount { norms.removeFirst(norms.count - Self.maximumNormCount) }
    let isUnderstood = rawAcceleration != nil && (norms.count >= Self.enough || options.accelerationUnit != nil)
    let hasOnlyHalves = rawAcceleration == nil && pending.count >= 3 && hasHalves
    guard isUnderstood || hasOnlyHalves else { return }
    let norms = norms.sorted()
    do throws(LogError) {
      let found = try SensorLoggerConvention(
        options: options, rawPath: rawAcceleration, medianNorm: norms.isEmpty ? nil : norms[norms.count / 2])
      (convention, notes, obstacle) = (found, found.notes, nil)
      origin =
        pending.flatMap(\.readings).filter { Self.moving.contains(PushMessage.plainName($0.name)) }.map(\.time).min()
    } catch {
      var error = error
      error.problem = error.problem.replacing("without Metadata.csv ", with: "")
      obstacle = error
    }
  }

  private var hasHalves: Bool {
    ["accelerometer", "gravity"].allSatisfy { name in
      pending.contains { $0.readings.contains { PushMessage.plainName($0.name) == name } }
    }
  }

  private static let moving: Set<String> = [
    "accelerometer", "accelerometeruncalibrated", "totalacceleration", "gravity", "gyroscope", "gyroscopeuncalibrated",
    "magnetometer", "magnetometeruncalibrated", "orientation",
  ]

  // MARK: Samples

  private mutating func add(
    _ reading: PushMessage.Reading, _ motion: inout [SensorSample], _ auxiliary: inout [AuxiliarySample]
  ) {
    guard let convention, let origin else { return }
    let name = PushMessage.plainName(reading.name)
    let time = TableClock.nanoseconds(origin: origin).seconds(.integer(reading.time))
    let rate = options.rotationScale
    func sample(_ channel: SensorChannel, _ scale: Double) -> SensorSample {
      SensorSample(
        time: time, channel: channel, x: reading.number("x") * scale, y: reading.number("y") * scale,
        z: reading.number("z") * scale)
    }
    switch name {
    case rawAcceleration: motion.append(sample(.accelerometer, convention.rawScale))
    case "gyroscopeuncalibrated": motion.append(sample(.gyroscope, rate))
    case "gyroscope" where !hasRawRate: motion.append(sample(.gyroscope, rate))
    case "magnetometeruncalibrated": motion.append(sample(.magnetometer, 1))
    case "magnetometer":
      var field = sample(.calibratedMagneticField, 1)
      // An unknown accuracy is not an accuracy of 0.
      field.w = .nan
      motion.append(field)
    case "accelerometer" where rawAcceleration == nil, "gravity" where rawAcceleration == nil:
      addHalf(reading, isGravity: name == "gravity", time, convention.fusedScale, &motion)
    default:
      if let (file, cells) = channels[name], let sample = Self.sample(reading, file.channel, cells, time) {
        auxiliary.append(sample)
      }
    }
  }

  /// Adds a half of the acceleration, the sum of gravity and user acceleration, if there is no raw acceleration.
  private mutating func addHalf(
    _ reading: PushMessage.Reading, isGravity: Bool, _ time: Double, _ scale: Double, _ motion: inout [SensorSample]
  ) {
    var pair = halves.removeValue(forKey: reading.time) ?? (nil, nil)
    if isGravity { pair.gravity = reading } else { pair.user = reading }
    guard let gravity = pair.gravity, let user = pair.user else {
      halves[reading.time] = pair
      if halves.count > 4096 { halves = [:] }
      return
    }
    let sums = Self.axes.map { user.number($0) * scale + gravity.number($0) * scale }
    motion.append(SensorSample(time: time, channel: .accelerometer, x: sums[0], y: sums[1], z: sums[2]))
  }

  private static func sample(
    _ reading: PushMessage.Reading, _ channel: AuxiliaryChannel, _ cells: [(key: String, cell: AuxiliaryCell)],
    _ time: Double
  ) -> AuxiliarySample? {
    var sample = AuxiliarySample(time: time, channel: channel)
    for (key, cell) in cells {
      guard let value = reading.values.first(where: { $0.key == key }), !value.text.isEmpty else { continue }
      // Values are parsed like the cells of a table; no text contains a tab.
      value.text.withUnsafeBytes { bytes in
        var fields = FieldScanner(bytes, separator: .tab)
        _ = cell.read(&fields, into: &sample)
      }
    }
    return sample.isEmpty ? nil : sample
  }
}
