internal import InertialCalibration
internal import InertialNumerics
package import InertialSensors
internal import InertialSystem

extension DeviceMotionEstimator {
  /// The automatic decisions about the sensors and the attitude, as far as they are taken.
  package var decisions: [AutomaticDecision] { [sourceDecision, ironDecision].compactMap(\.self) + engine.decisions }

  /// The choice between a raw field and the device's own, or `nil` for a log without both.
  private var sourceDecision: AutomaticDecision? {
    guard hasRawField, hasCalibratedField else { return nil }
    let isRaw = configuration.field == .raw
    let finding = isRaw ? "is accurate and constant" : hardIron.changeTime != nil ? "changes" : "is not accurate"
    let reason = engine.isOffline ? ", and its hard iron \(finding)" : ""
    return AutomaticDecision(
      "field calibration", isRaw ? "the raw field without its hard iron" : "the device's own",
      basis: "the log has a calibrated and a raw field\(reason)")
  }

  /// The decision about the hard iron of a raw field, or `nil` if no raw field is used.
  private var ironDecision: AutomaticDecision? {
    guard hasRawField, !hasCalibratedField || configuration.field == .raw else { return nil }
    let basis = String(cFormat: "evidence for an offset %.1f nats", hardIron.evidence)
    // Offline, the decision of the first pass holds for the whole recording.
    let start = hardIron.decision == .offset ? hardIron.calibrationTime : hardIron.decisionTime
    let since = engine.isOffline ? nil : start
    guard hardIron.decision == .offset else {
      return AutomaticDecision(
        "hard iron", "none subtracted", since: since, basis: basis, values: ["evidence": hardIron.evidence])
    }
    let (offset, sigma) = (hardIron.offset, hardIron.sigma)
    let use = start == nil ? ", too inaccurate to be used" : " subtracted"
    return AutomaticDecision(
      "hard iron", String(cFormat: "(%.1f, %.1f, %.1f) ± %.1f µT", offset.x, offset.y, offset.z, sigma) + use,
      since: since, basis: basis,
      values: ["x": offset.x, "y": offset.y, "z": offset.z, "sigma": sigma, "evidence": hardIron.evidence])
  }
}
