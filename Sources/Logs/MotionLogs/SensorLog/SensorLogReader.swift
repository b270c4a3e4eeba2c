internal import InertialNumerics
package import InertialSensors

/// Reads a CSV file of the app SensorLog (iOS and watchOS): one wide row per tick of its own timer, with each sensor's
/// timestamp of its last sample, in seconds since the device's start.
///
/// Values are Core Motion's, unchanged. Rows with the same timestamp are one sample. A timestamp of 0, −1, "null" or an
/// empty field, or a value of −9999, means no sample. Times are seconds since the device's start; the first row's
/// `loggingTime` yields the UNIX time of the start, accurate to the delay of the app's timer. The description notes
/// this.
package struct SensorLogReader: LogReader {
  package private(set) var description: LogDescription
  package private(set) var emptyCounts: [SensorChannel: Int] = [:]

  /// The number of rows per batch.
  private static let batchRows = 512
  private static let missing = Double(nan: 0x1E, signaling: false)
  /// The UNIX time of 2001-01-01, the origin of a watch's altimeter times.
  private static let appleEpoch = 978_307_200.0

  private let lines: LineScanner
  private let columns: SensorLogColumns
  private var numbers: [Double]
  private var loggingTime = ""
  /// The name of the frame of the device's attitude.
  private var frame = ""
  private var lastStamps: [Double]
  private var auxiliary: [AuxiliarySample]
  private var isPresent: [Bool]
  private var lastAuxiliary: [AuxiliarySample?]
  private var pending: [AuxiliarySample] = []
  /// The newest timestamp of the row: the time of samples without their own timestamp.
  private var rowTime = 0.0
  /// Whether the last row is not yet converted to samples.
  private var hasRow = false
  private var isFinished = false

  /// Whether a file's first line is SensorLog's.
  static func recognizes(_ candidate: LogCandidate) -> Bool {
    guard candidate.folder == nil, !candidate.head.isEmpty else { return false }
    let lines = LineScanner(bytes: candidate.head, name: candidate.path)
    // The scanner owns the line's bytes.
    defer { withExtendedLifetime(lines) {} }
    guard let header = try? lines.next() else { return false }
    return SensorLogColumns(header: header, wanted: []) != nil
  }

  /// Opens a file. Throws ``LogError`` if the file is not SensorLog's or has no rows.
  package init(path: String, options: LogOptions = LogOptions()) throws(LogError) {
    lines = try LineScanner(path: path)
    guard let header = try lines.next(), let columns = SensorLogColumns(header: header, wanted: options.auxiliary)
    else {
      throw LogError(
        path: path, line: 1, problem: "no columns of SensorLog, such as accelerometerTimestamp_sinceReboot(s)",
        remedy: "give the CSV file as the app wrote it")
    }
    self.columns = columns
    numbers = Array(repeating: Self.missing, count: columns.numberCount)
    lastStamps = Array(repeating: .nan, count: columns.streams.count)
    auxiliary = columns.tables.map { AuxiliarySample(time: .nan, channel: $0.channel) }
    isPresent = Array(repeating: false, count: columns.tables.count)
    lastAuxiliary = Array(repeating: nil, count: columns.tables.count)
    description = LogDescription(
      format: "sensorlog", summary: "SensorLog CSV (iOS, one row for all sensors)", path: path)
    description.columns = columns.firstColumns
    description.auxiliaryChannels = Set(columns.tables.map(\.channel))
    description.notes =
      ["acceleration: g, Core Motion's sign", "time: seconds since the device's start, each sensor's own"]
      + columns.notes
    description.clock = LogClock(.deviceStart, unit: .seconds)
    if options.accelerationSign == .specificForce || options.accelerationUnit ?? .g != .g
      || options.rotationUnit ?? .radiansPerSecond != .radiansPerSecond
    {
      description.notes.append("the options of units and sign are not used: SensorLog's columns specify them")
    }
    guard try readFirstRow() else {
      throw LogError(
        path: path, line: 1, problem: "the file has a header but no rows", remedy: "give a log with samples")
    }
  }

  package var progress: Double { isFinished ? 1 : lines.progress }

  package mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    guard !isFinished else { return false }
    let before = batch.count
    while true {
      for _ in 0..<Self.batchRows {
        if hasRow {
          hasRow = false
        } else if try !readRow() {
          isFinished = true
          return batch.count > before
        }
        emit(into: &batch)
        emitAuxiliary()
      }
      if batch.count > before { return true }
    }
  }

  package mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) {
    batch += pending
    pending.removeAll(keepingCapacity: true)
  }

  // MARK: Rows

  /// Reads the first row and derives the time of the device's start from it.
  private mutating func readFirstRow() throws(LogError) -> Bool {
    guard try readRow() else { return false }
    hasRow = true
    if let newest = newestStamp, let logged = LoggingTime.seconds(loggingTime) {
      if logged.hasOffset {
        description.epoch = logged.seconds - newest
      } else {
        description.notes.append("loggingTime has no offset from UTC: the date of the log is unknown")
      }
    }
    noteOtherClocks()
    if !frame.isEmpty, frame.lowercased() != "null", frame != "-1" {
      description.notes.append("device attitude: in the frame \(frame.prefix(64)), from the log")
    }
    return true
  }

  /// Notes the row's timestamps with a different origin. The origin of a sensor without a sample follows from its
  /// format.
  private mutating func noteOtherClocks() {
    let how = description.epoch == nil ? "by their rows, as loggingTime does not specify the start" : "by loggingTime"
    for table in columns.tables {
      guard let position = table.stamp else { continue }
      if table.isUNIX {
        description.clock?.others.append("\(table.channel.name) has UNIX time, mapped to it \(how)")
      } else if numbers[position] >= Self.appleEpoch / 2 {
        description.clock?.others.append("\(table.channel.name) has time since 2001, mapped to it \(how)")
      }
    }
  }

  /// Reads the next row's fields; returns `false` at the end.
  private mutating func readRow() throws(LogError) -> Bool {
    while let line = try lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      var fields = FieldScanner(line, separator: columns.separator)
      for index in auxiliary.indices where isPresent[index] {
        auxiliary[index] = AuxiliarySample(time: .nan, channel: columns.tables[index].channel)
        isPresent[index] = false
      }
      for role in columns.roles where try !read(role, &fields) {
        if lines.isUnterminated {
          description.notes.append("line \(lines.lineNumber): the last line is cut off and was left out")
          return false
        }
        throw wrongCount(fields)
      }
      // The app ends rows with a comma.
      if fields.skip(), !fields.fieldText.isEmpty || fields.skip() { throw wrongCount(fields) }
      return true
    }
    return false
  }

  /// Reads one field; returns `false` if the line has no more fields.
  private mutating func read(_ role: SensorLogColumns.Role, _ fields: inout FieldScanner) throws(LogError) -> Bool {
    switch role {
    case .skipped: return fields.skip()
    case .loggingTime:
      // The text is needed only once.
      guard loggingTime.isEmpty else { return fields.skip() }
      guard let text = fields.nextText() else { return false }
      loggingTime = text
    case .frame:
      guard frame.isEmpty else { return fields.skip() }
      guard let text = fields.nextText() else { return false }
      frame = text
    case .number(let position):
      switch fields.nextNumber() {
      case .value(let value): numbers[position] = value == -9999 ? Self.missing : value
      case .empty: numbers[position] = Self.missing
      case .text:
        throw LogError(
          path: lines.name, line: lines.lineNumber, column: fields.column,
          problem: "\"\(fields.fieldText.prefix(32))\" is not a number",
          remedy: "correct the field, or leave it empty for no sample")
      case .end: return false
      }
    case .auxiliary(let table, let cell):
      switch cell.read(&fields, into: &auxiliary[table]) {
      case .value: isPresent[table] = true
      case .empty: break
      case .text:
        description.unreadable.add(
          UnreadableCells(fields, for: cell, path: lines.name, line: lines.lineNumber),
          of: columns.tables[table].channel)
      case .end: return false
      }
    }
    return true
  }

  private func wrongCount(_ fields: FieldScanner) -> LogError {
    LogError(
      path: lines.name, line: lines.lineNumber,
      problem: "\(fields.totalCount) fields instead of \(columns.roles.count)", remedy: "correct or remove the line")
  }

  // MARK: Samples

  /// Whether a timestamp is valid: the app writes 0 or −1 before a sensor's first sample.
  private func isTime(_ stamp: Double) -> Bool { stamp.isFinite && stamp > 0 }

  /// The newest of the row's timestamps that count from the device's start.
  private var newestStamp: Double? {
    columns.bootStamps.map { numbers[$0] }.filter { isTime($0) && $0 < Self.appleEpoch / 2 }.max()
  }

  private func isMissing(_ position: Int) -> Bool { numbers[position].bitPattern == Self.missing.bitPattern }

  private mutating func emit(into batch: inout [SensorSample]) {
    for (index, stream) in columns.streams.enumerated() {
      let time = numbers[stream.stamp]
      guard isTime(time) else {
        emptyCounts[stream.channel, default: 0] += 1
        continue
      }
      // The sensor has had no new sample since the previous row.
      if time == lastStamps[index] { continue }
      lastStamps[index] = time
      guard let sample = sample(stream, time: time) else {
        emptyCounts[stream.channel, default: 0] += 1
        continue
      }
      batch.append(sample)
    }
    rowTime = newestStamp ?? rowTime
  }

  private func sample(_ stream: SensorLogColumns.Stream, time: Double) -> SensorSample? {
    let isCalibrated = stream.channel == .calibratedMagneticField
    let vector = isCalibrated ? stream.values.prefix(3) : stream.values[...]
    guard !vector.contains(where: isMissing), !stream.added.contains(where: isMissing) else { return nil }
    // The app writes −1 in all fields of a missing vector, and for a missing heading.
    if vector.allSatisfy({ numbers[$0] == -1 }) { return nil }
    var sample = SensorSample(time: time, channel: stream.channel, x: numbers[stream.values[0]])
    sample.line = UInt32(truncatingIfNeeded: lines.lineNumber)
    guard stream.values.count >= 3 else { return sample }
    sample.y = numbers[stream.values[1]]
    sample.z = numbers[stream.values[2]]
    if stream.channel == .deviceAttitude {
      sample.w = numbers[stream.values[3]]
      // All four numbers are 0 before the first attitude.
      if sample.x == 0, sample.y == 0, sample.z == 0, sample.w == 0 { return nil }
    } else if isCalibrated {
      sample.w = stream.values.count > 3 && !isMissing(stream.values[3]) ? numbers[stream.values[3]] : .nan
    }
    if !stream.added.isEmpty {
      sample.x += numbers[stream.added[0]]
      sample.y += numbers[stream.added[1]]
      sample.z += numbers[stream.added[2]]
    }
    return sample
  }

  /// Queues the new samples of other sensors; the app repeats their last values in every row.
  private mutating func emitAuxiliary() {
    for (index, table) in columns.tables.enumerated() where isPresent[index] {
      var sample = auxiliary[index]
      clean(&sample)
      if sample.isEmpty { continue }
      guard let time = time(of: table), time.isFinite else { continue }
      sample.time = time
      sample.line = UInt32(truncatingIfNeeded: lines.lineNumber)
      if let last = lastAuxiliary[index] {
        // A sample is new if its own timestamp or, without one, a value has changed.
        var same = sample
        same.time = last.time
        if table.stamp != nil ? sample.time == last.time : same == last { continue }
      }
      lastAuxiliary[index] = sample
      pending.append(sample)
    }
  }

  /// Removes missing values: −9999 in any field, −1 in fields that cannot be negative.
  private func clean(_ sample: inout AuxiliarySample) {
    for (position, field) in sample.channel.fields.enumerated() {
      let value = sample.values[position]
      if value == -9999 || value == -1 && field.range.lowerBound >= 0 && !field.isUnknownBelowZero {
        sample.set(position, .nan)
      }
    }
    for (position, text) in sample.texts.enumerated() where text == "null" || text == "-1" || text == "-9999" {
      sample.set(text: position, "")
    }
  }

  /// Returns the time of an auxiliary sample on the log's clock in seconds, or `nil` if it is unknown.
  private func time(of table: SensorLogColumns.Table) -> Double? {
    guard let position = table.stamp else { return rowTime > 0 ? rowTime : nil }
    let stamp = numbers[position]
    guard isTime(stamp) else { return rowTime > 0 ? rowTime : nil }
    if table.isUNIX { return description.epoch.map { stamp - $0 } ?? (rowTime > 0 ? rowTime : nil) }
    // A watch's altimeter counts from 2001.
    if stamp >= Self.appleEpoch / 2 {
      return description.epoch.map { stamp + Self.appleEpoch - $0 } ?? (rowTime > 0 ? rowTime : nil)
    }
    return stamp
  }
}

extension LogFormat {
  static var sensorLog: LogFormat {
    LogFormat(
      id: "sensorlog", title: "SensorLog CSV",
      recognition: "a header with timestamps such as accelerometerTimestamp_sinceReboot(s) and their sensors' values",
      units:
        "g with Core Motion's sign, rad/s and µT stay; seconds since the device's start, the same timestamp in "
        + "several rows is one sample",
      recognizes: { SensorLogReader.recognizes($0) },
      open: { path, options throws(LogError) in
        // Column names in the options require the generic reader.
        if options.columns != nil { return try CSVLogReader(path: path, options: options) }
        return try SensorLogReader(path: path, options: options)
      })
  }
}
