internal import Dispatch
internal import Synchronization

/// A table as the page stores it: the descriptions of its columns, and blocks of text with their numbers.
struct EncodedTable: Sendable {
  struct Column: Encodable, Sendable {
    var name: String
    var unit: String
    /// The value of an encoded integer: offset + step · integer.
    var step: Double
    var offset: Double
  }

  /// The metadata of the table for the page.
  struct Description: Encodable, Sendable {
    var name: String
    /// The number of rows of the fusion, and the number of samples of each column.
    var rows: Int
    var samples: Int
    /// The number of rows per two samples; 2 if every row is stored.
    var rowsPerPair: Int
    /// The times of the first and the last sample in seconds, and the ticks of the times between.
    var firstTime: Double
    var lastTime: Double
    var tick: Double
    var overviewTick: Double
    var columns: [Column]
    /// The intervals without rows, as alternating start and end times in seconds.
    var pauses: [Double]
    /// The number of samples in the overview, or 0 without an overview.
    var overview: Int
  }

  var description: Description
  /// The times and columns with few samples, which the page draws first; empty if the table is short enough. It is not
  /// deflated: a browser decompresses asynchronously, which would take most of the time until the first picture.
  var overview: String
  /// The times, then the columns.
  var blocks: [String]

  /// The size in the page, in bytes.
  var size: Int { overview.utf8.count + blocks.reduce(0) { $0 + $1.utf8.count } }

  /// The number of samples above which a table is first drawn from its overview.
  private static let overviewFrom = 8192
  private static let overviewSamples = 1024

  init(_ table: TraceTable, name: String) {
    let scales = (0..<table.columns.count).map { Self.scale(of: table.column($0)) }
    let (timeBytes, tick) = TraceCodec.planes(times: table.times)
    let columns = zip(table.columns, scales).map {
      Column(name: $0.name, unit: $0.unit, step: $1.step, offset: $1.offset)
    }
    description = Description(
      name: name, rows: table.rowCount, samples: table.times.count, rowsPerPair: table.rowsPerPair,
      firstTime: table.times.first ?? 0, lastTime: table.times.last ?? 0, tick: tick, overviewTick: tick,
      columns: columns, pauses: table.pauses.flatMap { [Lanes.rounded($0.start), Lanes.rounded($0.end)] }, overview: 0)
    // Columns are compressed concurrently, which takes most of the time.
    let packed = Mutex<[String]>(Array(repeating: "", count: columns.count + 1))
    DispatchQueue.concurrentPerform(iterations: columns.count + 1) { index in
      let text =
        index == 0
        ? TraceCodec.text(timeBytes) : TraceCodec.text(Self.planes(of: table, index - 1, scales[index - 1]))
      packed.withLock { $0[index] = text }
    }
    blocks = packed.withLock { $0 }
    overview = ""
    guard table.times.count > Self.overviewFrom else { return }
    let group = (2 * table.times.count + Self.overviewSamples - 1) / Self.overviewSamples
    let coarse = table.thinned(group: group)
    let (coarseTimes, coarseTick) = TraceCodec.planes(times: coarse.times)
    var bytes = coarseTimes
    for index in columns.indices { bytes += Self.planes(of: coarse, index, scales[index]) }
    overview = TraceCodec.text(plain: bytes)
    (description.overview, description.overviewTick) = (coarse.times.count, coarseTick)
  }

  /// Returns the finest form of a table whose blocks do not exceed the given number of bytes.
  static func fitting(_ table: TraceTable, name: String, bytes: Int) -> EncodedTable {
    var group = 2
    while true {
      let thinned = table.thinned(group: group)
      // Estimate first: to compress everything only to find that it is too large would take as long as the fusion.
      var size = estimate(of: thinned)
      if size <= bytes {
        let encoded = EncodedTable(thinned, name: name)
        guard encoded.size > bytes, thinned.times.count > 1024 else { return encoded }
        size = encoded.size
      }
      // Slightly more than the size requires, as sparser samples compress less well.
      group = max(group + 1, Int((Double(group) * Double(size) / Double(bytes) * 1.02).rounded(.up)))
    }
  }

  /// Returns an estimate of a table's size in bytes, from an eighth of it, in sixteen pieces.
  private static func estimate(of table: TraceTable) -> Int {
    let count = table.times.count
    guard count > 1 << 15 else { return 0 }
    let part = EncodedTable(table.excerpt(pieces: 16, of: count / 128), name: "")
    return 8 * part.blocks.reduce(0) { $0 + $1.utf8.count } + part.overview.utf8.count
  }

  private static func scale(of values: [Double]) -> TraceCodec.Scale {
    var (smallest, largest, areWhole) = (Double.infinity, -Double.infinity, true)
    for value in values where value.isFinite {
      smallest = min(smallest, value)
      largest = max(largest, value)
      if areWhole, value.rounded() != value { areWhole = false }
    }
    return TraceCodec.Scale(smallest: smallest, largest: largest, areWhole: areWhole)
  }

  private static func planes(of table: TraceTable, _ column: Int, _ scale: TraceCodec.Scale) -> [UInt8] {
    TraceCodec.planes(table.column(column).map(scale.whole))
  }
}
