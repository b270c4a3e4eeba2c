internal import InertialNumerics
internal import InertialSensors

extension LogGuess {
  /// Determines the columns of a table without usable names. An increasing column is the time, and three columns with
  /// the magnitude of gravity are the acceleration. The rates are the three columns that rotate the device as gravity
  /// indicates, or else the three that are close to zero at rest.
  func columns() throws(Undetermined) -> [Part] {
    var table = try NumberTable(path: path)
    let starts = table.freeStarts
    var pairs: [Pair] = []
    for acceleration in starts {
      guard let size = table.gravity(acceleration) else { continue }
      for rotation in starts where abs(rotation - acceleration) >= 3 {
        pairs.append(table.judged(acceleration, size, rotation))
      }
    }
    pairs.sort { $0.gain > $1.gain }
    guard var best = pairs.first else {
      throw Undetermined("no three columns of six or more have the magnitude of gravity")
    }
    // The log's own gravity rotates like the acceleration, but more smoothly.
    let sameTurns = pairs.filter {
      $0.rotation == best.rotation && abs($0.acceleration - best.acceleration) >= 3 && 2 * $0.gain > best.gain
    }
    if let rough = sameTurns.max(by: { $0.roughness < $1.roughness }), rough.roughness > best.roughness {
      best = rough
    }
    let rival = pairs.first { pair in
      pair != best && !sameTurns.contains(pair)
        && !(pair.rotation == best.rotation && abs(pair.acceleration - best.acceleration) >= 3)
    }
    let margin = best.gain - max(0, rival?.gain ?? 0)
    let isDetermined = margin > Self.clear
    if best.gain <= Self.clear, let calm = pairs.min(by: { $0.size < $1.size }) { best = calm }
    var names = Array(repeating: "-", count: table.width)
    if let clock = table.clock { names[clock] = "time" }
    name(best.acceleration, "acc", &names)
    name(best.rotation, "gyr", &names)
    let field = starts.first { start in
      names[start..<start + 3].allSatisfy { $0 == "-" } && table.isField(start)
    }
    if let field { name(field, "mag", &names) }
    let places = "columns \(best.acceleration + 1) to \(best.acceleration + 3)"
    let rates = "\(best.rotation + 1) to \(best.rotation + 3)"
    var parts = [
      Part(
        answer: .columns(names), certainty: isDetermined ? (margin > Self.sure ? .certain : .likely) : .open,
        test: "gravity is in \(places), "
          + (isDetermined ? "and turns with the rates in \(rates)" : "and the rates may be in \(rates)"))
    ]
    // The name implies seconds.
    if let unit = table.clockUnit { parts.append(unit) }
    return parts
  }

  private func name(_ start: Int, _ sensor: String, _ names: inout [String]) {
    for (offset, axis) in ["x", "y", "z"].enumerated() { names[start + offset] = "\(sensor)_\(axis)" }
  }

  /// An interpretation of two triples of columns.
  fileprivate struct Pair: Equatable {
    var acceleration: Int
    var rotation: Int
    /// The gain over no rotation, in the unit that fits best.
    var gain = 0.0
    /// The median magnitude of the rates, in their own unit.
    var size: Double
    /// The spread of the acceleration's magnitude, divided by gravity.
    var roughness: Double
  }
}

/// The numbers of a table without a header.
private struct NumberTable {
  let rows: [[Double]]
  let width: Int
  /// The column of the time, counted from 0, or `nil` if no column increases in uneven steps or in steps of a usual
  /// size.
  private(set) var clock: Int?
  private var step = 0.0
  /// The columns of row numbers and flags.
  private var counters: Set<Int> = []

  private static let maximumRowCount = 20_000
  private static let (minimumRowCount, maximumColumnCount) = (200, 32)
  /// The number of lines that determine the form of the rows.
  private static let formLines = 64

