internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// The conversion of the timestamps of a mixed log's lines to seconds.
enum MixedLogClock {
  /// Whole UNIX milliseconds {0}, counted from `origin`.
  case unixMilliseconds(origin: Int64)
  /// Nanoseconds since the device's start {0} or, if missing, UNIX milliseconds {1}. Time 0 is the device's start, at
  /// the UNIX time `epoch` in seconds.
  case bootNanoseconds(epoch: Double?)
  /// Seconds of a sensor's own clock {0} plus the kind's offset. Lines without it and auxiliary lines use seconds of
  /// the app's clock {1}.
  case appSeconds(offsets: [String: Double])
  /// Whole numbers {0} at a rate in Hz; a line without a number uses its row number.
  case ticks(rate: Double)

  /// Returns the time in seconds, or NaN if a line has no timestamp.
  func seconds(_ stamps: [FieldScanner.Integer], of kind: LineKind) -> Double {
    switch self {
    case .unixMilliseconds(let origin):
      guard case .integer(let stamp) = stamps[0] else { return Self.number(stamps[0]) / 1e3 - Double(origin) / 1e3 }
      return timestampDifference(from: origin, to: stamp) / 1e3
    case .bootNanoseconds(let epoch):
      let time = Self.number(stamps[0]) / 1e9
      return time.isNaN ? Self.number(stamps[1]) / 1e3 - (epoch ?? .nan) : time
    case .ticks(let rate): return Self.number(stamps[0]) / rate
    case .appSeconds(let offsets):
      let app = Self.number(stamps[1])
      let own = Self.number(stamps[0])
      guard kind.auxiliary == nil, !own.isNaN, let offset = offsets[kind.tag] else { return app }
      return own + offset
    }
  }

  private static func number(_ stamp: FieldScanner.Integer) -> Double {
    switch stamp {
    case .integer(let value): Double(value)
    case .value(let value): value
    case .empty, .text, .end: .nan
    }
  }
}

/// Reads a text log with several kinds of lines, each identified by a tag, in bounded memory.
///
/// An unreadable motion line is an error. Lines joined with the next line and unreadable lines of other channels are
/// left out and reported.
struct MixedLog: LogReader {
  /// The number of lines per batch.
  private static let batchLines = 4096

  private(set) var description: LogDescription
  private(set) var emptyCounts: [SensorChannel: Int] = [:]

  private let lines: LineScanner
  private let syntax: MixedLogSyntax
  private let kinds: [LineKind]
  private let clock: MixedLogClock
  private var stamps: [FieldScanner.Integer] = [.empty, .empty]
  private var values = [Double](repeating: .nan, count: 9)
  private var pending: [AuxiliarySample] = []
  private var isFinished = false
  /// The number of lines that were left out, and the first of them, for each reason.
  private var joined: LeftOut = (0, 0)
  private var damaged: LeftOut = (0, 0)
  /// The number of motion lines so far, for lines without timestamps.
  private var rowCount: Int64 = 0
  private var unreadable: LeftOut = (0, 0)
  /// The invalid cells of auxiliary channels.
  private var cells: [AuxiliaryChannel: UnreadableCells] = [:]
  private var isCutOff = false

  private typealias LeftOut = (count: Int, first: Int)

  /// Opens a log at its beginning. Lines of other kinds are skipped.
  init(
    _ description: LogDescription, syntax: MixedLogSyntax, kinds: [LineKind], clock: MixedLogClock
  ) throws(LogError) {
    lines = try LineScanner(path: description.path)
    self.description = description
    self.syntax = syntax
    self.kinds = kinds
    self.clock = clock
  }

  var progress: Double { isFinished ? 1 : lines.progress }

