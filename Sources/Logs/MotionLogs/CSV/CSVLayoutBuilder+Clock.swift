internal import InertialSensors

/// The first rows of a column that may be a clock.
private struct StampColumn {
  let index: Int
  /// The texts of all fields, and of the fields that are dates or times of day.
  private(set) var (texts, dateTexts): ([[UInt8]], [[UInt8]]) = ([], [])
  /// The finite numbers, in the order of the rows.
  private(set) var numbers: [Double] = []
  /// The dates and times of day, in the order of the rows.
  private(set) var dates: [DateText] = []

  init(index: Int) { self.index = index }

  /// Adds the next row's field.
  mutating func add(_ bytes: UnsafeBufferPointer<CChar>, _ separator: FieldSeparator) {
    let raw = UnsafeRawBufferPointer(bytes)
    texts.append(Array(raw))
    for hasDecimalComma in separator == .comma ? [false] : [false, true] {
      var number = FieldScanner(raw, separator: .tab, hasDecimalComma: hasDecimalComma)
      switch number.nextInteger() {
      case .integer(let value): return numbers.append(Double(value))
      case .value(let value): return numbers += value.isFinite ? [value] : []
      case .empty, .end: return
      case .text: break
      }
    }
    guard let date = DateText(bytes) else { return }
    dates.append(date)
    dateTexts.append(texts[texts.count - 1])
  }

  var isNumeric: Bool { !numbers.isEmpty && dates.isEmpty }
  var isText: Bool { !dates.isEmpty && numbers.isEmpty }
  var hasDates: Bool { isText && dates.allSatisfy(\.hasDate) }
  /// Whether there are times of day. The midnight that programs append to every date is ignored.
  var hasTimes: Bool { isText && dates.contains { $0.nanoseconds != nil && (!$0.hasDate || $0.nanoseconds != 0) } }
  var isWhole: Bool { isNumeric && numbers.allSatisfy { $0 == $0.rounded() } }

  /// Whether several rows share timestamps in whole seconds.
  var isWholeAndRepeats: Bool {
    if isText {
      return dates.allSatisfy { $0.fractionDigits == 0 } && zip(dates.dropFirst(), dates).contains { $0 == $1 }
    }
    return isWhole && zip(numbers.dropFirst(), numbers).contains { $0 == $1 }
  }

  /// Whether a number is less than its predecessor.
  var stepsBack: Bool { zip(numbers.dropFirst(), numbers).contains { $0 < $1 } }

  /// The typical interval between rows, counting repeated times, or `nil` if there are too few rows or the times do not
  /// increase.
  var meanStep: Double? {
    let numbers = numbers
    guard numbers.count >= 8 else { return nil }
    var steps = zip(numbers.dropFirst(), numbers).map { $0 - $1 }
    // The newest row may come first.
    if numbers.last! < numbers[0] { steps = steps.map { -$0 } }
    guard 10 * steps.count(where: { $0 < 0 }) <= steps.count else { return nil }
    let rising = steps.filter { $0 > 0 }.sorted()
    guard !rising.isEmpty else { return nil }
    let fraction = Double(rising.count) / Double(steps.count(where: { $0 >= 0 }))
    return rising[rising.count / 2] * fraction
  }

