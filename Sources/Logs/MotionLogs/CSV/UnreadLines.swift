/// The lines after the first row of a table that are not rows.
struct UnreadLines {
  /// The number of lines that are neither rows nor comments.
  private(set) var count = 0
  private(set) var commentCount = 0
  /// The line number of the last repeated header.
  var headerLine: Int?
  /// The first error, except for repeated headers.
  private(set) var error: LogError?
  private var first: (line: Int, column: Int?, problem: String)?
  /// The number of rows of a second recording.
  private var secondCount: Int?

  mutating func countComment() { commentCount += 1 }

  mutating func add(_ line: Int, _ problem: String, _ error: LogError? = nil) {
    count += 1
    if self.error == nil { self.error = error }
    if first.map({ line < $0.line }) ?? true { first = (line, error?.column, problem) }
  }

  /// Records the number of rows after a repeated header that begins another recording.
  mutating func startSecond(_ rows: Int) {
    secondCount = rows
    count -= 1
  }

  /// Adds the lines that were not read to a log's description.
  func describe(_ description: inout LogDescription) {
    if commentCount > 0 {
      description.notes.append(
        "lines: \(commentCount) comment\(commentCount == 1 ? "" : "s") between the rows not read")
    }
    if let secondCount, let headerLine {
      description.lineWarnings.append(
        "line \(headerLine): the header again, and the time restarts: a second recording of \(secondCount) rows, which "
          + "is not read; split the file at this line to read it")
    }
    guard count > 0, let first else { return }
    description.lineWarnings.append(
      "line \(first.line)\(first.column.map { ", column \($0)" } ?? ""): \(first.problem); \(count == 1 ? "this line is" : "\(count) such lines are") left out, as no row of the "
        + "table")
  }
}
