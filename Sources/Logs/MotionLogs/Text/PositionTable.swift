package import InertialNumerics

/// Positions over time from a text table, one row per position: a path of any rate, or surveyed landmarks with the
/// times of passing.
///
/// The columns are recognized by name: `time`; `x`, `y` and optionally `z` (also `positionX`, `tx`, `p_RS_R_x`),
/// `east`, `north`, `up`, or `latitude`, `longitude`, `altitude`; `positionSigmaX` to `positionSigmaZ`. A unit may
/// follow in parentheses or brackets. A table without names has the columns of a TUM RGB-D benchmark trajectory,
/// `timestamp tx ty tz qx qy qz qw`. The first row is the start of the path and may have no time.
package struct PositionTable: Sendable, Equatable {
  /// The coordinates of `positions`.
  package enum Kind: Sendable, Equatable {
    /// Metres in a frame that the file does not specify.
    case metres
    /// Metres east, north and up.
    case eastNorthUp
    /// Latitude and longitude in degrees, altitude in m, WGS 84.
    case geographic
  }

  /// The path of the file.
  package let path: String
  package let kind: Kind
  /// The times in seconds, nondecreasing; the first is NaN if the first row has no time.
  package private(set) var times: [Double] = []
  /// The positions; z is 0 without heights.
  package private(set) var positions: [Vector3] = []
  /// The standard deviations by component, in m, or `nil` if the file does not specify them.
  package private(set) var sigmas: [Vector3]?
  package private(set) var hasHeights: Bool
  /// The number of rows without a position, which are left out.
  package private(set) var emptyCount = 0

  /// Reads a file.
  ///
  /// - Throws: ``LogError`` with the problem and its line and column.
  package init(path: String) throws(LogError) {
    let lines = try LineScanner(path: path)
    // The scanner owns the lines' bytes.
    defer { withExtendedLifetime(lines) {} }
    var (layout, next) = try Layout.find(lines)
    self.path = path
    kind = layout.kind
    hasHeights = layout.places[3] != nil
    sigmas = layout.hasSigmas ? [] : nil
    if next == nil { next = try lines.next() }
    while let line = next {
      if line.contains(where: { $0 != 0x20 && $0 != 0x09 }), line[0] != 0x23 {
        try add(try layout.row(line, line: lines.lineNumber, of: path), line: lines.lineNumber, layout)
      }
      next = try lines.next()
    }
    try finish()
  }

  private mutating func add(_ row: [Double], line: Int, _ layout: Layout) throws(LogError) {
    guard !row[1].isNaN, !row[2].isNaN else {
      emptyCount += 1
      return
    }
    if row[0].isNaN, !times.isEmpty {
      throw LogError(
        path: path, line: line, column: layout.column(0), problem: "the row has no time",
        remedy: "add it; only the first row may lack a time, and is then the start of the path")
    }
    if let last = times.last, row[0] < last {
      throw LogError(
        path: path, line: line, column: layout.column(0),
        problem: "the time \(row[0]) is before the previous row's, \(last)",
        remedy: "sort the rows by time")
    }
    if kind == .geographic, abs(row[1]) > 90 || abs(row[2]) > 360 {
      throw LogError(
        path: path, line: line, column: layout.column(abs(row[1]) > 90 ? 1 : 2),
        problem: "latitude \(row[1]), longitude \(row[2]) is not a place on earth", remedy: "repair or remove the line")
    }
    times.append(row[0])
    positions.append(Vector3(row[1], row[2], row[3]))
    sigmas?.append(Vector3(row[4], row[5], row[6]))
  }

  /// Removes the rows without a height, unless all rows lack heights.
  private mutating func finish() throws(LogError) {
    if !positions.contains(where: { !$0.z.isNaN }) { hasHeights = false }
    if hasHeights {
      let kept = positions.indices.filter { !positions[$0].z.isNaN }
      emptyCount += positions.count - kept.count
      (times, positions, sigmas) = (
        kept.map { times[$0] }, kept.map { positions[$0] }, sigmas.map { all in kept.map { all[$0] } }
      )
    } else {
      positions = positions.map { Vector3($0.x, $0.y, 0) }
    }
    guard !positions.isEmpty else {
      throw LogError(
        path: path, problem: emptyCount == 0 ? "the file has no rows" : "none of the \(emptyCount) rows has a position",
        remedy: "give a row for each landmark or sample: time in seconds and position in metres")
    }
  }
}

