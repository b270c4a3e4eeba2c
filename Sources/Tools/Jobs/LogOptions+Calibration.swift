public import InertialCalibration
public import InertialLogs

extension LogOptions {
  /// Lets a device's calibration correct the log's samples, as `--calibration` does: after the axes, before anything else.
  ///
  /// The accelerometer, the gyroscope and the raw field are corrected, those that the calibration has, the field as
  /// `DeviceCalibration.magnetometerUse` says; what the device computed itself is left as it is. The gyroscope's bias follows
  /// the log's temperature where both have one. Filters that have an `initialBiasSigma` start from
  /// `DeviceCalibration.gyroscopeBiasSigma`, unless their settings say otherwise. It takes the place of a calibration that was
  /// given before.
  public mutating func calibrate(by calibration: DeviceCalibration) { self.calibration = calibration.applied }
}
