internal import InertialNumerics

/// An estimator of constant time offsets between the gyroscope of a log and its other sensors, in bounded memory.
///
/// Samples are added sorted by time. Segments of four seconds with rotation are stored; for a long log, a selection
/// from the whole log. `findings` searches them for the offset at which the gyroscope's rotation best explains the
/// changes of the vector in the device's frame.
package struct StreamOffsetEstimator: Sendable {
  /// The duration of a segment, in seconds.
  static let span = 4.0
  /// The minimum root mean square of the rotation rate in a usable segment, in rad/s.
  static let minimumRate = 0.2
  /// The maximum number of stored segments.
  static let maximumSegmentCount = 120
  /// The longest interval between rates within which the rotation is known, in seconds.
  private static let maximumInterval = 0.1

  private var rates: [OffsetSegment.Vector] = []
  private var vectors: [SensorChannel: [OffsetSegment.Vector]] = [:]
  /// The start of the next segment, in seconds.
  private var start = 0.0
  private var stretches: [OffsetSegment] = []
  /// The decimation factor of the segments with motion.
  private var stride = 1
  private var movingCount = 0

  package init() {}

  /// Adds the next sample, sorted by time.
  package mutating func add(_ sample: SensorSample) {
    let timed = (time: sample.time, vector: sample.vector)
    switch sample.channel {
    case .gyroscope: add(rate: timed)
    case .accelerometer, .magnetometer, .calibratedMagneticField:
      if !rates.isEmpty { vectors[sample.channel, default: []].append(timed) }
    default: return
    }
  }

  /// Returns the findings for the channels that can have an offset. The search takes some tenths of a second.
  package func findings(for channels: some Sequence<SensorChannel>) -> [SensorChannel: StreamOffsetResult] {
    var findings: [SensorChannel: StreamOffsetResult] = [:]
    for channel in Set(channels).intersection(StreamOffset.channels) {
      findings[channel] = Result { () throws(StreamOffsetError) in try OffsetSearch.offset(of: channel, in: stretches) }
    }
    return findings
  }

  private mutating func add(rate: OffsetSegment.Vector) {
    if let last = rates.last, rate.time - last.time > Self.maximumInterval {
      rates.removeAll(keepingCapacity: true)
      vectors.removeAll(keepingCapacity: true)
    }
    if rates.isEmpty { start = rate.time + OffsetSearch.reach }
    rates.append(rate)
    // Lags up to the reach need the rotation after the segment's end.
    if rate.time >= start + Self.span + OffsetSearch.reach { closeStretch() }
  }

  private mutating func closeStretch() {
    let end = start + Self.span
    if isMoving {
      if movingCount.isMultiple(of: stride) {
        let inside = vectors.mapValues { samples in samples.filter { $0.time >= start && $0.time < end } }
        stretches.append(OffsetSegment(rates: rates, vectors: inside, start: start, end: end))
        if stretches.count == Self.maximumSegmentCount {
          // Keep every other segment, so that the segments cover the whole log, regardless of its length.
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
    return squares > Double(rates.count) * Self.minimumRate * Self.minimumRate
  }
}
