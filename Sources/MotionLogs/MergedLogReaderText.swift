/// The rows of a text file of numbers, one at a time, in a buffer that does not grow with the file.
struct TextTable {
  enum Delimiter { case comma, blanks }

  let path: String
  let byteCount: Int
  /// The column names of the first line, without quotes and surrounding blanks; empty where there are none.
  private(set) var names: [String] = []
  private(set) var remarks: [String] = []

  private let delimiter: Delimiter
  private let fieldCount: Int
  private let file: TextTableFile
  private var line = 0
  private var fields: [Range<Int>] = []

  /// Opens a file; an error where it cannot be read or lacks the line of names.
  init(path: String, layout: TableLayout) throws(LogError) {
    self.path = path
    delimiter = layout.delimiter
    file = try TextTableFile(path: path)
    byteCount = file.size
    switch layout.header {
    case .none(let count):
      fieldCount = count
      if let first = try file.nextLine(), file.isComment(first) {
        line = 1
      } else {
        file.rewindLine()
      }
    case .names:
      guard let first = try file.nextLine() else { throw file.failure(line: nil, "the file is empty") }
      line = 1
      var fields: [Range<Int>] = []
      file.split(first, at: delimiter, into: &fields)
      fieldCount = fields.count
      names = fields.map { field in
        file.text(field).filter { $0 != "\"" }
      }
    }
  }

  var bytesRead: Int { file.bytesRead }

  /// The place of a named column; nil where there is none.
  func column(_ name: String) -> Int? { names.firstIndex(of: name) }

  /// The places of named columns, or an error that lists the ones that are missing.
  func columns(_ wanted: [String]) throws(LogError) -> [Int] {
    let found = wanted.compactMap { column($0) }
    guard found.count == wanted.count else {
      let missing = wanted.filter { column($0) == nil }.joined(separator: ", ")
      throw file.failure(
        line: 1, "no column \(missing) (found: \(names.prefix(16).joined(separator: ", ")))",
        remedy: "give the file as the app wrote it")
    }
    return found
  }

  /// Moves to the next row that is not blank; false at the end.
  mutating func nextRow() throws(LogError) -> Bool {
    while let next = try file.nextLine() {
      line += 1
      file.split(next, at: delimiter, into: &fields)
      if fields.isEmpty || (fields.count == 1 && fields[0].isEmpty) { continue }
      if fields.count == fieldCount { return true }
      // A log that was cut off in the middle of a line is good up to there.
      if fields.count < fieldCount, file.isUnterminated {
        remarks.append("\(path): the last line is cut off and was left out")
        return false
      }
      throw file.failure(
        line: line, "\(fields.count) fields instead of \(fieldCount)", remedy: "repair or remove the line")
    }
    return false
  }

  /// A field of the current row; nil where it is empty, an error where it is not a number.
  func number(_ column: Int) throws(LogError) -> Double? {
    let field = fields[column]
    if field.isEmpty { return nil }
    guard let value = file.number(field) else {
      throw failure(
        column, "\"\(file.text(field).prefix(32))\" is not a number", remedy: "repair or remove the line")
    }
    return value
  }

  /// A field of the current row as a whole number; nil where it is not one.
  func integer(_ column: Int) -> Int64? { file.integer(fields[column]) }

  func failure(_ column: Int, _ problem: String, remedy: String) -> LogError {
    file.failure(line: line, column: column + 1, problem, remedy: remedy)
  }
}
