internal import InertialFilters
internal import InertialFusion
internal import InertialRotations
internal import InertialSensors

/// Estimates device motion in a manager's reference frame, and detects whether the device must be moved.
struct MotionEstimation: Sendable {
  /// The time without a calibrated field after which a movement is requested, in seconds.
  private static let patience = 5.0

  private let initialEstimator: DeviceMotionEstimator
  var estimator: DeviceMotionEstimator
  /// Whether the frame needs a field that has not arrived yet.
  private var awaitsField: Bool
  private var firstTime: Double?
  /// The latest motion with a field.
  private var lastWithField: DeviceMotion?

  init(frame: CMAttitudeReferenceFrame, declination: Double, filter: FilterKind) {
    var configuration = DeviceMotionEstimator.Configuration.live
    configuration.frame = AttitudeReferenceFrame(rawValue: frame.rawValue)
    configuration.declination = declination
    initialEstimator = DeviceMotionEstimator(defaultsOf: filter, configuration: configuration)
    estimator = initialEstimator
    awaitsField = configuration.frame.isNorthReferenced
  }

  /// Restarts the estimation, as the next sample does not follow the previous one.
  mutating func restart() {
    estimator = initialEstimator
    lastWithField = nil
  }

  /// Returns the next motion.
  ///
  /// At the end of a source, the field of the last motions cannot be interpolated, as no later one follows. They keep
  /// the previous field, as on a device, whose motions use the latest field.
  ///
  /// - Parameter isEnd: Whether the source has ended.
  mutating func next(isEnd: Bool) -> DeviceMotion? {
    guard var motion = estimator.next() else { return nil }
    if motion.magneticField != nil {
      lastWithField = motion
    } else if isEnd, motion.magneticFieldAccuracy > .uncalibrated, let last = lastWithField,
      motion.time - last.time <= estimator.configuration.maximumInterpolationInterval
    {
      motion.magneticField = last.magneticField
    }
    return motion
  }

  /// Returns whether to request a movement of the device with this motion; `true` at most once.
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
