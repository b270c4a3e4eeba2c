internal import InertialSensors
internal import InertialSystem

/// Finds the line of the gyroscope sample of each motion, for the column `line`.
struct SampleLines {
  private struct Rate: BitwiseCopyable, Sendable, Codable {
    var time: Double
    var line: UInt32
  }

  /// The gyroscope samples whose motions are pending. An offline filter returns all motions at the end.
  private var pending = SpilledQueue<Rate>()

  /// Adds samples, sorted by time.
  mutating func add(_ samples: ArraySlice<SensorSample>) {
    for sample in samples where sample.channel == .gyroscope {
      pending.append(Rate(time: sample.time, line: sample.line))
    }
  }

  /// Returns the line of each motion, 0 if it is unknown, and forgets it. A motion has the time of its sample.
  ///
  /// - Parameter motions: The next motions, sorted by time.
  mutating func take(for motions: [DeviceMotion]) throws(SpillError) -> [UInt32] {
    var lines: [UInt32] = []
    lines.reserveCapacity(motions.count)
    for index in motions.indices {
      let time = motions[index].time
      var line: UInt32 = 0
      while let rate = try pending.first(), rate.time <= time {
        if rate.time == time { line = rate.line }
        pending.removeFirst()
        // The sample of this time that comes first has the motion.
        if rate.time == time { break }
      }
      lines.append(line)
    }
    return lines
  }

  /// Forgets all samples, before samples of another clock.
  mutating func restart() { pending = SpilledQueue() }
}

extension SampleLines: Codable {
  init(from decoder: any Decoder) throws {
    for rate in try [Rate](from: decoder) { pending.append(rate) }
  }

  /// Encodes the samples whose motions are pending.
  func encode(to encoder: any Encoder) throws {
    var (rest, rates) = (pending, [Rate]())
    while let rate = try rest.first() {
      rates.append(rate)
      rest.removeFirst()
    }
    try rates.encode(to: encoder)
  }
}
