/// Columns of numbers, all as long as one another, which a dataset of the toolkit's own holds.
///
/// They are read in blocks of rows, each column by itself, from the first row to the last.
protocol ColumnSource {
  /// The names of the toolkit's tables: `time`, `gravityX` and so on.
  var names: [String] { get }
  var rowCount: Int { get }
  /// Replaces the blocks by those of the next rows, a block for each column.
  mutating func read(_ rows: Range<Int>, into blocks: inout [[Double]]) throws(LogError)
}
