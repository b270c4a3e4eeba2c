internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// The earth's field in axes whose X is magnetic north, measured by a magnetometer with a delay.
///
/// A magnetometer with the delay τ shows the field at τ before its timestamp. Rotated by the attitude at the timestamp,
/// that field is ahead by the device's rotation in between: m = B + τ w × B in earth axes, B = (B_h, 0, −B_d).
struct EarthFieldModel: Sendable, Codable, Equatable {
  /// B_h, the horizontal part, in µT.
  var horizontal = 0.0
  /// B_d, the downward part, in µT.
  var down = 0.0
  /// τ, the magnetometer's delay, in seconds.
  var delay = 0.0
  /// Whether a field has been used.
  var isKnown = false
  /// dev, the low-passed deviation of the measured field in norm and vertical part, in µT.
  private(set) var deviation = 0.0
  /// The time of the last epoch with a field.
  var time: Double?

  /// B.
  var vector: Vector3 { Vector3(horizontal, 0, -down) }
  /// |B|.
  var strength: Double { (horizontal * horizontal + down * down).squareRoot() }

  /// Updates the deviation from the components that do not depend on a heading error: equation (12) of
  /// docs/theory/flagship.md.
  mutating func updateDeviation(with field: Vector3, dipWeight: Double, over duration: Double, memory: Double) {
    let (norm, vertical) = (field.norm - strength, dipWeight * (field.z + down))
    let now = (norm * norm + vertical * vertical).squareRoot()
    deviation -= expm1(-duration / memory) * (now - deviation)
  }

  /// Returns the measurement of a mean field in earth axes, in µT: equation (13) of docs/theory/flagship.md.
  ///
  /// - Parameters:
  ///   - rate: The mean rotation rate, in rad/s, in earth axes.
  ///   - variance: The variance of each component's noise, in µT².
  func measurement(of field: Vector3, turningAt rate: Vector3, variance: Vector3) -> ErrorMeasurement {
    let late = rate.cross(vector)
    let residual = field - vector - delay * late
    // An attitude error rotates the measured field by −θ × m = [m]× θ.
    let tilted = Matrix3(skew: field)
    let horizontal = Vector3(1, 0, 0) + delay * rate.cross(.unitX)
    let down = -Vector3(0, 0, 1) - delay * rate.cross(.unitZ)
    var measurement = ErrorMeasurement()
    // West comes first, the component that determines the heading, then north and up.
    for axis in [1, 0, 2] {
      var row = MeasurementRow(residual: residual[axis], variance: variance[axis])
      row.add(tilted.row(axis), of: MotionErrors.attitude)
      row.add(Vector3(horizontal[axis], down[axis], late[axis]), of: MotionErrors.fieldAndDelay)
      measurement.append(row, as: axis)
    }
    return measurement
  }
}

extension MotionPriorKalman {
  /// The longest time that one measurement of the field represents, in seconds.
  private static let maximumFieldInterval = 0.2
  /// The multiple of the magnetometer's noise above which a deviation counts as a disturbance.
  private static let disturbanceFactor = 4.0
  /// The time after a clipped rate for which an innovation has its full weight, in seconds.
  private static let clippingPause = 1.0

  /// Takes the epoch's mean field: equations (12) to (14) of docs/theory/flagship.md.
  ///
  /// - Returns: Whether the field has shown another heading for so long that heading and field must be learned again.
  mutating func takeField(_ field: Vector3) -> Bool {
    let now = state.time ?? 0
    let interval = min(Self.maximumFieldInterval, state.field.time.map { now - $0 } ?? state.epoch.duration)
    state.field.time = now
    guard interval > 0 else { return false }
    state.field.updateDeviation(
      with: field, dipWeight: parameters.dipWeight, over: interval, memory: parameters.disturbanceMemory)
    let disturbance = parameters.disturbanceWeight * state.field.deviation
    state.flags.setMembership(
      of: .magneticDisturbance, disturbance > Self.disturbanceFactor * parameters.magneticNoise)
    let isLocked = state.headingLock.add(field, believed: state.field, over: interval)

    let variance = (coefficients.magnetic + disturbance * disturbance) / interval
    var measurement = state.field.measurement(
      of: field, turningAt: state.epoch.meanRate, variance: Vector3(repeating: variance))
    // A clipped rate may have turned the heading by more than its covariance allows: the field then decides.
    let isClipped = state.lastClipping.map { now - $0 < Self.clippingPause } ?? false
    measurement.gate = .redescend(weight: isClipped ? 0 : coefficients.innovation / interval)
    let innovation = state.kalman.take(measurement)
    if measurements != nil {
      let noise = max(innovation.noise.x, innovation.noise.y, innovation.noise.z)
      report(
        innovation.outcome(.magneticField).weighted(coefficients.magnetic / (interval * noise), .disturbedField))
    }
    return isLocked
  }
}
