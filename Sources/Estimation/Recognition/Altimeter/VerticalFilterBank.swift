internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// A vertical filter for a barometer with lag and one for a barometer without lag, until the motion has shown which
/// applies.
///
/// Some devices that report an altitude once per second smooth it, and no log specifies whether they do. Each filter
/// is weighted by the likelihood of its altitudes. The estimate is the mean of both, with their spread (the static
/// multiple-model estimator: Bar-Shalom, Li and Kirubarajan, "Estimation with applications to tracking and
/// navigation" (2001), 11.6.2).
package struct VerticalFilterBank: Sendable, Codable {
  /// The filter with the lag of the parameters.
  private var lagging: VerticalFilter
  /// The filter without lag, or `nil` once it is known whether the barometer lags.
  private var direct: VerticalFilter?
  /// The logarithm of the odds that the barometer lags.
  private var odds = 0.0
  private let trace: Trace
  private let isUndeclared: Bool

  /// The altitudes that are kept for a smoother, one kilobyte per altitude and filter.
  package enum Trace: Sendable, Codable {
    case none
    /// The altitudes of a slow barometer only: a fast one has no lag and gains little.
    case slow
    case all
  }

  /// The minimum difference between the filters' innovations, in standard deviations, for an altitude to change the
  /// odds. On level ground they hardly differ, and their noise estimates would decide.
  private static let apart = 2.0
  /// The upper limit of a normalized squared innovation, since a single outlier is not proof.
  private static let maximumSquaredInnovation = 9.0
  /// The logarithm of the odds at which the other filter is dropped: 1 in 22,000.
  private static let sure = 10.0

  init(_ parameters: VerticalFilter.Parameters, keeping trace: Trace) {
    (self.trace, isUndeclared) = (trace, parameters.barometerLag == nil)
    lagging = VerticalFilter(parameters: parameters, keepsTrace: trace != .none)
    guard parameters.barometerLag == nil else { return }
    var other = parameters
    other.barometerLag = 0
    direct = VerticalFilter(parameters: other, keepsTrace: trace != .none)
  }

  @inline(__always)
  mutating func update(verticalAcceleration value: Double, at time: Double) {
    if lagging.state?.motion.takesQuietly(value, at: time) != true { take(value, at: time) }
  }

  @inline(never)
  private mutating func take(_ value: Double, at time: Double) {
    shareMotion()
    lagging.take(value, at: time)
    direct?.take(value, at: time)
  }

  /// Motion acts on both filters alike, so only one of them processes each sample.
  private mutating func shareMotion() {
    guard let motion = lagging.state?.motion else { return }
    direct?.state?.motion = motion
  }

  mutating func update(barometricAltitude value: Double, at time: Double) {
    shareMotion()
    let last = lagging.state?.barometerTime
    let first = lagging.update(barometricAltitude: value, at: time)
    guard let second = direct?.update(barometricAltitude: value, at: time) else { return }
    guard let lag = lagging.state?.lag, lag > 0 else {
      direct = nil
      if trace == .slow { lagging.dropTrace() }
      return
    }
    guard let first, let last else { return }
    let sigma = max(first.sigma, second.sigma)
    let (a, b) = (first.value / sigma, second.value / sigma)
    guard abs(a - b) > Self.apart else { return }
    // Altitudes within one lag are correlated, so together they count once.
    odds +=
      0.5 * (min(b * b, Self.maximumSquaredInnovation) - min(a * a, Self.maximumSquaredInnovation))
      * min((time - last) / lag, 1)
    // A smoother needs both filters until the end of the recording, when it is known which is more likely.
    guard trace == .none, abs(odds) > Self.sure, let other = direct else { return }
    if odds < 0 { lagging = other }
    direct = nil
  }

  /// The probability that the barometer lags.
  private var probability: Double { 1 / (1 + exp(-odds)) }

  /// The estimates of the filters.
  package struct Hypotheses: Sendable, Hashable, Codable {
    var lagging: VerticalFilter.Estimate
    var direct: VerticalFilter.Estimate?
  }

  /// The estimates of the filters, or `nil` before the first altitude.
  var possible: Hypotheses? {
    guard let first = lagging.estimate else { return nil }
    return Hypotheses(lagging: first, direct: direct?.estimate(after: lagging.state?.motion))
  }

  /// The mean estimate, or `nil` before the first altitude.
  var estimate: VerticalFilter.Estimate? { possible.map { mean(of: $0) } }

  /// Returns the mean of both estimates, with their spread.
  func mean(of possible: Hypotheses) -> VerticalFilter.Estimate {
    let first = possible.lagging
    guard let second = possible.direct else { return first }
    let (p, q) = (probability, 1 - probability)
    /// Returns the mean and the standard deviation of a mixture of two estimates.
    func mix(_ a: Double, _ sigmaA: Double, _ b: Double, _ sigmaB: Double) -> (Double, Double) {
      let variance = p * sigmaA * sigmaA + q * sigmaB * sigmaB + p * q * (a - b) * (a - b)
      return (p * a + q * b, variance.standardDeviation)
    }
    var mean = first
    (mean.altitude, mean.altitudeSigma) = mix(
      first.altitude, first.altitudeSigma, second.altitude, second.altitudeSigma)
    (mean.verticalSpeed, mean.verticalSpeedSigma) = mix(
      first.verticalSpeed, first.verticalSpeedSigma, second.verticalSpeed, second.verticalSpeedSigma)
    mean.accelerationBias = p * first.accelerationBias + q * second.accelerationBias
    mean.barometerSigma = p * first.barometerSigma + q * second.barometerSigma
    return mean
  }

  /// Returns the estimate of the more likely filter.
  func mostLikely(of possible: Hypotheses) -> VerticalFilter.Estimate {
    odds < 0 ? possible.direct ?? possible.lagging : possible.lagging
  }

  /// The lag of the barometer according to the more likely filter, in seconds.
  var lag: Double { odds < 0 && direct != nil ? 0 : lagging.state?.lag ?? 0 }

  /// The number of altitudes that the more likely filter rejected as outliers.
  var rejectedCount: Int { (odds < 0 ? direct?.rejectedCount : nil) ?? lagging.rejectedCount }

  /// The decision about the barometer's lag, or `nil` if there is no barometer or the lag is declared.
  var decision: AutomaticDecision? {
    guard isUndeclared, lagging.state?.barometerTime != nil else { return nil }
    return AutomaticDecision(
      "barometer lag", lag > 0 ? String(cFormat: "%.1f s", lag) : "none",
      basis: odds == 0
        ? "the rate of the altitudes"
        : String(cFormat: "evidence for a lag against the accelerometer %.1f nats", odds),
      values: ["lag": lag, "evidence": odds])
  }

  // MARK: Smoothing

  func smoothed(_ estimates: [Hypotheses]) -> [VerticalFilter.Estimate] {
    let filter = odds < 0 ? direct ?? lagging : lagging
    let estimates = estimates.map { mostLikely(of: $0) }
    return filter.epochs == nil ? estimates : filter.smoothed(estimates)
  }
}
