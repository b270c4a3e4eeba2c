internal import Dispatch
internal import Synchronization

/// A table as the page holds it: what its columns are, and blocks of text with their numbers.
struct EncodedTable: Sendable {
  struct Column: Encodable, Sendable {
    var name: String
    var unit: String
    /// The number of a whole one: offset + step · whole.
    var step: Double
    var offset: Double
  }

  /// What the page is told of the table beside the numbers.
  struct Description: Encodable, Sendable {
    var name: String
    /// Rows that were made, and samples that the table has of each column.
    var rows: Int
    var samples: Int
    /// Rows that two samples stand for; 2 where every row is there.
    var rowsPerPair: Int
    /// Seconds of the first and the last sample, and of a tick of those between.
    var firstTime: Double
    var lastTime: Double
    var tick: Double
    var overviewTick: Double
    var columns: [Column]
    /// Samples in the overview; 0 where there is none.
    var overview: Int
  }

  var description: Description
  /// Times and columns with few samples, by which the page is drawn first; empty where the table is short enough. Not
  /// deflated: a browser unpacks in its own time, which would be most of that until the first picture.
  var overview: String
  /// The times, then the columns.
  var blocks: [String]

  /// Bytes in the page.
  var size: Int { overview.utf8.count + blocks.reduce(0) { $0 + $1.utf8.count } }

  /// A table with more samples than this is drawn from its overview first.
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
      columns: columns, overview: 0)
    // Columns are packed beside one another: that is where the time goes.
    let packed = Mutex<[String]>(Array(repeating: "", count: columns.count + 1))
    DispatchQueue.concurrentPerform(iterations: columns.count + 1) { place in
      let text =
        place == 0
        ? TraceCodec.text(timeBytes) : TraceCodec.text(Self.planes(of: table, place - 1, scales[place - 1]))
      packed.withLock { $0[place] = text }
    }
    blocks = packed.withLock { $0 }
    overview = ""
    guard table.times.count > Self.overviewFrom else { return }
    let group = (2 * table.times.count + Self.overviewSamples - 1) / Self.overviewSamples
    let coarse = table.thinned(group: group)
    let (coarseTimes, coarseTick) = TraceCodec.planes(times: coarse.times)
    var bytes = coarseTimes
    for place in columns.indices { bytes += Self.planes(of: coarse, place, scales[place]) }
    overview = TraceCodec.text(plain: bytes)
    (description.overview, description.overviewTick) = (coarse.times.count, coarseTick)
  }

  /// The finest form of a table whose blocks take no more than so many bytes.
  static func fitting(_ table: TraceTable, name: String, bytes: Int) -> EncodedTable {
    var group = 2
    while true {
      let thinned = table.thinned(group: group)
      // A coarse look first: to pack all only to see that it is too much would take as long as the fusion.
      var size = estimate(of: thinned)
      if size <= bytes {
        let encoded = EncodedTable(thinned, name: name)
        guard encoded.size > bytes, thinned.times.count > 1024 else { return encoded }
        size = encoded.size
      }
      // A little more than what the size asks for, as thinner samples pack less well.
      group = max(group + 1, Int((Double(group) * Double(size) / Double(bytes) * 1.02).rounded(.up)))
    }
  }

  /// About how many bytes a table takes, by an eighth of it, in sixteen pieces.
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
