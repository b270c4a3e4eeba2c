internal import InertialLogs
internal import InertialNumerics

/// A fused dataset in memory, column by column.
public struct FusedTable: Sendable {
  /// In the order of a dataset's columns.
  public let columns: [FusedColumn]
  /// Of each column its numbers, one for each row; NaN is an empty field.
  public let values: [[Double]]

  /// Rows of the dataset.
  public var rowCount: Int { values.first?.count ?? 0 }

  /// The numbers of the column of a name; nil where there is none.
  public subscript(name: String) -> [Double]? { columns.firstIndex { $0.name == name }.map { values[$0] } }
}

extension FusionJob {
  /// Reads and fuses as `run` does, into memory; nothing is written.
  ///
  /// - Parameter progress: called now and then with the share of the log that was read, 0 to 1.
  public func table(progress: (Double) -> Void = { _ in }) throws(FusionError) -> (table: FusedTable, report: Report) {
    try checkSource()
    let (block, report) = try block(progress: progress)
    let values = block.columns.indices.map { place in
      Array(UnsafeBufferPointer(start: block[place], count: block.rowCount))
    }
    return (FusedTable(columns: block.columns, values: values), report)
  }

  /// As `table`, with the numbers where others than Swift's arrays can use them as they are.
  package func block(
    progress: (Double) -> Void = { _ in }
  ) throws(FusionError) -> (block: ColumnBlock, report: Report) {
    try checkSource()
    var block = ColumnBlock(columns: [])
    let report = try run(
      into: { columns in
        block = ColumnBlock(
          columns: columns, capacity: options.log.held?.rowCount ?? 0, stop: options.log.stop)
        return block
      }, isDetailed: false,
      progress: { share in
        block.share = share
        progress(share)
      })
    return (block, report)
  }
}
