internal import InertialNumerics
internal import InertialSensors

/// Reports the problems of a log in plain language, with remedies.
///
/// Only facts that the data determine are reported. The rates match gravity equally well if the acceleration is
/// inverted, so its sign is unknown without a field and the hemisphere. With six axes, a contradiction between
/// gyroscope and accelerometer is detectable, but not the faulty sensor.
struct LogDiagnostics {
  let summary: LogSummary
  let inspection: Inspection
  let turns: GravityRotationTest
  let gravity: GyroscopeAxesVerdict
  /// The result for the calibrated field if it is decisive, else for the raw field, or `nil` without a field.
  let field: GyroscopeAxesVerdict?
  let fieldChannel: SensorChannel?
  /// The offsets of the other sensors' clocks from the gyroscope's.
  let offsets: [SensorChannel: StreamOffsetResult]

  init(summary: LogSummary, inspection: Inspection) {
    self.summary = summary
    self.inspection = inspection
    offsets = inspection.offsets(of: summary)
    turns = GravityRotationTest(inspection.sketch)
    gravity = GyroscopeAxesVerdict(turns)
    let channels: [SensorChannel] = [.calibratedMagneticField, .magnetometer]
    let present = channels.filter { (summary.reports[$0]?.used ?? 0) > 0 }
    let verdicts = present.map { GyroscopeAxesVerdict(inspection.field($0)?.turning ?? DirectionRegression()) }
    let reporting = verdicts.firstIndex { if case .silent = $0 { false } else { true } } ?? (present.isEmpty ? nil : 0)
    field = reporting.map { verdicts[$0] }
    fieldChannel = reporting.map { present[$0] }
  }

  var rest: RestReport { inspection.rest.report }

  /// Returns the findings in order of decreasing severity, and remarks that need no action.
  func examine() -> (findings: [Diagnostic], remarks: [String]) {
    var (findings, remarks): ([Diagnostic], [String]) = ([], [])
    for channel in [SensorChannel.gyroscope, .accelerometer] where summary.reports[channel] == nil {
      findings.append(.likely("There is no \(channel.name): the log cannot be fused."))
    }
    findings += summary.description.lineWarnings.map { .likely($0.capitalizedFirst + ".") }
    findings += clockFindings()
    findings += offsetFindings.map { .certain($0, .alignment) }
    if let clockFactorFinding { findings.append(.certain(clockFactorFinding)) }
    let exchanged = exchangeFindings()
    findings += exchanged
    if exchanged.isEmpty { findings += accelerometerFindings() }
    let rates = rateFindings()
    if exchanged.isEmpty { findings += rates + changeFindings().map { .certain($0) } }
    findings += fieldFindings(&remarks)
    findings += gyroscopeFindings(&remarks)
    for channel in [SensorChannel.gyroscope, .accelerometer, .magnetometer, .calibratedMagneticField] {
      findings += samplingFindings(channel)
    }
    // A finding with an option states the reason better.
    if let refusal = summary.refusal, !findings.contains(where: { $0.isCertain && $0.answer != nil }) {
      let line = refusal.line.map { " (line \($0))" } ?? ""
      findings.insert(.likely("The log cannot be fused: \(refusal.problem)\(line); \(refusal.remedy)."), at: 0)
    }
    if let hemisphereHint { remarks.append(hemisphereHint) }
    return (findings, remarks)
  }

  // MARK: Clock

  private func clockFindings() -> [Diagnostic] {
    guard let quality = summary.quality[.gyroscope] ?? summary.quality[.accelerometer] else { return [] }
    let interval = quality.medianInterval
    guard quality.count > 20, interval > 0 else { return [] }
    let rate = 1 / interval
    // Sensors that measure motion sample between 5 Hz and 10 kHz.
    if rate < 2 {
      let unit: LogOptions.TimeUnit = rate < 2e-6 ? .nanoseconds : rate < 0.002 ? .microseconds : .milliseconds
      return [
        .likely(
          "There are \(rounded(rate)) samples per second: the unit of time seems to be smaller than assumed; "
            + "try --time-unit \(unit.rawValue).", .timeUnit(unit))
      ]
    }
    if rate > 20_000 {
      return [
        .likely(
          "There are \(rounded(rate)) samples per second: the unit of time seems to be larger than assumed; "
            + "try --time-unit s, or ms.")
      ]
    }
    return []
  }

