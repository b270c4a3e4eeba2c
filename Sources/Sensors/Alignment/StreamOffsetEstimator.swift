internal import InertialNumerics

/// Finds constant time offsets between the gyroscope of a log and its other sensors, in bounded memory.
///
/// Samples go in in order of time. Stretches of four seconds with rotation are kept, of a long log some from all over
/// it; from these `finding` looks for the offset at which the rotation that the gyroscope tells explains best how the
/// vector moves in the device's frame.
package struct StreamOffsetEstimator: Sendable {
  /// Seconds of a stretch.
  static let span = 4.0
  /// Root mean square of the rotation rate of a stretch that can tell something, rad/s.
  static let leastRate = 0.2
  /// Stretches kept.
  static let mostStretches = 120
  /// Seconds between rates beyond which the rotation is not known.
  private static let longestInterval = 0.1

  private var rates: [OffsetStretch.Vector] = []
  private var vectors: [SensorChannel: [OffsetStretch.Vector]] = [:]
  /// Where the next stretch begins, seconds.
  private var start = 0.0
  private var stretches: [OffsetStretch] = []
  /// One of so many stretches with motion is kept.
  private var stride = 1
  private var movingCount = 0

  package init() {}

  /// The findings of a log's samples in order of time, for every channel that it has.
  package static func findings(in samples: some Sequence<SensorSample>) -> [SensorChannel: StreamOffsetFinding] {
    var estimator = StreamOffsetEstimator()
    var channels: Set<SensorChannel> = []
    for sample in samples {
      estimator.add(sample)
      channels.insert(sample.channel)
    }
    return estimator.findings(for: channels)
  }

  /// Takes the next sample in order of time.
  package mutating func add(_ sample: SensorSample) {
    let timed = OffsetStretch.Vector(time: sample.time, vector: sample.vector)
    switch sample.channel {
    case .gyroscope: add(rate: timed)
    case .accelerometer, .magnetometer, .calibratedMagneticField:
      if !rates.isEmpty { vectors[sample.channel, default: []].append(timed) }
    default: return
    }
  }

  /// The findings for those of the channels that can have an offset. Takes some tenths of a second.
  package func findings(for channels: some Sequence<SensorChannel>) -> [SensorChannel: StreamOffsetFinding] {
    var findings: [SensorChannel: StreamOffsetFinding] = [:]
    for channel in Set(channels).intersection(StreamOffset.channels) { findings[channel] = finding(for: channel) }
    return findings
  }

  /// What the samples so far tell of a channel's offset.
  package func finding(for channel: SensorChannel) -> StreamOffsetFinding {
    OffsetSearch.finding(stretches, channel: channel)
  }

  private mutating func add(rate: OffsetStretch.Vector) {
    if let last = rates.last, rate.time - last.time > Self.longestInterval {
      rates.removeAll(keepingCapacity: true)
      vectors.removeAll(keepingCapacity: true)
    }
    if rates.isEmpty { start = rate.time + OffsetSearch.reach }
    rates.append(rate)
    // Later lags than the reach need rotation from after the stretch's end.
    if rate.time >= start + Self.span + OffsetSearch.reach { closeStretch() }
  }

  private mutating func closeStretch() {
    let end = start + Self.span
    if isMoving {
      if movingCount.isMultiple(of: stride) {
        let inside = vectors.mapValues { samples in samples.filter { $0.time >= start && $0.time < end } }
        stretches.append(OffsetStretch(rates: rates, vectors: inside, start: start, end: end))
        if stretches.count == Self.mostStretches {
          // Every other one, so that they are from all over the log, however long it gets.
          stretches = stretches.enumerated().compactMap { $0.offset.isMultiple(of: 2) ? $0.element : nil }
          stride *= 2
        }
      }
      movingCount += 1
    }
    start = end
    rates.removeAll { $0.time < end - OffsetSearch.reach }
    for channel in vectors.keys { vectors[channel]?.removeAll { $0.time < end } }
  }

  private var isMoving: Bool {
    let squares = rates.reduce(0) { $0 + $1.vector.squaredNorm }
    return squares > Double(rates.count) * Self.leastRate * Self.leastRate
  }
}
