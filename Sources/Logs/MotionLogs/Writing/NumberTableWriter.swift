/// Writes a table of numbers as CSV, or in another style of text, while the caller computes the next rows.
///
/// A header is followed by one line per row. NaN is an empty field in CSV. Numbers have as few digits as read
/// back as the same number, or `digits` significant digits; whole numbers have no fraction. Background threads format
/// rows in blocks; a caller that is faster than the disk has to wait. A disk error is thrown by the next `append`,
/// `flush` or `close`. `close` creates the complete file; without it, no file remains.
package final class NumberTableWriter: TableWriter {
  package var rowCount: Int { pipeline.rowCount }
  /// The text of the last row that an earlier process wrote to a growing file, or `nil`.
  package let lastLine: String?

  private let pipeline: TablePipeline
  private let formatter: NumberFormatter
  /// The path in messages.
  private let path: String

  /// Creates a file ("-" is standard output); an existing file is an error unless `force` is set.
  ///
  /// - `digits`: the number of significant digits, 1 to 17; 17 for the shortest exact text.
  /// - `exactColumns`: the indices of columns that are written exactly, regardless of `digits`.
  /// - `isOverlapped`: whether background threads format and write; otherwise the caller's thread does, with the same
  ///   result.
  /// - `header`: the text before the rows, with its line end; `nil` for the columns' names.
  /// - `plainColumns`: the indices of columns that are written without exponents; magnitudes below 1e-9 become 0.
  /// - `isLive`: whether a stream receives the rows with each `flush` rather than all at the end.
  package convenience init(
    path: String, columns: [String], digits: Int = 17, exactColumns: Set<Int> = [], force: Bool = false,
    isOverlapped: Bool = true, style: TableStyle = .csv, header: String? = nil, plainColumns: Set<Int> = [],
    isLive: Bool = false
  ) throws(OutputError) {
    let output = try AtomicFile(path: path, force: force, isLive: isLive)
    try output.write(header ?? columns.joined(separator: ",") + "\n")
    let formatter = NumberFormatter(
      columnCount: columns.count, digits: digits, exactColumns: exactColumns, style: style, plainColumns: plainColumns)
    self.init(output, path, formatter, isOverlapped: isOverlapped)
  }

  /// Creates a CSV that exists from the start, grows with every `flush`, and remains even if the process is killed. The
  /// path must be a regular file.
  ///
  /// - `force`: whether to replace an existing file; otherwise it is an error.
  /// - `goesOn`: whether to append rows to an existing file, which must have the same columns.
  package convenience init(
    growing path: String, columns: [String], digits: Int = 17, exactColumns: Set<Int> = [], force: Bool = false,
    goesOn: Bool = false
  ) throws(OutputError) {
    let output = try AppendOnlyFile(
      path: path, header: columns.joined(separator: ",") + "\n", force: force, goesOn: goesOn)
    let lastLine = output.lastLine
    let formatter = NumberFormatter(columnCount: columns.count, digits: digits, exactColumns: exactColumns)
    self.init(output, path, formatter, lastLine: lastLine)
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
      output, path, NumberFormatter(columnCount: columns.count, clock: NanosecondClock(epoch: epoch)))
  }

  private init(
    _ output: sending any OutputFile, _ path: String, _ formatter: NumberFormatter, isOverlapped: Bool = false,
    lastLine: String? = nil
  ) {
    (self.path, self.formatter, self.lastLine) = (path, formatter, lastLine)
    // The text of a block fits in a core's own cache until it is written.
    pipeline = TablePipeline(
      output: output, width: formatter.columnCount, rowsInBlock: max(1, (1 << 13) / formatter.columnCount),
      isOverlapped: isOverlapped
    ) {
      var (text, count) = ([CChar](), 0)
      return TableBlock { rows in
        let size = rows.count * NumberFormatter.maximumFieldLength
        if text.count < size { text = Array(repeating: 0, count: size) }
        count = text.withUnsafeMutableBufferPointer { formatter.write(rows, into: $0) }
      } write: { _, file throws(OutputError) in
        try text.withUnsafeBufferPointer { (text) throws(OutputError) in
          try file.write(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: text[..<count])))
        }
      }
    }
  }

  /// - Throws: ``OutputError``, also if a time in nanoseconds does not fit 64 bits.
  package func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    if let clock = formatter.clock {
      for start in stride(from: 0, to: rows.count, by: formatter.columnCount) where clock.stamp(rows[start]) == nil {
        throw NanosecondClock.error(rows[start], path: path)
      }
    }
    try pipeline.append(rows)
  }

  /// Waits until all appended rows are written, for output that is read in real time.
  package func flush() throws(OutputError) { try pipeline.flush() }

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
