internal import InertialFilters
internal import InertialFusion
internal import InertialLogs
internal import InertialRecognition
package import InertialRotations
internal import InertialSensors

extension AttitudeReferenceFrame {
  /// The default frame of the commands: X is arbitrary, and a log's magnetic field, if present, prevents yaw drift.
  /// Without a field the attitude is the same as in `xArbitraryZVertical`, which is Core Motion's default.
  package static let commandDefault = RecognitionFeed.configuration.frame
}

extension FusionJob.Report {
  /// The message about the default frame for this log, in one line, or `nil` if the filter does not use a field.
  package var defaultFrameNote: String? {
    guard let kind = FilterKind.all[job.options.filter], kind.traits.contains(.magneticField) else { return nil }
    guard log.hasField else { return "the log has no magnetic field, so yaw drifts" }
    guard fieldIsUsed else {
      return
        "no magnetic field was usable, so yaw drifts: its hard iron is unknown, or its strength is not the earth's; "
        + "turn the device through all attitudes while recording"
    }
    return "the magnetometer prevents yaw drift in the default frame \(AttitudeReferenceFrame.commandDefault.name); "
      + "use --frame \(AttitudeReferenceFrame.xArbitraryZVertical.name) without it"
  }
}

extension LogSummary {
  /// Whether the magnetic field has any usable samples.
  var hasField: Bool {
    [SensorChannel.magnetometer, .calibratedMagneticField].contains { (reports[$0]?.used ?? 0) > 0 }
  }
}
