internal import InertialSensors

/// A file in a folder that contains an auxiliary channel, with its columns.
struct AuxiliaryFile: Sendable {
  var name: String
  var channel: AuxiliaryChannel
  var columns: [AuxiliaryColumn]
  /// The known columns that are skipped without a note.
  var ignored: [String] = []
}

/// The rows of a CSV file as samples of an auxiliary channel, in bounded memory.
///
/// Damage does not cause an error: a line that cannot be read is skipped and reported, and a field that is not a number
/// is treated as missing.
struct AuxiliaryTable: SampleSource {
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
  /// The possible prefixes of a comment in the first line, or `nil` if the file has a header.
  private let commentMark: [String]?
  /// The last row read, if its time is later than requested so far.
  private var held: AuxiliarySample?
  private var isFinished = false
  private var leftOut = 0
  private var firstLeftOut = 0
  /// The cells that do not match their column's type.
  private(set) var unreadable: [AuxiliaryChannel: UnreadableCells] = [:]
  private var notes: [String] = []

  /// Opens a file. Returns `nil` and appends a note if the file has no column of the channel.
  ///
  /// - Parameters:
  ///   - stamp: The name of the column of timestamps.
  ///   - clock: The conversion from timestamps to seconds.
  ///   - separator: The field separator. If it is not a comma, the numbers may have a decimal comma.
  ///   - names: The columns of a file without a header, which may begin with a comment line.
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

  /// Returns the names in the first line, or an empty array if the file is empty.
  private static func header(_ lines: LineScanner, _ separator: FieldSeparator) throws(LogError) -> [String] {
    // The scanner owns the line's bytes.
    defer { withExtendedLifetime(lines) {} }
    guard let line = try lines.next() else { return [] }
    var scanner = FieldScanner(line, separator: separator)
    var names: [String] = []
    while let text = scanner.nextText() { names.append(text) }
    return names
  }

  /// The notes for the user, one sentence each. They are complete at the end of the file.
  var remarks: [String] {
    var remarks = notes
    if leftOut > 0 {
      let lines = leftOut == 1 ? "1 line that cannot be read was" : "\(leftOut) lines that cannot be read were"
      remarks.append("\(name): \(lines) left out, the first in line \(firstLeftOut)")
    }
    return remarks
  }

  /// Appends the rows up to a time, in the order of the file: a row with a later time delays all following rows.
  mutating func read(upTo time: Double, into batch: inout [AuxiliarySample]) throws(LogError) {
    while !isFinished {
      if held == nil { held = try next() }
      guard let sample = held else {
        isFinished = true
        return
      }
      // A row whose time is NaN is not delayed.
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
        // The rest of the file is not text. The rows before are valid.
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
