internal import InertialSensors

/// A file of a folder: samples of motion in the order of the file, auxiliary samples, or both.
protocol SampleSource {
  /// Appends a batch of samples. Returns `false` at the end, without appending any.
  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool
  /// The number of empty fields so far, each a missing sample.
  var emptyCounts: [SensorChannel: Int] { get }
  /// The notes for the user, one sentence each. They are complete at the end of the file.
  var remarks: [String] { get }
  /// The fraction of the file that was read, 0...1.
  var progress: Double { get }
  /// Appends the auxiliary samples that were read since the last call.
  mutating func takeAuxiliary(into batch: inout [AuxiliarySample])
  /// The auxiliary channels of a file that is read by `read(upTo:into:)`.
  var auxiliaryChannels: Set<AuxiliaryChannel> { get }
  /// Appends the rows of a file without motion up to a time, in the order of the file: a row with a later time delays
  /// all following rows.
  mutating func read(upTo time: Double, into batch: inout [AuxiliarySample]) throws(LogError)
  /// The cells of auxiliary channels that do not match their column's type.
  var unreadable: [AuxiliaryChannel: UnreadableCells] { get }
  /// The lines that are not rows, as in `LogDescription.lineWarnings`.
  var lineWarnings: [String] { get }
}

// Most files contain either motion or an auxiliary channel.
extension SampleSource {
  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool { false }
  var emptyCounts: [SensorChannel: Int] { [:] }
  var progress: Double { 1 }
  mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) {}
  var auxiliaryChannels: Set<AuxiliaryChannel> { [] }
  mutating func read(upTo time: Double, into batch: inout [AuxiliarySample]) throws(LogError) {}
  var unreadable: [AuxiliaryChannel: UnreadableCells] { [:] }
  var lineWarnings: [String] { [] }
}

/// Merges the streams of a folder by time, in bounded memory.
///
/// The order within a file is preserved: a sample is delayed by earlier samples of other files, but not by earlier
/// samples that follow it in its own file. Unsorted files thus stay unsorted, as the contract of `LogReader` requires,
/// and the batch is sorted if the files are.
struct MergedLogReader: LogReader {
  /// The number of samples per batch.
  private static let batchSize = 4096

  private struct Stream {
    var source: any SampleSource
    var buffer: [SensorSample] = []
    var next = 0

    var head: SensorSample? { next < buffer.count ? buffer[next] : nil }

    mutating func refill() throws(LogError) {
      buffer.removeAll(keepingCapacity: true)
      next = 0
      while buffer.isEmpty, try source.read(into: &buffer) {}
    }
  }

  private(set) var description: LogDescription
  private var streams: [Stream]
  private var auxiliary: [any SampleSource]
  /// The auxiliary samples without a file, sorted by time, that are not yet delivered.
  private var marks: [AuxiliarySample]
  /// The auxiliary samples that are not yet delivered.
  private var pending: [AuxiliarySample] = []
  private var hasStarted = false

  /// - Parameters:
  ///   - sources: The files with motion.
  ///   - auxiliary: The files without motion. Their channels are added to the description.
  ///   - marks: Further auxiliary samples, sorted by time.
  init(
    _ description: LogDescription, _ sources: [any SampleSource], auxiliary: [any SampleSource] = [],
    marks: [AuxiliarySample] = []
  ) {
    self.description = description
    for channels in auxiliary.map(\.auxiliaryChannels) + [Set(marks.map(\.channel))] {
      self.description.auxiliaryChannels.formUnion(channels)
    }
    streams = sources.map { Stream(source: $0) }
    self.auxiliary = auxiliary
    self.marks = marks
  }

  var emptyCounts: [SensorChannel: Int] {
    streams.reduce(into: [:]) { counts, stream in counts.merge(stream.source.emptyCounts, uniquingKeysWith: +)
    }
  }

  /// The mean progress of the streams, which advance together in time regardless of their sizes.
  var progress: Double {
    streams.isEmpty ? 1 : streams.reduce(0) { $0 + $1.source.progress } / Double(streams.count)
  }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    if !hasStarted {
      for index in streams.indices { try streams[index].refill() }
      hasStarted = true
    }
    let start = batch.count
    while batch.count - start < Self.batchSize, let index = earliest() {
      batch.append(streams[index].buffer[streams[index].next])
      streams[index].next += 1
      if streams[index].next == streams[index].buffer.count { try streams[index].refill() }
    }
    for index in streams.indices { streams[index].source.takeAuxiliary(into: &pending) }
    if !auxiliary.isEmpty || !marks.isEmpty {
      // Reads up to the newest time of the batch, or to the end if motion has ended.
      let isEnd = batch.count == start
      let newest = isEnd ? .infinity : batch[start...].reduce(-Double.infinity) { max($0, $1.time) }
      for index in auxiliary.indices {
        var block: [AuxiliarySample] = []
        try auxiliary[index].read(upTo: newest, into: &block)
        join(block)
      }
      let count = marks.prefix { $0.time <= newest }.count
      pending += marks[..<count]
      marks.removeFirst(count)
    }
    if batch.count == start { complete() }
    return batch.count > start
  }

  /// Adds the findings that the files report at their ends to the description.
  private mutating func complete() {
    let sources = streams.map(\.source)
    description.note((sources + auxiliary).flatMap(\.remarks))
    description.unreadable = (auxiliary + sources).map(\.unreadable).reduce(into: [:]) { all, cells in
      for (channel, found) in cells { all.add(found, of: channel) }
    }
    description.lineWarnings = (sources + auxiliary).flatMap(\.lineWarnings)
  }

  /// Adds samples of a file. A sample is merged with another file's sample of the same channel and time that has the
  /// missing values.
  private mutating func join(_ block: [AuxiliarySample]) {
    guard let channel = block.first?.channel, auxiliary.count(where: { $0.auxiliaryChannels.contains(channel) }) > 1,
      block.allSatisfy({ $0.channel == channel })
    else {
      pending += block
      return
    }
    var places: [Double: Int] = [:]
    for (position, sample) in pending.enumerated() where sample.channel == channel { places[sample.time] = position }
    for sample in block {
      if let position = places[sample.time], pending[position].fill(from: sample) { continue }
      pending.append(sample)
    }
  }

  mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) {
    batch += pending
    pending.removeAll(keepingCapacity: true)
  }

  /// Returns the stream whose next sample is the earliest. If times are equal, the first channel is chosen.
  private func earliest() -> Int? {
    var best: (index: Int, head: SensorSample)?
    for index in streams.indices {
      guard let head = streams[index].head else { continue }
      if let current = best, !precedes(head, current.head) { continue }
      best = (index, head)
    }
    return best?.index
  }

  /// Whether a sample comes first. A sample whose time is NaN is not delayed, or its stream would block the others.
  private func precedes(_ a: SensorSample, _ b: SensorSample) -> Bool {
    if a.time.isNaN || b.time.isNaN { return a.time.isNaN && !b.time.isNaN }
    return a.time != b.time ? a.time < b.time : a.channel.rawValue < b.channel.rawValue
  }
}

extension LogDescription {
  /// Adds notes that are only complete at the end of the log, without duplicates.
  mutating func note(_ remarks: [String]) {
    for remark in remarks where !notes.contains(remark) { notes.append(remark) }
  }
}
