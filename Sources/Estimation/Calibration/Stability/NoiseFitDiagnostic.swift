internal import InertialNumerics
internal import InertialSystem

/// The reason that the terms of a fit do not describe the series.
package enum NoiseFitDiagnostic: Equatable {
  /// The value steps at a time, in seconds from the beginning: one of the means of a sixty-fourth of the series differs
  /// from the previous one far more than any other.
  case step(Double)
  /// The drifts of the two halves differ, in the series' unit per second.
  case unsteadyDrift(Double, Double)
  /// The misfit is large: χ² per degree of freedom.
  case misfit(Double)

  /// The number of means in which a step is searched.
  private static let parts = 64
  /// The threshold of a step, in deviations by the median: among 63 normal changes, one of ten thousand series exceeds
  /// it.
  private static let outlierThreshold = 7.0
  /// The largest misfit of a valid fit: one of a thousand series of the five terms exceeds it.
  private static let maximumMisfit = 3.0

  /// - Returns: `nil` if the fit is plausible.
  package init?(_ fit: NoiseFit, _ series: RegularSeries) {
    if let position = Self.step(in: series.values) {
      self = .step(Double(position) * series.period)
    } else if let drifts = Self.unsteadyDrift(fit, series) {
      self = .unsteadyDrift(drifts.0, drifts.1)
    } else if fit.misfit > Self.maximumMisfit {
      self = .misfit(fit.misfit)
    } else {
      return nil
    }
  }

  private static func step(in values: [Double]) -> Int? {
    let width = values.count / parts
    guard width > 0 else { return nil }
    let means = (0..<parts).map { Statistics.mean(values[($0 * width)..<(($0 + 1) * width)])! }
    let changes = zip(means, means.dropFirst()).map { $1 - $0 }
    guard let median = Statistics.median(changes),
      let spread = Statistics.medianAbsoluteDeviation(changes, scaledToNormal: true), spread > 0,
      let largest = changes.indices.max(by: { abs(changes[$0] - median) < abs(changes[$1] - median) }),
      abs(changes[largest] - median) > outlierThreshold * spread
    else { return nil }
    return (largest + 1) * width
  }

  /// Returns the drifts of the two halves if they differ by more than noise explains.
  private static func unsteadyDrift(_ fit: NoiseFit, _ series: RegularSeries) -> (Double, Double)? {
    guard let ramp = fit.rateRamp.value else { return nil }
    let half = series.values.count / 2
    let length = Double(half) * series.period
    func slope(_ values: ArraySlice<Double>) -> Double {
      let middle = Double(values.count - 1) / 2
      let (products, squares) = values.enumerated().reduce((0.0, 0.0)) { sums, item in
        let t = (Double(item.offset) - middle) * series.period
        return (sums.0 + t * item.element, sums.1 + t * t)
      }
      return products / squares
    }
    let slopes = (slope(series.values.prefix(half)), slope(series.values.suffix(half)))
    let white = fit.white.value ?? 0
    let flicker = fit.biasInstability.value ?? 0
    let walk = fit.rateRandomWalk.value ?? 0
    // The same formula as for the whole series in `NoiseFit`; doubled for the difference.
    let variance =
      12 * white * white / (length * length * length) + 9 / .pi * flicker * flicker / (length * length)
      + 1.2 * walk * walk / length
    let difference = abs(slopes.0 - slopes.1)
    return difference > max(0.5 * ramp, 4 * (2 * variance).squareRoot()) ? slopes : nil
  }

  /// A human-readable sentence without its subject.
  package var words: String {
    switch self {
    case .step(let time):
      "its value steps at about \(Int(time.rounded())) s, which is not one of the five terms: a reported random walk or drift "
        + "is that step; choose a part without it with --start and --end"
    case .unsteadyDrift(let first, let second):
      "its drift is \(Self.number(first)) in the first half and \(Self.number(second)) in the second, as from a sensor that "
        + "warms up: the ramp does not continue; begin later with --start"
    case .misfit(let value):
      "the five terms do not explain its curve (χ² of \(Self.number(value)) for each degree of freedom): the curve is "
        + "valid, the terms are not"
    }
  }

  /// Formats a number with three significant digits.
  private static func number(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return "0" }
    let scale = pow(10, 2 - log10(abs(value)).rounded(.down))
    return "\((value * scale).rounded() / scale)"
  }
}
