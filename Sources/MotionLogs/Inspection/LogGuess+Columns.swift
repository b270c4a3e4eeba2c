internal import LinearAlgebra
internal import Sensors

extension LogGuess {
  /// The columns of a table without a header. One that counts up is the time, three whose length is gravity's are the
  /// acceleration, and of the others those three are the rates that turn the device as gravity does, or else those that are
  /// next to zero at rest. None if no three columns are gravity.
  func columns() -> [Part] {
    guard var table = NumberTable(path: path) else { return [] }
    let starts = table.freeStarts
    var pairs: [Pair] = []
    for acceleration in starts {
      guard let size = table.gravity(acceleration) else { continue }
      for rotation in starts where abs(rotation - acceleration) >= 3 {
        pairs.append(table.judged(acceleration, size, rotation))
      }
    }
    pairs.sort { $0.misfit < $1.misfit }
    guard var best = pairs.first else { return [] }
    // Other readings that share no three columns with this one; those that share some are this one with an axis exchanged.
    let rival = pairs.dropFirst().first {
      abs($0.rotation - best.rotation) >= 3 || $0.acceleration != best.acceleration
    }
    let margin = min(rival?.misfit ?? .infinity, best.rest) - best.misfit
    let isTold = margin > Self.clear
    if !isTold {
      guard let calm = pairs.min(by: { $0.size < $1.size }) else { return [] }
      best = calm
    }
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
        answer: .columns(names), certainty: isTold ? (margin > Self.sure ? .certain : .likely) : .open,
        test: "gravity is in \(places), "
          + (isTold ? "and turns with the rates in \(rates)" : "and the rates may be in \(rates)"))
    ]
    // The name says seconds.
    if let unit = table.clockUnit { parts.append(unit) }
    return parts
  }

  private func name(_ start: Int, _ sensor: String, _ names: inout [String]) {
    for (offset, axis) in ["x", "y", "z"].enumerated() { names[start + offset] = "\(sensor)_\(axis)" }
  }

  /// A reading of two threes of columns.
  fileprivate struct Pair {
    var acceleration: Int
    var rotation: Int
    /// The misfit of the turns, in the unit that fits best, and that of no turning at all.
    var misfit: Double
    var rest: Double
    /// The median length of the rates, in their own unit.
    var size: Double
  }
}

/// The numbers of a table without a header.
private struct NumberTable {
  let rows: [[Double]]
  let width: Int
  /// The column of the time, counted from 0; nil if no column counts up in uneven steps or in steps of a usual size.
  private(set) var clock: Int?
  private var step = 0.0
  /// Columns that number the rows.
  private var counters: Set<Int> = []

  private static let mostRows = 20_000
  private static let (fewestRows, mostColumns) = (200, 32)

  /// Reads the numbers; nil if there are too few rows or columns.
  init?(path: String) {
    guard let separator = Self.separator(of: path), let scanner = try? LineScanner(path: path) else { return nil }
    var rows: [[Double]] = []
    while rows.count < Self.mostRows, let line = (try? scanner.next()) ?? nil {
      if line.isEmpty { continue }
      let row = Self.numbers(line, separator)
      // A last line may be cut off.
      if row.count == rows.first?.count ?? row.count { rows.append(row) }
    }
    // Some programs end each line with a separator.
    let width =
      (rows.first?.indices ?? 0..<0).last { column in rows.contains { !$0[column].isNaN } }.map { $0 + 1 } ?? 0
    guard (6...Self.mostColumns).contains(width), rows.count >= Self.fewestRows else {
      return nil
    }
    (self.rows, self.width) = (rows, width)
    findClock()
  }

  private static func separator(of path: String) -> FieldSeparator? {
    guard let scanner = try? LineScanner(path: path), let line = (try? scanner.next()) ?? nil else { return nil }
    let counts = FieldSeparator.allCases.map { separator in
      (separator, numbers(line, separator).count { !$0.isNaN })
    }
    return counts.max { $0.1 < $1.1 }?.0
  }