/// The columns of a table: time, the three components, and their sigmas.
private struct Layout {
  var kind: PositionTable.Kind
  /// The field of each quantity, counted from 0, or `nil` if it is missing.
  var places: [Int?]
  /// The factors from the numbers to s or m.
  var scales = [Double](repeating: 1, count: 7)
  var fieldCount: Int
  var separator: FieldSeparator
  /// Whether numbers have a decimal comma; `nil` until a number shows it.
  var hasDecimalComma: Bool?

  var hasSigmas: Bool { places[4] != nil && places[5] != nil && places[6] != nil }

  /// Returns the column of a quantity, counted from 1, for messages.
  func column(_ quantity: Int) -> Int? { places[quantity].map { $0 + 1 } }

  private static let example =
    "begin the file with a line of names: time,x,y or time,x,y,z (m), time,east,north,up (m), or time,latitude,longitude,altitude"

  /// Reads up to the first row and returns it.
  static func find(_ lines: LineScanner) throws(LogError) -> (Layout, first: UnsafeRawBufferPointer?) {
    while let line = try lines.next() {
      let isRemark = line.first == 0x23
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
      if let layout = headless(line) { return (layout, line) }
      // A comment may be a header, as in EuRoC and TUM files.
      let line = isRemark ? UnsafeRawBufferPointer(rebasing: line.dropFirst()) : line
      let text = String(decoding: line, as: UTF8.self)
      let separator: FieldSeparator =
        text.contains(",") ? .comma : text.contains(";") ? .semicolon : text.contains("\t") ? .tab : .blanks
      let names = FieldScanner.texts(line, separator, limit: 4096)
      do throws(LogError) {
        return (try Layout(names, separator, lines), nil)
      } catch {
        guard isRemark else { throw error }
      }
    }
    throw LogError(path: lines.name, problem: "the file has no positions", remedy: example)
  }

  /// Returns the TUM layout for a first row of blank-separated numbers; otherwise the missing names are reported later.
  private static func headless(_ line: UnsafeRawBufferPointer) -> Layout? {
    var scanner = FieldScanner(line, separator: .blanks)
    var count = 0
    while true {
      switch scanner.nextNumber() {
      case .value: count += 1
      case .end:
        guard count == 8 || count == 4 else { return nil }
        return Layout(
          kind: .metres, places: [0, 1, 2, 3, nil, nil, nil], fieldCount: count, separator: .blanks,
          hasDecimalComma: false)
      case .empty, .text: return nil
      }
    }
  }

  private init(
    kind: PositionTable.Kind, places: [Int?], fieldCount: Int, separator: FieldSeparator, hasDecimalComma: Bool?
  ) {
    (self.kind, self.places, self.fieldCount, self.separator) = (kind, places, fieldCount, separator)
    self.hasDecimalComma = hasDecimalComma
  }

