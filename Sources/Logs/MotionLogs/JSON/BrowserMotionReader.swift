internal import InertialNumerics
internal import InertialSensors

/// Reads motion events of a browser (W3C DeviceMotionEvent) as JSON: an array of events, alone or in an object.
///
/// An event has `accelerationIncludingGravity` (x, y, z in m/s²), `rotationRate` (alpha about x, beta about y, gamma
/// about z, in deg/s), `acceleration` (without gravity) and a time in milliseconds.
struct BrowserMotionReader: LogReader {
  private(set) var description: LogDescription
  private(set) var emptyCounts: [SensorChannel: Int] = [:]

  private static let mark = "accelerationIncludingGravity"
  private static let batchSize = 512
  private static let stamps = ["timeStamp", "timestamp", "time", "t"]
  private static let vectors: [(name: String, axes: [String], channel: SensorChannel)] = [
    (mark, ["x", "y", "z"], .accelerometer), ("rotationRate", ["alpha", "beta", "gamma"], .gyroscope),
    ("acceleration", ["x", "y", "z"], .deviceUserAcceleration),
  ]
  /// The index of each of an event's numbers, by its key path: three per vector, and the time.
  private static let places: [String: Int] = {
    var places: [String: Int] = [:]
    for (index, vector) in vectors.enumerated() {
      for (axis, name) in vector.axes.enumerated() { places["\(vector.name).\(name)"] = 3 * index + axis }
    }
    for stamp in stamps { places[stamp] = 3 * vectors.count }
    return places
  }()

  private let scanner: JSONScanner
  private let unit: LogOptions.TimeUnit
  private let acceleration: Double
  private let rotation: Double
  private var isFinished = false

  static func recognizes(_ candidate: LogCandidate) -> Bool {
    guard candidate.folder == nil, let first = candidate.head.first(where: { $0 > 0x20 }),
      first == 0x5B || first == 0x7B
    else { return false }
    let scanner = JSONScanner(bytes: candidate.head, name: candidate.path)
    return (try? seek(scanner)) == true && scanner.firstRecordHas(mark)
  }

  init(path: String, options: LogOptions) throws(LogError) {
    scanner = try JSONScanner(path: path)
    description = LogDescription(
      format: "browser-motion-json", summary: "browser's motion events (DeviceMotionEvent, JSON)", path: path)
    unit = options.timeUnit ?? .milliseconds
    description.clock = LogClock(.unstated, unit: unit)
    acceleration = options.specificForceScale
    var rates = options
    rates.rotationUnit = options.rotationUnit ?? .degreesPerSecond
    rotation = rates.rotationScale
    description.notes = [
      "acceleration: "
        + (options.accelerationSign == .gravity
          ? "Core Motion's sign, by option"
          : "specific force, as in the specification, sign inverted; --acceleration-sign gravity for a browser on iOS"),
      "rotation rate: alpha about x, beta about y, gamma about z, in "
        + (rates.rotationUnit ?? .degreesPerSecond).text,
    ]
    guard try Self.seek(scanner) else {
      throw LogError(path: path, problem: "no array of motion events", remedy: "give an array of DeviceMotionEvents")
    }
  }

  var progress: Double { isFinished ? 1 : scanner.progress }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    while !isFinished, batch.count - start < Self.batchSize {
      switch try scanner.advance() {
      case .beginObject?:
        if let values = try scanner.record(Self.places) { try emit(values, into: &batch) } else { finish() }
      case .endArray?, nil: finish()
      default: throw scanner.failure("an event is not an object")
      }
    }
    return batch.count > start
  }

  private mutating func finish() {
    isFinished = true
    let isCut = !scanner.isComplete && scanner.depth > 1
    if isCut { description.notes.append("the file is cut off: the complete events before the cut were read") }
  }

  /// Reads up to the first event; returns `false` if there are no events.
  private static func seek(_ scanner: JSONScanner) throws(LogError) -> Bool {
    let first = try scanner.advance()
    if first == .beginArray { return true }
    return first == .beginObject ? try scanner.enterArray() : false
  }

  private mutating func emit(_ values: [Double], into batch: inout [SensorSample]) throws(LogError) {
    let time = unit.conversion(values[3 * Self.vectors.count])
    guard time.isFinite else {
      throw LogError(
        path: description.path, line: scanner.line,
        problem: "an event has no number as \(Self.stamps.joined(separator: ", "))",
        remedy: "add the time of each event in milliseconds, as in timeStamp")
    }
    for (index, vector) in Self.vectors.enumerated() {
      let v = Vector3(values[3 * index], values[3 * index + 1], values[3 * index + 2])
      guard !(v.x + v.y + v.z).isNaN else {
        emptyCounts[vector.channel, default: 0] += 1
        continue
      }
      var sample = SensorSample(
        time: time, channel: vector.channel, (vector.channel == .gyroscope ? rotation : acceleration) * v)
      sample.line = UInt32(truncatingIfNeeded: scanner.line)
      batch.append(sample)
    }
  }
}

extension LogFormat {
  static var browserMotion: LogFormat {
    LogFormat(
      id: "browser-motion-json", title: "browser's motion events (DeviceMotionEvent, JSON)",
      recognition: "JSON: an array of objects with accelerationIncludingGravity, alone or in an object",
      units:
        "milliseconds; m/s² of specific force as in the specification and on Android, --acceleration-sign gravity for "
        + "Apple's; deg/s of rotationRate, alpha about x, beta about y, gamma about z",
      recognizes: { BrowserMotionReader.recognizes($0) },
      open: { path, options throws(LogError) in try BrowserMotionReader(path: path, options: options) })
  }
}
