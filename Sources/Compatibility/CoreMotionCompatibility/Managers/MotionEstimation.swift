internal import InertialFilters
internal import InertialFusion
internal import InertialRotations
internal import InertialSensors

/// Device motion in a manager's reference frame from the first sample on, and whether the device must be moved for it.
struct MotionEstimation: Sendable {
  /// Seconds without a calibrated field after which it is said that the device must be moved.
  private static let patience = 5.0

  private let start: DeviceMotionEstimator
  private var estimator: DeviceMotionEstimator
  /// Whether it is still open if the frame's field will come.
  private var awaitsField: Bool
  private var firstTime: Double?

  init(frame: CMAttitudeReferenceFrame, declination: Double, filter: FilterKind) {
    var configuration = DeviceMotionEstimator.Configuration.live
    configuration.frame = AttitudeReferenceFrame(rawValue: frame.rawValue)
    configuration.declination = declination
    do throws(FilterSettingError) {
      estimator = try DeviceMotionEstimator(filter: filter, configuration: configuration)
    } catch {
      preconditionFailure("a filter's defaults are in their ranges: \(error)")
    }
    start = estimator
    awaitsField = configuration.frame.isNorthReferenced
  }

  /// What comes next does not follow what came before.
  mutating func restart() { estimator = start }

  mutating func append(_ sample: SensorSample) { estimator.append(sample) }

  /// No sample of this time or an earlier one comes any longer.
  mutating func close(through time: Double) { estimator.close(through: time) }

  mutating func finish() { estimator.finish() }

  mutating func next() -> DeviceMotion? { estimator.next() }

  /// Whether with this motion it is time to say, once, that the device must be moved.
  mutating func needsMovement(_ motion: DeviceMotion) -> Bool {
    guard awaitsField else { return false }
    guard motion.magneticFieldAccuracy == .uncalibrated else {
      awaitsField = false
      return false
    }
    let first = firstTime ?? motion.time
    firstTime = first
    guard motion.time - first >= Self.patience else { return false }
    awaitsField = false
    return true
  }
}
