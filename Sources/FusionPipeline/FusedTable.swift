internal import Geomagnetism
internal import MotionLogs

/// A fused dataset in memory, column by column.
public struct FusedTable: Sendable {
  /// In the order of a dataset's columns.
  public let columns: [FusedColumn]
  /// Of each column its numbers, one for each row; NaN is an empty field.
  public let values: [[Double]]

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
    var collector = ColumnCollector(columns: [])
    let report = try run(
      into: { columns in
        collector = ColumnCollector(columns: columns)
        return collector
      }, isDetailed: false, progress: progress)
    return (FusedTable(columns: collector.columns, values: collector.values), report)
  }
}

/// Keeps the rows that it is given.
private final class ColumnCollector: TableWriter {
  let columns: [FusedColumn]
  private(set) var values: [[Double]]
  private(set) var rowCount = 0

  init(columns: [FusedColumn]) {
    self.columns = columns
    values = Array(repeating: [], count: columns.count)
  }

  func append(_ rows: UnsafeBufferPointer<Double>) {
    let width = columns.count
    for place in values.indices {
      for start in stride(from: 0, to: rows.count, by: width) { values[place].append(rows[start + place]) }
    }
    rowCount += rows.count / width
  }

  func flush() {}
  func close() {}
}
