/// A selection of the rows of a table that have a given value in a column.
package struct RowCondition: Sendable, Equatable, Codable {
  /// The column's name, as in the header.
  package var column: String
  /// The value, as in the rows.
  package var value: String

  /// Parses `column=value`, or returns `nil` if the text has another form.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    (column, value) = (String(parts[0]), String(parts[1]))
  }
}

/// A column whose text distinguishes the rows of a table: the name of a device or participant, or of a sensor in a
/// table in long form.
///
/// Several devices in one table are detected from the rows alone: the names recur, and the devices share timestamps or
/// the time steps back at the start of another device's rows.
struct RowTag {
  /// The column, counted from 0.
  let column: Int
  let name: String
  /// The value of the rows to read, or `nil` if all rows are read.
  var wanted: [UInt8]?
  /// Whether several values stand for several devices, according to the column's name.
  var isDevice = false
  /// The distinct values in the order of their first occurrence, at most `maximumValueCount`.
  private(set) var values: [[UInt8]] = []
  /// The index in `values` of the current row's value, or `nil` if there are too many values.
  private(set) var current: Int?
  /// The number of rows that were read, for a tag with a wanted value.
  var selectedRows = 0

  private(set) var rows = 0
  private var (switches, returns, shared, backward) = (0, 0, 0, 0)
  private var (hasSwitched, isNew) = (false, false)
  private var lastTime = Double.nan

  init(column: Int, name: String) { (self.column, self.name) = (column, name) }

  private static let maximumValueCount = 64
  /// Words in the name of a column that identifies a device, a body part or a participant.
  private static let deviceLabels: Set<String> = [
    "device", "sensor", "node", "imu", "unit", "wrist", "limb", "placement", "segment", "body", "bodypart", "mac",
    "address", "serial", "tag", "side", "wearer", "user", "subject", "participant", "person", "patient", "session",
    "trial",
    "recording", "run", "station", "module", "board", "tracker", "id", "location", "source", "hand", "leg", "foot",
    "joint",
  ]

  /// Whether a column's name identifies a device, a body part or a participant. An age, such as `locationAge`, is a number.
  static func isDevice(_ name: String) -> Bool {
    let words = ColumnName.words(name[...])
    return !words.contains("age") && words.contains(where: deviceLabels.contains)
  }

  /// Reads the value of the next row.
  mutating func take(_ bytes: UnsafeBufferPointer<CChar>) {
    rows += 1
    (hasSwitched, isNew) = (false, false)
    if let current, Self.equal(values[current], bytes) { return }
    hasSwitched = current != nil
    if let known = values.firstIndex(where: { Self.equal($0, bytes) }) {
      current = known
    } else if values.count < Self.maximumValueCount {
      isNew = true
      current = values.count
      values.append(bytes.map { UInt8(bitPattern: $0) })
    } else {
      current = nil
    }
  }

  /// Whether the current row is to be read.
  var isSelected: Bool { wanted == nil || current.map { values[$0] == wanted } ?? false }

  /// Adds the current row's time and returns whether the rows so far come from several devices.
  mutating func findsSeveral(at time: Double) -> Bool {
    defer { lastTime = time }
    guard hasSwitched, current != nil, values.count < Self.maximumValueCount else { return false }
    switches += 1
    if !isNew { returns += 1 }
    if time == lastTime { shared += 1 }
    if time < lastTime { backward += 1 }
    if isDevice, returns >= 3, rows <= 20 * switches { return true }
    if returns >= 3, shared >= 3, 2 * shared >= switches { return true }
    return isDevice && (backward >= 3 || time < lastTime - 1)
  }

  func text(_ value: [UInt8]) -> String { String(decoding: value, as: UTF8.self) }

  /// The numbers of rows read and skipped, for a tag with a wanted value.
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

  /// The option that selects the first value, quoted for a shell.
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