  /// Returns the number of digits of fractions without leading zeros (1.5 is 1.005), or `nil` if the fractions are
  /// decimal. Read as decimals, such fractions make the clock step back repeatedly; read as padded numbers, they do
  /// not.
  func unpaddedDigits(_ texts: [[UInt8]]) -> Int? {
    guard isText || stepsBack else { return nil }
    var digits = 0
    var (decimal, whole): ([Double], [Double]) = ([], [])
    let parts = texts.compactMap { text -> (Substring, Substring)? in
      let text = String(decoding: text, as: UTF8.self)
      guard let point = text.lastIndex(where: { $0 == "." || $0 == "," }) else { return nil }
      return (text[..<point], text[text.index(after: point)...])
    }
    guard parts.count == texts.count, parts.count >= 8 else { return nil }
    for (_, fraction) in parts {
      guard fraction.count <= 9, fraction.allSatisfy(\.isNumber), fraction == "0" || fraction.first != "0" else {
        return nil
      }
      digits = max(digits, fraction.count)
    }
    guard [3, 6, 9].contains(digits), parts.contains(where: { $0.1.count < digits }) else { return nil }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    for (front, fraction) in parts {
      // The seconds after the last colon, or the number itself. Only the order matters.
      guard let second = Double(front.split(separator: ":").last ?? ""), let number = Double(fraction) else {
        return nil
      }
      decimal.append(second + (Double("0.\(fraction)") ?? 0))
      whole.append(second + number / scale)
    }
    func backwardSteps(_ times: [Double]) -> Int { zip(times.dropFirst(), times).count { $0 < $1 && $1 - $0 < 1.5 } }
    return backwardSteps(decimal) > 0 && backwardSteps(whole) == 0 ? digits : nil
  }
}

extension CSVLayoutBuilder {
  /// The days to 1970-01-01 from 1899-12-30, the origin of spreadsheets, and from the year 0, the origin of MATLAB.
  private static let (spreadsheetDays, matlabDays) = (25_569.0, 719_529.0)
  /// The maximum interval between the rows of a motion log, in seconds.
  private static let slowestStep = 2.0
  /// The rates for which a unit of time is certain, in Hz. Sensors do not have rates a thousand times higher or lower.
  private static let certainRates = 12.0...1000.0
  private static let nanosecondsPerDay = 86_400e9
  /// The number of rows that determine a clock. Clocks of whole seconds require more.
  private static let shownRows = 256

  mutating func chooseClock() throws(LogError) {
    if let ticks = dialect?.ticks, let column = header.names.firstIndex(where: { $0.text == ticks.column }) {
      layout.actions[column] = .time
      layout.clock = .ticks(ticks)
      layout.notes.append(ticks.note)
      return
    }
    var times = header.names.indices.filter { header.names[$0].meaning?.quantity == .time }
    if times.isEmpty, options.columns == nil, let dates = dateColumn() { times = [dates] }
    guard let first = columns[Key(quantity: .time, axis: 0)] ?? times.first else { return try chooseRate() }
    let stamps = stampColumns(times)
    let column = bestClock(times, first, stamps)
    let others = times.filter { $0 != column }
    if stamps[column]?.isText == true {
      chooseText(stamps[column]!, others.compactMap { stamps[$0] })
    } else {
      chooseNumbers(column, stamps[column], others.compactMap { stamps[$0] })
    }
    let unread = others.filter { if case .skip = layout.actions[$0] { true } else { false } }
    if options.sampleRate != nil {
      layout.notes.append("--sample-rate not used: the log has times in \"\(header.names[column].text)\"")
    } else if !unread.isEmpty {
      layout.notes.append("time: from \"\(header.names[column].text)\", the other clocks are not read")
    }
  }

  /// Returns a column of dates or times with an unknown name, or `nil` if there is no such column.
  private func dateColumn() -> Int? {
    let unknown = header.names.indices.filter { header.names[$0].meaning == nil && !header.names[$0].text.isEmpty }
    guard !unknown.isEmpty else { return nil }
    let stamps = stampColumns(unknown, rows: 16)
    return unknown.first { column in
      stamps[column].map { $0.texts.count >= 2 && $0.isText && $0.hasTimes && $0.dates.count == $0.texts.count }
        ?? false
    }
  }

