public import MotionLogs
public import Rotations
internal import Sensors

/// The reference frame where none is asked for, and what is said about it.
public enum DefaultFrame {
  public static let frame = AttitudeReferenceFrame.xArbitraryZVertical

  /// What a user who has asked for no frame should know of a log: nil where it has no field.
  public static func note(for log: LogSummary) -> String? {
    let hasField = [SensorChannel.magnetometer, .calibratedMagneticField].contains { channel in
      (log.reports[channel]?.used ?? 0) > 0
    }
    guard hasField, !frame.usesMagnetometer else { return nil }
    return "the magnetometer is left out in the frame \(frame.name), which is the default; "
      + "--frame \(AttitudeReferenceFrame.xArbitraryCorrectedZVertical.name) keeps yaw from drifting by it"
  }
}
