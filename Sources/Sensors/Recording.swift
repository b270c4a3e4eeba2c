/// A recording in memory: columns of different rates, each on its own clock, in the units of `SensorChannel`.
public struct Recording: Sendable, Equatable {
  /// The samples by channel, in their order of arrival.
  public var columns: [SensorChannel: SensorColumn]

  /// Creates a recording from the columns of its channels; without any, it is empty.
  public init(columns: [SensorChannel: SensorColumn] = [:]) { self.columns = columns }

  /// Creates a recording from samples of any channels.
  public init(_ samples: some Sequence<SensorSample>) {
    self.init()
    for sample in samples { append(sample) }
  }

  /// The column of a channel, or `nil` if it has no sample.
  public subscript(channel: SensorChannel) -> SensorColumn? { columns[channel] }

  /// Appends a sample to its channel's column.
  public mutating func append(_ sample: SensorSample) {
    columns[sample.channel, default: SensorColumn()].append(sample)
  }

  /// Returns all samples sorted by time. Samples with equal times are in the order of their channels, then of the file.
  public func samplesInTimeOrder() -> [SensorSample] {
    var samples: [SensorSample] = []
    samples.reserveCapacity(columns.values.reduce(0) { $0 + $1.count })
    for channel in SensorChannel.allCases {
      guard let column = columns[channel] else { continue }
      for index in 0..<column.count { samples.append(column.sample(at: index, of: channel)) }
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