  private init(_ names: [String], _ separator: FieldSeparator, _ lines: LineScanner) throws(LogError) {
    func wrong(_ problem: String, _ remedy: String, column: Int? = nil) -> LogError {
      LogError(path: lines.name, line: lines.lineNumber, column: column, problem: problem, remedy: remedy)
    }
    let found = names.prefix(16).map { $0.count > 40 ? $0.prefix(40) + "..." : $0[...] }.joined(separator: ", ")
    guard !names.contains(where: { Double($0) != nil }) else {
      throw wrong("no line of column names before the numbers", Self.example)
    }
    let words = names.map { ColumnName.words(ColumnName.splitUnit($0.drop { $0 == "#" || $0.isWhitespace }).0) }
    func place(_ matches: ([String]) -> Bool) -> Int? { words.firstIndex(where: matches) }
    let time = names.firstIndex { ColumnName($0).meaning?.quantity == .time }
    guard let time else {
      throw wrong("no column of times (found: \(found))", "add the column time: seconds on the log's clock")
    }
    let axes = ["x", "y", "z"].map { axis in place { Self.isPosition($0, axis) } }
    let sides = ["east", "north", "up"].map { side in place { $0 == [side] } }
    let angles = [["latitude", "lat"], ["longitude", "lon", "lng"], ["altitude", "height", "alt"]].map { all in
      place { $0.count == 1 && all.contains($0[0]) || $0 == ["location", "altitude"] && all.contains("altitude") }
    }
    let sigmas = ["x", "y", "z"].map { axis in place { $0 == ["position", "sigma", axis] } }
    let kinds: [(PositionTable.Kind, [Int?])] = [(.metres, axes), (.eastNorthUp, sides), (.geographic, angles)]
    guard let (kind, places) = kinds.first(where: { $0.1[0] != nil && $0.1[1] != nil }) else {
      throw wrong("no columns of positions (found: \(found))", Self.example)
    }
    self.init(
      kind: kind, places: [time] + places + sigmas, fieldCount: names.count, separator: separator,
      hasDecimalComma: separator == .comma ? false : nil)
    if let unit = ColumnName(names[time]).meaning?.unit, case .written(let unit) = unit,
      let conversion = Dimension.time.conversion(from: unit)
    {
      scales[0] = conversion(1)
    }
    for quantity in 1..<7 {
      guard let place = self.places[quantity], let unit = ColumnName.splitUnit(names[place][...]).1 else { continue }
      let isAngle = kind == .geographic && quantity < 3
      let known = isAngle ? ["deg": 1, "°": 1, "degrees": 1] : ["m": 1, "cm": 0.01, "mm": 0.001, "km": 1000]
      guard let scale = known[unit.lowercased()] else {
        throw wrong(
          "the unit '\(unit)' is unknown", "give \(isAngle ? "degrees (deg)" : "metres (m, cm, mm or km)")",
          column: place + 1)
      }
      scales[quantity] = scale
    }
  }

  private static func isPosition(_ words: [String], _ axis: String) -> Bool {
    if words == ["t" + axis] { return true }
    guard words.last == axis else { return false }
    return words.dropLast().allSatisfy { ["position", "pos", "p", "rs", "r", "translation"].contains($0) }
  }

  /// Returns the numbers of a row by quantity; an empty field is NaN.
  mutating func row(_ line: UnsafeRawBufferPointer, line number: Int, of path: String) throws(LogError) -> [Double] {
    var row = [Double](repeating: .nan, count: 7)
    var scanner = FieldScanner(line, separator: separator, hasDecimalComma: hasDecimalComma ?? false)
    let count = scanner.totalCount
    guard count == fieldCount || count == fieldCount + 1 && line.last == separator.rawValue else {
      throw LogError(
        path: path, line: number, problem: "\(count) fields instead of \(fieldCount)",
        remedy: "repair or remove the line")
    }
    for field in 0..<fieldCount {
      guard let quantity = places.firstIndex(of: field) else {
        _ = scanner.skip()
        continue
      }
      switch scanner.nextNumber() {
      case .value(let value) where !value.isInfinite: row[quantity] = value * scales[quantity]
      case .empty: break
      case .text where hasDecimalComma == nil && scanner.fieldText.contains(","):
        hasDecimalComma = true
        return try self.row(line, line: number, of: path)
      case .value, .text, .end:
        throw LogError(
          path: path, line: number, column: field + 1, problem: "\"\(scanner.fieldText)\" is not a number",
          remedy: "repair or remove the line")
      }
    }
    return row
  }
}
