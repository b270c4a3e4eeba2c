internal import InertialSensors

/// Reads a table that Inertial wrote: a device's motion from `fuse`, with the same columns as its CSV, or samples from
/// `convert`.
///
/// Units and signs are Inertial's. NaN stands for a missing sample.
struct DatasetTableReader: LogReader {
  /// The columns of numbers, which have the same length: the names of Inertial's tables (`time`, `gravityX` and so on),
  /// the number of rows, and a function that replaces the blocks, one per column, by those of the next rows.
  typealias Source = (
    names: [String], rowCount: Int, read: (Range<Int>, inout [[Double]]) throws(LogError) -> Void
  )
  private(set) var description: LogDescription
  private(set) var emptyCounts: [SensorChannel: Int] = [:]
  private static let blockSize = 1024

  private let source: Source
  private var blocks: [[Double]]
  private var row = 0
  /// The reader for the columns of fused motion, or `nil` for samples.
  private var motion: CSVLogReader?
  /// The channels of samples, with the indices of their columns.
  private var channels: [(channel: SensorChannel, places: [Int])] = []
  private var time = 0

  /// The columns that only a dataset of fused motion has.
  private static let motionNames = ["gravityX", "userAccelerationX", "roll"]

  /// - Parameters:
  ///   - path: The path for messages.
  ///   - epoch: The UNIX time of time 0, if the dataset contains it.
  init(
    _ source: Source, format: String, kind: String, path: String, epoch: Double?, options: LogOptions
  ) throws(LogError) {
    self.source = source
    blocks = Array(repeating: [], count: source.names.count)
    guard let time = source.names.firstIndex(of: "time") else {
      throw LogError(
        path: path, problem: "no column time (found: \(source.names.prefix(12).joined(separator: ", ")))",
        remedy: "give a dataset of 'inertial fuse' or 'inertial convert'; with --columns-out, include time")
    }
    guard source.rowCount > 0 else {
      throw LogError(path: path, problem: "the dataset has no rows", remedy: "give a recording with samples")
    }
    self.time = time
    let isMotion = Self.motionNames.contains(where: source.names.contains)
    if isMotion {
      var options = options
      options.columns = source.names
      options.auxiliary = []
      options.sampleRate = nil
      var dialect = CSVDialect(id: format, summary: "dataset of fused motion (\(kind))")
      dialect.isDeviceMotion = true
      // A line of zeros replaces the rows, which are passed to the reader individually.
      let zeros = Array(repeating: "0", count: source.names.count).joined(separator: ",")
      motion = try CSVLogReader(
        scanner: LineScanner(bytes: zeros.utf8, name: path), path: path, options: options, dialect: dialect)
      description = motion!.description
    } else {
      description = LogDescription(format: format, summary: "samples of a recording (\(kind))", path: path)
      description.clock = LogClock(epoch == 0 ? .unix : .unstated, unit: .seconds)
      for channel in SensorChannel.allCases {
        let places = channel.columnNames.compactMap(source.names.firstIndex)
        if places.count == channel.columnNames.count { channels.append((channel, places)) }
      }
      guard !channels.isEmpty else {
        throw LogError(
          path: path, problem: "no columns of a sensor (found: \(source.names.prefix(12).joined(separator: ", ")))",
          remedy: "give a dataset of 'inertial fuse' or 'inertial convert'")
      }
    }
    description.epoch = epoch
  }

  var progress: Double { Double(row) / Double(source.rowCount) }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    while batch.count == start {
      let rows = row..<min(row + Self.blockSize, source.rowCount)
      guard !rows.isEmpty else { return false }
      try source.read(rows, &blocks)
      if motion != nil { appendMotion(rows, to: &batch) } else { appendSamples(rows, to: &batch) }
      row = rows.upperBound
    }
    return true
  }

  private mutating func appendMotion(_ rows: Range<Int>, to batch: inout [SensorSample]) {
    let numbers: [Double] = blocks.reduce(into: []) { $0 += $1 }
    motion!.take(numbers, rows: rows.lowerBound + 1..<rows.upperBound + 1, into: &batch, nanIsEmpty: true)
    emptyCounts = motion!.emptyCounts
  }

  private mutating func appendSamples(_ rows: Range<Int>, to batch: inout [SensorSample]) {
    for index in 0..<rows.count {
      for (channel, places) in channels {
        // A field may have no accuracy.
        let count = channel == .calibratedMagneticField ? 3 : places.count
        guard places[..<count].allSatisfy({ !blocks[$0][index].isNaN }) else {
          emptyCounts[channel, default: 0] += 1
          continue
        }
        func value(_ component: Int) -> Double { component < places.count ? blocks[places[component]][index] : 0 }
        batch.append(
          SensorSample(
            time: blocks[time][index], channel: channel, x: value(0), y: value(1), z: value(2), w: value(3)))
      }
    }
  }
}
