/// Takes rows of numbers and makes a file of them, which appears with `close`, whole, or not at all.
package protocol TableWriter: AnyObject {
  /// Rows taken so far.
  var rowCount: Int { get }
  /// Appends rows: their numbers one after another, as many as columns for each row. NaN is an empty field.
  func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError)
  /// Waits until everything appended is written, as far as the format lets part of it be.
  func flush() throws(OutputError)
  /// Writes all that remains, so that `close` has hardly more to do than to name the file. Nothing can be appended after
  /// it.
  func finish() throws(OutputError)
  /// Writes the rest and puts the file in its place. Nothing can be appended after it.
  func close() throws(OutputError)
}

extension TableWriter {
  package func finish() throws(OutputError) { try flush() }

  /// Appends rows: their numbers one after another, as many as columns for each row. NaN is an empty field.
  package func append(_ rows: [Double]) throws(OutputError) {
    try rows.withUnsafeBufferPointer { rows throws(OutputError) in try append(rows) }
  }
}

extension NumberTableWriter: TableWriter {}
