internal import Sensors

/// The quality of every channel of a log.
struct QualityCollector {
  let isDetailed: Bool
  private var streams = [StreamQuality?](repeating: nil, count: SensorChannel.allCases.count)

  init(isDetailed: Bool) { self.isDetailed = isDetailed }

  mutating func look(at samples: [SensorSample]) {
    for sample in samples where isDetailed || sample.channel <= .calibratedMagneticField {
      let index = Int(sample.channel.rawValue)
      if streams[index] == nil { streams[index] = StreamQuality(isDetailed: isDetailed) }
      streams[index]!.look(at: sample)
    }
  }

  mutating func add(_ samples: [SensorSample]) {
    for sample in samples { streams[Int(sample.channel.rawValue)]?.add(sample) }
  }

  var channels: [SensorChannel: StreamQuality] {
    var result: [SensorChannel: StreamQuality] = [:]
    for channel in SensorChannel.allCases { result[channel] = streams[Int(channel.rawValue)] }
    return result
  }
}