  /// The offsets that exceed a phone's own delays: calibrated fields are 20 ms late.
  private var offsetFindings: [String] {
    offsets.sorted { $0.key < $1.key }.compactMap { channel, finding in
      guard let offset = finding.offset, abs(offset.seconds) > max(5 * offset.uncertainty, 0.05) else { return nil }
      return
        "The \(channel.name) is timestamped \(rounded(abs(offset.seconds))) s \(offset.seconds > 0 ? "late" : "early") "
        + "relative to the gyroscope, to within \(rounded(offset.uncertainty)) s: give --align to correct it."
    }
  }

  /// A finding about a clock that is so wrong that the log is too slow or too short to compare rotations with gravity.
  private var clockFactorFinding: String? {
    guard turns.pairCount < 4, let rate = summary.reports[.gyroscope]?.meanRate,
      let factor = inspection.rows.clockFactor(rate)
    else { return nil }
    let (times, size) = factor < 1 ? (1 / factor, "long") : (factor, "short")
    return
      "The clock's intervals are about \(rounded(times)) times too \(size): with \(rounded(rate)) samples per second the "
      + "device would turn \(factor < 1 ? "that many times as far as" : "by that much less than") gravity indicates. Correct the "
      + "times, name their unit with --time-unit, or leave them out with --columns and give --sample-rate "
      + "\(rounded(rate / factor))."
  }

  // MARK: Accelerometer

  /// Returns a finding about exchanged columns: the rates contain gravity, and the acceleration does not.
  private func exchangeFindings() -> [Diagnostic] {
    let norms = inspection.sketch.rateNorms
    guard let steadiness = inspection.sketch.steadiness,
      [0.7...1.5, 7...13].contains(where: { $0.contains(norms.median) })
    else { return [] }
    let isAtRest = (rest.gyroscopeBias?.norm ?? 0) > 0.7 && (rest.accelerationNorm ?? 1) < 0.25
    // The magnitude of gravity is constant while the device rotates.
    let isGravity = steadiness.rate > 0.8 || norms.quantile(0.1) > 0.6 * norms.quantile(0.9)
    guard isAtRest || (isGravity && steadiness.acceleration < 0.6) else { return [] }
    return [
      .certain(
        "The acceleration and the rates appear to be swapped: the gyroscope's values have the magnitude of gravity throughout, the "
          + "accelerometer's do not. Name the columns with --columns.")
    ]
  }

  private func accelerometerFindings() -> [Diagnostic] {
    let norms = inspection.sketch.accelerationNorms
    let read = summary.quality[.accelerometer]?.norms ?? LogarithmicHistogram()
    // The magnitudes as read, if available, as impossible samples were skipped.
    let median = read.count > 0 ? read.median : norms.median
    guard median > 0 else { return [] }
    let norm = rest.accelerationNorm ?? median
    let when = rest.accelerationNorm == nil ? "in the middle" : "at rest"
    func seems(_ what: String, _ unit: LogOptions.AccelerationUnit? = nil) -> [Diagnostic] {
      [.certain("The acceleration is \(rounded(norm)) g \(when): \(what).", unit.map(LogAnswer.accelerationUnit))]
    }
    switch median {
    case 400...2500: return seems("it looks like thousandths of g; try --acceleration-unit mg", .named("mg"))
    case 4...: return seems("it looks like m/s²; try --acceleration-unit m/s2", .metersPerSecondSquared)
    default: break
    }
    // A person who jumps is in free fall for most of the time. The mean over seconds is gravity.
    let lasting = turns.pairCount > 0 ? turns.gravityNorms().median : norm
    if norm < 0.25, rest.accelerationNorm != nil || lasting < LastingAcceleration.minimumGravity {
      if rest.accelerationNorm != nil, (0.095...0.11).contains(norm) {
        return seems("it looks like g read as m/s²; try --acceleration-unit g", .g)
      }
      return seems("gravity appears to be removed; fusing needs the raw acceleration")
    }
    if let found = scaleFinding(norms.mean) { return [.certain(found)] }
    if rest.accelerationNorm != nil, abs(norm - 1) > 0.03 {
      return [
        .likely("The acceleration is \(rounded(norm)) g at rest instead of 1: the accelerometer needs calibration.")
      ]
    }
    return []
  }

