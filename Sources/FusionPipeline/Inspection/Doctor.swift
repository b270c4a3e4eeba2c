internal import LinearAlgebra
internal import Sensors

/// Says in plain words what looks wrong with a log, and what mends it.
///
/// What cannot be known is not said: the rates fit gravity as well with acceleration turned round, so without a field
/// and the hemisphere no log tells the sign of its acceleration. And six axes tell that the gyroscope and the
/// accelerometer contradict each other, but not which of them is mounted otherwise.
struct Doctor {
  let summary: LogSummary
  let inspection: Inspection
  let gravity: RateVerdict
  /// Of the calibrated field where there is one that tells, else of the raw one; nil without a field.
  let field: RateVerdict?
  let fieldChannel: SensorChannel?

  init(summary: LogSummary, inspection: Inspection) {
    self.summary = summary
    self.inspection = inspection
    gravity = RateVerdict(inspection.gravity)
    let channels: [SensorChannel] = [.calibratedMagneticField, .magnetometer]
    let present = channels.filter { (summary.reports[$0]?.used ?? 0) > 0 }
    let verdicts = present.map { RateVerdict(inspection.field[$0]!) }
    let telling = verdicts.firstIndex { if case .silent = $0 { false } else { true } } ?? (present.isEmpty ? nil : 0)
    field = telling.map { verdicts[$0] }
    fieldChannel = telling.map { present[$0] }
  }

  var rest: RestReport { inspection.rest.report }

  /// What looks wrong, the worst first, and what is only good to know.
  func examine() -> (findings: [String], remarks: [String]) {
    var (findings, remarks): ([String], [String]) = ([], [])
    for channel in [SensorChannel.gyroscope, .accelerometer] where summary.reports[channel] == nil {
      findings.append("There is no \(channel.name): the log cannot be fused.")
    }
    findings += clockFindings() + accelerometerFindings()
    let rates = rateFindings()
    findings += rates
    findings += fieldFindings(&remarks)
    findings += gyroscopeFindings(&remarks)
    for channel in [SensorChannel.gyroscope, .accelerometer, .magnetometer, .calibratedMagneticField] {
      findings += samplingFindings(channel)
    }
    if rates.isEmpty, case .silent(let why) = gravity, summary.reports[.gyroscope] != nil,
      summary.reports[.accelerometer] != nil
    {
      remarks.append("Whether gyroscope and accelerometer have the same axes cannot be told: \(why).")
    }
    return (findings, remarks)
  }

  // MARK: Clock

  private func clockFindings() -> [String] {
    guard let quality = summary.quality[.gyroscope] ?? summary.quality[.accelerometer] else { return [] }
    let interval = quality.medianInterval
    guard quality.count > 20, interval > 0 else { return [] }
    let rate = 1 / interval
    // Sensors that follow a motion sample between 5 Hz and 10 kHz.
    if rate < 2 {
      return [
        "There are \(rounded(rate)) samples a second: the time seems to be in a smaller unit than it is read in; "
          + "try --time-unit \(rate < 0.002 ? "us or ns" : "ms")."
      ]
    }
    if rate > 20_000 {
      return [
        "There are \(rounded(rate)) samples a second: the time seems to be in a larger unit than it is read in; "
          + "try --time-unit s, or ms."
      ]
    }
    return []
  }

  // MARK: Accelerometer

  private func accelerometerFindings() -> [String] {
    // As read: what cannot be was skipped.
    guard let quality = summary.quality[.accelerometer], quality.count > 0 else { return [] }
    let norm = rest.accelerationNorm ?? quality.norms.median
    let when = rest.accelerationNorm == nil ? "in the middle" : "at rest"
    func seems(_ what: String) -> [String] { ["The acceleration is \(rounded(norm)) g \(when): \(what)."] }
    switch quality.norms.median {
    case 400...2500: return seems("it looks like thousandths of g; divide it by 1000, no option does")
    case 4...: return seems("it looks like m/s²; try --acceleration-unit m/s2")
    default: break
    }
    if norm < 0.25 {
      if rest.accelerationNorm != nil, (0.095...0.11).contains(norm) {
        return seems("it looks like g taken for m/s²; try --acceleration-unit g")
      }
      return seems("gravity seems to be taken off; fusing needs the raw one")
    }
    if rest.accelerationNorm != nil, abs(norm - 1) > 0.03 {
      return ["The acceleration is \(rounded(norm)) g at rest instead of 1: the accelerometer wants calibration."]
    }
    return []
  }

