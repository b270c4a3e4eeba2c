public import InertialCalibration
public import InertialLogs

extension LogOptions {
  /// Corrects the log's samples by a device's calibration, after the axes are mapped and before any other processing.
  ///
  /// The calibration corrects the accelerometer, the gyroscope and the raw field if it has parameters for them.
  /// `DeviceCalibration.magnetometerUse` determines the field's correction. Values that the device computed itself are
  /// not changed. The gyroscope's bias follows the log's temperature if both have one. Filters with a parameter
  /// `initialBiasSigma` start from `DeviceCalibration.gyroscopeBiasSigma`, unless their settings contain the parameter.
  /// The calibration replaces a previous one. The option `--calibration` has the same effect.
  public mutating func calibrate(by calibration: DeviceCalibration) { self.calibration = calibration.applied }
}
