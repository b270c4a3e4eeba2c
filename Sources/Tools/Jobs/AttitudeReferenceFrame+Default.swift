internal import InertialFilters
internal import InertialFusion
package import InertialLogs
internal import InertialRecognition
package import InertialRotations
internal import InertialSensors

extension AttitudeReferenceFrame {
  /// The default frame of the commands: X is arbitrary, and a log's magnetic field, if present, prevents yaw drift.
  /// Without a field the attitude is the same as in `xArbitraryZVertical`, which is Core Motion's default.
  package static let commandDefault = RecognitionFeed.configuration.frame
}

extension LogSummary {
  /// Returns the message about the default frame for this log, in one line, or `nil` if the filter does not use a field.
  package func defaultFrameNote(filter: String) -> String? {
    guard let kind = FilterKind.all[filter], kind.traits.contains(.magneticField) else { return nil }
    guard hasField else { return "the log has no magnetic field, so yaw drifts" }
    return "the magnetometer prevents yaw drift in the default frame \(AttitudeReferenceFrame.commandDefault.name); "
      + "use --frame \(AttitudeReferenceFrame.xArbitraryZVertical.name) without it"
  }

  /// Whether the magnetic field has any usable samples.
  var hasField: Bool {
    [SensorChannel.magnetometer, .calibratedMagneticField].contains { (reports[$0]?.used ?? 0) > 0 }
  }
}
