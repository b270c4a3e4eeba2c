/// Columns over a time axis, in bounded memory regardless of the recording's length.
///
/// Samples are stored up to a limit. Beyond it, every four adjacent samples are reduced to two: for a column of
/// extremes, the minimum and the maximum of the four in their order, so that no peak is lost; for a sampled column, the
/// first and the third, so that orientations remain valid. The same rule yields the coarser form that a page shows
/// first.
struct TraceTable {
  /// The method for reducing a column's samples.
  enum Downsampling {
    /// The minimum and the maximum of each group.
    case extremes
    /// Values at equal distances.
    case sampled
  }

  struct Column {
    var name: String
    var unit: String
    var thinning = Downsampling.extremes
  }

  let columns: [Column]
  /// The number of appended rows.
  private(set) var rowCount = 0
  private(set) var times: [Double] = []
  /// The values as 32-bit floats relative to the first value of the column, which halves the memory and preserves 7
  /// digits of the change.
  private var values: [[Float]]
  private var bases: [Double]
  private let limit: Int
  /// The interval between two rows above which nothing is known between them, in seconds.
  private let gap: Double
  /// The intervals between rows that are longer than `gap`.
  private(set) var pauses: [SpanCollector.Span] = []
  /// The maximum number of reported pauses.
  private static let maximumPauseCount = 4000
  private var lastTime = Double.nan
  /// The number of rows that are reduced to two samples.
  private(set) var rowsPerPair = 2
  private var pendingTimes: [Double] = []
  private var pending: [[Float]]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of samples per column; a multiple of 4.
  ///   - gap: The interval between two rows above which nothing is drawn between them, in seconds.
  init(columns: [Column], limit: Int = .max, gap: Double = .infinity) {
    precondition(limit >= 8 && (limit == .max || limit % 4 == 0), "a limit of \(limit) is no multiple of 4")
    self.columns = columns
    (self.limit, self.gap) = (limit, gap)
    values = Array(repeating: [], count: columns.count)
    pending = values
    bases = Array(repeating: .nan, count: columns.count)
  }

  mutating func append(time: Double, _ row: UnsafeBufferPointer<Double>) {
    precondition(row.count == columns.count, "\(row.count) numbers are no row of \(columns.count)")
    rowCount += 1
    if time - lastTime > gap, pauses.count < Self.maximumPauseCount {
      pauses.append(SpanCollector.Span(start: lastTime, end: time))
    }
    lastTime = time
    if rowsPerPair == 2 {
      times.append(time)
      for index in 0..<row.count { values[index].append(relative(row[index], index)) }
    } else {
      pendingTimes.append(time)
      for index in 0..<row.count { pending[index].append(relative(row[index], index)) }
      if pendingTimes.count == rowsPerPair { flush() }
    }
    if times.count == limit { halve() }
  }

  mutating func append(time: Double, _ row: [Double]) {
    row.withUnsafeBufferPointer { append(time: time, $0) }
  }

  /// Finishes the table after the last row.
  mutating func finish() { flush() }

  /// Moves all times.
  mutating func shift(by seconds: Double) {
    for index in times.indices { times[index] += seconds }
    for index in pauses.indices {
      pauses[index] = .init(start: pauses[index].start + seconds, end: pauses[index].end + seconds)
    }
  }

  /// Returns the value of a sample.
  subscript(column: Int, sample: Int) -> Double { Double(values[column][sample]) + base(column) }

  /// The minimum and maximum of each column, or `nil` for a column without values.
  var ranges: [ClosedRange<Double>?] {
    columns.indices.map { index in
      var (low, high) = (Float.infinity, -Float.infinity)
      for value in values[index] where !value.isNaN {
        low = min(low, value)
        high = max(high, value)
      }
      return low <= high ? (Double(low) + base(index))...(Double(high) + base(index)) : nil
    }
  }

  /// Returns all values of a column.
  func column(_ index: Int) -> [Double] {
    let base = base(index)
    return values[index].map { Double($0) + base }
  }

  /// Returns a table with two samples per group of the given size.
  ///
  /// - Parameter group: The group size; 2 returns the table unchanged.
  func thinned(group: Int) -> TraceTable {
    guard group > 2 else { return self }
    var table = self
    table.thin(group)
    return table
  }

  /// Returns an excerpt of `pieces` pieces with `length` samples each, distributed over the table.
  func excerpt(pieces: Int, of length: Int) -> TraceTable {
    var excerpt = self
    let starts = (0..<pieces).map { $0 * (times.count - length) / max(1, pieces - 1) }
    excerpt.times = starts.flatMap { times[$0..<$0 + length] }
    for index in columns.indices {
      let column = values[index]
      excerpt.values[index] = starts.flatMap { column[$0..<$0 + length] }
    }
    return excerpt
  }

  private func base(_ column: Int) -> Double { bases[column].isNaN ? 0 : bases[column] }

  @inline(__always)
  private mutating func relative(_ value: Double, _ column: Int) -> Float {
    if bases[column].isNaN, value.isFinite { bases[column] = value }
    return value.isFinite ? Float(value - bases[column]) : .nan
  }

  private mutating func flush() {
    guard !pendingTimes.isEmpty else { return }
    times += Self.thinned(pendingTimes, group: rowsPerPair)
    for index in columns.indices {
      values[index] += Self.thinned(pending[index], group: rowsPerPair, columns[index].thinning)
      pending[index].removeAll(keepingCapacity: true)
    }
    pendingTimes.removeAll(keepingCapacity: true)
  }

  private mutating func halve() { thin(4) }

  private mutating func thin(_ group: Int) {
    rowsPerPair = rowsPerPair * group / 2
    times = Self.thinned(times, group: group)
    for index in columns.indices { values[index] = Self.thinned(values[index], group: group, columns[index].thinning) }
  }

  private static func thinned(_ times: [Double], group: Int) -> [Double] {
    var result: [Double] = []
    result.reserveCapacity(2 * (times.count / group + 1))
    for start in stride(from: 0, to: times.count, by: group) {
      let end = min(start + group, times.count)
      result.append(times[start])
      if end - start > 1 { result.append(times[start + (end - start) / 2]) }
    }
    return result
  }

  private static func thinned(_ values: [Float], group: Int, _ thinning: Downsampling) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(2 * (values.count / group + 1))
    values.withUnsafeBufferPointer { values in
      for start in stride(from: 0, to: values.count, by: group) {
        let end = min(start + group, values.count)
        let (first, second) =
          thinning == .sampled
          ? (values[start], values[start + (end - start) / 2]) : extremes(values, start, end)
        result.append(first)
        if end - start > 1 { result.append(second) }
      }
    }
    return result
  }

  /// Returns the minimum and the maximum in their order, or NaN if there are no values.
  @inline(__always)
  private static func extremes(_ values: UnsafeBufferPointer<Float>, _ start: Int, _ end: Int) -> (Float, Float) {
    var (low, high) = (start, start)
    for index in start..<end where !values[index].isNaN {
      if values[low].isNaN { (low, high) = (index, index) }
      if values[index] < values[low] { low = index }
      if values[index] > values[high] { high = index }
    }
    return low <= high ? (values[low], values[high]) : (values[high], values[low])
  }
}
