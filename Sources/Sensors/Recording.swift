/// All samples of one channel of a recording, as columns, on the channel's own clock.
public struct SensorStream: Sendable, Equatable {
  /// The channel of all its samples.
  public let channel: SensorChannel
  /// Seconds; in file order until sorted.
  public private(set) var times: [Double] = []
  /// The first number of each sample, in the channel's unit.
  public private(set) var x: [Double] = []
  /// The second number of each sample; 0 where the channel has one.
  public private(set) var y: [Double] = []
  /// The third number of each sample; 0 where the channel has fewer.
  public private(set) var z: [Double] = []
  /// The scalar part of a quaternion, or the accuracy of a calibrated field; otherwise 0.
  public private(set) var w: [Double] = []

  /// A stream without samples.
  public init(channel: SensorChannel) { self.channel = channel }

  /// Samples.
  public var count: Int { times.count }

  /// The sample at a place, counted from 0.
  public subscript(index: Int) -> SensorSample {
    SensorSample(
      time: times[index], channel: channel, x: x[index], y: y[index], z: z[index], w: w[index])
  }

  /// Adds a sample of the channel at the end.
  public mutating func append(_ sample: SensorSample) {
    precondition(sample.channel == channel, "a \(sample.channel.name) sample in a \(channel.name) stream")
    times.append(sample.time)
    x.append(sample.x)
    y.append(sample.y)
    z.append(sample.z)
    w.append(sample.w)
  }
}

/// A recording in memory: streams of different rates, each on its own clock, in the units of `SensorChannel`.
public struct Recording: Sendable {
  /// The samples by channel, each in the order in which they came.
  public private(set) var streams: [SensorChannel: SensorStream] = [:]

  /// An empty recording.
  public init() {}

  /// A recording of samples of any channels.
  public init(_ samples: some Sequence<SensorSample>) {
    for sample in samples { append(sample) }
  }

  /// The stream of a channel; nil where there is no sample of it.
  public subscript(channel: SensorChannel) -> SensorStream? { streams[channel] }

  /// Adds a sample at the end of its channel's stream.
  public mutating func append(_ sample: SensorSample) {
    streams[sample.channel, default: SensorStream(channel: sample.channel)].append(sample)
  }

  /// Every sample, in order of time; samples of equal time in the order of their channels, then of the file.
  public func samplesInTimeOrder() -> [SensorSample] {
    var samples: [SensorSample] = []
    samples.reserveCapacity(streams.values.reduce(0) { $0 + $1.count })
    for channel in SensorChannel.allCases {
      guard let stream = streams[channel] else { continue }
      for index in 0..<stream.count { samples.append(stream[index]) }
    }
    // A total order keeps the result the same whatever the sorting algorithm.
    let order = samples.indices.sorted { a, b in
      let (p, q) = (samples[a], samples[b])
      if p.time != q.time { return p.time < q.time }
      if p.channel != q.channel { return p.channel.rawValue < q.channel.rawValue }
      return a < b
    }
    return order.map { samples[$0] }
  }
}
