internal import InertialCalibration
package import InertialNumerics

/// The calibration of a raw field that an estimator uses, and its evidence.
package struct FieldCalibration: Sendable, Codable, Equatable {
  /// The decision: "unchanged", or "offset" if the hard iron is subtracted.
  package let decision: String
  /// The time of the latest change of the decision, in seconds; `nil` if there was none, or if the decision of a first
  /// pass holds for the whole recording.
  package let since: Double?
  /// The evidence for an offset, in nats, -10...10; negative if the unchanged field is predicted better.
  package let evidence: Double
  /// The subtracted hard iron, in µT, device axes, or `nil` if the field is used unchanged.
  package let hardIron: Vector3?
  /// The standard deviation of the estimated hard iron, in µT; 520 without information.
  package let sigma: Double
}

extension DeviceMotionEstimator {
  /// The calibration of a raw field, or `nil` if no raw field is calibrated.
  package var fieldCalibration: FieldCalibration? {
    guard hasRawField else { return nil }
    let subtracts = hardIron.decision == .offset
    return FieldCalibration(
      decision: hardIron.decision.rawValue, since: engine.isOffline ? nil : hardIron.decisionTime,
      evidence: hardIron.evidence, hardIron: subtracts ? hardIron.offset : nil, sigma: hardIron.sigma)
  }
}
