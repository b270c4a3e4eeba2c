/// Columns over one axis of time, in bounded memory however long a recording is.
///
/// Samples are kept as they come, up to a limit. Beyond it every four neighbours become two: of a column of extremes the
/// smallest and the largest of the four in their order, so that no peak is ever lost; of a sampled column the first and the
/// third, so that orientations stay orientations. The same rule makes the coarser form in which a page is opened.
struct TraceTable {
  /// How a column is told with fewer samples.
  enum Thinning {
    /// By the smallest and the largest of each group.
    case extremes
    /// By values at equal distances.
    case sampled
  }

  struct Column {
    var name: String
    var unit: String
    var thinning = Thinning.extremes
  }

  let columns: [Column]
  /// Rows taken.
  private(set) var rowCount = 0
  private(set) var times: [Double] = []
  /// As 32-bit floats relative to the first value of the column, which halves the memory and keeps 7 digits of the change.
  private var values: [[Float]]
  private var bases: [Double]
  private let limit: Int
  /// Rows that make two samples.
  private(set) var rowsPerPair = 2
  private var pendingTimes: [Double] = []
  private var pending: [[Float]]

  /// - Parameter limit: samples of a column that are kept at most; a multiple of 4.
  init(columns: [Column], limit: Int = .max) {
    precondition(limit >= 8 && (limit == .max || limit % 4 == 0), "a limit of \(limit) is no multiple of 4")
    self.columns = columns
    self.limit = limit
    values = Array(repeating: [], count: columns.count)
    pending = values
    bases = Array(repeating: .nan, count: columns.count)
  }

  mutating func append(time: Double, _ row: UnsafeBufferPointer<Double>) {
    precondition(row.count == columns.count, "\(row.count) numbers are no row of \(columns.count)")
    rowCount += 1
    if rowsPerPair == 2 {
      times.append(time)
      for place in 0..<row.count { values[place].append(relative(row[place], place)) }
    } else {
      pendingTimes.append(time)
      for place in 0..<row.count { pending[place].append(relative(row[place], place)) }
      if pendingTimes.count == rowsPerPair { flush() }
    }
    if times.count == limit { halve() }
  }

  mutating func append(time: Double, _ row: [Double]) {
    row.withUnsafeBufferPointer { append(time: time, $0) }
  }

  /// No more rows will come.
  mutating func finish() { flush() }

  /// A value of a sample.
  subscript(column: Int, sample: Int) -> Double { Double(values[column][sample]) + base(column) }

  /// The smallest and the largest value of each column; nil where it has none.
  var ranges: [ClosedRange<Double>?] {
    columns.indices.map { place in
      var (low, high) = (Float.infinity, -Float.infinity)
      for value in values[place] where !value.isNaN {
        low = min(low, value)
        high = max(high, value)
      }
      return low <= high ? (Double(low) + base(place))...(Double(high) + base(place)) : nil
    }
  }

  /// All values of a column.
  func column(_ place: Int) -> [Double] {
    let base = base(place)
    return values[place].map { Double($0) + base }
  }

  /// Of every so many samples two.
  ///
  /// - Parameter group: 2 leaves all as it is.
  func thinned(group: Int) -> TraceTable {
    guard group > 2 else { return self }
    var table = self
    table.thin(group)
    return table
  }

  /// So many pieces of so many samples, from all over the table.
  func excerpt(pieces: Int, of length: Int) -> TraceTable {
    var excerpt = self
    let starts = (0..<pieces).map { $0 * (times.count - length) / max(1, pieces - 1) }
    excerpt.times = starts.flatMap { times[$0..<$0 + length] }
    for place in columns.indices {
      let column = values[place]
      excerpt.values[place] = starts.flatMap { column[$0..<$0 + length] }
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
    for place in columns.indices {
      values[place] += Self.thinned(pending[place], group: rowsPerPair, columns[place].thinning)
      pending[place].removeAll(keepingCapacity: true)
    }
    pendingTimes.removeAll(keepingCapacity: true)
  }

  private mutating func halve() { thin(4) }

  private mutating func thin(_ group: Int) {
    rowsPerPair = rowsPerPair * group / 2
    times = Self.thinned(times, group: group)
    for place in columns.indices { values[place] = Self.thinned(values[place], group: group, columns[place].thinning) }
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

  private static func thinned(_ values: [Float], group: Int, _ thinning: Thinning) -> [Float] {
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

  /// The smallest and the largest value in the order in which they come; NaN where there is none.
  @inline(__always)
  private static func extremes(_ values: UnsafeBufferPointer<Float>, _ start: Int, _ end: Int) -> (Float, Float) {
    var (low, high) = (start, start)
    for place in start..<end where !values[place].isNaN {
      if values[low].isNaN { (low, high) = (place, place) }
      if values[place] < values[low] { low = place }
      if values[place] > values[high] { high = place }
    }
    return low <= high ? (values[low], values[high]) : (values[high], values[low])
  }
}
