internal import InertialSensors

/// The channels and rates of a recording, determined before playback.
struct RecordingFacts {
  var channels: Set<SensorChannel> = []
  /// The sampling rates in Hz, for channels that have two samples with different timestamps.
  var rates: [SensorChannel: Double] = [:]

  init(_ samples: [SensorSample]) {
    let count = SensorChannel.allCases.count
    var spans = [(first: Double, last: Double, count: Int)](repeating: (0, 0, 0), count: count)
    for sample in samples {
      let index = Int(sample.channel.rawValue)
      if spans[index].count == 0 { spans[index].first = sample.time }
      spans[index].last = sample.time
      spans[index].count += 1
    }
    for channel in SensorChannel.allCases {
      let span = spans[Int(channel.rawValue)]
      guard span.count > 0 else { continue }
      channels.insert(channel)
      if span.last > span.first { rates[channel] = Double(span.count - 1) / (span.last - span.first) }
    }
  }
}
