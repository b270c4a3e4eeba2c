package import InertialSensors

/// Reads rows of 32-bit floats in little-endian order, as numerical programs write them: without a header or a clock.
///
/// The columns and the sample rate come from the options `--columns` and `--sample-rate`.
package struct FloatRowsReader: LogReader {
  private var rows: CSVLogReader
  private let file: InputFile
  private let columnCount: Int
  private var rowsRead = 0
  private var isFinished = false

  private static let bytesPerNumber = 4
  private static let batchRows = 1024
  /// The minimum and maximum number of floats that recognition examines.
  private static let minimumFloatCount = 64, maximumFloatCount = 4096
  /// The range of magnitudes of sensor values in any unit. Other bytes, read as floats, rarely all lie in this range.
  private static let magnitudes = 1e-9...1e7

  /// Whether a file contains zero bytes, unlike text, and its first numbers all have magnitudes of sensor values.
  static func recognizes(_ candidate: LogCandidate) -> Bool {
    let head = candidate.head
    guard candidate.folder == nil, head.contains(0), head.count >= minimumFloatCount * bytesPerNumber else {
      return false
    }
    let count = min(maximumFloatCount, head.count / bytesPerNumber)
    return (0..<count).allSatisfy { index in
      let value = abs(Double(float(head, index * bytesPerNumber)))
      return value == 0 || magnitudes.contains(value)
    }
  }

  private static func float(_ bytes: [UInt8], _ position: Int) -> Float {
    let pattern = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt32.self) }
    return Float(bitPattern: UInt32(littleEndian: pattern))
  }

  /// Opens a file.
  ///
  /// - Throws: ``LogError`` if the options do not specify the columns.
  package init(path: String, options: LogOptions = LogOptions()) throws(LogError) {
    let columns = try Self.requireColumns(options, path: path)
    file = try InputFile(path: path)
    columnCount = columns.count
    guard let size = file.size, size >= columns.count * Self.bytesPerNumber else {
      throw LogError(path: path, problem: "has no row of \(columns.count) floats", remedy: "correct --columns")
    }
    var dialect = CSVDialect(id: "float32-rows", summary: "rows of \(columns.count) 32-bit floats, little endian")
    dialect.clockRemedy = "give --sample-rate HZ, the rate at which the rows were recorded"
    // A line of zeros replaces the rows, which are passed to the reader individually.
    let zeros = Array(repeating: "0", count: columns.count).joined(separator: ",")
    rows = try CSVLogReader(
      scanner: LineScanner(bytes: zeros.utf8, name: path), path: path, options: options, dialect: dialect)
    let rest = size % (columns.count * Self.bytesPerNumber)
    if rest > 0 { rows.note("the last row is cut off: \(rest) bytes were left out") }
  }

  /// Returns the columns that the options name.
  ///
  /// - Throws: ``LogError`` if the options name no columns.
  @discardableResult
  static func requireColumns(_ options: LogOptions, path: String) throws(LogError) -> [String] {
    guard let columns = options.columns, !columns.isEmpty else {
      throw LogError(
        path: path, problem: "is binary, apparently rows of 32-bit floats, without column names",
        remedy: "give --columns with a name for each number of a row, such as --columns \"gyroX (deg/s),...\", and "
          + "--sample-rate HZ")
    }
    return columns
  }

  package var description: LogDescription { rows.description }
  package var emptyCounts: [SensorChannel: Int] { rows.emptyCounts }
  package var progress: Double {
    guard let size = file.size, size > 0, !isFinished else { return 1 }
    return min(1, Double(rowsRead * columnCount * Self.bytesPerNumber) / Double(size))
  }

  package mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let before = batch.count
    let rowSize = columnCount * Self.bytesPerNumber
    while !isFinished, batch.count == before {
      let bytes = try file.readBytes(upTo: Self.batchRows * rowSize)
      isFinished = bytes.count < Self.batchRows * rowSize
      let rowCount = bytes.count / rowSize
      guard rowCount > 0 else { break }
      let numbers = (0..<columnCount).flatMap { column in
        (0..<rowCount).map { Double(Self.float(bytes, ($0 * columnCount + column) * Self.bytesPerNumber)) }
      }
      rows.take(numbers, rows: rowsRead + 1..<rowsRead + rowCount + 1, into: &batch)
      rowsRead += rowCount
    }
    return batch.count > before
  }
}

extension LogFormat {
  static var floatRows: LogFormat {
    LogFormat(
      id: "float32-rows", title: "rows of 32-bit floats (binary)",
      recognition: "zero bytes, and plausible sensor values when read as 32-bit floats, little endian",
      units: "from --columns; no clock: --sample-rate",
      recognizes: { FloatRowsReader.recognizes($0) },
      open: { path, options throws(LogError) in try FloatRowsReader(path: path, options: options) })
  }
}
