internal import InertialRotations
internal import InertialSensors

/// The rows of a folder's file as samples of one channel, in bounded memory. Damage is an error.
struct TableSource: SampleSource {
  /// The number of rows per batch.
  private static let batchSize = 512
  /// The possible beginnings of a comment in the first line of a file without a header.
  private static let commentMarks = ["#", "Created at"]

  let channel: SensorChannel
  /// The conversion from the file's timestamps to the log's clock.
  var clock = TableClock.seconds(offset: 0)
  private(set) var emptyCounts: [SensorChannel: Int] = [:]
  private(set) var remarks: [String] = []

  private let path: String
  private let scale: Double
  private let frame: EarthFrame
  private let separator: FieldSeparator
  private let lines: LineScanner
  /// The number of columns.
  private let fieldCount: Int
  /// The index of the column of timestamps, counted from 0.
  private let stampColumn: Int?
  /// The index among the row's values for each column, or `nil` for a column to skip.
  private let valueIndices: [Int?]
  /// The first line, if it turned out to be a row.
  private var heldLine: UnsafeRawBufferPointer?
  /// Whether the numbers have a decimal comma; `nil` until a line determines it.
  private var hasDecimalComma: Bool?

  // The last row that was read.
  private var stamp = FieldScanner.Integer.empty
  private var values: [Double]
  /// Whether the row has a timestamp and all values.
  private var isComplete = true
  /// Whether the row is not yet converted to a sample.
  private var isPending = false

  /// Opens a file and reads its first row.
  ///
  /// - Parameter findsDecimalComma: Whether the numbers may have a decimal comma. The first line with a comma or a
  ///   point determines it.
  /// - Throws: ``LogError`` if the file has a header without the columns, or if the first row cannot be read.
  init(
    _ file: ChannelFile, path: String, separator: FieldSeparator, findsDecimalComma: Bool = false
  ) throws(LogError) {
    self.path = path
    self.separator = separator
    channel = file.channel
    scale = file.scale
    frame = file.frame
    hasDecimalComma = findsDecimalComma && separator != .comma ? nil : false
    lines = try LineScanner(path: path)
    let first = try lines.next()
    guard first != nil || !file.hasHeader else {
      throw LogError(path: path, problem: "the file is empty", remedy: "give the file as the app wrote it")
    }
    if !file.hasHeader, let first, !Self.isComment(first) { heldLine = first }
    let names = file.names ?? first.map { FieldScanner.texts($0, separator) } ?? []
    fieldCount = names.count
    stampColumn = if let stamp = file.stamp { try Self.columns([stamp], in: names, path)[0] } else { nil }
    let columns = try Self.columns(file.columns, in: names, path)
    valueIndices = names.indices.map { columns.firstIndex(of: $0) }
    values = Array(repeating: 0, count: file.columns.count)
    isPending = try readRow()
  }

  /// Returns the indices of named columns, counted from 0.
  ///
  /// - Throws: ``LogError`` with the names of missing columns.
  private static func columns(_ wanted: [String], in names: [String], _ path: String) throws(LogError) -> [Int] {
    let missing = wanted.filter { !names.contains($0) }
    guard missing.isEmpty else {
      throw LogError(
        path: path, line: 1,
        problem:
          "no column \(missing.joined(separator: ", ")) (found: \(names.prefix(16).joined(separator: ", ")))",
        remedy: "give the file as the app wrote it")
    }
    return wanted.compactMap { names.firstIndex(of: $0) }
  }

  /// Whether the first line of a file without a header is a comment.
  static func isComment(_ line: UnsafeRawBufferPointer) -> Bool {
    commentMarks.contains { line.starts(with: $0.utf8) }
  }

  var progress: Double { lines.progress }
  /// Whether the file has a row. Valid only before reading.
  var hasRows: Bool { isPending }

  /// Returns the first timestamp in whole nanoseconds. Must be called before reading.
  ///
  /// - Throws: ``LogError`` if the timestamp is not an integer.
  private func firstNanoseconds() throws(LogError) -> Int64 {
    guard case .integer(let stamp) = stamp else {
      throw LogError(
        path: path, line: lines.lineNumber, column: stampColumn.map { $0 + 1 },
        problem: "the first timestamp is not a whole number of nanoseconds",
        remedy: "give the file as the app wrote it")
    }
    return stamp
  }

