internal import InertialCalibration
internal import InertialSensors
internal import InertialSystem

/// The first pass of an offline estimate: an online estimator that decides on the hard iron of the raw field, and the
/// samples for the second pass. Beyond some thousands, the samples are stored in a temporary file.
struct FieldPass: Sendable {
  /// One estimator. It is in an array because an estimator contains the fieldPass.
  private var estimators: [DeviceMotionEstimator]
  private var samples = SpilledQueue<SensorSample>()
  /// The time of the first field that the device has calibrated, in seconds, or `nil` without one.
  private(set) var calibratedFieldTime: Double?

  init(_ estimator: DeviceMotionEstimator) { estimators = [estimator] }

  /// The online estimator.
  var estimator: DeviceMotionEstimator { estimators[0] }

  /// Adds a sample to both passes.
  mutating func append(_ sample: SensorSample) {
    samples.append(sample)
    estimators[0].append(sample)
    estimators[0].discardMotions()
    if sample.channel == .calibratedMagneticField { calibratedFieldTime = calibratedFieldTime ?? sample.time }
  }

  /// Whether the log has had a calibrated field for the duration of a hard-iron segment, and no raw field.
  func lacksRawField(at time: Double) -> Bool {
    guard let calibratedFieldTime, !estimators[0].hasRawField else { return false }
    return time - calibratedFieldTime > HardIronEstimator.segmentDuration
  }

  /// Removes and returns the next sample of the second pass.
  mutating func next() throws(SpillError) -> SensorSample? {
    guard let sample = try samples.first() else { return nil }
    samples.removeFirst()
    return sample
  }
}
