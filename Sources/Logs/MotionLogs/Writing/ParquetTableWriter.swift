internal import InertialSystem

/// Writes a table of numbers as Apache Parquet while the caller computes the next rows.
///
/// Rows are written in groups of at most 8 MiB of numbers, encoded on background threads, so that memory does not grow
/// with the file. Each group contains the minimum and maximum of every column. NaN is null. `close` creates the
/// complete file; without it, no file remains.
package final class ParquetTableWriter: TableWriter {
  package var rowCount: Int { pipeline.rowCount }
  private let generator: String
  private let facts: () -> [(name: String, text: String)]
  private let pipeline: TablePipeline
  /// The footer of the file, to which groups are added in the order of writing.
  private let footer: SharedState<ParquetFooter>
  private var isFinished = false

  /// The size of the numbers in a group of rows, in bytes: small enough to limit the memory of groups in flight, and
  /// large enough to keep the file's footer short.
  private static let groupSize = 8 << 20

  /// Creates a file; an existing file is an error unless `force` is set.
  ///
  /// - `columns`: if the first is `time`, rows are sorted by it. Whole numbers become integers of 32 bits.
  /// - `lists`: whether the components of a quantity (`quaternionX` and so on) form one column of lists.
  /// - `generator`: the program and its version, such as `inertial version 1.2.3`.
  /// - `facts`: the file's metadata; evaluated at the end.
  package init(
    path: String, columns: [TableColumn], lists: Bool = false, force: Bool = false, isOverlapped: Bool = true,
    generator: String, facts: @escaping () -> [(name: String, text: String)] = { [] }
  ) throws(OutputError) {
    (self.generator, self.facts) = (generator, facts)
    let output = try AtomicFile(path: path, force: force)
    try output.write(ParquetFooter.start)
    let parquetColumns = Self.columns(columns, lists: lists)
    let footer = SharedState(
      ParquetFooter(columns: parquetColumns, orderedBy: columns.first?.name == "time" ? 0 : nil))
    self.footer = footer
    let rowsInGroup = max(1 << 10, Self.groupSize / (MemoryLayout<Double>.stride * columns.count))
    pipeline = TablePipeline(
      output: output, width: columns.count, rowsInBlock: rowsInGroup, isOverlapped: isOverlapped, depth: 2
    ) {
      let compressor = ParquetCompressor()
      var group: ParquetRowGroup?
      return TableBlock { rows in
        group = ParquetRowGroup(rows, columns: parquetColumns, compressor: compressor)
      } write: { _, file throws(OutputError) in
        guard let complete = group else { return }
        group = nil
        try file.write(complete.bytes)
        footer.withLock { $0.append(complete) }
      }
    }
  }

  private static func columns(_ columns: [TableColumn], lists: Bool) -> [ParquetColumn] {
    guard lists else {
      return columns.map { column in
        ParquetColumn(
          name: column.name, kind: column.isWhole ? .integer : .double, isRequired: column.name == "time",
          facts: [("unit", column.unit), ("meaning", column.meaning)])
      }
    }
    var position = 0
    return NPZTableWriter.arrays(of: columns.map(\.name)).map { array in
      defer { position += array.width }
      let first = columns[position]
      guard array.width > 1 else { return Self.columns([first], lists: false)[0] }
      let names = columns[position..<position + array.width].map(\.name)
      return ParquetColumn(
        name: array.name, kind: .list(width: array.width),
        facts: [
          ("unit", first.unit), ("meaning", first.meaning),
          (ParquetFile.Column.componentsFact, names.joined(separator: ",")),
        ])
    }
  }

  package func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) { try pipeline.append(rows) }

  /// Does nothing: groups are written when they are full, and the last one at the end.
  package func flush() throws(OutputError) {}

  package func finish() throws(OutputError) {
    guard !isFinished else { return }
    isFinished = true
    try pipeline.flush()
    let facts = facts()
    try pipeline.append(footer.withLock { $0.bytes(facts: facts, createdBy: generator) })
  }

  package func close() throws(OutputError) {
    try finish()
    try pipeline.commit()
  }
}
