internal import InertialNumerics
internal import InertialSensors

/// The statistics of a log's samples for a report, collected row by row in bounded memory.
///
/// Every reader of a log checks for faults. An inspection (`isDetailed`) collects more and covers all of a long log.
/// Otherwise, after the first five minutes, one minute in five is compared between sensors.
struct Inspection {
  let isDetailed: Bool
  /// Whether the sensors' clocks are compared, as each sensor may have its own clock.
  private let comparesClocks: Bool
  /// The quality of each channel, by its raw value. Optionals are avoided, as they would be copied for every sample.
  private var streams: [StreamQuality]
  /// The gyroscope's accumulated rotation, in radians, and its last time.
  private var turned = (angle: 0.0, time: Double.nan)
  private(set) var values: [SensorChannel: ValueReport] = [:]
  private(set) var rest = RestIntervalFinder()
  private(set) var sketch = DownsampledMotion()
  /// The motion by row number, for logs whose clock seems too slow or too fast.
  private(set) var rows = RowSketch()
  private(set) var device = DeviceConsistencyCheck()
  // Separate variables, as a dictionary would be copied for every sample.
  private var rawField: FieldEvidence?
  private var calibratedField: FieldEvidence?
  private var offsets = StreamOffsetEstimator()
  /// The duration at the start that is compared fully, then the compared duration per period, and the period, in
  /// seconds.
  private static let (fullTime, turnTime, period) = (300.0, 60.0, 300.0)
  private var firstTime = Double.nan
  /// The answer of `isCompared`, and the start and end of the times for which it holds, in seconds.
  private var comparison = (isDue: false, start: Double.infinity, end: Double.infinity)
  /// The latest acceleration, for the next field.
  private var acceleration: Vector3?

  init(isDetailed: Bool, comparesClocks: Bool = false) {
    self.isDetailed = isDetailed
    self.comparesClocks = isDetailed || comparesClocks
    streams = SensorChannel.allCases.map { _ in StreamQuality(isDetailed: isDetailed) }
  }

  /// Adds samples as read, whether or not they are valid, in the order of the log.
  mutating func add(raw samples: [SensorSample]) {
    StreamQuality.add(
      raw: samples, through: isDetailed ? .movement : .calibratedMagneticField, to: &streams, turned: &turned)
  }

  /// Adds valid samples, sorted by time.
  mutating func add(_ samples: [SensorSample]) {
    if isDetailed {
      for sample in samples {
        streams[Int(sample.channel.rawValue)].add(sample)
        values[sample.channel, default: ValueReport()].add(sample)
      }
    }
    if comparesClocks { for sample in samples { offsets.add(sample) } }
    for sample in samples {
      if sample.channel <= .accelerometer { rest.add(sample) }
      if isCompared(sample.time) { add(sample) }
    }
  }

  /// Returns whether the sensors are compared at a time, in seconds. Times must not decrease, except by little.
  @inline(__always)
  mutating func isCompared(_ time: Double) -> Bool {
    if isDetailed { return true }
    if time < comparison.start || time >= comparison.end { compare(at: time) }
    return comparison.isDue
  }

  /// Determines whether a time is compared, and until when the answer is the same.
  private mutating func compare(at time: Double) {
    if firstTime.isNaN { firstTime = time }
    let elapsed = time - firstTime
    let phase = (elapsed / Self.period - (elapsed / Self.period).rounded(.down)) * Self.period
    let isDue = elapsed < Self.fullTime || phase < Self.turnTime
    // Close to the next change, where rounding decides, every time is examined.
    let next = elapsed < Self.fullTime || !isDue ? Self.period : Self.turnTime
    comparison = (isDue, time, time + (next - phase) - 0.001 - 1e-12 * elapsed)
  }

  private mutating func add(_ sample: SensorSample) {
    switch sample.channel {
    case .gyroscope:
      sketch.add(sample)
      rows.add(sample)
      device.add(sample)
      rawField?.turning.add(rate: sample.vector, at: sample.time)
      calibratedField?.turning.add(rate: sample.vector, at: sample.time)
    case .accelerometer:
      sketch.add(sample)
      rows.add(sample)
      device.add(sample)
      acceleration = sample.vector
    case .magnetometer:
      sketch.add(sample)
      if rawField == nil { rawField = FieldEvidence() }
      rawField!.add(sample.vector, acceleration)
    case .calibratedMagneticField:
      sketch.add(sample)
      if calibratedField == nil { calibratedField = FieldEvidence() }
      calibratedField!.add(sample.vector, acceleration)
    case .deviceAttitude, .deviceGravity, .deviceUserAcceleration: device.add(sample)
    default: break
    }
  }

  /// The quality of every channel of the log.
  var quality: [SensorChannel: StreamQuality] {
    let present = SensorChannel.allCases.filter { streams[Int($0.rawValue)].hasSamples }
    return Dictionary(uniqueKeysWithValues: present.map { ($0, streams[Int($0.rawValue)]) })
  }

  /// Returns the offsets of the other sensors' clocks from the gyroscope's, or an empty dictionary if they were not
  /// compared.
  func offsets(of summary: LogSummary) -> [SensorChannel: StreamOffsetResult] {
    guard comparesClocks, summary.reports[.gyroscope] != nil else { return [:] }
    return offsets.findings(for: summary.reports.keys)
  }

  /// Returns the statistics of a field, or `nil` if the log does not contain it.
  func field(_ channel: SensorChannel) -> FieldEvidence? {
    channel == .calibratedMagneticField ? calibratedField : rawField
  }

  /// Finishes the input.
  mutating func finish() {
    rest.finish()
    sketch.finish()
    rows.finish()
  }
}
