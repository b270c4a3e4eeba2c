internal import InertialFilters
package import InertialLogs
package import InertialRotations
internal import InertialSensors

/// The reference frame where none is asked for, and what is said about it.
package enum DefaultFrame {
  /// X is arbitrary, and a log's magnetic field, where it has one, keeps yaw from drifting. Without a field the attitude
  /// is the same as in `xArbitraryZVertical`, which is Core Motion's own default.
  package static let frame = AttitudeReferenceFrame.xArbitraryCorrectedZVertical

  /// What a user who has asked for no frame should know of a log, in one line; nil where the filter has no use for a field.
  package static func note(for log: LogSummary, filter: String) -> String? {
    guard let kind = FilterKind.named(filter), kind.traits.contains(.magneticField) else { return nil }
    guard log.hasField else { return "the log has no magnetic field: nothing keeps yaw from drifting" }
    return "the magnetometer keeps yaw from drifting in the frame \(frame.name), which is the default; "
      + "--frame \(AttitudeReferenceFrame.xArbitraryZVertical.name) leaves it out"
  }
}

extension LogSummary {
  /// Whether any sample of the magnetic field was of use.
  var hasField: Bool {
    [SensorChannel.magnetometer, .calibratedMagneticField].contains { (reports[$0]?.used ?? 0) > 0 }
  }
}
