public import Calibration
public import MotionLogs

extension LogOptions {
  /// Lets a device's calibration correct the log's samples, as `--calibration` does: after the axes, before anything else.
  ///
  /// The accelerometer, the gyroscope and the raw field are corrected, those that the calibration has; a magnetometer whose
  /// verdict is poor is left as it is, and so is everything that the device computed itself. It takes the place of one that
  /// was given before.
  public mutating func calibrate(by calibration: DeviceCalibration) { self.calibration = calibration.applied }
}
