/// A table with column headings.
///
/// In plain text each column has a fixed width, regardless of its contents, so that scripts find it at a fixed
/// position. On a terminal a column is as wide as its contents, and a table that is wider than the terminal is split
/// into blocks, each with the first columns of text, which name the rows.
struct TextTable {
  struct Column {
    var title: String
    /// The width in plain text.
    var width: Int
    /// Whether the cells are left-aligned text; numbers are right-aligned.
    var isLeft = false

    init(_ title: String, _ width: Int, isLeft: Bool = false) {
      (self.title, self.width, self.isLeft) = (title, width, isLeft)
    }
  }

  let columns: [Column]
  private let isNamed: Bool
  /// The cells of each row. A remark is one cell across the columns, about the previous row.
  private var rows: [(cells: [String], isRemark: Bool)] = []

  /// Creates a table.
  ///
  /// - Parameter isNamed: Whether the column headings are printed.
  init(_ columns: [Column], isNamed: Bool = true) { (self.columns, self.isNamed) = (columns, isNamed) }

  /// Adds a row; missing cells are empty.
  mutating func add(_ cells: String...) { add(cells) }
  mutating func add(_ cells: [String]) { rows.append((cells, false)) }

  /// Adds a line about the previous row.
  mutating func remark(_ text: String) { rows.append(([text], true)) }

  func print(on page: Page) {
    for (text, isHeader) in lines(on: page) { page.line(text, style: isHeader ? .bold : .plain) }
  }

  /// Returns the lines, and whether each contains the headings.
  func lines(on page: Page) -> [(text: String, isHeader: Bool)] {
    let isTerminal = page.isTerminal
    let widths = columns.indices.map { index in
      guard isTerminal else { return columns[index].width }
      return rows.reduce(columns[index].title.count) { width, row in
        row.isRemark || index >= row.cells.count ? width : max(width, row.cells[index].count)
      }
    }
    let separator = isTerminal ? "  " : " "
    var lines: [(text: String, isHeader: Bool)] = []
    for (number, block) in (isTerminal ? blocks(widths, width: page.width) : [Array(columns.indices)]).enumerated() {
      if number > 0 { lines.append(("", false)) }
      if isNamed { lines.append((line(columns.map(\.title), block, widths, separator), true)) }
      for (cells, isRemark) in rows where !isRemark || number == 0 {
        lines.append((isRemark ? cells[0] : line(cells, block, widths, separator), false))
      }
    }
    guard isTerminal else { return lines }
    return lines.map { (String($0.text.reversed().drop { $0 == " " }.reversed()), $0.isHeader) }
  }

  private func line(_ cells: [String], _ places: [Int], _ widths: [Int], _ separator: String) -> String {
    places.filter { $0 < cells.count }.map { padded(cells[$0], widths[$0], left: !columns[$0].isLeft) }
      .joined(separator: separator)
  }

  /// Returns the columns of each block; the first columns of text are part of every block.
  private func blocks(_ widths: [Int], width: Int) -> [[Int]] {
    let names = Array(columns.indices.prefix { columns[$0].isLeft })
    let keys = names.isEmpty ? [0] : names
    var blocks: [[Int]] = [[]]
    var used = 0
    for index in columns.indices {
      let own = widths[index] + (blocks[blocks.count - 1].isEmpty ? 0 : 2)
      if used + own > width, blocks[blocks.count - 1].count > keys.count {
        blocks.append(keys)
        used = keys.reduce(widths[index]) { $0 + widths[$1] + 2 }
      } else {
        used += own
      }
      blocks[blocks.count - 1].append(index)
    }
    return blocks
  }
}
