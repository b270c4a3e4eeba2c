internal import InertialRotations
internal import InertialSensors

/// The raw acceleration as the sum of gravity and user acceleration, for logs that have only these two.
struct SummedSource: SampleSource {
  private var sources: [TableSource]
  private var buffers: [[SensorSample]] = [[], []]
  private var next = [0, 0]
  /// The number of samples skipped because the other file has no sample with the same time.
  private var unpairedCount = 0

  /// Creates a source of the sums of two files.
  init(_ first: TableSource, _ second: TableSource) { sources = [first, second] }

  var progress: Double { (sources[0].progress + sources[1].progress) / 2 }
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
      guard try sources[index].read(into: &buffers[index]) else { return false }
    }
    return true
  }
}
