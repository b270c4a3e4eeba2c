/// All samples of one channel of a recording, as columns, on the channel's own clock.
public struct SensorStream: Sendable, Equatable {
  /// The channel of all samples.
  public let channel: SensorChannel
  /// The times, in seconds; in file order until sorted.
  public private(set) var times: [Double] = []
  /// The first component of each sample, in the channel's unit.
  public private(set) var x: [Double] = []
  /// The second component of each sample; 0 if the channel has one component.
  public private(set) var y: [Double] = []
  /// The third component of each sample; 0 if the channel has fewer components.
  public private(set) var z: [Double] = []
  /// The scalar part of a quaternion, or the accuracy of a calibrated field; otherwise 0.
  public private(set) var w: [Double] = []

  /// Creates a stream without samples.
  public init(channel: SensorChannel) { self.channel = channel }

  /// The number of samples.
  public var count: Int { times.count }

  /// The sample at an index, from 0.
  public subscript(index: Int) -> SensorSample {
    SensorSample(
      time: times[index], channel: channel, x: x[index], y: y[index], z: z[index], w: w[index])
  }

  /// Appends a sample of the channel.
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
  /// The samples by channel, in their order of arrival.
  public private(set) var streams: [SensorChannel: SensorStream] = [:]

  /// Creates an empty recording.
  public init() {}

  /// Creates a recording from samples of any channels.
  public init(_ samples: some Sequence<SensorSample>) {
    for sample in samples { append(sample) }
  }

  /// The stream of a channel, or `nil` if it has no sample.
  public subscript(channel: SensorChannel) -> SensorStream? { streams[channel] }

  /// Appends a sample to its channel's stream.
  public mutating func append(_ sample: SensorSample) {
    streams[sample.channel, default: SensorStream(channel: sample.channel)].append(sample)
  }

  /// Returns all samples sorted by time. Samples with equal times are in the order of their channels, then of the file.
  public func samplesInTimeOrder() -> [SensorSample] {
    var samples: [SensorSample] = []
    samples.reserveCapacity(streams.values.reduce(0) { $0 + $1.count })
    for channel in SensorChannel.allCases {
      guard let stream = streams[channel] else { continue }
      for index in 0..<stream.count { samples.append(stream[index]) }
    }
    // The order is total, so the result does not depend on the sorting algorithm.
    let order = samples.indices.sorted { a, b in
      let (p, q) = (samples[a], samples[b])
      if p.time != q.time { return p.time < q.time }
      if p.channel != q.channel { return p.channel.rawValue < q.channel.rawValue }
      return a < b
    }
    return order.map { samples[$0] }
  }
}