  /// Chooses the rate of rows without timestamps.
  private mutating func chooseRate() throws(LogError) {
    guard let rate = options.sampleRate else {
      var error = failure(
        "no column of time (found: \(header.found))",
        remedy: dialect?.clockRemedy
          ?? "give --sample-rate HZ if the rows are evenly spaced, or name the columns with --columns")
      error.question = .sampleRate
      throw error
    }
    guard rate > 0, rate.isFinite else {
      throw failure("the sample rate \(rate) Hz is not valid", remedy: "give --sample-rate a number above 0")
    }
    layout.clock = .rate(rate)
    layout.notes.append("time: row number / \(rate) Hz, by --sample-rate")
  }

  /// Returns the first rows of the time columns.
  private func stampColumns(_ times: [Int]) -> [Int: StampColumn] {
    let found = stampColumns(times, rows: Self.shownRows)
    // Rows of several whole seconds are required.
    return found.values.contains(where: \.isWholeAndRepeats) ? stampColumns(times, rows: .max) : found
  }

  private func stampColumns(_ times: [Int], rows: Int) -> [Int: StampColumn] {
    var found = Dictionary(uniqueKeysWithValues: times.map { ($0, StampColumn(index: $0)) })
    for row in header.firstRows(rows) {
      row.withUnsafeBytes { line in
        var fields = FieldScanner(line, separator: header.separator)
        for column in 0...times.last! {
          guard let bytes = fields.nextBytes() else { return }
          found[column]?.add(bytes, header.separator)
        }
      }
    }
    return found
  }

  /// Returns the preferred clock: one with a known unit, else dates, else numbers of an unknown unit. In a folder, a
  /// clock with an epoch common to all files is preferred.
  private func bestClock(_ times: [Int], _ first: Int, _ stamps: [Int: StampColumn]) -> Int {
    func isClock(_ column: Int) -> Bool {
      guard let stamps = stamps[column], !stamps.texts.isEmpty else { return true }
      return stamps.isNumeric || stamps.hasTimes
    }
    func isKnown(_ column: Int) -> Bool { meaning(column).unit != .absent && stamps[column]?.isText != true }
    func hasDateAndTime(_ column: Int) -> Bool { stamps[column].map { $0.hasDates && $0.hasTimes } ?? false }
    var clocks = times.filter(isClock)
    // The fraction of a second is not a clock if there is another clock.
    if clocks.count > 1 { clocks.removeAll { column in stamps[column].map { isFine($0) && $0.stepsBack } ?? false } }
    if dialect?.prefersSharedClock == true,
      let shared = clocks.first(where: { isKnown($0) && isUNIX($0, stamps[$0]) }) ?? clocks.first(where: hasDateAndTime)
    {
      return shared
    }
    guard let any = clocks.first else { return first }
    if clocks.contains(first), meaning(first).isCanonical { return first }
    return clocks.first(where: isKnown) ?? clocks.first(where: hasDateAndTime) ?? clocks.first {
      stamps[$0]?.isText == true
    }
      ?? any
  }

  private func isUNIX(_ column: Int, _ stamps: StampColumn?) -> Bool {
    guard case .written(let unit) = meaning(column).unit, let conversion = Dimension.time.conversion(from: unit),
      let stamp = stamps?.numbers.first
    else { return false }
    return RowClock.unixSeconds.contains(conversion(stamp))
  }

  // MARK: Numbers

  private mutating func chooseNumbers(_ column: Int, _ stamps: StampColumn?, _ others: [StampColumn]) {
    let name = header.names[column].text
    layout.actions[column] = .time
    if let unit = options.timeUnit {
      layout.clock = .known(unit)
      layout.notes.append("time: in \(unit.rawValue), by option")
      return
    }
    var unit: Dimension.TimeUnit?
    if case .written(let written) = meaning(column).unit, let found = Dimension.time.conversion(from: written) {
      unit = Dimension.TimeUnit(found)
      if found != .identity { layout.notes.append("time: in \(written), from the header") }
    }
    if let stamps {
      if unit == nil || unit == .days, chooseDays(stamps, others) { return }
      if unit == nil || unit == .seconds,
        chooseSeconds(stamps, others, isCertain: unit != nil || meaning(column).isCanonical)
      {
        return
      }
    }
    if let unit {
      layout.clock = .known(unit)
    } else if meaning(column).isCanonical, !isOfOtherTable(stamps) {
      layout.clock = .secondsOrUNIXNanoseconds
    } else if let unit = stamps.flatMap(certainUnit) {
      layout.clock = .known(unit)
      layout.notes.append(
        "time: \"\(name)\" has no unit, interpreted as \(unit.rawValue): no other unit gives a plausible "
          + "sensor rate; --time-unit if not")
    } else {
      layout.clock = .unknown(line: header.line, column: column + 1, name: name)
    }
  }

