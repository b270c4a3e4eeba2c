internal import InertialLogs

/// A writer that holds its rows until they are taken.
final class RowQueue: TableWriter {
  private let width: Int
  private var numbers: [Double] = []
  /// The index of the first number that is not taken.
  private var start = 0
  private(set) var rowCount = 0

  /// - Parameter width: The number of values in a row.
  init(width: Int) { self.width = max(width, 1) }

  func append(_ rows: UnsafeBufferPointer<Double>) {
    numbers.append(contentsOf: rows)
    rowCount += rows.count / width
  }

  /// Moves rows to a buffer, as many as fit, and returns their number.
  func take(into rows: UnsafeMutableBufferPointer<Double>) -> Int {
    let count = min((numbers.count - start) / width, rows.count / width)
    for index in 0..<(count * width) { rows[index] = numbers[start + index] }
    start += count * width
    if start == numbers.count { removeAll() }
    return count
  }

  /// Removes all rows and returns their numbers, row by row.
  func take() -> [Double] {
    defer { removeAll() }
    return untaken
  }

  /// The numbers that are not taken, row by row.
  var untaken: [Double] { Array(numbers[start...]) }

  /// Sets the numbers that are not taken, and the number of all rows.
  func restore(_ untaken: [Double], rowCount: Int) { (numbers, start, self.rowCount) = (untaken, 0, rowCount) }

  private func removeAll() {
    numbers.removeAll(keepingCapacity: true)
    start = 0
  }

  func flush() {}
  func close() {}
}
