internal import InertialNumerics
internal import InertialSensors

extension Doctor {
  /// Unit and strength of the field, the device's own field in it, and its direction.
  func fieldFindings(_ remarks: inout [String]) -> [Finding] {
    var found: [Finding] = []
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

  private func unitFinding(_ channel: SensorChannel, _ quality: StreamQuality) -> Finding? {
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
          + ": it looks divided by the earth's field. Filters use its direction, but take such strengths for no field; "
          + "multiply it by the local one, about 50.")
    // A phone's own field is some hundreds of µT at most.
    case ..<5, 2000...: return .certain(fact + comparison + "check its unit with --field-unit.")
    default: return nil
    }
  }

  /// A field that is not the earth's, however the device turns: stuck, or noise.
  private func followingFindings() -> [String] {
    guard let channel = inspection.sketch.fieldChannel, let quality = summary.quality[channel] else { return [] }
    let following = inspection.sketch.changes.following
    let remedy = "no heading comes from it; leave it out with --columns, or take --frame xArbitraryZVertical."
    if following.isNoise {
      return ["The \(channel.name) points elsewhere from one sample to the next: it is noise, and \(remedy)"]
    }
    // Held for longer than a recorder's own drop-outs.
    if let held = quality.heldRuns.first(where: { $0.duration >= 3 }) {
      return [
        "The \(channel.name) stays the same for \(rounded(held.duration)) s from \(rounded(held.run.time)) s on while the device "
          + "turns: it is stuck there, and \(remedy)"
      ]
    }
    // A magnet on the device is stronger than the earth's field, and hides how that turns.
    guard following.isStill, quality.norms.median < 120 else { return [] }
    return [
      "The \(channel.name) does not change in \(following.stillCount) of \(following.turnedCount) turns of the device: it is "
        + "stuck, and \(remedy)"
    ]
  }

  private func hardIronFindings(_ channel: SensorChannel, _ remarks: inout [String]) -> [String] {
    // Where a device hardly turns, or a room's field varies, up to 25 µT come out of a field that holds none.
    guard let offset = hardIron, offset.norm > 30 else { return [] }
    let text = "The \(channel.name) holds \(rounded(offset.norm)) µT that turn with the device"
    guard channel == .calibratedMagneticField else {
      remarks.append(text + ": the device's own field, which fusing finds and takes off (--field raw).")
      return []
    }
    return [
      text + ": a magnet on it, or no calibration. Try --field raw if the log has the raw field, or calibrate."
    ]
  }

  /// The sign of the dip is that of the hemisphere, if neither the acceleration nor the field is turned round.
  private func dipFindings() -> [String] {
    guard let dip = telltaleDip, let latitude, abs(latitude) > 25, (latitude > 0) != (dip > 0) else { return [] }
    return [
      "The field points \(rounded(abs(dip)))° \(dip > 0 ? "down" : "up"), but the log is from "
        + "\(rounded(latitude))° of latitude: the acceleration's sign or the field's is turned round. "
        + "Try --acceleration-sign, or --axes magnetometer=-x,-y,-z."
    ]
  }

  /// What is right in one half of the world only.
  var hemisphereHint: String? {
    guard let dip = telltaleDip, dip < 0, latitude == nil else { return nil }
    return
      "The field points \(rounded(-dip))° up, as in the southern hemisphere. If the log is from the northern one, the "
      + "acceleration's sign or the field's is turned round: try --acceleration-sign, or --axes magnetometer=-x,-y,-z."
  }

  /// Degrees below the horizon, where the field is such that it is the earth's.
  var telltaleDip: Double? {
    let report = consistency
    guard let dip = report.dip, let strength = report.fieldStrength, abs(dip) > 20, (15...100).contains(strength) else {
      return nil
    }
    return dip
  }

  /// The log's first latitude, degrees.
  private var latitude: Double? {
    guard let location = summary.auxiliary[.location],
      let place = AuxiliaryChannel.location.fields.firstIndex(where: { $0.name == "latitude" }),
      location.fields[place].count > 0
    else { return nil }
    return location.fields[place].smallest
  }
}