  /// Whether the numbers of a column `time` cannot be the canonical CSV's seconds: a table with other names, with
  /// seconds between the rows.
  private func isOfOtherTable(_ stamps: StampColumn?) -> Bool {
    guard let first = stamps?.numbers.first, !RowClock.isUNIXNanoseconds(.value(first)),
      let step = stamps?.meanStep, step >= Self.slowestStep
    else { return false }
    return columns.values.contains { !meaning($0).isCanonical }
  }

  /// Returns the only unit with a plausible sample rate, or `nil` if no unit has one or the numbers may be UNIX times
  /// or row numbers.
  private func certainUnit(_ stamps: StampColumn) -> Dimension.TimeUnit? {
    guard let first = stamps.numbers.first, abs(first) < 1e17, let step = stamps.meanStep,
      !stamps.isWhole || step != 1
    else { return nil }
    return [Dimension.TimeUnit.seconds, .milliseconds, .microseconds, .nanoseconds].first {
      Self.certainRates.contains(1 / $0.conversion(step))
    }
  }

  /// Chooses day numbers of spreadsheets or MATLAB, or a date in one column and the fraction of the day in the next.
  private mutating func chooseDays(_ stamps: StampColumn, _ others: [StampColumn]) -> Bool {
    guard let first = stamps.numbers.first else { return false }
    let (days, program): (Double, String)
    switch first {
    case 20_000..<80_000: (days, program) = (Self.spreadsheetDays, "a spreadsheet's")
    case 690_000..<800_000: (days, program) = (Self.matlabDays, "MATLAB's")
    default: return false
    }
    var parts = [stamps.index]
    if let step = stamps.meanStep {
      // The rate is plausible for days, but not for seconds.
      guard (0.5...20_000).contains(1 / (step * 86_400)) else { return false }
    } else {
      guard stamps.isWhole, stamps.numbers.allSatisfy({ abs($0 - first) <= 1 }),
        let time = others.first(where: { $0.isNumeric && $0.numbers.allSatisfy((0..<1).contains) && $0.meanStep != nil }
        )
      else { return false }
      parts.append(time.index)
    }
    for part in parts {
      layout.actions[part] = .stampPart(.number(nanoseconds: Self.nanosecondsPerDay, zero: part == parts[0] ? days : 0))
    }
    var clock = CSVLayout.Parts(kind: LogClock(.date, unit: .days))
    clock.origin = firstSum(parts, clock)
    clock.epoch = clock.origin.map { Double($0) / 1e9 }
    layout.clock = .parts(clock)
    layout.notes.append("time: \(program) numbers of days, interpreted as UTC, to seconds since the first sample")
    return true
  }

