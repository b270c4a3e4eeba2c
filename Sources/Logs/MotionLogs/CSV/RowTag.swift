/// A choice of the rows of a table: those that have a value in a column.
package struct RowCondition: Sendable, Equatable, Codable {
  /// The column's name, as in the header.
  package var column: String
  /// The value, as in the rows.
  package var value: String

  /// From `column=value`; nil if the text is otherwise.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    (column, value) = (String(parts[0]), String(parts[1]))
  }
}

/// A column whose text parts the rows of a table: the name of a device or of a person, or of a sensor in a table in long form.
///
/// Two devices in one table are recognised by the structure of the rows alone: their values come again and again, and so do their
/// stamps, or the time steps back at the beginning of the other's rows.
struct RowTag {
  /// Counted from 0.
  let column: Int
  let name: String
  /// The value that a row must have to be read; nil if all are read.
  var wanted: [UInt8]?
  /// Whether several values stand for several devices, by the column's name.
  var isDevice = false
  /// The different values, in the order in which they come first; no more than `mostValues`.
  private(set) var values: [[UInt8]] = []
  /// The current row's value among them; nil if there are too many.
  private(set) var current: Int?
  private(set) var selectedRows = 0

  private(set) var rows = 0
  private var (switches, returns, shared, backward) = (0, 0, 0, 0)
  private var (hasSwitched, isNew) = (false, false)
  private var lastTime = Double.nan

  init(column: Int, name: String) { (self.column, self.name) = (column, name) }

  private static let mostValues = 64
  /// Words in the name of a column that names what a row was measured by, or on whom.
  private static let deviceWords: Set<String> = [
    "device", "sensor", "node", "imu", "unit", "wrist", "limb", "placement", "segment", "body", "bodypart", "mac",
    "address", "serial", "tag", "side", "wearer", "user", "subject", "participant", "person", "patient", "session",
    "trial",
    "recording", "run", "station", "module", "board", "tracker", "id", "location", "source", "hand", "leg", "foot",
    "joint",
  ]

  static func isDevice(_ name: String) -> Bool { ColumnName.words(name[...]).contains(where: deviceWords.contains) }

  /// Reads the value of the next row.
  mutating func take(_ bytes: UnsafeBufferPointer<CChar>) {
    rows += 1
    (hasSwitched, isNew) = (false, false)
    if let current, Self.equal(values[current], bytes) { return }
    hasSwitched = current != nil
    if let known = values.firstIndex(where: { Self.equal($0, bytes) }) {
      current = known
    } else if values.count < Self.mostValues {
      isNew = true
      current = values.count
      values.append(bytes.map { UInt8(bitPattern: $0) })
    } else {
      current = nil
    }
  }

  /// Whether the current row is to be read.
  var isSelected: Bool { wanted == nil || current.map { values[$0] == wanted } ?? false }

  mutating func countSelected() { selectedRows += 1 }

  /// Takes the current row's time, and returns whether the rows so far are of several devices.
  mutating func findsSeveral(at time: Double) -> Bool {
    defer { lastTime = time }
    guard hasSwitched, current != nil, values.count < Self.mostValues else { return false }
    switches += 1
    if !isNew { returns += 1 }
    if time == lastTime { shared += 1 }
    if time < lastTime { backward += 1 }
    if isDevice, returns >= 3, rows <= 20 * switches { return true }
    if returns >= 3, shared >= 3, 2 * shared >= switches { return true }
    return isDevice && (backward >= 3 || time < lastTime - 1)
  }

  func text(_ value: [UInt8]) -> String { String(decoding: value, as: UTF8.self) }

  /// The rows read and those left out, for a tag with a wanted value.
  var selectionNote: String {
    let wanted = text(self.wanted ?? [])
    let others = values.lazy.map(text).filter { $0 != wanted }.prefix(6).map { "\"\($0.prefix(40))\"" }
    return "--where \(name)=\(wanted): \(selectedRows) rows are read, and \(rows - selectedRows) of "
      + "\(others.joined(separator: ", "))\(values.count > 7 ? " and others" : "") are left out"
  }

  /// The names of the values for a message.
  var listed: String {
    let shown = values.prefix(6).map { "\"\(text($0).prefix(40))\"" }.joined(separator: ", ")
    return shown + (values.count > 6 ? " and \(values.count - 6) more" : "")
  }

  /// The option that chooses the first value, as a shell takes it.
  var choice: String {
    let text = "\(name)=\(values.first.map(text) ?? "")"
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "_-=.,:/+@%".utf8.contains(byte)
    }
    return "--where " + (isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'")
  }

  private static func equal(_ value: [UInt8], _ bytes: UnsafeBufferPointer<CChar>) -> Bool {
    value.count == bytes.count && zip(value, bytes).allSatisfy { $0 == UInt8(bitPattern: $1) }
  }
}
