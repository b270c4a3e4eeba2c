internal import InertialFilters
package import InertialLogs
package import InertialRotations
internal import InertialSensors

/// The default reference frame, and the messages about it.
package enum DefaultFrame {
  /// The frame with an arbitrary X, in which a log's magnetic field, if present, prevents yaw drift. Without a field
  /// the attitude is the same as in `xArbitraryZVertical`, which is Core Motion's default.
  package static let frame = AttitudeReferenceFrame.xArbitraryCorrectedZVertical

  /// Returns the message about the default frame for a log, in one line, or `nil` if the filter does not use a field.
  package static func note(for log: LogSummary, filter: String) -> String? {
    guard let kind = FilterKind.named(filter), kind.traits.contains(.magneticField) else { return nil }
    guard log.hasField else { return "the log has no magnetic field, so yaw drifts" }
    return "the magnetometer prevents yaw drift in the default frame \(frame.name); "
      + "use --frame \(AttitudeReferenceFrame.xArbitraryZVertical.name) without it"
  }
}

extension LogSummary {
  /// Whether the magnetic field has any usable samples.
  var hasField: Bool {
    [SensorChannel.magnetometer, .calibratedMagneticField].contains { (reports[$0]?.used ?? 0) > 0 }
  }
}