  /// Chooses seconds with nanoseconds in another column, with fractions without leading zeros, or without fractions.
  ///
  /// - Parameter isCertain: Whether the header or the format specifies seconds.
  private mutating func chooseSeconds(_ stamps: StampColumn, _ others: [StampColumn], isCertain: Bool) -> Bool {
    if stamps.isWhole, let fine = others.first(where: isFine), let unit = unit(fine) {
      layout.actions[stamps.index] = .stampPart(.number(nanoseconds: 1e9))
      layout.actions[fine.index] = .stampPart(.number(nanoseconds: (unit.conversion(1) * 1e9).rounded()))
      layout.notes.append(
        "time: \"\(header.names[stamps.index].text)\" and \"\(header.names[fine.index].text)\" together")
      setSeconds(stamps, [stamps.index, fine.index])
      return true
    }
    guard isCertain else { return false }
    if let digits = stamps.unpaddedDigits(stamps.texts) {
      layout.actions[stamps.index] = .stampPart(.unpadded(digits: digits))
      layout.notes.append(Self.unpaddedNote(digits))
      setSeconds(stamps, [stamps.index])
      return true
    }
    guard stamps.isWhole, let rate = wholeSeconds(stamps.numbers.compactMap { Int64(exactly: $0) }) else {
      return false
    }
    layout.actions[stamps.index] = .stampPart(.number(nanoseconds: 1e9))
    setSeconds(stamps, [stamps.index], rate)
    return true
  }

  private mutating func setSeconds(
    _ stamps: StampColumn, _ parts: [Int], _ wholeSeconds: (rate: Double, first: Int)? = nil
  ) {
    let isUNIX = stamps.numbers.first.map(RowClock.unixSeconds.contains) ?? false
    var clock = CSVLayout.Parts(kind: LogClock(isUNIX ? .unix : .unstated, unit: .seconds))
    if isUNIX, parts.count > 1 { clock.origin = firstSum(parts, clock) }
    clock.epoch = isUNIX ? clock.origin.map { Double($0) / 1e9 } ?? 0 : nil
    clock.wholeSeconds = wholeSeconds
    layout.clock = .parts(clock)
  }

  private func unit(_ stamps: StampColumn) -> Dimension.TimeUnit? {
    guard case .written(let unit) = meaning(stamps.index).unit else { return nil }
    return Dimension.time.conversion(from: unit).flatMap { Dimension.TimeUnit($0) }
  }

  /// Whether a column has fractions of seconds, in milliseconds, microseconds or nanoseconds.
  private func isFine(_ column: StampColumn) -> Bool {
    guard let unit = unit(column), ![.seconds, .minutes, .hours, .days].contains(unit), column.isWhole else {
      return false
    }
    return column.numbers.allSatisfy { (0..<1).contains(unit.conversion($0)) }
  }

  // MARK: Dates

  private mutating func chooseText(_ stamps: StampColumn, _ others: [StampColumn]) {
    var (stamps, parts) = (stamps, [stamps.index])
    var dates = stamps.dates
    var notes: [String] = []
    if !stamps.hasDates, let day = others.first(where: { $0.hasDates && !$0.hasTimes }) {
      parts.insert(day.index, at: 0)
      dates = day.dates
      notes.append("\"\(header.names[day.index].text)\" and \"\(header.names[stamps.index].text)\" together")
    }
    let hasDates = dates.allSatisfy(\.hasDate)
    var clock = CSVLayout.Parts(kind: LogClock(hasDates ? .date : .timeOfDay))
    clock.isTimeOfDay = !hasDates
    clock.unpadded = stamps.unpaddedDigits(stamps.dateTexts)
    if let digits = clock.unpadded { layout.notes.append(Self.unpaddedNote(digits)) }
    if hasDates { chooseOrder(dates, &clock, &notes) }
    let zone = parts.compactMap { ColumnName.splitUnit(header.names[$0].text[...]).1.flatMap(DateText.zone) }.first
    clock.zone = zone ?? 0
    let own = stamps.dates.first?.zone
    if hasDates {
      notes.append(
        own != nil
          ? "with the time zone in the text"
          : zone != nil ? "in the time zone of the header" : "without a time zone, interpreted as UTC")
    }
    let fine = stamps.dates.allSatisfy({ $0.fractionDigits == 0 }) ? others.first(where: isFine) : nil
    for part in parts { layout.actions[part] = .stampPart(.text) }
    if let fine, let unit = unit(fine) {
      parts.append(fine.index)
      layout.actions[fine.index] = .stampPart(.number(nanoseconds: (unit.conversion(1) * 1e9).rounded()))
      notes.append("the fractions of seconds from \"\(header.names[fine.index].text)\"")
    } else if stamps.dates.allSatisfy({ $0.fractionDigits == 0 }) {
      clock.wholeSeconds = wholeSeconds(stamps.dates.map { ($0.nanoseconds ?? 0) / 1_000_000_000 })
    }
    if hasDates {
      clock.origin = firstSum(parts, clock)
      if clock.isOrderCertain { clock.epoch = clock.origin.map { Double($0) / 1e9 } }
    }
    layout.clock = .parts(clock)
    let what = hasDates ? "dates, to seconds since the first sample" : "times of day, in seconds since midnight"
    layout.notes.append(([("time: " + what)] + notes).joined(separator: "; "))
  }