  /// Reads the numbers.
  ///
  /// - Throws: ``LogGuess/Undetermined`` if there are too few rows, or too few or too many columns.
  init(path: String) throws(LogGuess.Undetermined) {
    let (separator, count) = try Self.form(of: path)
    guard let scanner = try? LineScanner(path: path) else { throw .init("the file cannot be read") }
    var rows: [[Double]] = []
    while rows.count < Self.maximumRowCount, let line = (try? scanner.next()) ?? nil {
      let row = Self.numbers(line, separator)
      // Skips names, remarks, and a truncated last line.
      if row.count == count, row.contains(where: { !$0.isNaN }) { rows.append(row) }
    }
    // Some programs end each line with a separator.
    let width = (0..<count).last { column in rows.contains { !$0[column].isNaN } }.map { $0 + 1 } ?? 0
    guard (6...Self.maximumColumnCount).contains(width) else {
      throw .init("6 to \(Self.maximumColumnCount) columns of numbers are needed, and there are \(width)")
    }
    guard rows.count >= Self.minimumRowCount else {
      throw .init("\(Self.minimumRowCount) rows are needed, and there are \(rows.count)")
    }
    (self.rows, self.width) = (rows, width)
    findClock()
  }

  /// Returns the separator and the number of fields of most lines at the beginning.
  private static func form(of path: String) throws(LogGuess.Undetermined) -> (FieldSeparator, Int) {
    guard let scanner = try? LineScanner(path: path) else { throw .init("the file cannot be read") }
    var sums = [Int](repeating: 0, count: FieldSeparator.allCases.count)
    var counts = [[Int: Int]](repeating: [:], count: sums.count)
    for _ in 0..<formLines {
      guard let line = (try? scanner.next()) ?? nil else { break }
      for (index, separator) in FieldSeparator.allCases.enumerated() {
        let row = numbers(line, separator)
        let finite = row.count { !$0.isNaN }
        guard finite >= 3, 3 * finite >= row.count else { continue }
        sums[index] += finite
        counts[index][row.count, default: 0] += 1
      }
    }
    guard let best = sums.indices.max(by: { sums[$0] < sums[$1] }),
      let maximum = counts[best].max(by: { $0.value < $1.value })
    else { throw .init("the table has no rows of numbers") }
    return (FieldSeparator.allCases[best], maximum.key)
  }

  private static func numbers(_ line: UnsafeRawBufferPointer, _ separator: FieldSeparator) -> [Double] {
    var fields = FieldScanner(line, separator: separator, hasDecimalComma: separator != .comma && !line.contains(0x2E))
    var numbers: [Double] = []
    while numbers.count <= maximumColumnCount {
      switch fields.nextNumber() {
      case .value(let value): numbers.append(value)
      case .empty, .text: numbers.append(.nan)
      case .end: return numbers
      }
    }
    return numbers
  }

  // MARK: Time

  private mutating func findClock() {
    for column in 0..<width {
      let times = rows.lazy.map { $0[column] }.filter { !$0.isNaN }
      let steps = zip(times.dropFirst(), times).map { $0 - $1 }
      // One percent of the times may be missing or step back.
      guard 100 * times.count >= 99 * rows.count, 100 * steps.count(where: { $0 < 0 }) <= steps.count,
        steps.count(where: { $0 > 0 }) * 10 > 9 * steps.count
      else { continue }
      if clock == nil, !steps.allSatisfy({ $0 == 1 }) {
        clock = column
        step = steps.sorted()[steps.count / 2]
      } else {
        counters.insert(column)
      }
    }
    // A column with one or two values is a flag, not an axis of a sensor.
    for column in 0..<width where column != clock && Set(rows.lazy.map { $0[column] }.filter { !$0.isNaN }).count < 3 {
      counters.insert(column)
    }
  }

  /// The unit of the times, or `nil` if they are seconds or missing.
  var clockUnit: LogGuess.Part? {
    guard clock != nil, let (part, _) = LogGuess.time(step: step), part.answer != .timeUnit(.seconds) else {
      return nil
    }
    return part
  }

  // MARK: Vectors

