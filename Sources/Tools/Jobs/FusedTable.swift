public import InertialLogs
internal import InertialSystem

/// A fused dataset in memory, column by column in a single allocation.
///
/// It grows in large steps, so the distance of columns is `capacity`, not `rowCount`. After the last row, any thread
/// may read it. A table without columns discards its rows.
public final class FusedTable: TableWriter, @unchecked Sendable {
  /// The columns, in the order of the dataset.
  public let columns: [FusedColumn]
  /// The number of rows.
  public private(set) var rowCount = 0
  /// The number of values from the start of a column to the start of the next.
  package private(set) var capacity: Int
  private var base: UnsafeMutablePointer<Double>?
  private let stop: StopFlag?
  /// The fraction of the expected rows that has been appended, 0...1, or 0 if unknown. It allows a single reallocation.
  package var fraction = 0.0

  /// - Parameters:
  ///   - capacity: The expected number of rows, or 0 if unknown.
  ///   - stop: A flag that ends the filling with an error when it is raised.
  package init(columns: [FusedColumn], capacity: Int = 0, stop: StopFlag? = nil) {
    self.columns = columns
    // Memory pages that are never written are not allocated.
    self.capacity = max(capacity, 4096)
    self.stop = stop
  }

  deinit { free(base) }

  /// Returns the values of a column, or `nil` without rows.
  package subscript(place: Int) -> UnsafePointer<Double>? { base.map { UnsafePointer($0 + place * capacity) } }

  /// A copy of the values of each column, one for each row; NaN is an empty field.
  public var values: [[Double]] { columns.indices.map(copied) }

  /// Returns a copy of the values of the column with the given name, or `nil` if there is no such column.
  public subscript(name: String) -> [Double]? { columns.firstIndex { $0.name == name }.map(copied) }

  private func copied(_ place: Int) -> [Double] { Array(UnsafeBufferPointer(start: self[place], count: rowCount)) }

  package func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    let width = columns.count
    guard width > 0, rows.count >= width else { return }
    guard stop?.isRaised != true else {
      throw Self.error("was stopped before its end", "run it again")
    }
    let count = rows.count / width
    if base == nil || rowCount + count > capacity { try grow(to: rowCount + count) }
    var column = base! + rowCount
    let capacity = capacity
    for place in 0..<width {
      defer { column += capacity }
      var source = place
      for row in 0..<count {
        column[row] = rows[source]
        source += width
      }
    }
    rowCount += count
  }

  private func grow(to count: Int) throws(OutputError) {
    var larger = capacity
    if base != nil, fraction > 0 {
      let all = 1.1 * Double(count) / fraction
      // A very small fraction is too inaccurate for an estimate.
      if all < 1000 * Double(count) { larger = max(larger, Int(all)) }
    }
    while larger < count { larger *= 2 }
    let (size, isTooMuch) = larger.multipliedReportingOverflow(by: columns.count * MemoryLayout<Double>.stride)
    guard !isTooMuch, let memory = malloc(size) else {
      throw Self.error("\(count) rows do not fit into memory", "write them to a file, or select fewer columns")
    }
    useLargePages(in: memory, size)
    let new = memory.assumingMemoryBound(to: Double.self)
    if let base {
      for place in columns.indices { (new + place * larger).update(from: base + place * capacity, count: rowCount) }
      free(base)
    }
    (base, capacity) = (new, larger)
  }

  /// Allows large pages in a block of memory. The first write to a small page takes as long as filling 20 rows.
  private func useLargePages(in memory: UnsafeMutableRawPointer, _ size: Int) {
    #if os(Linux)
      // Small tables would use more memory than they need.
      guard size >= 1 << 23 else { return }
      let start = memory.alignedUp(toMultipleOf: 4096)
      madvise(start, size - memory.distance(to: start), MADV_HUGEPAGE)
    #endif
  }

  package func flush() {}
  package func close() {}

  private static func error(_ problem: String, _ remedy: String) -> OutputError {
    OutputError(kind: .other, path: "the dataset in memory", problem: problem, remedy: remedy)
  }
}