  private static func numbers(_ line: UnsafeRawBufferPointer, _ separator: FieldSeparator) -> [Double] {
    var fields = FieldScanner(line, separator: separator, hasDecimalComma: separator != .comma && !line.contains(0x2E))
    var numbers: [Double] = []
    while numbers.count <= mostColumns {
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
      let steps = zip(rows.dropFirst(), rows).map { $0[column] - $1[column] }
      guard steps.allSatisfy({ $0 >= 0 }), steps.count(where: { $0 > 0 }) * 10 > 9 * steps.count else { continue }
      if steps.allSatisfy({ $0 == 1 }) {
        counters.insert(column)
      } else if clock == nil {
        clock = column
        step = steps.sorted()[steps.count / 2]
      } else {
        counters.insert(column)
      }
    }
  }

  /// The unit of the times; nil if they are seconds, or there are none.
  var clockUnit: LogGuess.Part? {
    guard clock != nil, let (part, _) = LogGuess.time(step: step), part.answer != .timeUnit(.seconds) else {
      return nil
    }
    return part
  }

  // MARK: Vectors

  /// The columns at which a vector can begin.
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

  /// The size of gravity in three columns; nil if their length is not that of gravity in any unit.
  mutating func gravity(_ start: Int) -> Double? {
    let lengths = lengths(start)
    guard lengths.count >= Self.fewestRows else { return nil }
    guard let size = LogGuess.gravity(lengths[lengths.count / 2], areCounts: areCounts) else { return nil }
    // Half of the time a person's device is within a third of 1 g.
    let (low, high) = (lengths[lengths.count / 4], lengths[lengths.count * 3 / 4])
    return low > 0.6 * size && high < 1.6 * size ? size : nil
  }

  /// Whether three columns have a nearly constant length, the earth's field's in a usual unit.
  func isField(_ start: Int) -> Bool {
    let lengths = lengths(start)
    guard lengths.count >= Self.fewestRows else { return false }
    let (low, middle, high) = (lengths[lengths.count / 10], lengths[lengths.count / 2], lengths[lengths.count * 9 / 10])
    return low > 0.5 * middle && high < 2 * middle
      && [15.0...90, 0.15...0.9, 15_000...90_000].contains { $0.contains(middle) }
  }

  /// Whether all numbers are whole except the times: those of registers are.
  private lazy var areCounts: Bool = {
    let columns = (0..<width).filter { !isTaken($0) }
    return rows.allSatisfy { row in columns.allSatisfy { row[$0] == row[$0].rounded() || row[$0].isNaN } }
  }()

  /// The agreement of the rates in three columns with the acceleration in three others.
  mutating func judged(_ acceleration: Int, _ size: Double, _ rotation: Int) -> LogGuess.Pair {
    var pair = LogGuess.Pair(
      acceleration: acceleration, rotation: rotation, misfit: .infinity, rest: .infinity,
      size: median(rotation))
    guard let clock, let (_, factor) = LogGuess.time(step: step) else { return pair }
    for unit in LogGuess.rotationUnits(areCounts: areCounts) {
      var sketch = MotionSketch()
      // A row may have one sensor alone.
      for row in rows {
        let time = factor * (row[clock] - rows[0][clock])
        let (rate, force) = (vector(row, rotation), vector(row, acceleration))
        if rate.isFinite { sketch.add(SensorSample(time: time, channel: .gyroscope, unit.factor * rate)) }
        if force.isFinite { sketch.add(SensorSample(time: time, channel: .accelerometer, (-1 / size) * force)) }
      }
      sketch.finish()
      let test = TurnTest(sketch, stepsOfBlock: LogGuess.stepsOfBlock)
      guard test.pairCount > 0 else { continue }
      pair.misfit = min(pair.misfit, test.fit(scale: 1).misfit)
      pair.rest = test.fitAtRest().misfit
    }
    return pair
  }
}
