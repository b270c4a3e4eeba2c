internal import InertialLogs
internal import InertialNumerics

/// A fused dataset in memory, column by column.
public struct FusedTable: Sendable {
  /// The columns, in the order of the dataset.
  public let columns: [FusedColumn]
  /// The values of each column, one for each row; NaN is an empty field.
  public let values: [[Double]]

  /// The number of rows.
  public var rowCount: Int { values.first?.count ?? 0 }

  /// Returns the values of the column with the given name, or `nil` if there is no such column.
  public subscript(name: String) -> [Double]? { columns.firstIndex { $0.name == name }.map { values[$0] } }
}

extension FusionJob {
  /// Reads and fuses the log into memory, as `run` does, and writes no file.
  ///
  /// - Parameter progress: Called periodically with the fraction of the log that was read, 0...1.
  public func table(progress: (Double) -> Void = { _ in }) throws(FusionError) -> (table: FusedTable, report: Report) {
    try checkSource()
    let (block, report) = try block(progress: progress)
    let values = block.columns.indices.map { index in
      Array(UnsafeBufferPointer(start: block[index], count: block.rowCount))
    }
    return (FusedTable(columns: block.columns, values: values), report)
  }

  /// Reads and fuses the log as `table` does, into memory that other languages can use without a copy.
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
      progress: { fraction in
        block.fraction = fraction
        progress(fraction)
      })
    return (block, report)
  }
}
