/// Writes a table of numbers as CSV, or in another style of text, while the caller computes the next rows.
///
/// A header is followed by one line per row. NaN is an empty field in CSV. Numbers have as few digits as read
/// back as the same number, or `digits` significant digits; whole numbers have no fraction. Background threads format
/// rows in blocks; a caller that is faster than the disk has to wait. A disk error is thrown by the next `append`,
/// `flush` or `close`. `close` creates the complete file; without it, no file remains.
package final class NumberTableWriter: TableWriter {
  package var rowCount: Int { filler.rowCount }
  /// The text of the last row that an earlier process wrote to a growing file, or `nil`.
  package let lastLine: String?

  private let pipeline: TablePipeline
  private var filler: TableFiller
  private let formatter: NumberFormatter
  /// The path in messages.
  private let path: String

  /// Creates a file ("-" is standard output); an existing file is an error unless `force` is set.
  ///
  /// - `digits`: the number of significant digits, 1 to 17; `nil` for the shortest exact text.
  /// - `exactColumns`: the indices of columns that are written exactly, regardless of `digits`.
  /// - `isOverlapped`: whether background threads format and write; otherwise the caller's thread does, with the same
  ///   result.
  /// - `header`: the text before the rows, with its line end; `nil` for the columns' names.
  /// - `plainColumns`: the indices of columns that are written without exponents; magnitudes below 1e-9 become 0.
  /// - `isLive`: whether a stream receives the rows with each `flush` rather than all at the end.
  package convenience init(
    path: String, columns: [String], digits: Int? = nil, exactColumns: Set<Int> = [], force: Bool = false,
    isOverlapped: Bool = true, style: TableStyle = .csv, header: String? = nil, plainColumns: Set<Int> = [],
    isLive: Bool = false
  ) throws(OutputError) {
    let output = try AtomicFile(path: path, force: force, isLive: isLive)
    try output.write(header ?? columns.joined(separator: ",") + "\n")
    self.init(
      output, path, Self.formatter(columns, digits, exactColumns, style, plainColumns), isOverlapped: isOverlapped)
  }

  /// Creates a CSV that exists from the start, grows with every `flush`, and remains even if the process is killed. The
  /// path must be a regular file.
  ///
  /// - `force`: whether to replace an existing file; otherwise it is an error.
  /// - `goesOn`: whether to append rows to an existing file, which must have the same columns.
  package convenience init(
    growing path: String, columns: [String], digits: Int? = nil, exactColumns: Set<Int> = [], force: Bool = false,
    goesOn: Bool = false
  ) throws(OutputError) {
    let output = try AppendOnlyFile(
      path: path, header: columns.joined(separator: ",") + "\n", existing: goesOn ? .goOn : force ? .replace : .refuse)
    let lastLine = output.lastLine
    self.init(output, path, Self.formatter(columns, digits, exactColumns, .csv, []), lastLine: lastLine)
  }

  /// Creates a CSV in the format of the ASL data sets (EuRoC), whose first column, `#timestamp [ns]`, has whole
  /// nanoseconds. Rows begin with the time in seconds.
  ///
  /// - `columns`: the names of the other columns.
  /// - `epoch`: the UNIX time of time 0 in seconds; if unknown, timestamps count from time 0.
  package convenience init(
    nanoseconds path: String, columns: [String], epoch: Double?, force: Bool = false
  ) throws(OutputError) {
    let columns = ["#timestamp [ns]"] + columns
    let output = try AtomicFile(path: path, force: force)
    try output.write(columns.joined(separator: ",") + "\n")
    self.init(
      output, path, NumberFormatter(columnCount: columns.count, digits: nil, clock: NanosecondClock(epoch: epoch)))
  }

  private init(
    _ output: sending any OutputFile, _ path: String, _ formatter: NumberFormatter, isOverlapped: Bool = false,
    lastLine: String? = nil
  ) {
    (self.path, self.formatter, self.lastLine) = (path, formatter, lastLine)
    pipeline = TablePipeline(output: output, isOverlapped: isOverlapped) { TextBlock(formatter) }
    filler = TableFiller(pipeline, width: formatter.columnCount)
  }

  private static func formatter(
    _ columns: [String], _ digits: Int?, _ exactColumns: Set<Int>, _ style: TableStyle, _ plainColumns: Set<Int>
  ) -> NumberFormatter {
    precondition(!columns.isEmpty, "a table needs columns")
    precondition(digits.map { (1...17).contains($0) } ?? true, "digits are 1 to 17, not \(digits!)")
    return NumberFormatter(
      columnCount: columns.count, digits: digits, exactColumns: exactColumns, style: style, plainColumns: plainColumns)
  }

  /// - Throws: ``OutputError``, also if a time in nanoseconds does not fit 64 bits.
  package func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    if let clock = formatter.clock {
      for start in stride(from: 0, to: rows.count, by: formatter.columnCount) where clock.stamp(rows[start]) == nil {
        throw NanosecondClock.error(rows[start], path: path)
      }
    }
    try filler.append(rows)
  }

  /// Waits until all appended rows are written, for output that is read in real time.
  package func flush() throws(OutputError) { try filler.flush() }

  /// Writes all remaining rows to disk, so that `close` only has to name the file. Nothing can be appended afterwards.
  package func finish() throws(OutputError) {
    try flush()
    try pipeline.prepare()
  }

  /// Writes the remaining rows and moves the file to its path. Nothing can be appended afterwards.
  package func close() throws(OutputError) {
    try flush()
    try pipeline.commit()
  }
}

/// A block of rows and their text.
private final class TextBlock: TableBlock, @unchecked Sendable {
  /// The number of values of complete rows whose text fits in a core's own cache until it is written.
  let capacity: Int
  var values: [Double] = []
  private let formatter: NumberFormatter
  private let text: UnsafeMutableBufferPointer<CChar>
  private var textCount = 0

  init(_ formatter: NumberFormatter) {
    self.formatter = formatter
    capacity = max(1, (1 << 13) / formatter.columnCount) * formatter.columnCount
    values.reserveCapacity(capacity)
    text = .allocate(capacity: capacity * NumberFormatter.maximumFieldLength)
  }

  deinit { text.deallocate() }

  func encode() {
    textCount = values.withUnsafeBufferPointer { formatter.write($0, into: text) }
    values.removeAll(keepingCapacity: true)
  }

  func write(to file: any OutputFile) throws(OutputError) {
    try file.write(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: text[..<textCount])))
  }
}
