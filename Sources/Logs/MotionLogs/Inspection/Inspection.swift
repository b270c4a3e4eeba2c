internal import InertialNumerics
internal import InertialSensors

/// All that is summed up of a log's samples for a report on it, row by row and in bounded memory.
///
/// Whoever reads a log looks for what is wrong with it. Who only looks (`isDetailed`) sums up more, and all of a long log:
/// else a fifth of what comes after the first five minutes is compared between sensors, a minute at a time.
struct Inspection {
  let isDetailed: Bool
  /// Whether the sensors' clocks are compared: each may have one of its own.
  private let comparesClocks: Bool
  private(set) var quality: QualityCollector
  private(set) var values: [SensorChannel: ValueReport] = [:]
  private(set) var rest = RestFinder()
  private(set) var sketch = MotionSketch()
  /// The motion by row number, for logs whose clock seems too slow or too fast.
  private(set) var rows = RowSketch()
  private(set) var device = DeviceAgreement()
  // One by one: a dictionary would be copied for every sample.
  private var rawField: FieldEvidence?
  private var calibratedField: FieldEvidence?
  private var offsets = StreamOffsetEstimator()
  /// Seconds: what is compared in full, and then in turns how long of how long.
  private static let (fullTime, turnTime, period) = (300.0, 60.0, 300.0)
  private var firstTime = Double.nan
  /// The newest acceleration, for the field that comes next.
  private var acceleration: Vector3?

  init(isDetailed: Bool, comparesClocks: Bool = false) {
    self.isDetailed = isDetailed
    self.comparesClocks = isDetailed || comparesClocks
    quality = QualityCollector(isDetailed: isDetailed)
  }

  /// Takes samples as they were read, good or not, in the order of the log.
  mutating func look(at samples: [SensorSample]) { quality.look(at: samples) }

  /// Takes good samples, in order of time.
  mutating func add(_ samples: [SensorSample]) {
    if isDetailed {
      quality.add(samples)
      for sample in samples {
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

  /// The offsets of the other sensors' clocks against the gyroscope's; none if they were not compared.
  func offsets(of summary: LogSummary) -> [SensorChannel: StreamOffsetFinding] {
    guard comparesClocks, summary.reports[.gyroscope] != nil else { return [:] }
    return offsets.findings(for: summary.reports.keys)
  }

  /// What a field's samples say; nil where the log has none.
  func field(_ channel: SensorChannel) -> FieldEvidence? {
    channel == .calibratedMagneticField ? calibratedField : rawField
  }

  /// No more samples will come.
  mutating func finish() {
    rest.finish()
    sketch.finish()
    rows.finish()
  }

  func report(_ summary: LogSummary) -> InspectionJob.Report {
    let doctor = Doctor(summary: summary, inspection: self)
    let (findings, remarks) = doctor.examine()
    return InspectionJob.Report(
      log: summary, values: values, rest: rest.report, consistency: doctor.consistency,
      alignment: LogAlignment(findings: doctor.offsets), findings: findings, untested: doctor.untested, remarks: remarks
    )
  }
}

/// Of one magnetic field: how it turns with the rates, and how it stands to gravity.
struct FieldEvidence {
  var turning = DirectionRegression()
  private(set) var dip = FieldCheck()

  mutating func add(_ field: Vector3, _ acceleration: Vector3?) {
    turning.add(direction: field)
    if let acceleration { dip.add(field: field, acceleration: acceleration) }
  }
}
