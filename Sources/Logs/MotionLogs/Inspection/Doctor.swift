internal import InertialNumerics
internal import InertialSensors

/// Says in plain words what looks wrong with a log, and what mends it.
///
/// What cannot be known is not said: the rates fit gravity as well with acceleration turned round, so without a field
/// and the hemisphere no log tells the sign of its acceleration. And six axes tell that the gyroscope and the
/// accelerometer contradict each other, but not which of them is mounted otherwise.
struct Doctor {
  let summary: LogSummary
  let inspection: Inspection
  let turns: TurnTest
  let gravity: RateVerdict
  /// Of the calibrated field where there is one that tells, else of the raw one; nil without a field.
  let field: RateVerdict?
  let fieldChannel: SensorChannel?
  /// The offsets of the other sensors' clocks from the gyroscope's.
  let offsets: [SensorChannel: StreamOffsetFinding]

  init(summary: LogSummary, inspection: Inspection) {
    self.summary = summary
    self.inspection = inspection
    offsets = inspection.offsets(of: summary)
    turns = TurnTest(inspection.sketch)
    gravity = RateVerdict(turns)
    let channels: [SensorChannel] = [.calibratedMagneticField, .magnetometer]
    let present = channels.filter { (summary.reports[$0]?.used ?? 0) > 0 }
    let verdicts = present.map { RateVerdict(inspection.field($0)?.turning ?? DirectionRegression()) }
    let telling = verdicts.firstIndex { if case .silent = $0 { false } else { true } } ?? (present.isEmpty ? nil : 0)
    field = telling.map { verdicts[$0] }
    fieldChannel = telling.map { present[$0] }
  }

  var rest: RestReport { inspection.rest.report }

  /// What looks wrong, the worst first, and what is only good to know.
  func examine() -> (findings: [Finding], remarks: [String]) {
    var (findings, remarks): ([Finding], [String]) = ([], [])
    for channel in [SensorChannel.gyroscope, .accelerometer] where summary.reports[channel] == nil {
      findings.append(.likely("There is no \(channel.name): the log cannot be fused."))
    }
    findings += summary.description.lineWarnings.map { .likely($0.prefix(1).uppercased() + $0.dropFirst() + ".") }
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
    if let hemisphereHint { remarks.append(hemisphereHint) }
    return (findings, remarks)
  }

  // MARK: Clock

  private func clockFindings() -> [Finding] {
    guard let quality = summary.quality[.gyroscope] ?? summary.quality[.accelerometer] else { return [] }
    let interval = quality.medianInterval
    guard quality.count > 20, interval > 0 else { return [] }
    let rate = 1 / interval
    // Sensors that follow a motion sample between 5 Hz and 10 kHz.
    if rate < 2 {
      let unit: LogOptions.TimeUnit = rate < 2e-6 ? .nanoseconds : rate < 0.002 ? .microseconds : .milliseconds
      return [
        .likely(
          "There are \(rounded(rate)) samples a second: the time seems to be in a smaller unit than it is read in; "
            + "try --time-unit \(unit.rawValue).", .timeUnit(unit))
      ]
    }
    if rate > 20_000 {
      return [
        .likely(
          "There are \(rounded(rate)) samples a second: the time seems to be in a larger unit than it is read in; "
            + "try --time-unit s, or ms.")
      ]
    }
    return []
  }

  /// Offsets that a phone's own delays do not have: calibrated fields come 20 ms late.
  private var offsetFindings: [String] {
    offsets.sorted { $0.key < $1.key }.compactMap { channel, finding in
      guard let offset = finding.offset, abs(offset.seconds) > max(5 * offset.uncertainty, 0.05) else { return nil }
      return
        "The \(channel.name) is stamped \(rounded(abs(offset.seconds))) s \(offset.seconds > 0 ? "late" : "early") "
        + "against the gyroscope, to within \(rounded(offset.uncertainty)) s: give --align to take that off."
    }
  }

  /// A clock that is wrong by so much that the log is too slow or too short for its turns to be compared with gravity.
  private var clockFactorFinding: String? {
    guard turns.pairCount < 4, let rate = summary.reports[.gyroscope]?.meanRate,
      let factor = inspection.rows.clockFactor(rate)
    else { return nil }
    let (times, size) = factor < 1 ? (1 / factor, "long") : (factor, "short")
    return
      "The clock's intervals are about \(rounded(times)) times too \(size): with \(rounded(rate)) samples a second the "
      + "device would turn \(factor < 1 ? "that many times as far as" : "by that much less than") gravity shows. Correct the "
      + "times, name their unit with --time-unit, or leave them out with --columns and give --sample-rate "
      + "\(rounded(rate / factor))."
  }

