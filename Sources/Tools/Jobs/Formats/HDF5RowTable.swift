internal import InertialLogs

/// A table that writes rows to an HDF5 file, with a group named after the recording and a dataset for each column.
///
/// The attributes of the group contain the metadata. The attributes of a dataset are its unit and meaning.
final class HDF5RowTable: TableWriter {
  private let writer: HDF5TableWriter
  private let metadata: DatasetMetadata

  init(output: String, metadata: DatasetMetadata, force: Bool) throws(OutputError) {
    let columns = metadata.columns.map { column in
      HDF5TableWriter.Column(
        name: column.name, attributes: [.init("unit", column.unit), .init("meaning", column.meaning)])
    }
    writer = try HDF5TableWriter(
      path: output, group: DatasetMetadata.recordingName(of: metadata.input), columns: columns, force: force)
    self.metadata = metadata
  }

  var rowCount: Int { writer.rowCount }

  func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) { try writer.append(rows) }

  func flush() throws(OutputError) { try writer.flush() }

  func close() throws(OutputError) {
    try writer.describe(
      file: [
        .init("content", metadata.content + "; a group for the recording, a dataset for each column"),
        .init("generator", DatasetMetadata.generator),
        .init("conventions", DatasetMetadata.conventions),
      ], group: metadata.completeFacts())
    try writer.close()
  }
}
