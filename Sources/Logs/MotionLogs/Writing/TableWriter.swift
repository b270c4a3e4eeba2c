/// A writer of rows of numbers to a file, which `close` creates completely or not at all.
package protocol TableWriter: AnyObject {
  /// The number of rows appended so far.
  var rowCount: Int { get }
  /// Appends rows: their numbers in row-major order, one per column. NaN is an empty field.
  func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError)
  /// Waits until all appended rows are written, as far as the format allows partial output.
  func flush() throws(OutputError)
  /// Writes all remaining rows, so that `close` has little more to do than name the file. Nothing can be appended
  /// afterwards.
  func finish() throws(OutputError)
  /// Writes the remaining rows and moves the file to its path. Nothing can be appended afterwards.
  func close() throws(OutputError)
}

extension TableWriter {
  package func finish() throws(OutputError) { try flush() }

  /// Appends rows: their numbers in row-major order, one per column. NaN is an empty field.
  package func append(_ rows: [Double]) throws(OutputError) {
    try rows.withUnsafeBufferPointer { rows throws(OutputError) in try append(rows) }
  }
}
