internal import Sensors

/// The quality of every channel of a log, or nothing where it is not wanted.
struct QualityCollector {
  let isWanted: Bool
  private var streams = [StreamQuality?](repeating: nil, count: SensorChannel.allCases.count)

  init(isWanted: Bool) { self.isWanted = isWanted }

  mutating func look(at samples: [SensorSample]) {
    guard isWanted else { return }
    for sample in samples {
      let index = Int(sample.channel.rawValue)
      if streams[index] == nil { streams[index] = StreamQuality() }
      streams[index]!.look(at: sample)
    }
  }

  mutating func add(_ samples: [SensorSample]) {
    guard isWanted else { return }
    for sample in samples { streams[Int(sample.channel.rawValue)]?.add(sample) }
  }

  var channels: [SensorChannel: StreamQuality] {
    var result: [SensorChannel: StreamQuality] = [:]
    for channel in SensorChannel.allCases { result[channel] = streams[Int(channel.rawValue)] }
    return result
  }
}