  // MARK: Accelerometer

  /// Columns taken for one another: gravity stands in the rates, and nothing stands in the acceleration.
  private func exchangeFindings() -> [Finding] {
    guard let means = inspection.sketch.means,
      (0.7...1.5).contains(means.rateNorm) || (7...13).contains(means.rateNorm)
    else { return [] }
    let isAtRest = (rest.gyroscopeBias?.norm ?? 0) > 0.7 && (rest.accelerationNorm ?? 1) < 0.25
    // The length of gravity stays as it is while the device turns.
    let norms = inspection.sketch.rateNorms
    let isGravity = means.rateSteadiness > 0.8 || norms.quantile(0.1) > 0.6 * norms.quantile(0.9)
    guard isAtRest || (isGravity && means.accelerationSteadiness < 0.6) else { return [] }
    return [
      .certain(
        "The acceleration and the rates look exchanged: the gyroscope's values have the length of gravity throughout, the "
          + "accelerometer's have not. Name the columns with --columns.")
    ]
  }

  private func accelerometerFindings() -> [Finding] {
    let norms = inspection.sketch.accelerationNorms
    let read = summary.quality[.accelerometer]?.norms ?? LogarithmicHistogram()
    // As read, where that is known: what cannot be was skipped.
    let median = read.count > 0 ? read.median : norms.median
    guard median > 0 else { return [] }
    let norm = rest.accelerationNorm ?? median
    let when = rest.accelerationNorm == nil ? "in the middle" : "at rest"
    func seems(_ what: String, _ unit: LogOptions.AccelerationUnit? = nil) -> [Finding] {
      [.certain("The acceleration is \(rounded(norm)) g \(when): \(what).", unit.map(LogAnswer.accelerationUnit))]
    }
    switch median {
    case 400...2500: return seems("it looks like thousandths of g; try --acceleration-unit mg", .named("mg"))
    case 4...: return seems("it looks like m/s²; try --acceleration-unit m/s2", .metersPerSecondSquared)
    default: break
    }
    // A person who jumps falls freely for most of the time; the mean over seconds is gravity.
    let lasting = turns.pairCount > 0 ? turns.gravityNorms().median : norm
    if norm < 0.25, rest.accelerationNorm != nil || lasting < LastingAcceleration.leastGravity {
      if rest.accelerationNorm != nil, (0.095...0.11).contains(norm) {
        return seems("it looks like g taken for m/s²; try --acceleration-unit g", .g)
      }
      return seems("gravity seems to be taken off; fusing needs the raw one")
    }
    if let found = scaleFinding(norms.mean) { return [.certain(found)] }
    if rest.accelerationNorm != nil, abs(norm - 1) > 0.03 {
      return [
        .likely("The acceleration is \(rounded(norm)) g at rest instead of 1: the accelerometer wants calibration.")
      ]
    }
    return []
  }

  /// Over seconds only gravity is left of the acceleration, whatever the motion: 0.96 to 1.08 g on 270 recordings. With
  /// wrong rates less is left; but a mean length is never less than the length of the mean.
  private func scaleFinding(_ meanNorm: Double) -> String? {
    let remedy =
      "its unit or its range is not what it is read as; see --acceleration-unit, which takes counts such as 8192/g, too."
    if let norm = inspection.rest.strangestNorm, abs(norm - 1) > 0.15 {
      return "The acceleration is \(rounded(norm)) g at rest instead of 1: " + remedy
    }
    let gravityNorm = turns.pairCount > 0 ? turns.gravityNorms().median : 1
    var areRatesRight = false
    if case .agrees(let scale, _, _) = gravity { areRatesRight = RateVerdict.rightScales.contains(scale) }
    let isTooSmall = (meanNorm > 0 && meanNorm < 0.85) || (areRatesRight && gravityNorm < 0.85)
    guard isTooSmall || gravityNorm > 1.2 else { return nil }
    let shown = isTooSmall ? min(gravityNorm, meanNorm) : gravityNorm
    return "The acceleration is \(rounded(shown)) g where only gravity is left, instead of 1: " + remedy
  }