  /// The columns at which a vector can start.
  var freeStarts: [Int] {
    let quaternion = (0..<max(0, width - 3)).first { start in
      !(start..<start + 4).contains(where: isTaken) && isQuaternion(start)
    }
    return (0..<width - 2).filter { start in
      (start..<start + 3).allSatisfy { column in
        !isTaken(column) && rows.contains { $0[column].isFinite }
          && !(quaternion.map { ($0..<$0 + 4).contains(column) } ?? false)
      }
    }
  }

  private func isTaken(_ column: Int) -> Bool { column == clock || counters.contains(column) }

  private func isQuaternion(_ start: Int) -> Bool {
    rows.allSatisfy { row in
      let square = row[start..<start + 4].reduce(0) { $0 + $1 * $1 }
      return abs(square - 1) < 0.02
    }
  }

  private func vector(_ row: [Double], _ start: Int) -> Vector3 { Vector3(row[start], row[start + 1], row[start + 2]) }

  private func lengths(_ start: Int) -> [Double] {
    rows.map { vector($0, start).norm }.filter(\.isFinite).sorted()
  }

  private func median(_ start: Int) -> Double {
    let lengths = lengths(start)
    return lengths.isEmpty ? .infinity : lengths[lengths.count / 2]
  }

  /// Returns the size of gravity in three columns, or `nil` if their magnitude does not match gravity in any unit.
  mutating func gravity(_ start: Int) -> Double? {
    let lengths = lengths(start)
    guard lengths.count >= Self.minimumRowCount else { return nil }
    guard let size = LogGuess.gravity(lengths[lengths.count / 2], areCounts: areCounts) else { return nil }
    // For half of the time, a device on a person measures within a third of 1 g.
    let (low, high) = (lengths[lengths.count / 4], lengths[lengths.count * 3 / 4])
    return low > 0.6 * size && high < 1.6 * size ? size : nil
  }

  /// Whether three columns have a nearly constant magnitude that matches the earth's field in a usual unit.
  func isField(_ start: Int) -> Bool {
    let lengths = lengths(start)
    guard lengths.count >= Self.minimumRowCount else { return false }
    let (low, middle, high) = (lengths[lengths.count / 10], lengths[lengths.count / 2], lengths[lengths.count * 9 / 10])
    return low > 0.5 * middle && high < 2 * middle
      && [15.0...90, 0.15...0.9, 15_000...90_000].contains { $0.contains(middle) }
  }

  /// Whether all numbers except the times are integers, as in registers.
  private lazy var areCounts: Bool = {
    let columns = (0..<width).filter { !isTaken($0) }
    return rows.allSatisfy { row in columns.allSatisfy { row[$0] == row[$0].rounded() || row[$0].isNaN } }
  }()

  /// Returns the agreement of the rates in three columns with the acceleration in three others.
  mutating func judged(_ acceleration: Int, _ size: Double, _ rotation: Int) -> LogGuess.Pair {
    let forces = lengths(acceleration)
    var pair = LogGuess.Pair(
      acceleration: acceleration, rotation: rotation, size: median(rotation),
      roughness: (forces[forces.count * 9 / 10] - forces[forces.count / 10]) / size)
    let factor = clock == nil ? nil : LogGuess.time(step: step)?.1
    guard let clock, let factor else { return pair }
    for unit in LogGuess.rotationUnits(areCounts: areCounts) where unit.factor * pair.size < LogGuess.fastestRate {
      var samples: [SensorSample] = []
      var last = -Double.infinity
      // A row may contain only one sensor.
      for row in rows {
        let time = factor * (row[clock] - rows[0][clock])
        guard time >= last else { continue }
        last = time
        let (rate, force) = (vector(row, rotation), vector(row, acceleration))
        if rate.isFinite { samples.append(SensorSample(time: time, channel: .gyroscope, unit.factor * rate)) }
        if force.isFinite { samples.append(SensorSample(time: time, channel: .accelerometer, (-1 / size) * force)) }
      }
      pair.gain = max(pair.gain, LogGuess.gain(GravityRotationTest(short: samples)))
    }
    return pair
  }
}