  /// Returns a finding if the scale of the acceleration is wrong. Averaged over seconds, the acceleration is gravity in
  /// any motion: 0.96 to 1.08 g on 270 recordings. Wrong rates decrease the average, but a mean magnitude is never less
  /// than the magnitude of the mean.
  private func scaleFinding(_ meanNorm: Double) -> String? {
    let remedy =
      "its unit or range differs from the assumed one; see --acceleration-unit, which also takes counts such as 8192/g."
    if let norm = inspection.rest.strangestNorm, abs(norm - 1) > 0.15 {
      return "The acceleration is \(rounded(norm)) g at rest instead of 1: " + remedy
    }
    let duration = summary.reports[.accelerometer].map { $0.lastTime - $0.firstTime } ?? 0
    // The mean of a part of a step is no gravity.
    guard duration > 2 else { return nil }
    let gravityNorm = turns.pairCount > 0 ? turns.gravityNorms().median : 1
    var areRatesRight = false
    if case .agrees(let fit) = gravity { areRatesRight = GyroscopeAxesVerdict.rightScales.contains(fit.scale) }
    let isTooSmall = (meanNorm > 0 && meanNorm < 0.85) || (areRatesRight && gravityNorm < 0.85)
    guard isTooSmall || gravityNorm > 1.2 else { return nil }
    let shown = isTooSmall ? min(gravityNorm, meanNorm) : gravityNorm
    return "The acceleration is \(rounded(shown)) g on average over seconds, instead of 1: " + remedy
  }

  // MARK: Gyroscope

  private func gyroscopeFindings(_ remarks: inout [String]) -> [Diagnostic] {
    if let bias = rest.gyroscopeBias, bias.norm > 0.05 {
      // No sensor in use has more than 0.2 rad/s.
      if bias.norm > 0.35 {
        return [
          .certain(
            "The gyroscope reads \(rounded(bias.norm)) rad/s at rest, which is impossible: see --columns and "
              + "--rotation-unit.")
        ]
      }
      remarks.append(
        "The gyroscope's bias is \(rounded(bias.norm)) rad/s (\(rounded(bias.norm * 180 / .pi))°/s): large, but typical of a "
          + "raw phone sensor; filters learn it in the first seconds.")
    }
    if let change = rest.biasChange, change.norm > 0.005 {
      remarks.append(
        "The gyroscope's bias changes by \(rounded(change.norm * 180 / .pi))°/s from the first rest to the last: "
          + "typical of a sensor that warms up; a filter that tracks the bias compensates for it.")
    }
    return []
  }

  /// Returns findings about the axes and the unit of the rates. The log's own attitude is the best evidence, but its
  /// axes may differ from those of gravity.
  private func rateFindings() -> [Diagnostic] {
    let turning = inspection.device.turning
    if let axes = turning?.otherAxes, !axes.isEmpty {
      return [.gyroscopeAxes(axes, against: "the log's own attitude and gravity")]
    }
    let scale = turning?.scale
    var found: [Diagnostic] = []
    if turning != nil, scale == nil {
      found.append(
        .certain(
          "The gyroscope does not turn as the log's own attitude does, with any axes: one of the two is from another "
            + "recording, or on another clock."))
    }
    if let rateUnitFinding { found.append(rateUnitFinding) }
    if let axes = inspection.device.accelerometerAxes {
      found.append(.accelerometerAxes(axes))
    } else if let contradiction = inspection.device.contradiction {
      found.append(.certain(contradiction.problem.capitalizedFirst + ": " + contradiction.remedy))
    } else if scale == nil || found.isEmpty {
      found += axesFindings(areRatesRight: scale != nil)
    }
    return found
  }

