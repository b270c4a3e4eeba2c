internal import InertialNumerics
internal import InertialSensors

extension LogDiagnostics {
  /// Returns findings about the field's unit, strength, hard iron and direction.
  func fieldFindings(_ remarks: inout [String]) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for channel in [SensorChannel.calibratedMagneticField, .magnetometer] {
      guard let quality = summary.quality[channel], quality.count > 20 else { continue }
      if let finding = unitFinding(channel, quality) { found.append(finding) }
    }
    guard found.isEmpty, let fieldChannel, let quality = summary.quality[fieldChannel] else { return found }
    found += followingFindings().map { .certain($0) }
    if found.isEmpty, quality.count > 100, quality.longestConstantRun.count * 2 > quality.count {
      found.append(
        .likely(
          "The \(fieldChannel.name) hardly ever changes: \(quality.longestConstantRun.count) equal samples in a row of "
            + "\(quality.count)."))
    }
    found += hardIronFindings(fieldChannel, &remarks).map { .likely($0) }
    found += dipFindings().map { .certain($0) }
    return found
  }

  private func unitFinding(_ channel: SensorChannel, _ quality: StreamQuality) -> Diagnostic? {
    let strength = quality.norms.median
    let unit: LogOptions.FieldUnit? =
      switch strength {
      case 10_000..<200_000: .nanotesla
      case 0.15..<0.7: .gauss
      case 0.015..<0.07: .millitesla
      default: nil
      }
    let fact = "The \(channel.name) is \(rounded(strength)) µT"
    let comparison = ", and the earth's is 22 to 67: "
    if let unit {
      return .certain(
        fact + comparison + "it looks like \(unit.rawValue); try --field-unit \(unit.rawValue).", .fieldUnit(unit))
    }
    switch strength {
    case 0.7..<1.5:
      return .certain(
        fact
          + ": it seems to be normalized. Filters use its direction, but treat such strengths as no field; "
          + "multiply it by the local strength, about 50.")
    // A phone's hard iron is at most some hundreds of µT.
    case ..<5, 2000...: return .certain(fact + comparison + "check its unit with --field-unit.")
    default: return nil
    }
  }

  /// Returns findings about a field that is not the earth's in any orientation of the device: constant, or noise.
  private func followingFindings() -> [String] {
    guard let channel = inspection.sketch.fieldChannel, let quality = summary.quality[channel] else { return [] }
    let following = inspection.sketch.changes.following
    let remedy = "provides no heading; leave it out with --columns, or use --frame xArbitraryZVertical."
    // Rates in a wrong unit predict wrong directions of the field.
    if following.isNoise, rateUnitFinding == nil {
      return ["The \(channel.name) changes direction from one sample to the next: it is noise, and \(remedy)"]
    }
    // The values are held for longer than a recorder's typical dropouts.
    if let held = quality.heldRuns.first(where: { $0.duration >= 3 }) {
      return [
        "The \(channel.name) stays the same for \(rounded(held.duration)) s from \(rounded(held.run.time)) s on while the device "
          + "turns: it is stuck there, and \(remedy)"
      ]
    }
    // A magnet on the device is stronger than the earth's field and hides its rotation.
    guard following.isStill, quality.norms.median < 120 else { return [] }
    return [
      "The \(channel.name) does not change in \(following.stillCount) of \(following.turnedCount) rotations of the device: it is "
        + "stuck, and \(remedy)"
    ]
  }

  private func hardIronFindings(_ channel: SensorChannel, _ remarks: inout [String]) -> [String] {
    // If a device hardly rotates or the field of a room varies, the estimate is up to 25 µT without any hard iron.
    guard let offset = hardIron, offset.norm > 30 else { return [] }
    let text = "The \(channel.name) contains \(rounded(offset.norm)) µT that rotate with the device"
    guard channel == .calibratedMagneticField else {
      remarks.append(text + ": the hard-iron field, which fusing estimates and removes (--field raw).")
      return []
    }
    return [
      text
        + ": a magnet on the device, or a missing calibration. Try --field raw if the log has the raw field, or calibrate."
    ]
  }

  /// Returns a finding if the sign of the dip does not match the hemisphere, so that the acceleration or the field is
  /// inverted.
  private func dipFindings() -> [String] {
    guard let dip = telltaleDip, let latitude, abs(latitude) > 25, (latitude > 0) != (dip > 0) else { return [] }
    return [
      "The field points \(rounded(abs(dip)))° \(dip > 0 ? "down" : "up"), but the log was recorded at "
        + "\(rounded(latitude))° latitude: the sign of the acceleration or of the field is wrong. "
        + "Try --acceleration-sign, or --axes magnetometer=-x,-y,-z."
    ]
  }

  /// A hint about the field that applies only to one hemisphere.
  var hemisphereHint: String? {
    guard let dip = telltaleDip, dip < 0, latitude == nil else { return nil }
    return
      "The field points \(rounded(-dip))° up, as in the southern hemisphere. If the log is from the northern one, the "
      + "sign of the acceleration or of the field is wrong: try --acceleration-sign, or --axes magnetometer=-x,-y,-z."
  }

  /// The field's dip below the horizon, in degrees, if dip and strength are plausible for the earth's field.
  var telltaleDip: Double? {
    let report = consistency
    guard let dip = report.dip, let strength = report.fieldStrength, abs(dip) > 20, (15...100).contains(strength) else {
      return nil
    }
    return dip
  }

  /// The log's first latitude, in degrees.
  private var latitude: Double? {
    guard let location = summary.auxiliary[.location],
      let index = AuxiliaryChannel.location.fields.firstIndex(where: { $0.name == "latitude" }),
      location.fields[index].count > 0
    else { return nil }
    return location.fields[index].smallest
  }
}
