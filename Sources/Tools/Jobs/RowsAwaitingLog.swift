internal import InertialSystem

/// The rows of a dataset that wait for the values of some columns, which the whole log determines, without these
/// values. Beyond the first ones, they are stored in a temporary file.
struct RowsAwaitingLog {
  /// The number of columns of a row.
  private let width: Int
  /// The ranges of the columns whose values are known.
  private let columns: [Range<Int>]
  /// The known values, one row after the other.
  private var values = SpilledArray<Double>()
  /// The times of the rows in seconds; `NaN` without a motion estimate.
  private var times = SpilledArray<Double>()

  /// - Parameters:
  ///   - width: The number of columns of a row.
  ///   - missing: The columns whose values are still unknown.
  init(width: Int, missing: [Int]) {
    self.width = width
    let ends = [-1] + missing.sorted() + [width]
    columns = zip(ends, ends.dropFirst()).map { $0 + 1..<$1 }.filter { !$0.isEmpty }
  }

  /// Appends the times of the next rows, in seconds; `NaN` without a motion estimate.
  mutating func append(times new: [Double]) { new.withUnsafeBufferPointer { times.append(contentsOf: $0) } }

  /// Appends rows without the values that are still unknown.
  mutating func append(_ rows: UnsafeBufferPointer<Double>) {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: rows.count) { known in
      var count = 0
      for start in stride(from: 0, to: rows.count, by: width) {
        for range in columns {
          for column in range {
            known[count] = rows[start + column]
            count += 1
          }
        }
      }
      values.append(contentsOf: UnsafeBufferPointer(rebasing: known[..<count]))
    }
  }

  /// Passes all rows to a closure, in blocks, with their times. The values that are still unknown are `NaN`.
  ///
  /// - Throws: ``FusionError`` if the rows cannot be read, or the closure's error.
  func forEachBlock(_ body: (inout [Double], [Double]) throws(FusionError) -> Void) throws(FusionError) {
    let knownCount = columns.reduce(0) { $0 + $1.count }
    var (valueReader, timeReader) = (SpilledArray<Double>.Reader(), SpilledArray<Double>.Reader())
    var (rows, known, blockTimes): ([Double], [Double], [Double]) = ([], [], [])
    for start in stride(from: 0, to: times.count, by: FusionStage.blockLength) {
      let count = min(FusionStage.blockLength, times.count - start)
      do throws(SpillError) {
        try timeReader.copy(from: start, count: count, of: times, to: &blockTimes)
        try valueReader.copy(from: start * knownCount, count: count * knownCount, of: values, to: &known)
      } catch {
        throw .badData("\(error)")
      }
      rows.removeAll(keepingCapacity: true)
      rows.append(contentsOf: repeatElement(.nan, count: count * width))
      rows.withUnsafeMutableBufferPointer { rows in known.withUnsafeBufferPointer { restore($0, to: rows) } }
      try body(&rows, blockTimes)
    }
  }

  /// Sets the known values of rows.
  private func restore(_ known: UnsafeBufferPointer<Double>, to rows: UnsafeMutableBufferPointer<Double>) {
    var next = 0
    for start in stride(from: 0, to: rows.count, by: width) {
      for range in columns {
        for column in range {
          rows[start + column] = known[next]
          next += 1
        }
      }
    }
  }
}