  private func axesFindings(areRatesRight: Bool) -> [Diagnostic] {
    switch (gravity, field) {
    case (.contradicts(let candidates), _) where areRatesRight, (.contradicts(let candidates), .agrees?):
      return [.directionAxes(.accelerometer, candidates.map(\.axes))]
    case (.contradicts(let byGravity), .contradicts(let byField)?):
      let shared = byGravity.filter { one in byField.contains { $0.axes == one.axes } }
      return [.gyroscopeAxes((shared.isEmpty ? byField : shared).map(\.axes), against: "gravity and the field")]
    case (.contradicts(let candidates), _): return [.eitherAxes(.accelerometer, candidates.map(\.axes))]
    case (_, .contradicts(let candidates)?) where areRatesRight, (.agrees, .contradicts(let candidates)?):
      return [.directionAxes(.magnetometer, candidates.map(\.axes))]
    case (_, .contradicts(let candidates)?): return [.eitherAxes(.magnetometer, candidates.map(\.axes))]
    default: return []
    }
  }

  /// The factor to apply to the rates from gravity, or, without a result, from a field that is explained well. Fast
  /// rotation and magnets near the device reduce the field's scale to as little as 0.44.
  private var scaleByDirections: Double? {
    if case .agrees(let fit) = gravity { return fit.scale }
    if case .agrees(let fit)? = field, fit.fraction >= 0.7, !(0.3...1.7).contains(fit.scale) { return fit.scale }
    return nil
  }

  /// A finding about the unit of the rates, or `nil` if it seems to be right.
  var rateUnitFinding: Diagnostic? {
    if let scale = inspection.device.turning?.scale ?? scaleByDirections {
      guard !GyroscopeAxesVerdict.rightScales.contains(scale) else { return nil }
      let (factor, size) = scale < 1 ? (1 / scale, "large") : (scale, "small")
      let fact = "The gyroscope's rates are about \(rounded(factor)) times too \(size) for the device's rotation: "
      switch scale {
      case 0.012..<0.025:
        return .certain(fact + "degrees per second? Try --rotation-unit deg/s.", .rotationUnit(.degreesPerSecond))
      case 40..<80:
        return .certain(fact + "already in radians? Try --rotation-unit rad/s.", .rotationUnit(.radiansPerSecond))
      default:
        return .certain(
          fact + "their unit, or the clock's, differs from the assumed one; see --rotation-unit, --time-unit and "
            + "--sample-rate.")
      }
    }
    let norms = inspection.sketch.rateNorms
    guard norms.median > 8 else { return nil }
    return .certain(
      "The gyroscope's rate is above \(rounded(norms.median)) rad/s half of the time: degrees per second? "
        + "Try --rotation-unit deg/s.", .rotationUnit(.degreesPerSecond))
  }

  // MARK: For programs

  var consistency: ConsistencyReport {
    var report = ConsistencyReport(gravity: Self.rates(gravity), field: field.map(Self.rates))
    let offset = hardIron
    report.hardIron = offset
    if let dip = fieldChannel.flatMap({ inspection.field($0)?.strengthAndDip(offset: offset ?? .zero) }) {
      (report.fieldStrength, report.dip) = (dip.strength, dip.dip)
    }
    return report
  }

  /// The constant field of the device, if its rotation explains the field well enough.
  var hardIron: Vector3? {
    guard case .agrees(let fit)? = field, fit.fraction >= 0.6 else { return nil }
    return fit.offset
  }

  private static func rates(_ verdict: GyroscopeAxesVerdict) -> ConsistencyReport.Rates {
    let (word, fits): (String, [AxesCandidate]) =
      switch verdict {
      case .agrees(let fit): ("agrees", [fit])
      case .contradicts(let fits): ("contradicts", fits)
      case .silent: ("silent", [])
      }
    return .init(
      verdict: word, scale: fits.first?.scale, fraction: fits.first?.fraction ?? 0, axes: fits.map(\.axes.text))
  }
}
