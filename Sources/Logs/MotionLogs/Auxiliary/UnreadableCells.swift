internal import InertialSensors

/// The cells of a channel that do not match their columns' types: their number, and the first of them.
package struct UnreadableCells: Sendable, Equatable {
  package internal(set) var count = 1
  package internal(set) var path: String
  /// The line number of the first cell, from 1.
  package let line: Int
  package let column: Int
  /// The text of the first cell as written, truncated to 40 characters.
  package let text: String
  /// The permitted content of the first cell's column.
  package let expectation: String

  /// Creates one cell from the field that a scanner has read last.
  init(_ fields: FieldScanner, for cell: AuxiliaryCell, path: String, line: Int) {
    (self.path, self.line, column, expectation) = (path, line, fields.column, cell.expectation)
    let text = fields.fieldText
    self.text = text.count > 40 ? text.prefix(40) + "..." : text
  }
}

extension [AuxiliaryChannel: UnreadableCells] {
  /// Adds cells to those of a channel. The first cell of each channel is kept for the message.
  mutating func add(_ cells: UnreadableCells, of channel: AuxiliaryChannel) {
    if self[channel] == nil { self[channel] = cells } else { self[channel]?.count += cells.count }
  }
}
