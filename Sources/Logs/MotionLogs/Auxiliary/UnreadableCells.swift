internal import InertialSensors

/// A cell of a table that holds something else than its column does.
package struct UnreadableCell: Sendable, Equatable {
  package var path: String
  /// Counted from 1.
  package var line: Int
  package var column: Int
  /// As written, at most 40 letters of it.
  package var text: String
  /// What the column takes.
  package var expectation: String

  package init(path: String, line: Int, column: Int, text: String, expectation: String) {
    self.path = path
    self.line = line
    self.column = column
    self.text = text.count > 40 ? text.prefix(40) + "..." : text
    self.expectation = expectation
  }
}

/// The cells of a channel that cannot be read: how many, and the first.
package struct UnreadableCells: Sendable, Equatable {
  package internal(set) var first: UnreadableCell
  package internal(set) var count = 0
}

extension [AuxiliaryChannel: UnreadableCells] {
  /// Counts a cell that cannot be read; the first of each channel is kept for the message.
  mutating func add(_ cell: UnreadableCell, of channel: AuxiliaryChannel) {
    self[channel, default: UnreadableCells(first: cell)].count += 1
  }
}

extension UnreadableCell {
  /// The field that a scanner has read last.
  init(_ fields: FieldScanner, for cell: AuxiliaryCell, path: String, line: Int) {
    self.init(path: path, line: line, column: fields.column, text: fields.fieldText, expectation: cell.expectation)
  }
}
