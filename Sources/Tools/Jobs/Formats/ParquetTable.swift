internal import InertialLogs

extension ParquetTableWriter {
  /// Creates a table for a dataset. The metadata contains the main facts by name and the document `inertial`.
  convenience init(
    output: String, metadata: DatasetMetadata, lists: Bool = false, force: Bool, isOverlapped: Bool = true
  ) throws(OutputError) {
    try self.init(
      path: output, columns: metadata.columns, lists: lists, force: force, isOverlapped: isOverlapped,
      generator: "inertial version \(ToolVersion.current)",
      // The other facts are only in the document.
      facts: {
        [
          ("inertial", metadata.json()), ("frame", metadata.text("frame")), ("filter", metadata.text("filter")),
          ("epoch", metadata.epoch.map { "\($0)" }),
        ].compactMap { name, text in text.map { (name, $0) } }
      })
  }
}
