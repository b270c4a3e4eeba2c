/// Writes a table of numbers as CSV, or in another style of text, while the caller computes the next rows.
///
/// A header, then a line for each row; in CSV NaN is an empty field; numbers are written with the fewest digits that read
/// back as the same number, or with `digits` significant digits; whole numbers as such. Rows are formatted on
/// background threads in blocks, a few of them in flight: a caller that is faster than the disk waits. An error of
/// the disk is thrown by the next `append`, `flush` or `close`. The file appears with `close`, whole; a writer that is
/// dropped without it leaves nothing.
package final class NumberTableWriter {
  package let columns: [String]
  /// Rows taken so far.
  package private(set) var rowCount = 0
  /// The last row that an earlier process has left in a growing file, as text; nil where there is none.
  package let lastLine: String?

  private let pipeline: TablePipeline
  private var filler: TableFiller

  /// Begins a file ("-" is standard output); an existing one is an error unless `force`.
  ///
  /// - `digits`: significant digits, 1 to 17; nil for the shortest exact text.
  /// - `exactColumns`: the places of columns that are written exactly all the same.
  /// - `isOverlapped`: whether background threads format and write; else the caller's does, with the same bytes.
  /// - `header`: what stands before the rows, with its line end; nil for the columns' names.
  /// - `plainColumns`: the places of columns that are written without exponents; what is below 1e-9 is 0 there.
  /// - `isLive`: whether a stream gets the rows as they are flushed, and not all of them at the end.
  package init(
    path: String, columns: [String], digits: Int? = nil, exactColumns: Set<Int> = [], force: Bool = false,
    isOverlapped: Bool = true, style: TableStyle = .csv, header: String? = nil, plainColumns: Set<Int> = [],
    isLive: Bool = false
  ) throws(OutputError) {
    let output = try AtomicFile(path: path, force: force, isLive: isLive)
    try output.write(header ?? columns.joined(separator: ",") + "\n")
    lastLine = nil
    self.columns = columns
    let formatter = Self.formatter(columns, digits, exactColumns, style, plainColumns)
    pipeline = TablePipeline(output: output, isOverlapped: isOverlapped) { TextBlock(formatter) }
    filler = TableFiller(pipeline)
  }

  /// Begins a CSV that is there from the start and grows with every `flush`, and that stays as it is whatever ends the
  /// process; it must be a regular file.
  ///
  /// - `force`: whether an existing file is replaced; else it is an error.
  /// - `goesOn`: whether rows are appended to an existing file, which must have the same columns.
  package init(
    growing path: String, columns: [String], digits: Int? = nil, exactColumns: Set<Int> = [], force: Bool = false,
    goesOn: Bool = false
  ) throws(OutputError) {
    let output = try GrowingFile(
      path: path, header: columns.joined(separator: ",") + "\n", existing: goesOn ? .goOn : force ? .replace : .refuse)
    lastLine = output.lastLine
    self.columns = columns
    let formatter = Self.formatter(columns, digits, exactColumns, .csv, [])
    pipeline = TablePipeline(output: output, isOverlapped: false) { TextBlock(formatter) }
    filler = TableFiller(pipeline)
  }

  private static func formatter(
    _ columns: [String], _ digits: Int?, _ exactColumns: Set<Int>, _ style: TableStyle, _ plainColumns: Set<Int>
  ) -> NumberFormatter {
    precondition(!columns.isEmpty, "a table needs columns")
    precondition(digits.map { (1...17).contains($0) } ?? true, "digits are 1 to 17, not \(digits!)")
    return NumberFormatter(
      columnCount: columns.count, digits: digits, exactColumns: exactColumns, style: style, plainColumns: plainColumns)
  }

  /// Appends rows: their numbers one after another, as many as columns for each row.
  package func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    precondition(
      rows.count % columns.count == 0, "\(rows.count) numbers are no rows of \(columns.count) columns")
    rowCount += rows.count / columns.count
    try filler.append(rows)
  }

  /// Appends rows: their numbers one after another, as many as columns for each row.
  package func append(_ rows: [Double]) throws(OutputError) {
    try rows.withUnsafeBufferPointer { rows throws(OutputError) in try append(rows) }
  }

  /// Waits until everything appended is written: for output that somebody watches.
  package func flush() throws(OutputError) { try filler.flush() }

  /// Writes all that remains to the disk, so that `close` has but to name the file. Nothing can be appended after it.
  package func finish() throws(OutputError) {
    try flush()
    try pipeline.prepare()
  }

  /// Writes the rest and puts the file in its place. Nothing can be appended after it.
  package func close() throws(OutputError) {
    try flush()
    try pipeline.commit()
  }
}

/// Some rows and their text.
private final class TextBlock: TableBlock, @unchecked Sendable {
  /// Whole rows whose text stays in a core's own cache until it is written.
  let capacity: Int
  var values: [Double] = []
  private let formatter: NumberFormatter
  private let text: UnsafeMutableBufferPointer<CChar>
  private var textCount = 0

  init(_ formatter: NumberFormatter) {
    self.formatter = formatter
    capacity = max(1, (1 << 13) / formatter.columnCount) * formatter.columnCount
    values.reserveCapacity(capacity)
    text = .allocate(capacity: capacity * NumberFormatter.longestField)
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