  // MARK: Gyroscope

  private func gyroscopeFindings(_ remarks: inout [String]) -> [String] {
    if let bias = rest.gyroscopeBias, bias.norm > 0.05 {
      remarks.append(
        "The gyroscope's bias is \(rounded(bias.norm)) rad/s (\(rounded(bias.norm * 180 / .pi))°/s): large, as of a "
          + "raw phone sensor; filters learn it in the first seconds.")
    }
    if let change = rest.biasChange, change.norm > 0.005 {
      remarks.append(
        "The gyroscope's bias changes by \(rounded(change.norm * 180 / .pi))°/s from the first rest to the last: "
          + "as of a sensor that warms up; a filter that follows the bias copes.")
    }
    return []
  }

  /// Axes and unit of the rates.
  private func rateFindings() -> [String] {
    var found: [String] = []
    let telling = [gravity, field].compactMap { $0 }.max { $0.share < $1.share }
    if let finding = unitFinding(telling?.scale) { found.append(finding) }
    switch (gravity, field) {
    case (.contradicts(let byGravity), .contradicts(let byField)?):
      let shared = byGravity.filter { one in byField.contains { $0.axes == one.axes } }
      found.append(
        AxesFinding.gyroscope((shared.isEmpty ? byField : shared).map(\.axes), against: "gravity and the field"))
    case (.contradicts(let candidates), .agrees?):
      found.append(AxesFinding.direction("accelerometer", candidates.map(\.axes)))
    case (.agrees, .contradicts(let candidates)?):
      found.append(AxesFinding.direction("magnetometer", candidates.map(\.axes)))
    case (.contradicts(let candidates), _):
      found.append(AxesFinding.either("accelerometer", candidates.map(\.axes)))
    case (_, .contradicts(let candidates)?):
      found.append(AxesFinding.either("magnetometer", candidates.map(\.axes)))
    default: break
    }
    return found
  }

  /// Degrees are 57 times as many as radians; in a log of which nothing else is known half and double are no fault.
  private func unitFinding(_ scale: Double?) -> String? {
    if let scale {
      switch scale {
      case 0.004..<0.06:
        return "The gyroscope's rates are about \(rounded(1 / scale)) times too large for how the device turns: "
          + "degrees per second? Try --rotation-unit deg/s."
      case 17..<250:
        return "The gyroscope's rates are about \(rounded(scale)) times too small for how the device turns: "
          + "already in radians? Try --rotation-unit rad/s."
      case ..<0.004, 250...:
        return "The gyroscope's rates are \(rounded(scale > 1 ? scale : 1 / scale)) times too "
          + "\(scale > 1 ? "small" : "large") for how the device turns: check --time-unit and --rotation-unit."
      default: return nil
      }
    }
    guard let quality = summary.quality[.gyroscope], quality.norms.median > 8 else { return nil }
    return "The gyroscope's rate is above \(rounded(quality.norms.median)) rad/s half of the time: degrees per second? "
      + "Try --rotation-unit deg/s."
  }

  // MARK: For programs

  var consistency: ConsistencyReport {
    var report = ConsistencyReport(gravity: Self.rates(gravity), field: field.map(Self.rates))
    let offset = hardIron
    report.hardIron = offset
    if let dip = fieldChannel.flatMap({ inspection.dip[$0]!.strengthAndDip(offset: offset ?? .zero) }) {
      (report.fieldStrength, report.dip) = (dip.strength, dip.dip)
    }
    return report
  }

  /// Where turning explains the field well enough to tell what does not turn with it.
  var hardIron: Vector3? {
    guard case .agrees(_, let share, let offset)? = field, share >= 0.6 else { return nil }
    return offset
  }

  private static func rates(_ verdict: RateVerdict) -> ConsistencyReport.Rates {
    var axes: [String] = []
    if case .contradicts(let candidates) = verdict { axes = candidates.map(\.axes.text) }
    if case .agrees = verdict { axes = [SignedAxes.identity.text] }
    return .init(verdict: verdict.word, scale: verdict.scale, share: verdict.share, axes: axes)
  }
}
