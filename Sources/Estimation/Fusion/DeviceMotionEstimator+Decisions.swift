internal import InertialCalibration
internal import InertialNumerics
package import InertialSensors
internal import InertialSystem

extension DeviceMotionEstimator {
  /// The automatic decisions about the sensors and the attitude, as far as they are taken.
  package var decisions: [AutomaticDecision] { [fieldDecision].compactMap(\.self) + engine.decisions }

  /// The decision about a raw field, or `nil` without one.
  private var fieldDecision: AutomaticDecision? {
    guard hasRawField else { return nil }
    guard !hasCalibratedField else {
      return AutomaticDecision(
        "field calibration", "the device's own", basis: "the log has a raw and a calibrated field")
    }
    let basis = String(cFormat: "evidence for an offset %.1f nats", hardIron.evidence)
    // Offline, the decision of the first pass holds for the whole recording.
    let since = engine.isOffline ? nil : hardIron.decisionTime
    guard hardIron.decision == .offset else {
      return AutomaticDecision(
        "hard iron", "none subtracted", since: since, basis: basis, values: ["evidence": hardIron.evidence])
    }
    let (offset, sigma) = (hardIron.offset, hardIron.sigma)
    return AutomaticDecision(
      "hard iron", String(cFormat: "(%.1f, %.1f, %.1f) ± %.1f µT subtracted", offset.x, offset.y, offset.z, sigma),
      since: since, basis: basis,
      values: ["x": offset.x, "y": offset.y, "z": offset.z, "sigma": sigma, "evidence": hardIron.evidence])
  }
}
