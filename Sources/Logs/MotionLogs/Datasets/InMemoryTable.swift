package import InertialSensors

/// A log in the memory of the caller's program: columns of numbers with the same meaning as CSV columns with these
/// names.
///
/// The numbers are borrowed: the caller keeps them in place and unchanged until the last reader is deallocated.
package struct InMemoryTable: @unchecked Sendable, Equatable {
  /// The type of a column's numbers.
  package enum Kind: Int32, Sendable {
    case float64, float32, int64, int32
  }

  package struct Column: Equatable {
    /// The name as in a header: `time`, `accelerationX` or `Gyroscope X (deg/s)`.
    package var name: String
    package var kind: Kind
    package var base: UnsafeRawPointer
    /// The distance between consecutive numbers, in bytes. It may be negative or 0.
    package var stride: Int

    package init(name: String, kind: Kind, base: UnsafeRawPointer, stride: Int) {
      (self.name, self.kind, self.base, self.stride) = (name, kind, base, stride)
    }

    /// Returns a row's number. Numbers need not be aligned.
    @inline(__always)
    package func number(_ row: Int) -> Double {
      let position = base + row &* stride
      switch kind {
      case .float64: return position.loadUnaligned(as: Double.self)
      case .float32: return Double(position.loadUnaligned(as: Float.self))
      case .int64: return Double(position.loadUnaligned(as: Int64.self))
      case .int32: return Double(position.loadUnaligned(as: Int32.self))
      }
    }

    /// Appends the numbers of rows: the type is examined once for all of them.
    fileprivate func append(_ rows: Range<Int>, to numbers: inout [Double]) {
      let (base, stride) = (base, stride)
      switch kind {
      case .float64: numbers += rows.lazy.map { (base + $0 &* stride).loadUnaligned(as: Double.self) }
      case .float32: numbers += rows.lazy.map { Double((base + $0 &* stride).loadUnaligned(as: Float.self)) }
      case .int64: numbers += rows.lazy.map { Double((base + $0 &* stride).loadUnaligned(as: Int64.self)) }
      case .int32: numbers += rows.lazy.map { Double((base + $0 &* stride).loadUnaligned(as: Int32.self)) }
      }
    }

    /// Returns a row's exact integer, or `nil` if the column contains floating-point numbers.
    func integer(_ row: Int) -> Int64? {
      let position = base + row &* stride
      switch kind {
      case .int64: return position.loadUnaligned(as: Int64.self)
      case .int32: return Int64(position.loadUnaligned(as: Int32.self))
      case .float64, .float32: return nil
      }
    }

    /// Returns a row's number as text for a CSV, or 0 if it is not a finite number.
    fileprivate func text(_ row: Int) -> String {
      if let integer = integer(row) { return "\(integer)" }
      let number = number(row)
      return number.isFinite ? "\(number)" : "0"
    }
  }

  package var columns: [Column]
  package var rowCount: Int

  /// The number of rows that determine a clock.
  private static let shownRows = 512

  /// The first rows as texts for a CSV. All rows but the first contain only times.
  fileprivate var firstRows: [[String]] {
    let times = columns.map { ColumnName($0.name).meaning?.quantity == .time }
    let count = times.contains(true) ? min(rowCount, Self.shownRows) : 1
    return (0..<count).map { row in zip(columns, times).map { $1 || row == 0 ? $0.text(row) : "0" } }
  }

  package init(columns: [Column], rowCount: Int) { (self.columns, self.rowCount) = (columns, rowCount) }

  /// The name of the log in messages.
  package static let name = "<arrays>"
}

/// Reads a log in memory. NaN stands for a missing sample.
struct InMemoryTableReader: LogReader {
  private static let blockSize = 1024

  private let table: InMemoryTable
  private var rows: CSVLogReader
  private var row = 0
  /// The numbers of a block, column by column.
  private var numbers: [Double] = []

  init(_ table: InMemoryTable, path: String, options: LogOptions) throws(LogError) {
    self.table = table
    guard table.rowCount > 0, !table.columns.isEmpty else {
      throw LogError(path: path, problem: "the arrays have no rows", remedy: "give arrays with samples")
    }
    rows = try Self.rows(
      of: table.columns.map(\.name), first: table.firstRows, path: path, options: options)
  }

  /// Returns a reader of rows with these columns.
  ///
  /// - Parameter first: The first rows, which may determine the unit of the time.
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
    let (start, table) = (batch.count, self.table)
    while batch.count == start, row < table.rowCount {
      let (first, end) = (row, min(row + Self.blockSize, table.rowCount))
      numbers.removeAll(keepingCapacity: true)
      for column in table.columns { column.append(first..<end, to: &numbers) }
      rows.take(numbers, rows: first + 1..<end + 1, into: &batch, nanIsEmpty: true) { column, row in
        table.columns[column].integer(first + row)
      }
      row = end
    }
    return batch.count > start
  }

  mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) { rows.takeAuxiliary(into: &batch) }
}

/// Reads rows of numbers one by one. The columns have the same meaning as CSV columns with these names.
package struct StreamedRows {
  private let names: [String]
  private let options: LogOptions
  private var rows: CSVLogReader?
  private var count = 0
  /// The first row, which determines the unit of the time.
  private var first: [Double] = []

  /// - Throws: ``LogError`` if the names and the options do not specify the columns.
  package init(names: [String], options: LogOptions) throws(LogError) {
    (self.names, self.options) = (names, options)
    // A row of zeros detects unknown names. The first actual row determines the unit of its time.
    _ = try InMemoryTableReader.rows(
      of: names, first: [names.map { _ in "0" }], path: InMemoryTable.name, options: options)
  }

  /// The number of columns.
  package var width: Int { names.count }
  /// The sensor channels of the rows, or `nil` before the first row.
  package var sensors: Set<SensorChannel>? { rows?.description.sensors }

  /// Appends the samples of a row. NaN stands for a missing sample.
  package mutating func take(
    _ numbers: [Double], into motion: inout [SensorSample], auxiliary: inout [AuxiliarySample]
  ) throws(LogError) {
    count += 1
    if rows == nil { try begin(numbers) }
    rows!.take(numbers, rows: count..<count + 1, into: &motion, nanIsEmpty: true)
    rows!.takeAuxiliary(into: &auxiliary)
  }
}

extension StreamedRows {
  private mutating func begin(_ first: [Double]) throws(LogError) {
    rows = try InMemoryTableReader.rows(
      of: names, first: [first.map { $0.isFinite ? "\($0)" : "0" }], path: InMemoryTable.name, options: options)
    self.first = first
  }

  /// The part of a reader that depends on the rows.
  package struct State: Codable {
    fileprivate var first: [Double]
    fileprivate var count: Int
    fileprivate var clock: RowClock.Counts?
  }

  /// The state, with which `restore` continues.
  package var state: State { State(first: first, count: count, clock: rows?.clock?.counts) }

  /// Continues from the state of a reader of the same names and options.
  package mutating func restore(_ state: State) throws(LogError) {
    guard state.count > 0, state.first.count == width else { return }
    try begin(state.first)
    count = state.count
    if let clock = state.clock { rows!.clock?.counts = clock }
  }
}
