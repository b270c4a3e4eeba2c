/// Writes a table of numbers as a group of an HDF5 file, with one dataset per column, while the caller computes the
/// next rows.
///
/// Numbers are stored exactly. NaN stands for an empty field. Datasets are chunked and compressed by shuffle and
/// deflate, which every HDF5 library reads, and listed in the table's order. Rows are compressed and written on a
/// background thread in blocks of a chunk, so memory does not grow with the table. Disk errors are thrown by the next
/// `append`, `flush` or `close`. The complete file appears on `close`; a writer that is released without it leaves no
/// file.
package final class HDF5TableWriter: TableWriter {
  /// A column and the attributes of its dataset.
  package struct Column: Sendable {
    package var name: String
    package var attributes: [HDF5Attribute]

    package init(name: String, attributes: [HDF5Attribute] = []) {
      self.name = name
      self.attributes = attributes
    }
  }

  /// Whether this build can write HDF5, which requires the trait `HDF5`.
  package static let isAvailable: Bool = {
    #if HDF5
      true
    #else
      false
    #endif
  }()

  /// The number of rows appended so far.
  package private(set) var rowCount = 0

  #if HDF5
    /// The maximum number of rows per chunk: 128 kB of each column.
    private static let chunkRows = 1 << 14

    private let columnCount: Int
    private let pipeline: HDF5Pipeline
    /// The rows that are not yet submitted to the background thread.
    private var pending: HDF5Block

    /// Creates a file. An existing file is an error unless `force` is `true`.
    ///
    /// - Parameter group: The name of the group, without "/".
    package init(path: String, group: String, columns: [Column], force: Bool = false) throws(OutputError) {
      precondition(!columns.isEmpty, "a table needs columns")
      precondition(!group.isEmpty && !group.contains("/"), "'\(group)' is not a group name")
      columnCount = columns.count
      pipeline = try HDF5Pipeline(path: path, group: group, columns: columns, force: force)
      pending = pipeline.emptyBlock()
      pending.values.reserveCapacity(Self.chunkRows * columnCount)
    }

    deinit { pipeline.abandon() }

    /// Writes attributes of the file and of the group.
    package func describe(file: [HDF5Attribute], group: [HDF5Attribute]) throws(OutputError) {
      try pipeline.wait { table throws(OutputError) in try table.describe(file: file, group: group) }
    }

    package func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
      precondition(rows.count % columnCount == 0, "\(rows.count) numbers do not fill rows of \(columnCount) columns")
      rowCount += rows.count / columnCount
      var rest = rows[...]
      let capacity = Self.chunkRows * columnCount
      while !rest.isEmpty {
        let room = capacity - pending.values.count
        pending.values.append(contentsOf: rest.prefix(room))
        rest = rest.dropFirst(room)
        if pending.values.count == capacity { try submit() }
      }
    }

    /// Waits until every complete chunk is written. Rows of an incomplete chunk remain pending.
    package func flush() throws(OutputError) {
      try pipeline.wait { _ throws(OutputError) in }
    }

    package func close() throws(OutputError) {
      if !pending.values.isEmpty { try submit() }
      try pipeline.commit()
    }

    private func submit() throws(OutputError) {
      let full = pending
      pending = pipeline.emptyBlock()
      pending.values.reserveCapacity(Self.chunkRows * columnCount)
      try pipeline.submit(full)
    }
  #else
    /// Throws an error that describes how to obtain the writer.
    package init(path: String, group: String, columns: [Column], force: Bool = false) throws(OutputError) {
      throw OutputError(
        kind: .other, path: path, problem: "this build of Inertial cannot write HDF5",
        remedy: "install libhdf5-dev and build with the trait HDF5 (on by default; swift build --traits HDF5)")
    }

    package func describe(file: [HDF5Attribute], group: [HDF5Attribute]) throws(OutputError) {}
    package func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {}
    package func flush() throws(OutputError) {}
    package func close() throws(OutputError) {}
  #endif
}