  /// Returns the earliest and the latest of the files' first timestamps, in nanoseconds. Must be called before reading.
  ///
  /// - Throws: ``LogError`` if a timestamp is not an integer.
  static func start(of sources: [TableSource]) throws(LogError) -> (earliest: Int64, latest: Int64) {
    var start = (earliest: Int64.max, latest: Int64.min)
    for source in sources {
      let first = try source.firstNanoseconds()
      start = (min(start.earliest, first), max(start.latest, first))
    }
    return start
  }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    while batch.count - start < Self.batchSize {
      if !isPending, try !readRow() { break }
      isPending = false
      if isComplete { batch.append(sample()) } else { emptyCounts[channel, default: 0] += 1 }
    }
    return batch.count > start
  }

  private func sample() -> SensorSample {
    var sample = SensorSample(time: clock.seconds(stamp), channel: channel, x: values[0] * scale)
    if values.count >= 3 {
      sample.y = values[1] * scale
      sample.z = values[2] * scale
    }
    if values.count == 4 {
      sample.w = values[3]
      if frame != .nwu {
        let turned = EarthFrame.quaternion(sample.quaternion, from: frame, to: .nwu)
        sample = SensorSample(time: sample.time, channel: channel, turned)
      }
    } else if channel == .calibratedMagneticField {
      // An unknown accuracy is not an accuracy of 0.
      sample.w = .nan
    }
    return sample
  }

  /// Reads up to a thousand rows and returns the median norm of their values, or `nil` without rows.
  mutating func medianNorm() throws(LogError) -> Double? {
    var norms: [Double] = []
    while norms.count < 1000 {
      if !isPending, try !readRow() { break }
      isPending = false
      let norm = (values.reduce(0) { $0 + $1 * $1 }).squareRoot()
      if isComplete, norm.isFinite { norms.append(norm) }
    }
    norms.sort()
    return norms.isEmpty ? nil : norms[norms.count / 2]
  }

  // MARK: Rows

  /// Reads the next row that is not blank. Returns `false` at the end.
  ///
  /// A truncated last line is skipped with a note, as the preceding rows are valid.
  private mutating func readRow() throws(LogError) -> Bool {
    while let line = try nextLine() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      if hasDecimalComma == nil { hasDecimalComma = FieldScanner.decimalComma(in: line) }
      var scanner = FieldScanner(line, separator: separator, hasDecimalComma: hasDecimalComma ?? false)
      isComplete = true
      for column in 0..<fieldCount where try !readField(column, &scanner) {
        if lines.isUnterminated {
          remarks.append("\(path): the last line is cut off and was left out")
          return false
        }
        throw wrongCount(scanner)
      }
      if scanner.skip() { throw wrongCount(scanner) }
      return true
    }
    return false
  }

  private mutating func nextLine() throws(LogError) -> UnsafeRawBufferPointer? {
    guard let held = heldLine else { return try lines.next() }
    heldLine = nil
    return held
  }

  /// Reads one field. Returns `false` if the line has no further fields.
  private mutating func readField(_ column: Int, _ scanner: inout FieldScanner) throws(LogError) -> Bool {
    if let index = valueIndices[column] {
      switch scanner.nextNumber() {
      case .value(let value): values[index] = value
      case .empty: isComplete = false
      case .text: throw notANumber(scanner)
      case .end: return false
      }
      return true
    }
    guard column == stampColumn else { return scanner.skip() }
    stamp = scanner.nextInteger()
    switch stamp {
    case .integer, .value: return true
    case .empty: isComplete = false
    case .text: throw notANumber(scanner)
    case .end: return false
    }
    return true
  }

  private func wrongCount(_ scanner: FieldScanner) -> LogError {
    LogError(
      path: path, line: lines.lineNumber, problem: "\(scanner.totalCount) fields instead of \(fieldCount)",
      remedy: "repair or remove the line")
  }

  private func notANumber(_ scanner: FieldScanner) -> LogError {
    LogError(
      path: path, line: lines.lineNumber, column: scanner.column,
      problem: "\"\(scanner.fieldText.prefix(32))\" is not a number", remedy: "repair or remove the line")
  }
}
