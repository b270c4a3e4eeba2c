internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// The conversion from the timestamps of a file to seconds on the log's clock.
enum TableClock {
  /// Timestamps in seconds, to which `offset` is added.
  case seconds(offset: Double)
  /// Whole nanoseconds, counted from `origin`. A UNIX timestamp in nanoseconds exceeds the precision of a double.
  case nanoseconds(origin: Int64)
  case microseconds
  /// Seconds on a clock that stops during pauses.
  case experiment(PhyphoxClock)

  /// Returns a timestamp in seconds, or NaN if the timestamp is not a number.
  func seconds(_ stamp: FieldScanner.Integer) -> Double {
    switch (self, stamp) {
    case (.seconds(let offset), .integer(let stamp)): Double(stamp) + offset
    case (.seconds(let offset), .value(let stamp)): stamp + offset
    case (.nanoseconds(let origin), .integer(let stamp)): timestampDifference(from: origin, to: stamp) / 1e9
    case (.nanoseconds(let origin), .value(let stamp)): (stamp - Double(origin)) / 1e9
    case (.microseconds, .integer(let stamp)): Double(stamp) / 1e6
    case (.microseconds, .value(let stamp)): stamp / 1e6
    case (.experiment(let clock), .integer(let stamp)): clock.seconds(Double(stamp))
    case (.experiment(let clock), .value(let stamp)): clock.seconds(stamp)
    case (_, .empty), (_, .text), (_, .end): .nan
    }
  }
}

/// One stream of a folder: the rows of one file as samples of one channel.
struct TableSource: SampleSource {
  /// The number of rows per batch.
  private static let batchSize = 512

  let channel: SensorChannel
  private var table: TextTable
  private let stampColumn: Int
  private let scale: Double
  /// The frame of the file's attitudes. The samples' frame is north, west, up.
  private let frame: EarthFrame
  private var clock = TableClock.seconds(offset: 0)
  private var row = TextTable.Row()
  /// Whether the last row read is not yet converted to a sample.
  private var isPending: Bool
  private(set) var emptyCounts: [SensorChannel: Int] = [:]

  /// Reads the first row of an open file.
  ///
  /// Columns are counted from 0. `columns` are the columns of x, y, z and w, as many as the channel has. `scale` is not
  /// applied to w. `frame` is the frame of an attitude.
  init(
    _ table: TextTable, channel: SensorChannel, stampColumn: Int, columns: [Int], scale: Double = 1,
    frame: EarthFrame = .nwu
  ) throws(LogError) {
    self.channel = channel
    self.table = table
    self.stampColumn = stampColumn
    self.scale = scale
    self.frame = frame
    row.values = Array(repeating: 0, count: columns.count)
    self.table.plan(stamp: stampColumn, values: columns)
    isPending = try self.table.read(into: &row)
  }

  var progress: Double { table.progress }
  var remarks: [String] { table.remarks }
  /// Whether the file has a row. Valid only before reading.
  var hasRows: Bool { isPending }

  mutating func set(_ clock: TableClock) { self.clock = clock }

  /// Returns the first timestamp in whole nanoseconds. Must be called before reading.
  ///
  /// - Throws: ``LogError`` if the timestamp is not an integer.
  func firstNanoseconds() throws(LogError) -> Int64 {
    guard case .integer(let stamp) = row.stamp else { throw table.badFirstStamp(column: stampColumn) }
    return stamp
  }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    while batch.count - start < Self.batchSize {
      if !isPending, try !table.read(into: &row) { break }
      isPending = false
      if row.isComplete {
        batch.append(sample())
      } else {
        emptyCounts[channel, default: 0] += 1
      }
    }
    return batch.count > start
  }

  private func sample() -> SensorSample {
    var sample = SensorSample(time: time(), channel: channel, x: row.values[0] * scale)
    if row.values.count >= 3 {
      sample.y = row.values[1] * scale
      sample.z = row.values[2] * scale
    }
    if row.values.count == 4 {
      sample.w = row.values[3]
      if frame != .nwu {
        let turned = EarthFrame.quaternion(sample.quaternion, from: frame, to: .nwu)
        sample = SensorSample(time: sample.time, channel: channel, turned)
      }
    } else if channel == .calibratedMagneticField {
      // An unknown accuracy is not an accuracy of 0.
      sample.w = .nan
    }
    return sample
  }

  // A row without a timestamp is not complete.
  private func time() -> Double { clock.seconds(row.stamp) }
}

/// The raw acceleration as the sum of gravity and user acceleration, for logs that have only these two.
struct SummedSource: SampleSource {
  private var first: TableSource
  private var second: TableSource
  private var buffers: [[SensorSample]] = [[], []]
  private var next = [0, 0]
  /// The number of samples skipped because the other file has no sample with the same time.
  private var unpairedCount = 0

  init(_ first: TableSource, _ second: TableSource) {
    self.first = first
    self.second = second
  }

  var emptyCounts: [SensorChannel: Int] { [:] }
  var progress: Double { (first.progress + second.progress) / 2 }
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

  /// Reads more samples if a buffer is used up. Returns `false` if a file has ended.
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
