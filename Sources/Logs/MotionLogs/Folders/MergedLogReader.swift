internal import InertialSensors

/// One stream of a folder: batches of samples, in the order of its file.
protocol SampleSource {
  /// Appends some samples; false at the end, with nothing appended.
  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool
  /// Empty fields met so far: no sample at their times.
  var emptyCounts: [SensorChannel: Int] { get }
  /// What happened on the way that the user should know, one sentence each; complete at the end.
  var remarks: [String] { get }
  /// The share of the file read so far, 0 to 1.
  var progress: Double { get }
  /// Appends the samples of auxiliary channels that came with what was read since the last call.
  mutating func takeAuxiliary(into batch: inout [AuxiliarySample])
  /// Cells of auxiliary channels that hold something else than their column does.
  var unreadable: [AuxiliaryChannel: UnreadableCells] { get }
  /// Lines that are no rows, as `LogDescription.lineWarnings`.
  var lineWarnings: [String] { get }
}

extension SampleSource {
  /// Nothing: most files have motion only.
  mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) {}
  var unreadable: [AuxiliaryChannel: UnreadableCells] { [:] }
  var lineWarnings: [String] { [] }
}

/// A file of a folder that has auxiliary channels and no motion.
protocol AuxiliarySource {
  var auxiliaryChannels: Set<AuxiliaryChannel> { get }
  /// What happened on the way that the user should know, one sentence each; complete at the end.
  var remarks: [String] { get }
  /// Cells that hold something else than their column does.
  var unreadable: [AuxiliaryChannel: UnreadableCells] { get }
  /// Lines that are no rows, as `LogDescription.lineWarnings`.
  var lineWarnings: [String] { get }
  /// Appends the rows up to a time, in the order of the file: a later row holds up those behind it.
  mutating func read(upTo time: Double, into batch: inout [AuxiliarySample]) throws(LogError)
}

extension AuxiliarySource {
  var lineWarnings: [String] { [] }
}

/// Merges the streams of a folder into one, by time, in memory that does not grow with the files.
///
/// Within a file the order stays the file's: a sample waits for earlier ones of the other files, never for
/// earlier ones further down its own. So unsorted files come out unsorted, as the contract of `LogReader`
/// wants it, and the batch is in order wherever the files are.
struct MergedLogReader: LogSource {
  /// Samples per batch.
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

  private var streams: [Stream]
  private var auxiliary: [any AuxiliarySource]
  /// Auxiliary samples that nobody has taken yet.
  private var waiting: [AuxiliarySample] = []
  private var hasStarted = false

  init(_ sources: [any SampleSource], auxiliary: [any AuxiliarySource] = []) {
    streams = sources.map { Stream(source: $0) }
    self.auxiliary = auxiliary
  }

  var emptyCounts: [SensorChannel: Int] {
    streams.reduce(into: [:]) { counts, stream in counts.merge(stream.source.emptyCounts, uniquingKeysWith: +)
    }
  }

  var remarks: [String] { streams.flatMap(\.source.remarks) + auxiliary.flatMap(\.remarks) }

  /// Cells of auxiliary channels that hold something else than their column does.
  var unreadable: [AuxiliaryChannel: UnreadableCells] {
    (auxiliary.map(\.unreadable) + streams.map(\.source.unreadable)).reduce(into: [:]) { all, cells in
      all.merge(cells) { UnreadableCells(first: $0.first, count: $0.count + $1.count) }
    }
  }

  var lineWarnings: [String] { streams.flatMap(\.source.lineWarnings) + auxiliary.flatMap(\.lineWarnings) }

  /// The streams advance together in time, so that their mean is fair whatever their sizes.
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
    for index in streams.indices { streams[index].source.takeAuxiliary(into: &waiting) }
    if !auxiliary.isEmpty {
      // Up to the newest time of the batch; when motion has ended, all that is left.
      let isEnd = batch.count == start
      let newest = batch[start...].reduce(-Double.infinity) { max($0, $1.time) }
      for index in auxiliary.indices {
        var block: [AuxiliarySample] = []
        try auxiliary[index].read(upTo: isEnd ? .infinity : newest, into: &block)
        join(block)
      }
    }
    return batch.count > start
  }

  /// Adds samples of a file; one that another file of the channel has the rest of, at the same time, becomes part of it.
  private mutating func join(_ block: [AuxiliarySample]) {
    guard let channel = block.first?.channel, auxiliary.count(where: { $0.auxiliaryChannels.contains(channel) }) > 1,
      block.allSatisfy({ $0.channel == channel })
    else {
      waiting += block
      return
    }
    var places: [Double: Int] = [:]
    for (place, sample) in waiting.enumerated() where sample.channel == channel { places[sample.time] = place }
    for sample in block {
      if let place = places[sample.time], waiting[place].fill(from: sample) { continue }
      waiting.append(sample)
    }
  }

  mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) {
    batch += waiting
    waiting.removeAll(keepingCapacity: true)
  }

  /// The stream whose next sample is the earliest; among equal times the first channel.
  private func earliest() -> Int? {
    var best: (index: Int, head: SensorSample)?
    for index in streams.indices {
      guard let head = streams[index].head else { continue }
      if let current = best, !precedes(head, current.head) { continue }
      best = (index, head)
    }
    return best?.index
  }

  /// A time that is not a number cannot wait for anything, or its stream would stop the others.
  private func precedes(_ a: SensorSample, _ b: SensorSample) -> Bool {
    if a.time.isNaN || b.time.isNaN { return a.time.isNaN && !b.time.isNaN }
    return a.time != b.time ? a.time < b.time : a.channel.rawValue < b.channel.rawValue
  }
}

extension MergedLogReader {
  func complete(_ description: inout LogDescription) {
    description.note(remarks)
    description.unreadable = unreadable
    description.lineWarnings = lineWarnings
  }
}

extension LogDescription {
  /// Adds what only the whole log tells, once.
  mutating func note(_ remarks: [String]) {
    for remark in remarks where !notes.contains(remark) { notes.append(remark) }
  }
}