  /// The remarks for the user about the lines read so far, one sentence per problem.
  private var remarks: [String] {
    let verb = unreadable.count == 1 ? "was" : "were"
    var remarks = [
      (joined, "that ran together with the next"), (damaged, "without the right checksum"),
      (unreadable, "of other channels cannot be read and \(verb)"),
    ].filter { $0.0.count > 0 }.map { lines, words in
      "\(lines.count) line\(lines.count == 1 ? "" : "s") \(words) left out, the first in line \(lines.first)"
    }
    if isCutOff { remarks.append("the last line is cut off and was left out") }
    return remarks
  }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    while !isFinished, batch.count == start {
      for _ in 0..<Self.batchLines {
        guard let line = try lines.next() else {
          isFinished = true
          break
        }
        if !syntax.isComment(line) { try read(line, into: &batch) }
      }
    }
    if batch.count == start {
      description.note(remarks)
      description.unreadable = cells
    }
    return batch.count > start
  }

  mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) {
    batch += pending
    pending.removeAll(keepingCapacity: true)
  }

  // MARK: Lines

  private mutating func read(_ line: UnsafeRawBufferPointer, into batch: inout [SensorSample]) throws(LogError) {
    guard let tag = syntax.tag(of: line),
      let kind = kinds.first(where: { $0.bytes.count == tag.count && $0.bytes.elementsEqual(tag) })
    else { return }
    guard let line = syntax.sentence(line) else {
      if lines.isUnterminated { isCutOff = true } else { leaveOut(\.damaged) }
      rowCount += 1
      return
    }
    var fields = FieldScanner(line, separator: syntax.separator)
    if let channel = kind.auxiliary {
      readAuxiliary(&fields, kind, channel)
    } else {
      try readMotion(&fields, kind, into: &batch)
    }
  }

  private mutating func readMotion(
    _ fields: inout FieldScanner, _ kind: LineKind, into batch: inout [SensorSample]
  ) throws(LogError) {
    clear()
    if case .ticks = clock { stamps[0] = .integer(rowCount) }
    rowCount += 1
    var isComplete = true
    if let largest = kind.largestCount, fields.totalCount > largest {
      leaveOut(\.joined)
      return
    }
    for field in kind.fields {
      switch field {
      case .stamp(let index):
        stamps[index] = fields.nextInteger()
        switch stamps[index] {
        case .integer, .value, .empty: break
        case .text: return try refuse(fields)
        case .end: return try endEarly(fields, kind)
        }
      case .value(let index), .optionalValue(let index):
        let isOptional = if case .optionalValue = field { true } else { false }
        switch fields.nextNumber() {
        case .value(let value): values[index] = value
        case .empty: if !isOptional { isComplete = false }
        case .text: return try refuse(fields)
        case .end: if !isOptional { return try endEarly(fields, kind) }
        }
      case .only(let wanted):
        switch fields.nextNumber() {
        case .value(let value): if value != wanted { return }
        case .empty: return
        case .text: return try refuse(fields)
        case .end: return try endEarly(fields, kind)
        }
      case .skipped, .cell, .cellOrText, .moreText:
        if !fields.skip() { return try endEarly(fields, kind) }
      }
    }
    let time = clock.seconds(stamps, of: kind)
    guard isComplete, !time.isNaN else {
      for channel in kind.channels { emptyCounts[channel, default: 0] += 1 }
      return
    }
    emit(kind, time: time, line: UInt32(truncatingIfNeeded: lines.lineNumber), into: &batch)
  }

  private mutating func readAuxiliary(_ fields: inout FieldScanner, _ kind: LineKind, _ channel: AuxiliaryChannel) {
    clear()
    var sample = AuxiliarySample(time: .nan, channel: channel)
    for field in kind.fields {
      switch field {
      case .stamp(let index): stamps[index] = fields.nextInteger()
      case .cell(let cell):
        switch cell.read(&fields, into: &sample) {
        case .text:
          cells.add(UnreadableCells(fields, for: cell, path: lines.name, line: lines.lineNumber), of: channel)
        case .value, .empty, .end: break
        }
      case .cellOrText(let cell, let index):
        if case .text = cell.read(&fields, into: &sample) { Self.append(fields.fieldText, index, &sample) }
      case .moreText(let index):
        if let text = fields.nextText() { Self.append(text, index, &sample) }
      case .skipped, .value, .optionalValue, .only: _ = fields.skip()
      }
    }
    sample.time = clock.seconds(stamps, of: kind)
    guard !sample.time.isNaN, !sample.isEmpty else { return leaveOut(\.unreadable) }
    sample.line = UInt32(truncatingIfNeeded: lines.lineNumber)
    pending.append(sample)
  }

  private static func append(_ text: String, _ index: Int, _ sample: inout AuxiliarySample) {
    let before = sample.texts[index]
    sample.set(text: index, before.isEmpty || text.isEmpty ? before + text : before + " " + text)
  }

  /// Counts the current line among those that were left out for a reason.
  private mutating func leaveOut(_ reason: WritableKeyPath<MixedLog, LeftOut>) {
    if self[keyPath: reason].count == 0 { self[keyPath: reason].first = lines.lineNumber }
    self[keyPath: reason].count += 1
  }

  private mutating func clear() {
    for index in stamps.indices { stamps[index] = .empty }
    for index in values.indices { values[index] = .nan }
  }

  /// Handles a line that ends before the required fields: the log's last line may be cut off, any other is damaged.
  private mutating func endEarly(_ fields: FieldScanner, _ kind: LineKind) throws(LogError) {
    guard !lines.isUnterminated else {
      isCutOff = true
      return
    }
    let needed =
      kind.fields.lastIndex { if case .optionalValue = $0 { false } else { true } }.map { $0 + 1 } ?? kind.fields.count
    throw LogError(
      path: lines.name, line: lines.lineNumber,
      problem: "\(fields.totalCount) fields instead of \(needed) in a line of \(kind.tag)",
      remedy: "repair or remove the line")
  }

  /// Handles a field that is not a number: in the log's last line it may be the beginning of a number.
  private mutating func refuse(_ fields: FieldScanner) throws(LogError) {
    guard !lines.isUnterminated else {
      isCutOff = true
      return
    }
    throw LogError(
      path: lines.name, line: lines.lineNumber, column: fields.column,
      problem: "\"\(fields.fieldText.prefix(32))\" is not a number", remedy: "repair or remove the line")
  }

  // MARK: Samples

  private func emit(_ kind: LineKind, time: Double, line: UInt32, into batch: inout [SensorSample]) {
    func add(_ sample: SensorSample) {
      var sample = sample
      sample.line = line
      batch.append(sample)
    }
    let vector = Vector3(values[0], values[1], values[2])
    switch kind.output {
    case .vector(let channel, let scale):
      let reported = channel == .calibratedMagneticField ? Double.nan : 0
      add(SensorSample(time: time, channel: channel, vector * scale, w: reported))
    case .inertial(let acceleration, let rotation, let field):
      add(SensorSample(time: time, channel: .accelerometer, vector * acceleration))
      add(SensorSample(time: time, channel: .gyroscope, Vector3(values[3], values[4], values[5]) * rotation))
      if let field {
        add(SensorSample(time: time, channel: .magnetometer, Vector3(values[6], values[7], values[8]) * field))
      }
    case .biased(let channel, let corrected, let scale):
      add(SensorSample(time: time, channel: channel, vector * scale))
      let bias = Vector3(values[3], values[4], values[5])
      if let corrected, bias.norm > 0 {
        add(
          SensorSample(
            time: time, channel: corrected, (vector - bias) * scale,
            w: corrected == .calibratedMagneticField ? .nan : 0))
      }
    case .calibratedField(let scale):
      // Android's 0 unreliable, 1 low, 2 medium, 3 high are Core Motion's −1, 0, 1, 2.
      add(SensorSample(time: time, channel: .calibratedMagneticField, vector * scale, w: values[3] - 1))
    case .rotationVector:
      let scalar = values[3].isNaN ? (1 - vector.dot(vector)).clampedRoot : values[3]
      add(attitude(Quaternion(x: vector.x, y: vector.y, z: vector.z, w: scalar), time))
    case .orientation:
      let angles = vector * (.pi / 180)
      let orientation = AndroidOrientation(azimuth: angles.x, pitch: angles.y, roll: angles.z)
      add(SensorSample(time: time, channel: .deviceAttitude, Quaternion(eulerAngles: orientation.eulerAngles)))
    case .auxiliary: break
    }
  }

  /// Converts an attitude from Android's reference (east, north, up) to Inertial's (north, west, up).
  private func attitude(_ enuFromDevice: Quaternion, _ time: Double) -> SensorSample {
    SensorSample(
      time: time, channel: .deviceAttitude, EarthFrame.quaternion(enuFromDevice, from: .enu, to: .nwu))
  }
}

extension Double {
  /// The square root; 0 for slightly negative numbers caused by rounding, NaN for numbers far below 0.
  fileprivate var clampedRoot: Double { self < 0 && self > -1e-3 ? 0 : squareRoot() }
}
