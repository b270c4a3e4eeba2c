internal import InertialNumerics
internal import InertialSystem

/// A vertical filter for a barometer that lags and one for a barometer that does not, until the motion has shown which it is.
///
/// Devices that tell an altitude once a second smooth it, or do not, and no log says so. Each filter is weighed by how likely
/// it makes the altitudes, and the mean of both is what is known, with their spread (the static multiple-model estimator:
/// Bar-Shalom, Li and Kirubarajan, "Estimation with applications to tracking and navigation" (2001), 11.6.2).
package struct VerticalFilters: Sendable {
  /// By the parameters.
  private var lagging: VerticalFilter
  /// nil where it is known whether the barometer lags.
  private var direct: VerticalFilter?
  /// Logarithm of the odds that the barometer lags.
  private var odds = 0.0
  private let trace: Trace

  /// Which altitudes are kept for a smoother, half a kilobyte each and filter.
  package enum Trace: Sendable {
    case none
    /// Those of a barometer that tells few: a fast one is not late, and gains little.
    case slow
    case all
  }

  /// Standard deviations of an innovation that both filters must differ by for an altitude to tell them apart. On the level
  /// they hardly differ, and what their noise is taken for would decide.
  private static let apart = 2.0
  /// Innovations squared, of their variance, from which on they say no more: one outlier is no proof.
  private static let most = 9.0
  /// Odds, as logarithms, from which on the other filter is given up: 1 in 22,000.
  private static let sure = 10.0

  init(_ parameters: VerticalFilter.Parameters, keeping trace: Trace) {
    self.trace = trace
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

  /// Motion acts on both alike: only one of them takes it sample by sample.
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
      if trace == .slow { lagging.trace = nil }
      return
    }
    guard let first, let last else { return }
    let sigma = max(first.sigma, second.sigma)
    let (a, b) = (first.value / sigma, second.value / sigma)
    guard abs(a - b) > Self.apart else { return }
    // What is told within the lag is told once.
    odds += 0.5 * (min(b * b, Self.most) - min(a * a, Self.most)) * min((time - last) / lag, 1)
    // A smoother wants both: they end with the record, and what is likelier is known then.
    guard trace == .none, abs(odds) > Self.sure, let other = direct else { return }
    if odds < 0 { lagging = other }
    direct = nil
  }

  /// That the barometer lags, while that is not known.
  private var probability: Double { 1 / (1 + exp(-odds)) }

  /// What is known by each of the filters.
  package struct Possible: Sendable, Hashable {
    var lagging: VerticalFilter.Estimate
    var direct: VerticalFilter.Estimate?
  }

  /// nil before the first altitude.
  var possible: Possible? {
    guard let first = lagging.estimate else { return nil }
    guard var direct else { return Possible(lagging: first) }
    if let motion = lagging.state?.motion { direct.state?.motion = motion }
    return Possible(lagging: first, direct: direct.estimate)
  }

  /// nil before the first altitude.
  var estimate: VerticalFilter.Estimate? { possible.map { mean(of: $0) } }

  /// The mean of both, with their spread.
  func mean(of possible: Possible) -> VerticalFilter.Estimate {
    let first = possible.lagging
    guard let second = possible.direct else { return first }
    let (p, q) = (probability, 1 - probability)
    /// Mean and standard deviation of two that are possible.
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

  /// The likelier of the two.
  func likeliest(of possible: Possible) -> VerticalFilter.Estimate {
    odds < 0 ? possible.direct ?? possible.lagging : possible.lagging
  }

  /// Seconds by which the barometer lags by the likelier filter.
  var lag: Double { odds < 0 && direct != nil ? 0 : lagging.state?.lag ?? 0 }

  /// Altitudes that the likelier filter took for outliers.
  var rejectedCount: Int { (odds < 0 ? direct?.rejectedCount : nil) ?? lagging.rejectedCount }

  // MARK: The whole record

  func smoothed(_ estimates: [Possible]) throws(LinearAlgebraError) -> [VerticalFilter.Estimate] {
    let filter = odds < 0 ? direct ?? lagging : lagging
    let estimates = estimates.map { likeliest(of: $0) }
    return filter.trace == nil ? estimates : try filter.smoothed(estimates)
  }
}
