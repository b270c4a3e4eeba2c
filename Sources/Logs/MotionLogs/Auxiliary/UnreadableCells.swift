internal import InertialSensors

/// A cell of a table that does not match its column's type.
package struct UnreadableCell: Sendable, Equatable {
  package var path: String
  /// The line number, from 1.
  package var line: Int
  package var column: Int
  /// The text as written, truncated to 40 characters.
  package var text: String
  /// The permitted content of the column.
  package var expectation: String

  package init(path: String, line: Int, column: Int, text: String, expectation: String) {
    self.path = path
    self.line = line
    self.column = column
    self.text = text.count > 40 ? text.prefix(40) + "..." : text
    self.expectation = expectation
  }
}

/// The number of a channel's unreadable cells, and the first of them.
package struct UnreadableCells: Sendable, Equatable {
  package internal(set) var first: UnreadableCell
  package internal(set) var count = 0
}

extension [AuxiliaryChannel: UnreadableCells] {
  /// Counts an unreadable cell. The first cell of each channel is kept for the message.
  mutating func add(_ cell: UnreadableCell, of channel: AuxiliaryChannel) {
    self[channel, default: UnreadableCells(first: cell)].count += 1
  }
}

extension UnreadableCell {
  /// Creates a cell from the field that a scanner has read last.
  init(_ fields: FieldScanner, for cell: AuxiliaryCell, path: String, line: Int) {
    self.init(path: path, line: line, column: fields.column, text: fields.fieldText, expectation: cell.expectation)
  }
}
