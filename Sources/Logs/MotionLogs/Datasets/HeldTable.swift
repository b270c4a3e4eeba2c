package import InertialSensors

/// A log that the caller's program holds in memory: columns of numbers, which mean what those of a CSV with the same names
/// in its header do.
///
/// The numbers are borrowed: whoever makes a table keeps them in place and unchanged until the last reader is gone.
package struct HeldTable: @unchecked Sendable, Equatable {
  /// How a number lies in memory.
  package enum Kind: Int32, Sendable {
    case float64, float32, int64, int32
  }

  package struct Column: Equatable {
    /// As in a header, `time`, `accelerationX` or `Gyroscope X (deg/s)`.
    package var name: String
    package var kind: Kind
    package var base: UnsafeRawPointer
    /// Bytes from a number to the next one; negative and 0 as well.
    package var stride: Int

    package init(name: String, kind: Kind, base: UnsafeRawPointer, stride: Int) {
      (self.name, self.kind, self.base, self.stride) = (name, kind, base, stride)
    }

    /// Numbers need not be aligned.
    @inline(__always)
    package func number(_ row: Int) -> Double {
      let place = base + row &* stride
      switch kind {
      case .float64: return place.loadUnaligned(as: Double.self)
      case .float32: return Double(place.loadUnaligned(as: Float.self))
      case .int64: return Double(place.loadUnaligned(as: Int64.self))
      case .int32: return Double(place.loadUnaligned(as: Int32.self))
      }
    }

    /// A whole number, exactly; nil of a column of others.
    func integer(_ row: Int) -> Int64? {
      let place = base + row &* stride
      switch kind {
      case .int64: return place.loadUnaligned(as: Int64.self)
      case .int32: return Int64(place.loadUnaligned(as: Int32.self))
      case .float64, .float32: return nil
      }
    }

    /// As a CSV would have it; 0 for what is no number.
    fileprivate func text(_ row: Int) -> String {
      if let integer = integer(row) { return "\(integer)" }
      let number = number(row)
      return number.isFinite ? "\(number)" : "0"
    }
  }

  package var columns: [Column]
  package var rowCount: Int

  /// Rows by which a clock is understood.
  private static let shownRows = 512

  /// The first rows as a CSV would have them; after the first only columns of times.
  fileprivate var firstRows: [[String]] {
    let times = columns.map { ColumnName($0.name).meaning?.quantity == .time }
    let count = times.contains(true) ? min(rowCount, Self.shownRows) : 1
    return (0..<count).map { row in zip(columns, times).map { $1 || row == 0 ? $0.text(row) : "0" } }
  }

  package init(columns: [Column], rowCount: Int) { (self.columns, self.rowCount) = (columns, rowCount) }

  /// As messages name the log.
  package static let name = "<arrays>"
}

/// Reads a log that is in memory; NaN is no sample.
struct HeldTableReader: LogReader {
  private static let blockSize = 1024

  private let table: HeldTable
  private var rows: CSVLogReader
  private var row = 0
  private var numbers: [Double]

  init(_ table: HeldTable, path: String, options: LogOptions) throws(LogError) {
    self.table = table
    numbers = Array(repeating: 0, count: table.columns.count)
    guard table.rowCount > 0, !table.columns.isEmpty else {
      throw LogError(path: path, problem: "the arrays have no rows", remedy: "give arrays with samples")
    }
    rows = try Self.rows(
      of: table.columns.map(\.name), first: table.firstRows, path: path, options: options)
  }

  /// What reads rows of columns with these names.
  ///
  /// - Parameter first: the numbers of the first rows, which may determine the unit of the time.
  static func rows(
    of names: [String], first: [[String]], path: String, options: LogOptions
  ) throws(LogError) -> CSVLogReader {
    var options = options
    options.columns = names
    return try CSVLogReader(
      scanner: LineScanner(bytes: first.map { $0.joined(separator: ",") + "\n" }.joined().utf8, name: path), path: path,
      options: options)
  }

  var description: LogDescription { rows.description }
  var emptyCounts: [SensorChannel: Int] { rows.emptyCounts }
  var progress: Double { Double(row) / Double(table.rowCount) }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    let clock = rows.timePlace
    while batch.count == start, row < table.rowCount {
      let end = min(row + Self.blockSize, table.rowCount)
      for place in row..<end {
        for (index, column) in table.columns.enumerated() { numbers[index] = column.number(place) }
        rows.take(
          numbers, number: place + 1, into: &batch, nanIsEmpty: true,
          stamp: clock.flatMap { table.columns[$0].integer(place) })
      }
      row = end
    }
    return batch.count > start
  }

  mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) { rows.takeAuxiliary(into: &batch) }
}

/// Rows of numbers that come one by one, with columns that mean what those of a CSV with the same names do.
package struct HeldRows {
  private let names: [String]
  private let options: LogOptions
  private var rows: CSVLogReader?
  private var count = 0

  /// - Throws: where the names and the options do not tell what the columns are.
  package init(names: [String], options: LogOptions) throws(LogError) {
    (self.names, self.options) = (names, options)
    // A row of zeros tells of names that say nothing; the first row itself, the unit of its time.
    _ = try HeldTableReader.rows(
      of: names, first: [names.map { _ in "0" }], path: HeldTable.name, options: options)
  }

  /// Numbers of a row.
  package var width: Int { names.count }

  /// Appends the samples of a row; NaN is no sample.
  package mutating func take(
    _ numbers: [Double], into motion: inout [SensorSample], auxiliary: inout [AuxiliarySample]
  ) throws(LogError) {
    count += 1
    if rows == nil {
      rows = try HeldTableReader.rows(
        of: names, first: [numbers.map { $0.isFinite ? "\($0)" : "0" }], path: HeldTable.name, options: options)
    }
    rows!.take(numbers, number: count, into: &motion, nanIsEmpty: true)
    rows!.takeAuxiliary(into: &auxiliary)
  }
}