  private static func unpaddedNote(_ digits: Int) -> String {
    "time: fractions lack leading zeros, as decimal fractions would step back: .5 is .\(String(repeating: "0", count: digits - 1))5 s"
  }

  /// Determines whether the month precedes the day.
  private func chooseOrder(_ dates: [DateText], _ clock: inout CSVLayout.Parts, _ notes: inout [String]) {
    let isMonthFirstPossible = dates.allSatisfy { $0.dayMonthFirst != nil }
    let isDayFirstPossible = dates.allSatisfy { $0.dayDayFirst != nil }
    clock.isMonthFirst = isMonthFirstPossible && (!isDayFirstPossible || dates[0].hasSlashes)
    clock.isOrderCertain = !(isMonthFirstPossible && isDayFirstPossible && dates.contains(where: \.isAmbiguous))
    if !clock.isOrderCertain {
      notes.append("the \(clock.isMonthFirst ? "month" : "day") is assumed to come first, as the log is ambiguous")
    }
  }

  /// Returns the rate, in Hz, of rows that share timestamps in whole seconds, and the number of rows in the first
  /// second, or `nil` if timestamps are not shared.
  private mutating func wholeSeconds(_ seconds: [Int64]) -> (rate: Double, first: Int)? {
    guard let newest = seconds.last, newest > seconds[0] else { return nil }
    var counts: [Int] = []
    var last: Int64?
    for second in seconds {
      if second == last { counts[counts.count - 1] += 1 } else { counts.append(1) }
      last = second
    }
    // The first and the last second may be incomplete.
    let whole = counts.dropFirst().dropLast().sorted()
    guard let median = whole.isEmpty ? nil : whole[whole.count / 2], median >= 2 else { return nil }
    let usual = whole.filter { abs($0 - median) <= 1 + median / 20 }
    let rate = Double(usual.reduce(0, +)) / Double(usual.count)
    layout.notes.append(
      "time: without fractions of a second; the rows of each second are spread evenly at \(rounded(rate)) Hz")
    return (rate, counts[0])
  }

  /// Returns the time of the first row that has a time, in nanoseconds.
  private func firstSum(_ parts: [Int], _ clock: CSVLayout.Parts) -> Int64? {
    guard var rows = try? RowClock(.parts(clock), firstStamp: .empty, path: path) else { return nil }
    for row in header.firstRows(Self.shownRows) {
      let sum: Int64? = row.withUnsafeBytes { line in
        for hasDecimalComma in header.separator == .comma ? [false] : [false, true] {
          var fields = FieldScanner(line, separator: header.separator, hasDecimalComma: hasDecimalComma)
          rows.beginRow()
          for action in layout.actions {
            if case .stampPart(let part) = action {
              if rows.take(part, from: &fields) == .text { break }
            } else if !fields.skip() {
              break
            }
          }
          if let sum = rows.sum { return sum }
        }
        return nil
      }
      if let sum { return sum }
    }
    return nil
  }
}
