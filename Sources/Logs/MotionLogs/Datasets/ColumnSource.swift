/// The columns of numbers of a dataset that Inertial wrote. All have the same length.
///
/// They are read in blocks of rows, each column separately, from the first row to the last.
protocol ColumnSource {
  /// The column names of Inertial's tables: `time`, `gravityX` and so on.
  var names: [String] { get }
  var rowCount: Int { get }
  /// Replaces the blocks, one per column, by those of the next rows.
  mutating func read(_ rows: Range<Int>, into blocks: inout [[Double]]) throws(LogError)
}
