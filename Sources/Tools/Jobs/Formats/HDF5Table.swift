internal import InertialLogs

extension HDF5TableWriter {
  /// Creates a table for a dataset, with a group named after the recording. The attributes of the file and of the group
  /// contain the metadata.
  convenience init(output: String, metadata: DatasetMetadata, force: Bool) throws(OutputError) {
    try self.init(
      path: output, group: DatasetMetadata.recordingName(of: metadata.input), columns: metadata.columns, force: force,
      facts: {
        let file: [HDF5Attribute] = [
          .init("content", metadata.content + "; a group for the recording, a dataset for each column"),
          .init("generator", DatasetMetadata.generator), .init("conventions", DatasetMetadata.conventions),
        ]
        return (file, metadata.completeFacts())
      })
  }
}