  // MARK: Gyroscope

  private func gyroscopeFindings(_ remarks: inout [String]) -> [Finding] {
    if let bias = rest.gyroscopeBias, bias.norm > 0.05 {
      // No sensor in use has more than 0.2 rad/s.
      if bias.norm > 0.35 {
        return [
          .certain(
            "The gyroscope reads \(rounded(bias.norm)) rad/s at rest, which no gyroscope does: see --columns and "
              + "--rotation-unit.")
        ]
      }
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

  /// Axes and unit of the rates. The log's own attitude tells most; it may have been made of other axes than gravity, though.
  private func rateFindings() -> [Finding] {
    let turning = inspection.device.turning
    if case .contradicts(let axes)? = turning {
      return [AxesFinding.gyroscope(axes, against: "the log's own attitude and gravity")]
    }
    var found: [Finding] = []
    if case .unrelated? = turning {
      found.append(
        .certain(
          "The gyroscope does not turn as the log's own attitude does, whatever its axes: one of the two is of another "
            + "recording, or on another clock."))
    }
    var scale: Double?
    if case .agrees(let byAttitude)? = turning { scale = byAttitude }
    if let finding = unitFinding(scale ?? scaleByDirections) { found.append(finding) }
    if let axes = inspection.device.accelerometerAxes {
      found.append(AxesFinding.accelerometer(axes))
    } else if let contradiction = inspection.device.contradiction {
      let problem = contradiction.problem
      found.append(.certain(problem.prefix(1).uppercased() + problem.dropFirst() + ": " + contradiction.remedy))
    } else if scale == nil || found.isEmpty {
      found += axesFindings(areRatesRight: scale != nil)
    }
    return found
  }

  private func axesFindings(areRatesRight: Bool) -> [Finding] {
    switch (gravity, field) {
    case (.contradicts(let candidates), .some) where areRatesRight,
      (.contradicts(let candidates), nil) where areRatesRight:
      return [AxesFinding.direction(.accelerometer, candidates.map(\.axes))]
    case (.contradicts(let byGravity), .contradicts(let byField)?):
      let shared = byGravity.filter { one in byField.contains { $0.axes == one.axes } }
      return [AxesFinding.gyroscope((shared.isEmpty ? byField : shared).map(\.axes), against: "gravity and the field")]
    case (.contradicts(let candidates), .agrees?):
      return [AxesFinding.direction(.accelerometer, candidates.map(\.axes))]
    case (.agrees, .contradicts(let candidates)?):
      return [AxesFinding.direction(.magnetometer, candidates.map(\.axes))]
    case (.contradicts(let candidates), _):
      return [AxesFinding.either(.accelerometer, candidates.map(\.axes))]
    case (_, .contradicts(let candidates)?):
      if areRatesRight { return [AxesFinding.direction(.magnetometer, candidates.map(\.axes))] }
      return [AxesFinding.either(.magnetometer, candidates.map(\.axes))]
    default: return []
    }
  }

  /// What the rates are to be multiplied by, of gravity, and where it is silent of a field that is explained well: fast
  /// turning and magnets near the device make the field's scale as small as 0.44.
  private var scaleByDirections: Double? {
    if case .agrees(let scale, _, _) = gravity { return scale }
    if case .agrees(let scale, let share, _)? = field, share >= 0.7, !(0.3...1.7).contains(scale) { return scale }
    return nil
  }

  private func unitFinding(_ scale: Double?) -> Finding? {
    if let scale {
      guard !RateVerdict.rightScales.contains(scale) else { return nil }
      let (factor, size) = scale < 1 ? (1 / scale, "large") : (scale, "small")
      let fact = "The gyroscope's rates are about \(rounded(factor)) times too \(size) for how the device turns: "
      switch scale {
      case 0.012..<0.025:
        return .certain(fact + "degrees per second? Try --rotation-unit deg/s.", .rotationUnit(.degreesPerSecond))
      case 40..<80:
        return .certain(fact + "already in radians? Try --rotation-unit rad/s.", .rotationUnit(.radiansPerSecond))
      default:
        return .certain(
          fact + "their unit, or the clock's, is not what it is read as; see --rotation-unit, --time-unit and "
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
    if let dip = fieldChannel.flatMap({ inspection.field($0)?.dip.strengthAndDip(offset: offset ?? .zero) }) {
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
