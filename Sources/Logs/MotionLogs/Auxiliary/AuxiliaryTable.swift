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
  let channel: AuxiliaryChannel
  var auxiliaryChannels: Set<AuxiliaryChannel> { [channel] }
  private let name: String
  private let lines: LineScanner
  /// The cell of each column, or `nil` for the timestamp and for a column to skip.
  private let cells: [AuxiliaryCell?]
  /// The index of the column of timestamps, counted from 0.
  private let stampColumn: Int
  private let clock: TableClock
  private let separator: FieldSeparator
  /// Whether the numbers have a decimal comma; `nil` until a line determines it.
  private var hasDecimalComma: Bool?
  private let hasHeader: Bool
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
    hasDecimalComma = separator == .comma || separator == .blanks ? false : nil
    lines = try LineScanner(path: path)
    hasHeader = names == nil
    let columns = if let names { names } else { try lines.next().map { FieldScanner.texts($0, separator) } ?? [] }
    guard !columns.isEmpty else {
      found.append("\(file.name) is empty")
      return nil
    }
    let stampColumn = columns.firstIndex(of: stamp)
    cells = columns.enumerated().map { column, text in
      column == stampColumn
        ? nil : file.columns.lazy.filter { $0.header == text }.compactMap { $0.cell(in: file.channel) }.first
    }
    guard let stampColumn, cells.contains(where: { $0 != nil }) else {
      found.append("\(file.name): no column \(stampColumn != nil ? "of \(channel.name)" : stamp), not read")
      return nil
    }
    self.stampColumn = stampColumn
    let unknown = columns.indices.filter { cells[$0] == nil && $0 != stampColumn }.map { columns[$0] }
      .filter { !file.ignored.contains($0) && !$0.isEmpty }
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
      if lines.lineNumber == 1, !hasHeader, TableSource.isComment(line) { continue }
      if let sample = sample(line) { return sample }
      leaveOut()
    }
  }

  private mutating func leaveOut() {
    leftOut += 1
    if leftOut == 1 { firstLeftOut = lines.lineNumber }
  }

  private mutating func sample(_ line: UnsafeRawBufferPointer) -> AuxiliarySample? {
    if hasDecimalComma == nil { hasDecimalComma = FieldScanner.decimalComma(in: line) }
    var fields = FieldScanner(line, separator: separator, hasDecimalComma: hasDecimalComma ?? false)
    var sample = AuxiliarySample(time: .nan, channel: channel)
    var unreadable: [UnreadableCells] = []
    for (column, cell) in cells.enumerated() {
      if column == stampColumn {
        sample.time = clock.seconds(fields.nextInteger())
        if sample.time.isNaN { return nil }
      } else if let cell {
        switch cell.read(&fields, into: &sample) {
        case .value, .empty: break
        case .text: unreadable.append(UnreadableCells(fields, for: cell, path: name, line: lines.lineNumber))
        case .end: return nil
        }
      } else if !fields.skip() {
        return nil
      }
    }
    if fields.skip() { return nil }
    for cell in unreadable { self.unreadable.add(cell, of: channel) }
    sample.line = UInt32(truncatingIfNeeded: lines.lineNumber)
    return sample
  }
}
