internal import Sensors

/// A cell of a table that holds something else than its column does.
public struct UnreadableCell: Sendable, Equatable {
  public var path: String
  /// Counted from 1.
  public var line: Int
  public var column: Int
  /// As written, at most 40 letters of it.
  public var text: String
  /// What the column takes.
  public var expectation: String

  public init(path: String, line: Int, column: Int, text: String, expectation: String) {
    self.path = path
    self.line = line
    self.column = column
    self.text = text.count > 40 ? text.prefix(40) + "..." : text
    self.expectation = expectation
  }
}

/// The cells of a channel that cannot be read: how many, and the first.
public struct UnreadableCells: Sendable, Equatable {
  public internal(set) var first: UnreadableCell
  public internal(set) var count = 0
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
