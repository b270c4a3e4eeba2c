internal import InertialNumerics
internal import InertialSensors

/// The quality of every channel of a log.
struct QualityCollector {
  let isDetailed: Bool
  // Optionals are avoided, as they would be copied for every sample.
  private var streams: [StreamQuality]
  private var isPresent = [Bool](repeating: false, count: SensorChannel.allCases.count)

  /// The gyroscope's accumulated rotation, in radians, and its last time.
  private var (turned, lastTurnTime) = (0.0, Double.nan)

  init(isDetailed: Bool) {
    self.isDetailed = isDetailed
    streams = SensorChannel.allCases.map { _ in StreamQuality(isDetailed: isDetailed) }
  }

  mutating func add(raw samples: [SensorSample]) {
    for sample in samples where isDetailed || sample.channel <= .calibratedMagneticField {
      let index = Int(sample.channel.rawValue)
      isPresent[index] = true
      streams[index].add(raw: sample, turned: turned)
      if sample.channel == .gyroscope { turn(by: sample) }
    }
  }

  /// Adds the rotation since the last sample. A rate holds until the next sample, so held values also contribute.
  @inline(__always)
  private mutating func turn(by sample: SensorSample) {
    let step = sample.time - lastTurnTime
    let norm = sample.vector.norm
    if step > 0, step < 0.5, norm < 100 { turned += norm * step }
    lastTurnTime = sample.time
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
