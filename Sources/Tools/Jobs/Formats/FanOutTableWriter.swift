internal import InertialLogs

/// Passes rows to several writers.
final class FanOutTableWriter: TableWriter {
  /// The writers, and the indices of their columns in a row, or `nil` for all columns.
  private let branches: [(writer: any TableWriter, columns: [Int]?)]
  private let columnCount: Int
  private(set) var rowCount = 0
  private var picked: [Double] = []

  init(columnCount: Int, branches: [(writer: any TableWriter, columns: [Int]?)]) {
    (self.columnCount, self.branches) = (columnCount, branches)
  }

  func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    for branch in branches {
      guard let columns = branch.columns else {
        try branch.writer.append(rows)
        continue
      }
      picked.removeAll(keepingCapacity: true)
      for start in stride(from: 0, to: rows.count, by: columnCount) {
        for index in columns { picked.append(rows[start + index]) }
      }
      try branch.writer.append(picked)
    }
    rowCount += rows.count / columnCount
  }

  func flush() throws(OutputError) { for branch in branches { try branch.writer.flush() } }

  func finish() throws(OutputError) { for branch in branches { try branch.writer.finish() } }

  /// Writes everything before the first file is renamed, so that errors occur before that.
  func close() throws(OutputError) {
    try finish()
    for branch in branches { try branch.writer.close() }
  }
}
