/// Writes a table of numbers as a group of an HDF5 file, with one dataset per column, while the caller computes the
/// next rows.
///
/// Numbers are stored exactly. NaN stands for an empty field. Datasets are chunked and compressed by shuffle and
/// deflate, which every HDF5 library reads, and listed in the table's order. Their attributes are the units and
/// meanings of the columns. Rows are compressed and written on a background thread in blocks of a chunk, so memory does
/// not grow with the table. Disk errors are thrown by the next `append`, `flush` or `close`. The complete file appears
/// on `close`; a writer that is released without it leaves no file.
package final class HDF5TableWriter: TableWriter {
  #if HDF5
    /// Whether this build can write HDF5, which requires the trait `HDF5`.
    package static let isAvailable = true
    package var rowCount: Int { pipeline.rowCount }

    /// The maximum number of rows per chunk: 128 kB of each column.
    private static let chunkRows = 1 << 14

    private let facts: () -> (file: [HDF5Attribute], group: [HDF5Attribute])
    private let table: HDF5TableFile
    private let pipeline: TablePipeline

    /// Creates a file. An existing file is an error unless `force` is `true`.
    ///
    /// - Parameters:
    ///   - group: The name of the group, without "/".
    ///   - facts: The attributes of the file and of the group; evaluated at the end.
    package init(
      path: String, group: String, columns: [TableColumn], force: Bool = false,
      facts: @escaping () -> (file: [HDF5Attribute], group: [HDF5Attribute]) = { ([], []) }
    ) throws(OutputError) {
      precondition(!columns.isEmpty, "a table needs columns")
      precondition(!group.isEmpty && !group.contains("/"), "'\(group)' is not a group name")
      self.facts = facts
      func begin(isNamed: Bool) throws(OutputError) -> (file: AtomicFile, table: HDF5TableFile) {
        let file = try AtomicFile(path: path, force: force, isNamed: isNamed)
        guard let outputPath = file.pathToFill else {
          throw OutputError(
            kind: .other, path: file.path, problem: "HDF5 cannot be written sequentially",
            remedy: "give the path of a file with -o FILE.h5")
        }
        return (file, try HDF5TableFile(at: outputPath, path: path, group: group, columns: columns))
      }
      let output: (file: AtomicFile, table: HDF5TableFile)
      do throws(OutputError) {
        output = try begin(isNamed: false)
      } catch  where error.kind == .noFolder {
        // Some HDF5 libraries require a name for their file. If the folder is missing, this fails again.
        output = try begin(isNamed: true)
      }
      let table = output.table
      self.table = table
      // One block is being written and one is pending. The compression of a chunk depends on the previous chunks.
      pipeline = TablePipeline(
        output: output.file, width: columns.count, rowsInBlock: Self.chunkRows, isOverlapped: true, depth: 2
      ) {
        TableBlock { _ in
        } write: { rows, _ throws(OutputError) in
          try table.append(rows)
        }
      }
    }

    deinit {
      try? pipeline.drain()
      table.abandon()
    }

    package func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) { try pipeline.append(rows) }

    /// Waits until every complete chunk is written. Rows of an incomplete chunk remain pending.
    package func flush() throws(OutputError) { try pipeline.drain() }

    package func close() throws(OutputError) {
      try flush()
      let facts = facts()
      try table.describe(file: facts.file, group: facts.group)
      try pipeline.flush()
      try table.finish()
      try pipeline.commit()
    }
  #else
    /// Whether this build can write HDF5, which requires the trait `HDF5`.
    package static let isAvailable = false
    package var rowCount: Int { 0 }

    /// Throws an error that describes how to obtain the writer.
    package init(
      path: String, group: String, columns: [TableColumn], force: Bool = false,
      facts: @escaping () -> (file: [HDF5Attribute], group: [HDF5Attribute]) = { ([], []) }
    ) throws(OutputError) {
      throw OutputError(
        kind: .other, path: path, problem: "this build of Inertial cannot write HDF5",
        remedy: "install libhdf5-dev and build with the trait HDF5 (on by default; swift build --traits HDF5)")
    }

    package func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {}
    package func flush() throws(OutputError) {}
    package func close() throws(OutputError) {}
  #endif
}
