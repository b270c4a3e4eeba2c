/// All samples of one channel of a recording, as columns, on the channel's own clock.
public struct SensorStream: Sendable, Equatable {
  public let channel: SensorChannel
  /// Seconds; in file order until sorted.
  public private(set) var times: [Double] = []
  public private(set) var x: [Double] = []
  public private(set) var y: [Double] = []
  public private(set) var z: [Double] = []
  public private(set) var w: [Double] = []

  public init(channel: SensorChannel) { self.channel = channel }

  public var count: Int { times.count }

  public subscript(index: Int) -> SensorSample {
    SensorSample(
      time: times[index], channel: channel, x: x[index], y: y[index], z: z[index], w: w[index])
  }

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
  public private(set) var streams: [SensorChannel: SensorStream] = [:]

  public init() {}

  public init(_ samples: some Sequence<SensorSample>) {
    for sample in samples { append(sample) }
  }

  public subscript(channel: SensorChannel) -> SensorStream? { streams[channel] }

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
