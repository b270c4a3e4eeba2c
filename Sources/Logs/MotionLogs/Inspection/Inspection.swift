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
  private var isPresent = [Bool](repeating: false, count: SensorChannel.allCases.count)
  /// The gyroscope's accumulated rotation, in radians, and its last time.
  private var (turned, lastTurnTime) = (0.0, Double.nan)
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
  /// The latest acceleration, for the next field.
  private var acceleration: Vector3?

  init(isDetailed: Bool, comparesClocks: Bool = false) {
    self.isDetailed = isDetailed
    self.comparesClocks = isDetailed || comparesClocks
    streams = SensorChannel.allCases.map { _ in StreamQuality(isDetailed: isDetailed) }
  }

  /// Adds samples as read, whether or not they are valid, in the order of the log.
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

  private mutating func isCompared(_ time: Double) -> Bool {
    if isDetailed { return true }
    if firstTime.isNaN { firstTime = time }
    let elapsed = time - firstTime
    return elapsed < Self.fullTime
      || (elapsed / Self.period - (elapsed / Self.period).rounded(.down)) * Self.period < Self.turnTime
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
    let present = SensorChannel.allCases.filter { isPresent[Int($0.rawValue)] }
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
