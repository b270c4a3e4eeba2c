/// A table with column headings.
///
/// In plain text each column has a fixed width, regardless of its contents, so that scripts find it at a fixed
/// position. On a terminal a column is as wide as its contents, and a table that is wider than the terminal is split
/// into blocks, each with the first column.
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

  private enum Row {
    case cells([String])
    /// A line across the columns, about the previous row.
    case remark(String)
  }

  let columns: [Column]
  private let isNamed: Bool
  private var rows: [Row] = []

  /// Creates a table.
  ///
  /// - Parameter isNamed: Whether the column headings are printed.
  init(_ columns: [Column], isNamed: Bool = true) { (self.columns, self.isNamed) = (columns, isNamed) }

  /// Adds a row; missing cells are empty.
  mutating func add(_ cells: String...) { rows.append(.cells(cells)) }
  mutating func add(_ cells: [String]) { rows.append(.cells(cells)) }

  /// Adds a line about the previous row.
  mutating func remark(_ text: String) { rows.append(.remark(text)) }

  func print(on page: Page) {
    for (text, isHeader) in lines(on: page) { page.line(text, style: isHeader ? .bold : .plain) }
  }

  /// Returns the lines, and whether each contains the headings.
  func lines(on page: Page) -> [(text: String, isHeader: Bool)] {
    guard page.isTerminal else { return plainLines }
    let widths = columns.indices.map { index in
      rows.reduce(columns[index].title.count) { width, row in
        if case .cells(let cells) = row, index < cells.count { max(width, cells[index].count) } else { width }
      }
    }
    var lines: [(String, Bool)] = []
    for (number, block) in blocks(widths, width: page.width).enumerated() {
      if number > 0 { lines.append(("", false)) }
      if isNamed { lines.append((line(columns.map(\.title), block, widths, "  "), true)) }
      for row in rows {
        switch row {
        case .cells(let cells): lines.append((line(cells, block, widths, "  "), false))
        case .remark(let text): if number == 0 { lines.append((text, false)) }
        }
      }
    }
    return lines.map { (String($0.0.reversed().drop { $0 == " " }.reversed()), $0.1) }
  }

  private var plainLines: [(text: String, isHeader: Bool)] {
    let (all, widths) = (Array(columns.indices), columns.map(\.width))
    let header = isNamed ? [(line(columns.map(\.title), all, widths, " "), true)] : []
    return header
      + rows.map { row in
        switch row {
        case .cells(let cells): (line(cells, all, widths, " "), false)
        case .remark(let text): (text, false)
        }
      }
  }

  private func line(_ cells: [String], _ places: [Int], _ widths: [Int], _ separator: String) -> String {
    places.filter { $0 < cells.count }.map { padded(cells[$0], widths[$0], left: !columns[$0].isLeft) }
      .joined(separator: separator)
  }

  /// Returns the columns of each block; the first column is part of every block.
  private func blocks(_ widths: [Int], width: Int) -> [[Int]] {
    var blocks: [[Int]] = [[]]
    var used = 0
    for index in columns.indices {
      let own = widths[index] + (blocks[blocks.count - 1].isEmpty ? 0 : 2)
      if used + own > width, blocks[blocks.count - 1].count > 1 {
        blocks.append([0])
        used = widths[0] + 2 + widths[index]
      } else {
        used += own
      }
      blocks[blocks.count - 1].append(index)
    }
    return blocks
  }
}
