internal import LinearAlgebra
internal import Sensors

/// How a folder's file of one stream is laid out.
struct TableLayout {
  enum Header {
    /// No names; every row has this many fields. A first line of a comment is skipped.
    case none(fieldCount: Int)
    /// Names in the first line; every row has as many fields.
    case names
  }

  var delimiter: TextTable.Delimiter
  var header: Header
}

/// How the stamps of a file become seconds on the log's clock.
enum TableClock {
  /// Stamps in seconds, `offset` to be added.
  case seconds(offset: Double)
  /// Whole nanoseconds, counted from `origin`. A UNIX stamp in nanoseconds does not fit a double.
  case nanoseconds(origin: Int64)
}

/// One stream of a folder: the rows of one file as samples of one channel.
struct TableSource: SampleSource {
  /// Rows per batch.
  private static let batchSize = 512

  let channel: SensorChannel
  private var table: TextTable
  private let timeColumn: Int
  /// Fields that hold x, y, z and w, as many as the channel has.
  private let columns: [Int]
  private let scale: Double
  private var clock = TableClock.seconds(offset: 0)
  /// Whether the row read last is still to be turned into a sample.
  private var isPending: Bool
  private(set) var emptyCounts: [SensorChannel: Int] = [:]

  /// Opens the file and reads its first row. `columns` and `timeColumn` are counted from 0.
  init(_ table: TextTable, channel: SensorChannel, timeColumn: Int, columns: [Int], scale: Double = 1)
    throws(LogError)
  {
    self.channel = channel
    self.table = table
    self.timeColumn = timeColumn
    self.columns = columns
    self.scale = scale
    isPending = try self.table.nextRow()
  }

  var bytesRead: Int { table.bytesRead }
  var byteCount: Int { table.byteCount }
  var remarks: [String] { table.remarks }
  /// Whether the file has a row.
  var hasRows: Bool { isPending }

  mutating func set(_ clock: TableClock) { self.clock = clock }

  /// The first stamp in whole nanoseconds; use before reading. An error where it is not a whole number.
  func firstNanoseconds() throws(LogError) -> Int64 {
    guard let stamp = table.integer(timeColumn) else {
      throw table.failure(
        timeColumn, "the first stamp is not a whole number of nanoseconds",
        remedy: "give the file as the app wrote it")
    }
    return stamp
  }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    while batch.count - start < Self.batchSize {
      if !isPending, try !table.nextRow() { break }
      isPending = false
      try appendRow(to: &batch)
    }
    return batch.count > start
  }

  private mutating func appendRow(to batch: inout [SensorSample]) throws(LogError) {
    // Of a calibrated field without a fourth number the accuracy is not told, which is not the same as 0.
    var sample = SensorSample(
      time: 0, channel: channel, x: 0, w: channel == .calibratedMagneticField ? .nan : 0)
    var isComplete = try time().map { sample.time = $0 } != nil
    for (component, column) in columns.enumerated() {
      guard let value = try table.number(column) else {
        isComplete = false
        continue
      }
      switch component {
      case 0: sample.x = value * scale
      case 1: sample.y = value * scale
      case 2: sample.z = value * scale
      default: sample.w = value
      }
    }
    if isComplete {
      batch.append(sample)
    } else {
      emptyCounts[channel, default: 0] += 1
    }
  }

  private func time() throws(LogError) -> Double? {
    switch clock {
    case .seconds(let offset):
      return try table.number(timeColumn).map { $0 + offset }
    case .nanoseconds(let origin):
      if let stamp = table.integer(timeColumn) {
        let (difference, overflow) = stamp.subtractingReportingOverflow(origin)
        return overflow ? Double(stamp) / 1e9 - Double(origin) / 1e9 : Double(difference) / 1e9
      }
      return try table.number(timeColumn).map { ($0 - Double(origin)) / 1e9 }
    }
  }
}

/// Raw acceleration as the sum of gravity and user acceleration, for logs that have only these two.
struct SummedSource: SampleSource {
  private var first: TableSource
  private var second: TableSource
  private var buffers: [[SensorSample]] = [[], []]
  private var next = [0, 0]
  /// Samples left out because the other file has none of the same time.
  private var unpairedCount = 0

  init(_ first: TableSource, _ second: TableSource) {
    self.first = first
    self.second = second
  }

  var emptyCounts: [SensorChannel: Int] { [:] }
  var bytesRead: Int { first.bytesRead + second.bytesRead }
  var byteCount: Int { first.byteCount + second.byteCount }
  var remarks: [String] {
    unpairedCount == 0
      ? [] : ["\(unpairedCount) samples without gravity and user acceleration at the same time"]
  }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    while batch.count == start {
      guard try refill() else { return false }
      while next[0] < buffers[0].count, next[1] < buffers[1].count {
        let (a, b) = (buffers[0][next[0]], buffers[1][next[1]])
        if a.time == b.time {
          batch.append(SensorSample(time: a.time, channel: .accelerometer, a.vector + b.vector))
          next[0] += 1
          next[1] += 1
        } else {
          next[a.time < b.time ? 0 : 1] += 1
          unpairedCount += 1
        }
      }
    }
    return true
  }

  /// Reads on where a buffer is used up; false where a file has ended.
  private mutating func refill() throws(LogError) -> Bool {
    for index in 0...1 where next[index] == buffers[index].count {
      buffers[index].removeAll(keepingCapacity: true)
      next[index] = 0
      let more = index == 0 ? try first.read(into: &buffers[0]) : try second.read(into: &buffers[1])
      guard more else { return false }
    }
    return true
  }
}
