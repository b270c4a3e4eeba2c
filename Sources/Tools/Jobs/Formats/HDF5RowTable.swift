internal import InertialLogs

/// The rows of a dataset in an HDF5 file: a group by the recording's name, a dataset by each column's name.
///
/// The group's attributes say what the dataset was made of and how; a dataset's attributes are its unit and meaning.
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
