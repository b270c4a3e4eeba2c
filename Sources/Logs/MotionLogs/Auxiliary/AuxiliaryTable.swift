internal import InertialSensors

/// A file of a folder that holds an auxiliary channel: its name, and what its columns are.
struct AuxiliaryFile: Sendable {
  var name: String
  var channel: AuxiliaryChannel
  var columns: [AuxiliaryColumn]
  /// Columns that are known and not wanted, so that nothing is said about them.
  var ignored: [String] = []
}

/// The rows of a CSV file as samples of an auxiliary channel, in bounded memory.
///
/// A log is not refused for damage here: a line that cannot be read is left out and told, a field that is no number is
/// no value.
struct AuxiliaryTable: AuxiliarySource {
  private enum Role {
    case skipped, stamp
    case cell(AuxiliaryCell)
  }

  let channel: AuxiliaryChannel
  var auxiliaryChannels: Set<AuxiliaryChannel> { [channel] }
  private let name: String
  private let lines: LineScanner
  private let roles: [Role]
  private let clock: TableClock
  private let separator: FieldSeparator
  private var decimal: DecimalSign
  /// How a line of comment may begin at the top; nil where the file has a header.
  private let commentMark: [String]?
  /// The row read last, where its time has not come.
  private var held: AuxiliarySample?
  private var isFinished = false
  private var leftOut = 0
  private var firstLeftOut = 0
  /// Cells that hold something else than their column does.
  private(set) var unreadable: [AuxiliaryChannel: UnreadableCells] = [:]
  private var notes: [String] = []

  /// Opens a file; nil, with a note, where it has no column of the channel.
  ///
  /// - Parameters:
  ///   - stamp: the name of the column of times.
  ///   - clock: how its stamps become seconds.
  ///   - separator: what stands between the fields; where it is no comma, the numbers may have a decimal comma.
  ///   - names: the columns of a file without a header, which may begin with a line of comment.
  init?(
    _ file: AuxiliaryFile, path: String, stamp: String, clock: TableClock, separator: FieldSeparator = .comma,
    names: [String]? = nil, notes found: inout [String]
  ) throws(LogError) {
    channel = file.channel
    name = file.name
    self.clock = clock
    self.separator = separator
    decimal = separator == .comma || separator == .blanks ? .point : .unknown
    lines = try LineScanner(path: path)
    commentMark = names == nil ? nil : ["#", "Created at"]
    let columns = if let names { names } else { try Self.header(lines, separator) }
    guard !columns.isEmpty else {
      found.append("\(file.name) is empty")
      return nil
    }
    var roles: [Role] = []
    var unknown: [String] = []
    var hasStamp = false
    for text in columns {
      let cell = file.columns.lazy.filter { $0.header == text }.compactMap { $0.cell(in: file.channel) }.first
      if text == stamp, !hasStamp {
        hasStamp = true
        roles.append(.stamp)
      } else if let cell {
        roles.append(.cell(cell))
      } else {
        roles.append(.skipped)
        if !file.ignored.contains(text), !text.isEmpty { unknown.append(text) }
      }
    }
    self.roles = roles
    let hasCells = roles.contains { if case .cell = $0 { true } else { false } }
    guard hasStamp, hasCells else {
      found.append("\(file.name): no column \(hasStamp ? "of \(channel.name)" : stamp), not read")
      return nil
    }
    if !unknown.isEmpty {
      let listed = unknown.prefix(8).joined(separator: ", ")
      notes.append("\(file.name): columns not read: \(listed)\(unknown.count > 8 ? ", ..." : "")")
    }
    if names != nil {
      held = try next()
      guard held != nil else {
        found.append("\(file.name) has no rows")
        return nil
      }
    }
  }

  /// The names of the first line; none where the file is empty.
  private static func header(_ lines: LineScanner, _ separator: FieldSeparator) throws(LogError) -> [String] {
    // The line's bytes are the scanner's.
    defer { withExtendedLifetime(lines) {} }
    guard let line = try lines.next() else { return [] }
    var scanner = FieldScanner(line, separator: separator)
    var names: [String] = []
    while let text = scanner.nextText() { names.append(text) }
    return names
  }

  /// What happened on the way that the user should know, one sentence each; complete at the end.
  var remarks: [String] {
    var remarks = notes
    if leftOut > 0 {
      let lines = leftOut == 1 ? "1 line that cannot be read was" : "\(leftOut) lines that cannot be read were"
      remarks.append("\(name): \(lines) left out, the first in line \(firstLeftOut)")
    }
    return remarks
  }

  /// Appends the rows up to a time, in the order of the file: a later row holds up those behind it.
  mutating func read(upTo time: Double, into batch: inout [AuxiliarySample]) throws(LogError) {
    while !isFinished {
      if held == nil { held = try next() }
      guard let sample = held else {
        isFinished = true
        return
      }
      // A time that is no number waits for nothing.
      if sample.time > time { return }
      batch.append(sample)
      held = nil
    }
  }

  private mutating func next() throws(LogError) -> AuxiliarySample? {
    while true {
      let line: UnsafeRawBufferPointer?
      do throws(LogError) {
        line = try lines.next()
      } catch {
        // Not a text any more: what was read is good.
        leaveOut()
        return nil
      }
      guard let line else { return nil }
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      if lines.lineNumber == 1, commentMark?.contains(where: { line.starts(with: $0.utf8) }) == true { continue }
      if let sample = sample(line) { return sample }
      leaveOut()
    }
  }

  private mutating func leaveOut() {
    leftOut += 1
    if leftOut == 1 { firstLeftOut = lines.lineNumber }
  }

  private mutating func sample(_ line: UnsafeRawBufferPointer) -> AuxiliarySample? {
    decimal.look(at: line)
    var fields = FieldScanner(line, separator: separator, hasDecimalComma: decimal == .comma)
    var sample = AuxiliarySample(time: .nan, channel: channel)
    var unreadable: [UnreadableCell] = []
    for role in roles {
      switch role {
      case .skipped: if !fields.skip() { return nil }
      case .stamp:
        sample.time = clock.seconds(fields.nextInteger())
        if sample.time.isNaN { return nil }
      case .cell(let cell):
        switch cell.read(&fields, into: &sample) {
        case .set, .empty: break
        case .unreadable: unreadable.append(UnreadableCell(fields, for: cell, path: name, line: lines.lineNumber))
        case .end: return nil
        }
      }
    }
    if fields.skip() { return nil }
    for cell in unreadable { self.unreadable.add(cell, of: channel) }
    sample.line = UInt32(truncatingIfNeeded: lines.lineNumber)
    return sample
  }
}
