internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

extension ErrorMeasurement {
  /// Returns the azimuth of a field, which changes by (f_z / |f_h|²) (f_x θ_x + f_y θ_y) − θ_z: the heading error, and
  /// the effect of the tilt error on a field that is not horizontal. Equations (10) and (11).
  ///
  /// The model includes both, but the gain on the tilt is zero: a field never moves the tilt. With the tilt's
  /// contribution treated as white noise, the heading's sigma would be too small by 6 to 19 %, because a tilt error
  /// lasts for many epochs, and BROAD's mean total error would be 1.94° instead of 1.88°.
  ///
  /// - Parameters:
  ///   - field: The mean field in µT, earth axes of the estimate.
  ///   - azimuth: The expected azimuth, in radians counter-clockwise from the earth's X.
  ///   - variance: The variance of the azimuth, in rad².
  static func azimuth(of field: Vector3, _ azimuth: Double, variance: Double) -> ErrorMeasurement {
    let slope = field.z / (field.x * field.x + field.y * field.y)
    var row = MeasurementRow(residual: wrapped(atan2(field.y, field.x) - azimuth), variance: variance)
    row.add(Vector3(slope * field.x, slope * field.y, -1), of: EpochErrors.attitude)
    var measurement = ErrorMeasurement()
    measurement.append(row)
    measurement.holding = .tilt
    return measurement
  }
}

extension PartialGain {
  /// Omits the whole gain on the tilt: equation (11).
  static let tilt: PartialGain = {
    var gain = PartialGain()
    gain.hold(EpochErrors.attitude.start..<EpochErrors.attitude.start + 2, by: 1)
    return gain
  }()
}
