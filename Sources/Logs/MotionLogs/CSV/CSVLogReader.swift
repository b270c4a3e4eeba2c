internal import InertialNumerics
internal import InertialRotations
package import InertialSensors
internal import InertialSystem

/// Reads any CSV of motion samples row by row, in bounded memory.
///
/// The header determines one of four kinds:
/// - The canonical raw CSV, `time,accelerationX,...,rotationRateX,...,magneticFieldX,...`, in s, g with Core Motion's
///   sign, rad/s and µT, with any of the columns in any order.
/// - A device-motion log with columns of a fused CSV: attitude from a quaternion or Euler angles, raw acceleration =
///   gravity + userAcceleration.
/// - A reference: `time`, a quaternion, optionally `movement`.
/// - Any header that names quantities and units, such as `Gyroscope X (deg/s)`.
///
/// Fields are separated by commas, semicolons, tabs or blanks. Numbers may have a decimal comma if it is not the
/// separator. Columns of other sensors with a known name and unit are read if requested (`LogOptions.auxiliary`). The
/// options must specify what the header omits. Inferences are listed in `description.notes`. Copies of a reader share
/// its position in the file: use only one.
package struct CSVLogReader: LogReader {
  package private(set) var description: LogDescription
  /// The number of rows per batch.
  private static let batchRows = 1024
  /// The mark of a slot without a number: a NaN that no text produces.
  private static let emptyMark = Double(nan: 0x1E, signaling: false)

  private let scanner: LineScanner
  private let layout: CSVLayout
  private let hasStampParts: Bool
  /// Whether times follow from the row numbers. Stored, as reading it from the clock would copy the clock for each row.
  private var isClockOfRows = false
  private let separator: FieldSeparator
  private let headerWord: String
  /// Whether numbers have a decimal comma, or `nil` until a number determines it.
  private var hasDecimalComma: Bool?
  /// The clock of the rows, which `StreamedRows` saves and restores.
  var clock: RowClock?
  private var firstRow: [UInt8]?
  private let firstRowNumber: Int
  /// The values of the slots, row by row: of one row of text, or of all rows of a block of numbers.
  private var values: [Double]
  /// The index in `values` of the current row's first slot.
  private var rowStart = 0
  /// The slots and conversions of the columns with plain numbers, or `nil` for other columns. An action is copied with
  /// its texts to be examined.
  private let plainColumns: [(slot: Int, conversion: UnitConversion)?]
  /// The actions that need a row's numbers together, with the indices of their columns.
  private let rowActions: [(column: Int, action: CSVLayout.Action)]
  /// The current row's samples of auxiliary channels, and whether the row has any of their values.
  private var auxiliary: [AuxiliarySample]
  private var isPresent: [Bool]
  /// The event of each channel in the previous row, or `nil` if the row has no event.
  private var lastEvents: [AuxiliarySample?]
  /// The index in `layout.auxiliary` of the channel that the row names, in an event table.
  private var namedChannel: Int?
  /// The cells of the row that do not match their column's type.
  private var unreadable: [(AuxiliaryChannel, UnreadableCells)] = []
  /// The auxiliary samples that are not yet delivered.
  private var pending: [AuxiliarySample] = []
  private var emptyRows: [Int]
  /// The columns whose texts distinguish rows.
  private var tags: [RowTag]
  /// The channels of the names in a table in long form.
  private var longFormChannels: [SensorChannel?] = []
  /// The first slot of the acceleration, if the log contains it directly.
  private let accelerationSlot: Int?
  /// The number of rows with zeros in place of missing vectors.
  private var zeroRows = 0
  private var firstZeroLine: UInt32 = 0
  private var isFinished = false
  /// The number of rows read, and the lines after the first row that are not rows.
  private var rowCount = 0
  private var unread = UnreadLines()
  private let headerNames: [String]
  /// The last row's time, and whether the header was repeated after it.
  private var lastTime = -Double.infinity
  private var isAfterHeader = false

  /// Opens a CSV ("-" is standard input) and reads its header and first row.
  ///
  /// - Throws: ``LogError`` if the file cannot be read, has no header or no rows, or if neither the header nor the
  ///   options specify the columns.
  package init(path: String, options: LogOptions = LogOptions()) throws(LogError) {
    try self.init(scanner: LineScanner(path: path, mayBeStream: true), path: path, options: options)
  }

  init(
    scanner: LineScanner, path: String, options: LogOptions = LogOptions(), dialect: CSVDialect? = nil
  ) throws(LogError) {
    self.scanner = scanner
    var header = try CSVHeader(scanner, columns: options.columns, dialect: dialect)
    if dialect == nil, options.columns == nil { header.nameLoneAxes(after: path.lastPathPart) }
    scanner.toleratesZeros = true
    layout = try CSVLayoutBuilder.layout(of: header, options: options, path: scanner.name, dialect: dialect)
    guard let first = header.firstRow else {
      throw LogError(
        path: scanner.name, line: header.line, problem: "the file has a header but no rows",
        remedy: "give a log with samples")
    }
    hasStampParts = layout.hasStampParts
    separator = header.separator
    headerWord = options.columns == nil ? "the header has" : "--columns names"
    firstRow = first
    firstRowNumber = header.firstRowNumber
    values = Array(repeating: 0, count: layout.slotCount)
    plainColumns = layout.actions.map { action in
      if case .value(let slot, let conversion) = action { (slot, conversion) } else { nil }
    }
    rowActions = layout.actions.enumerated().compactMap { column, action in
      switch action {
      case .time, .stampPart, .auxiliary: (column, action)
      case .skip, .value, .count, .absence, .channelName, .tag: nil
      }
    }
    auxiliary = layout.auxiliary.map { AuxiliarySample(time: 0, channel: $0) }
    isPresent = Array(repeating: false, count: layout.auxiliary.count)
    lastEvents = Array(repeating: nil, count: layout.auxiliary.count)
    emptyRows = Array(repeating: 0, count: layout.emitters.count)
    tags = layout.tags
    headerNames = header.line == nil ? [] : header.lineNames
    accelerationSlot =
      layout.emitters.lazy.compactMap { emitter in
        if case .plain(.accelerometer, let slot) = emitter { slot } else { nil }
      }.first
    description = LogDescription(
      format: dialect?.id ?? layout.format.rawValue, summary: dialect?.summary ?? layout.format.summary, path: path)
    description.referenceFrame = dialect?.referenceFrame
    description.notes = layout.notes
    description.columns = layout.columns
    description.auxiliaryChannels = Set(layout.auxiliary)
    if let note = header.editNote { description.notes.append(note) }
    if separator != .comma { description.notes.append("fields: separated by \(separator)") }
    description.declaredRate =
      options.sampleRate.flatMap { rate in
        if case .rate = layout.clock { rate } else { nil }
      } ?? dialect?.declaredRate
    try first.withUnsafeBufferPointer { line throws(LogError) in
      try startClock(UnsafeRawBufferPointer(line))
    }
  }

  /// Opens a file of a manufacturer's dialect.
  init(path: String, options: LogOptions, dialect: CSVDialect) throws(LogError) {
    try self.init(scanner: LineScanner(path: path), path: path, options: options, dialect: dialect)
  }

  /// Determines the unit of the times and the decimal sign from the first row.
  private mutating func startClock(_ line: UnsafeRawBufferPointer) throws(LogError) {
    let comma = hasCommaNumbers(line)
    if comma { hasDecimalComma = true }
    var fields = FieldScanner(line, separator: separator, hasDecimalComma: comma)
    var stamp = FieldScanner.Integer.empty
    for action in layout.actions {
      if case .time = action {
        stamp = fields.nextInteger()
        break
      }
      _ = fields.skip()
    }
    let clock = try RowClock(layout.clock, firstStamp: stamp, path: scanner.name)
    description.epoch = clock.epoch
    description.clock = clock.kind
    if let note = clock.note { description.notes.append(note) }
    self.clock = clock
    isClockOfRows = !clock.isColumn
  }

  /// Whether a row has numbers with a decimal comma and no numbers with a decimal point.
  private func hasCommaNumbers(_ line: UnsafeRawBufferPointer) -> Bool {
    var (comma, point) = (
      FieldScanner(line, separator: separator, hasDecimalComma: true),
      FieldScanner(line, separator: separator)
    )
    var (hasComma, hasPoint) = (false, false)
    while true {
      switch (comma.nextNumber(), point.nextNumber()) {
      case (.end, _), (_, .end): return hasComma && !hasPoint
      case (.value, .text): hasComma = true
      case (.text, .value): hasPoint = true
      default: break
      }
    }
  }

  /// The first timestamp, in nanoseconds since 1970, if times count from it.
  var origin: Int64? { clock?.origin }

  package var emptyCounts: [SensorChannel: Int] {
    var counts: [SensorChannel: Int] = [:]
    for (emitter, count) in zip(layout.emitters, emptyRows) { counts[emitter.channel, default: 0] += count }
    return counts
  }

  package var progress: Double { isFinished ? 1 : scanner.progress }

  package mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let before = batch.count
    // A batch without samples would end the log early.
    while !isFinished {
      try readRows(into: &batch, startingAt: before)
      if batch.count > before { return true }
    }
    return false
  }

  private mutating func readRows(into batch: inout [SensorSample], startingAt before: Int) throws(LogError) {
    if var first = firstRow {
      firstRow = nil
      if layout.isEventTable { first = try scanner.quotedRecord(first, separator: separator.rawValue) }
      try first.withUnsafeBufferPointer { line throws(LogError) in
        try readRow(UnsafeRawBufferPointer(line), number: firstRowNumber, into: &batch)
      }
    }
    for _ in 0..<Self.batchRows {
      // The available samples of a live stream are delivered at once.
      if scanner.mayWait, batch.count > before { return }
      guard let line = try scanner.next() else {
        isFinished = true
        try checkUnread()
        try checkSelection()
        if zeroRows > 0 {
          description.lineWarnings.append(
            "\(zeroRows) row\(zeroRows == 1 ? " has" : "s have") zeros for missing values, which are left out (first in line \(firstZeroLine))"
          )
        }
        return
      }
      if line.isEmpty { continue }
      let number = scanner.lineNumber
      if layout.isEventTable {
        let record = try scanner.quotedRecord(Array(line), separator: separator.rawValue)
        try record.withUnsafeBufferPointer { line throws(LogError) in
          try readRow(UnsafeRawBufferPointer(line), number: number, into: &batch)
        }
        continue
      }
      try readRow(line, number: number, into: &batch)
    }
  }

  package mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) {
    batch += pending
    pending.removeAll(keepingCapacity: true)
  }

  /// Reads a block of rows without motion samples. `takeAuxiliary` returns their auxiliary samples. Returns `false` at
  /// the end.
  mutating func readAuxiliaryRows() throws(LogError) -> Bool {
    guard !isFinished else { return false }
    var none: [SensorSample] = []
    try readRows(into: &none, startingAt: 0)
    return true
  }

  /// Adds a note to the description.
  mutating func note(_ text: String) { description.notes.append(text) }

  // MARK: Rows

  /// Reads a row of text: its numbers, its time and its samples.
  ///
  /// - Parameter mustBeRow: Whether any line that is not a row is an error.
  private mutating func readRow(
    _ line: UnsafeRawBufferPointer, number: Int, into batch: inout [SensorSample], mustBeRow: Bool = false
  ) throws(LogError) {
    var time = 0.0
    do throws(LogError) {
      time = try parse(line, number: number, hasDecimalComma: hasDecimalComma ?? false)
    } catch {
      // If the whole row is valid with decimal commas, the log has decimal commas.
      if hasDecimalComma == nil, let found = try? parse(line, number: number, hasDecimalComma: true) {
        hasDecimalComma = true
        time = found
      } else if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        return
      } else if isCutOff(line) {
        description.notes.append("line \(number): the last line is cut off and was left out")
        return
      } else if mustBeRow || rowCount == 0 {
        throw error
      } else {
        try leaveOut(line, number, error)
        return
      }
    }
    rowCount += 1
    if isAfterHeader, try skipSecondRecording(at: time) { return }
    lastTime = time
    if !tags.isEmpty, try !isSelected(time, number) { return }
    if isClockOfRows { time = clock!.nextRow() }
    emit(time: time, line: UInt32(truncatingIfNeeded: number), into: &batch)
    guard !auxiliary.isEmpty else { return }
    for (channel, cell) in unreadable { description.unreadable.add(cell, of: channel) }
    emitAuxiliary(time: time, line: UInt32(truncatingIfNeeded: number))
  }

  /// Reads a row's numbers into `values` and returns its time.
  private mutating func parse(
    _ line: UnsafeRawBufferPointer, number: Int, hasDecimalComma: Bool
  ) throws(LogError) -> Double {
    var fields = FieldScanner(line, separator: separator, hasDecimalComma: hasDecimalComma)
    var time = Double.nan
    if !auxiliary.isEmpty {
      clearAuxiliary()
      namedChannel = nil
      unreadable.removeAll(keepingCapacity: true)
    }
    if hasStampParts { clock?.beginRow() }
    for column in 0..<plainColumns.count {
      if let (slot, conversion) = plainColumns[column] {
        switch fields.nextNumber() {
        case .value(let value): values[slot] = conversion(value)
        case .empty: values[slot] = Self.emptyMark
        case .text: throw notANumber(fields, number)
        case .end: throw wrongCount(fields, number)
        }
        continue
      }
      switch layout.actions[column] {
      case .value: break
      case .tag(let position):
        guard let text = fields.nextBytes() else { throw wrongCount(fields, number) }
        tags[position].take(text)
      case .count(let slot, let conversion):
        switch fields.nextNumber() {
        case .value(let value): values[slot] = conversion.count(value)
        case .empty: values[slot] = Self.emptyMark
        case .text: throw notANumber(fields, number)
        case .end: throw wrongCount(fields, number)
        }
      case .skip:
        guard fields.skip() else { throw wrongCount(fields, number) }
      case .absence(let slot, let count):
        switch fields.nextNumber() {
        case .value(let mark): if mark == -1 { clear(slot, count) }
        case .empty: break
        case .text: throw notANumber(fields, number)
        case .end: throw wrongCount(fields, number)
        }
      case .time:
        let stamp = fields.nextInteger()
        if case .text = stamp { throw notANumber(fields, number) }
        if case .end = stamp { throw wrongCount(fields, number) }
        time = clock?.seconds(stamp) ?? .nan
      case .stampPart(let part):
        switch clock?.take(part, from: &fields) {
        case .text:
          throw notANumber(fields, number, "a \(part == .text ? "date or time of day" : "number") of this clock")
        case .end: throw wrongCount(fields, number)
        default: break
        }
      case .auxiliary(let channel, let cell):
        switch cell.read(&fields, into: &auxiliary[channel]) {
        case .value: isPresent[channel] = true
        case .empty: break
        // A field that is not a number is treated as missing and reported: auxiliary data do not make a log invalid.
        case .text:
          unreadable.append(
            (layout.auxiliary[channel], UnreadableCells(fields, for: cell, path: scanner.name, line: number)))
        case .end: throw wrongCount(fields, number)
        }
      case .channelName:
        guard let name = fields.nextText() else { throw wrongCount(fields, number) }
        namedChannel = layout.auxiliary.firstIndex { $0.name == name }
        // An event without values is still an event.
        if let namedChannel { isPresent[namedChannel] = true }
      }
    }
    if hasStampParts { time = clock?.secondsOfParts() ?? .nan }
    // Some programs end each line with a separator.
    while fields.skip() { guard fields.fieldText.isEmpty else { throw wrongCount(fields, number) } }
    return time
  }

  private mutating func clear(_ slot: Int, _ count: Int) {
    for position in slot..<(slot + count) { values[position] = Self.emptyMark }
  }

  // MARK: Samples

  // These functions are mutating, although most change nothing: others would copy the reader for every row.

  /// Appends the samples of the current row.
  private mutating func emit(time: Double, line: UInt32, into batch: inout [SensorSample]) {
    if let form = layout.longForm {
      emit(form, time: time, line: line, into: &batch)
      return
    }
    var hasZeros = false
    for index in 0..<layout.emitters.count {
      guard var sample = sample(layout.emitters[index], time: time) else {
        emptyRows[index] += 1
        continue
      }
      if sample.x == 0, isNoValue(sample) {
        emptyRows[index] += 1
        hasZeros = true
        continue
      }
      sample.line = line
      batch.append(sample)
    }
    if hasZeros {
      if zeroRows == 0 { firstZeroLine = line }
      zeroRows += 1
    }
  }

  /// Returns the sample of a channel in the current row, or `nil` if one of its fields is empty.
  @inline(__always)
  private mutating func sample(_ emitter: CSVLayout.Emitter, time: Double) -> SensorSample? {
    switch emitter {
    case .plain(let channel, let slot):
      let count = channel.componentCount
      guard !areEmpty(slot, count) else { return nil }
      return SensorSample(
        time: time, channel: channel, x: value(slot), y: count > 1 ? value(slot + 1) : 0,
        z: count > 2 ? value(slot + 2) : 0, w: count > 3 ? value(slot + 3) : 0)
    case .calibratedField(let slot, let accuracy):
      guard !areEmpty(slot, 3) else { return nil }
      let reported = accuracy.map { isEmpty($0) ? .nan : value($0) } ?? .nan
      return SensorSample(time: time, channel: .calibratedMagneticField, vector(slot), w: reported)
    case .accelerationSum(let gravity, let user):
      guard !areEmpty(gravity, 3), !areEmpty(user, 3) else { return nil }
      return SensorSample(time: time, channel: .accelerometer, vector(gravity) + vector(user))
    case .accelerationFromAttitude(let slot, let isEuler, let user):
      guard !areEmpty(slot, isEuler ? 3 : 4), !areEmpty(user, 3) else { return nil }
      let attitude =
        isEuler
        ? attitudeFromEuler(slot)
        : Quaternion(x: value(slot), y: value(slot + 1), z: value(slot + 2), w: value(slot + 3)).normalized
      guard let attitude else { return nil }
      let gravity = attitude.rotateInverse(Vector3(0, 0, -1))
      return SensorSample(time: time, channel: .accelerometer, gravity + vector(user))
    case .attitudeFromEuler(let slot):
      guard !areEmpty(slot, 3) else { return nil }
      return SensorSample(time: time, channel: .deviceAttitude, attitudeFromEuler(slot))
    case .attitudeFromAerospace(let slot):
      guard !areEmpty(slot, 3) else { return nil }
      let angles = AerospaceAngles(roll: value(slot), pitch: value(slot + 1), yaw: value(slot + 2))
      // The formula of the three rotations holds for every earth frame whose z axis is the yaw axis.
      return SensorSample(time: time, channel: .deviceAttitude, angles.earthNEDFromBodyFRD)
    }
  }

  /// Whether a sample's zeros stand for a missing value. No sensor measures an acceleration, field or attitude of
  /// exactly zero, and rotation rates of exactly zero are missing if the acceleration is also zero.
  private mutating func isNoValue(_ sample: SensorSample) -> Bool {
    guard sample.y == 0, sample.z == 0 else { return false }
    switch sample.channel {
    case .accelerometer, .magnetometer, .calibratedMagneticField: return true
    case .deviceAttitude, .referenceAttitude: return sample.w == 0
    case .gyroscope: return accelerationSlot.map { vector($0) == .zero } ?? false
    default: return false
    }
  }

  private mutating func emit(_ form: LongForm, time: Double, line: UInt32, into batch: inout [SensorSample]) {
    guard let name = tags[form.tag].current, !areEmpty(form.slot, 3) else { return }
    while longFormChannels.count <= name {
      longFormChannels.append(LongForm.channel(tags[form.tag].text(tags[form.tag].values[longFormChannels.count])))
    }
    guard let channel = longFormChannels[name] else { return }
    let conversion = form.conversion(channel)
    func converted(_ axis: Int) -> Double {
      let number = value(form.slot + axis)
      return conversion.isCount ? conversion.count(number) : conversion(number)
    }
    var sample = SensorSample(time: time, channel: channel, x: converted(0), y: converted(1), z: converted(2))
    sample.line = line
    batch.append(sample)
  }

  @inline(__always)
  private mutating func isEmpty(_ slot: Int) -> Bool {
    values[rowStart + slot].bitPattern == Self.emptyMark.bitPattern
  }

  private mutating func areEmpty(_ slot: Int, _ count: Int) -> Bool {
    for position in slot..<(slot + count) where isEmpty(position) { return true }
    return false
  }

  /// Returns the current row's value of a slot.
  @inline(__always)
  private mutating func value(_ slot: Int) -> Double { values[rowStart + slot] }

  private mutating func vector(_ slot: Int) -> Vector3 { Vector3(value(slot), value(slot + 1), value(slot + 2)) }

  private mutating func attitudeFromEuler(_ slot: Int) -> Quaternion {
    Quaternion(
      eulerAngles: EulerAngles(roll: value(slot), pitch: value(slot + 1), yaw: value(slot + 2)))
  }

  // MARK: Samples of other channels

  /// Adds the current row's samples of other channels to the pending ones.
  private mutating func emitAuxiliary(time: Double, line: UInt32) {
    if layout.isEventTable {
      if let namedChannel { addPending(auxiliary[namedChannel], time, line) }
      return
    }
    for index in auxiliary.indices {
      let channel = layout.auxiliary[index]
      guard isPresent[index] else {
        lastEvents[index] = nil
        continue
      }
      let sample = auxiliary[index]
      if channel.isEvent {
        // A status that every row repeats is an event only when it changes.
        let isRepeated = lastEvents[index]?.hasSameValues(as: sample) ?? false
        guard !isRepeated else { continue }
        lastEvents[index] = sample
      }
      if let position = layout.listPlaces[channel], !sample.texts[position].isEmpty {
        for one in AuxiliaryCell.listedSamples(sample, place: position) { addPending(one, time, line) }
      } else {
        addPending(sample, time, line)
      }
    }
  }

  private mutating func addPending(_ sample: AuxiliarySample, _ time: Double, _ line: UInt32) {
    var sample = sample
    sample.time = time
    sample.line = line
    pending.append(sample)
  }

  private mutating func clearAuxiliary() {
    for index in auxiliary.indices where isPresent[index] {
      auxiliary[index] = AuxiliarySample(time: 0, channel: layout.auxiliary[index])
      isPresent[index] = false
    }
  }

  // MARK: Rows of other readers

  /// Reads a row that does not come from the reader's own file.
  ///
  /// - Throws: ``LogError`` if the line is not a row of the table.
  mutating func take(
    line: UnsafeRawBufferPointer, number: Int, into batch: inout [SensorSample]
  ) throws(LogError) {
    var edited: [UInt8] = []
    guard let edit = scanner.edit, edit.apply(line, into: &edited) else {
      return try readRow(line, number: number, into: &batch, mustBeRow: true)
    }
    try edited.withUnsafeBufferPointer { line throws(LogError) in
      try readRow(UnsafeRawBufferPointer(line), number: number, into: &batch, mustBeRow: true)
    }
  }

  /// Reads rows of numbers from another file or from memory. Line numbers are row numbers.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of each row in the first column, then those in the second, and so on.
  ///   - rows: The numbers of the rows, counted from 1; not empty.
  ///   - nanIsEmpty: Whether NaN stands for an empty field instead of an invalid number.
  ///   - stamp: Returns the integer in a time column and a row, counted from 0 in `rows`, if it is known more precisely
  ///     than in `numbers`.
  mutating func take(
    _ numbers: [Double], rows: Range<Int>, into batch: inout [SensorSample], nanIsEmpty: Bool = false,
    stamp: (_ column: Int, _ row: Int) -> Int64? = { _, _ in nil }
  ) {
    let count = rows.count
    fillSlots(numbers, rowCount: count, nanIsEmpty: nanIsEmpty)
    defer { rowStart = 0 }
    for row in 0..<count {
      rowStart = row * layout.slotCount
      var time = Double.nan
      if !auxiliary.isEmpty { clearAuxiliary() }
      if hasStampParts { clock?.beginRow() }
      for (column, action) in rowActions {
        let value = numbers[column * count + row]
        switch action {
        case .time: time = clock?.seconds(stamp(column, row).map { .integer($0) } ?? .value(value)) ?? .nan
        case .stampPart(let part): clock?.take(part, value)
        case .auxiliary(let channel, let cell):
          if !value.isNaN, cell.take(value, into: &auxiliary[channel]) { isPresent[channel] = true }
        case .skip, .value, .count, .absence, .channelName, .tag: break
        }
      }
      if hasStampParts { time = clock?.secondsOfParts() ?? .nan }
      if isClockOfRows { time = clock!.nextRow() }
      let line = UInt32(truncatingIfNeeded: rows.lowerBound + row)
      emit(time: time, line: line, into: &batch)
      if !auxiliary.isEmpty { emitAuxiliary(time: time, line: line) }
    }
  }

  /// Sets the slots of rows, column by column: an action is chosen once for all rows.
  private mutating func fillSlots(_ numbers: [Double], rowCount count: Int, nanIsEmpty: Bool) {
    let (width, empty) = (layout.slotCount, Self.emptyMark)
    if values.count < count * width { values = Array(repeating: 0, count: count * width) }
    for (column, action) in layout.actions.enumerated() {
      let start = column * count
      switch action {
      case .value(let slot, let conversion):
        for row in 0..<count {
          let value = numbers[start + row]
          values[row * width + slot] = nanIsEmpty && value.isNaN ? empty : conversion(value)
        }
      case .count(let slot, let conversion):
        for row in 0..<count {
          let value = numbers[start + row]
          values[row * width + slot] = value.isNaN ? empty : conversion.count(value)
        }
      case .absence(let slot, let slotCount):
        for row in 0..<count where numbers[start + row] == -1 { clear(row * width + slot, slotCount) }
      case .skip, .time, .stampPart, .auxiliary, .channelName, .tag: break
      }
    }
  }

  // MARK: Lines that are not rows

  /// The number of unreadable lines accepted in any log. More are accepted up to a quarter of the rows.
  private static let maximumUnreadableLineCount = 32
  private var hasTooManyUnreadableLines: Bool { 4 * unread.count > rowCount }

  /// Counts a line that cannot be read as a row.
  ///
  /// - Throws: The line's error if too many lines cannot be read.
  private mutating func leaveOut(_ line: UnsafeRawBufferPointer, _ number: Int, _ error: LogError) throws(LogError) {
    let begin = line.first { $0 != 0x20 && $0 != 0x09 }
    if begin == 0x23 || begin == 0x25 || line.starts(with: [0x2F, 0x2F]) { return unread.countComment() }
    if isHeader(line) {
      (isAfterHeader, unread.headerLine) = (true, number)
      return unread.add(number, "the header again")
    }
    unread.add(number, error.problem, error)
    if unread.count > Self.maximumUnreadableLineCount, hasTooManyUnreadableLines, let first = unread.error {
      throw first
    }
  }

  /// Whether a line is the log's last line and incomplete, as after a recorder's power loss.
  private func isCutOff(_ line: UnsafeRawBufferPointer) -> Bool {
    scanner.isUnterminated && scanner.lineNumber > firstRowNumber
      && FieldScanner(line, separator: separator).totalCount < layout.actions.count
  }

  /// Whether a line repeats the header.
  private func isHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    guard headerNames.count > 1 else { return false }
    var fields = FieldScanner(line, separator: separator)
    return headerNames.allSatisfy { $0 == fields.nextText() }
  }

  /// Skips the rest of the log if a row after a repeated header begins another recording, and returns whether it does.
  private mutating func skipSecondRecording(at time: Double) throws(LogError) -> Bool {
    isAfterHeader = false
    guard time < lastTime else { return false }
    var count = 1
    while let line = try scanner.next() { count += line.isEmpty ? 0 : 1 }
    unread.startSecond(count)
    return true
  }

  /// Describes the lines that are not rows.
  ///
  /// - Throws: The first error if they are more than a quarter of the rows.
  private mutating func checkUnread() throws(LogError) {
    if let error = unread.error, hasTooManyUnreadableLines { throw error }
    if let zeros = scanner.zeros { unread.add(zeros.line, "\(zeros.count) zero bytes") }
    unread.describe(&description)
  }

  private func notANumber(_ fields: FieldScanner, _ line: Int, _ wanted: String = "a number") -> LogError {
    let text = fields.fieldText
    return LogError(
      path: scanner.name, line: line, column: fields.column,
      problem: "\"\(text.count > 40 ? text.prefix(40) + "..." : text[...])\" is not \(wanted)",
      remedy: "correct the field, or leave it empty for no sample")
  }

  private func wrongCount(_ fields: FieldScanner, _ line: Int) -> LogError {
    let count = fields.totalCount
    if separator == .comma, count > layout.actions.count, hasDecimalPieces(fields) {
      return LogError(
        path: scanner.name, line: line, column: 1,
        problem:
          "commas are both the separators and the decimal signs: \(count) pieces for \(layout.actions.count) columns",
        remedy: "export it with semicolons or tabs between the fields, or with decimal points")
    }
    return LogError(
      path: scanner.name, line: line, column: min(count, layout.actions.count) + 1,
      problem:
        "the line has \(count) \(count == 1 ? "field" : "fields"), \(headerWord) \(layout.actions.count)",
      remedy: "correct or remove the line")
  }

  /// Whether a line has only whole numbers, at least one of them with three digits like the decimals of a number.
  private func hasDecimalPieces(_ fields: FieldScanner) -> Bool {
    var (fields, isLong) = (fields.fromStart, false)
    while true {
      switch fields.nextInteger() {
      case .integer: isLong = isLong || fields.fieldText.count(where: \.isNumber) >= 3
      case .end: return isLong
      case .value, .text, .empty: return false
      }
    }
  }

  // MARK: Selected rows

  /// Whether the current row is selected.
  ///
  /// - Throws: ``LogError`` if the rows come from several devices and none of them was chosen.
  private mutating func isSelected(_ time: Double, _ number: Int) throws(LogError) -> Bool {
    for position in tags.indices where position != layout.longForm?.tag {
      guard tags[position].wanted == nil else {
        guard tags[position].isSelected else { return false }
        tags[position].selectedRows += 1
        continue
      }
      if tags[position].findsSeveral(at: time) {
        readOtherValues(of: position)
        let tag = tags[position]
        throw LogError(
          path: scanner.name, line: number, column: tag.column + 1,
          problem: "the rows are of several devices or recordings, by the column \"\(tag.name)\": \(tag.listed)",
          remedy: "choose one, as in: inertial fuse \(scanner.name) \(tag.choice)")
      }
    }
    return true
  }

  /// Reads further rows to find the other values of a tag's column, for a message.
  private mutating func readOtherValues(of position: Int) {
    for _ in 0..<10_000 where !scanner.mayWait {
      guard let line = (try? scanner.next()) ?? nil else { return }
      var fields = FieldScanner(line, separator: separator)
      for _ in 0..<tags[position].column { _ = fields.skip() }
      if let bytes = fields.nextBytes() { tags[position].take(bytes) }
    }
  }

  /// - Throws: ``LogError`` if rows were chosen and the log does not contain them.
  private mutating func checkSelection() throws(LogError) {
    guard let tag = tags.first(where: { $0.wanted != nil && $0.selectedRows == 0 }) else {
      description.selectionNote = tags.first { $0.wanted != nil && $0.selectedRows < $0.rows }?.selectionNote
      return
    }
    throw LogError(
      path: scanner.name, column: tag.column + 1,
      problem: "no row has \"\(tag.text(tag.wanted ?? []))\" in the column \"\(tag.name)\" (found: \(tag.listed))",
      remedy: "use --where with one of the values found")
  }
}
