internal import InertialLogs

extension ParquetTableWriter {
  /// The rows of a dataset, with the facts about it by their names and as one document under `inertial`.
  convenience init(
    output: String, metadata: DatasetMetadata, lists: Bool = false, force: Bool, isOverlapped: Bool = true
  ) throws(OutputError) {
    try self.init(
      path: output,
      columns: metadata.columns.map { column in
        Column(
          name: column.name, unit: column.unit, meaning: column.meaning,
          isWhole: FusedColumn.wholeNames.contains(column.name))
      },
      lists: lists, force: force, isOverlapped: isOverlapped, generator: "inertial version \(ToolVersion.current)",
      // Without a file of many facts: a reader that wants one asks the document.
      facts: {
        [
          ("inertial", metadata.json()), ("frame", metadata.text("frame")), ("filter", metadata.text("filter")),
          ("epoch", metadata.epoch.map { "\($0)" }),
        ].compactMap { name, text in text.map { (name, $0) } }
      })
  }
}
