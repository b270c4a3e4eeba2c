internal import Sensors

/// The quality of every channel of a log.
struct QualityCollector {
  let isDetailed: Bool
  // No optionals: one of them would be copied out and in for every sample.
  private var streams: [StreamQuality]
  private var isPresent = [Bool](repeating: false, count: SensorChannel.allCases.count)

  init(isDetailed: Bool) {
    self.isDetailed = isDetailed
    streams = SensorChannel.allCases.map { _ in StreamQuality(isDetailed: isDetailed) }
  }

  mutating func look(at samples: [SensorSample]) {
    for sample in samples where isDetailed || sample.channel <= .calibratedMagneticField {
      let index = Int(sample.channel.rawValue)
      isPresent[index] = true
      streams[index].look(at: sample)
    }
  }

  mutating func add(_ samples: [SensorSample]) {
    for sample in samples { streams[Int(sample.channel.rawValue)].add(sample) }
  }

  var channels: [SensorChannel: StreamQuality] {
    var result: [SensorChannel: StreamQuality] = [:]
    for channel in SensorChannel.allCases where isPresent[Int(channel.rawValue)] {
      result[channel] = streams[Int(channel.rawValue)]
    }
    return result
  }
}
