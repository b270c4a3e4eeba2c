internal import InertialNumerics
internal import InertialSystem

/// Why the terms of a fit are not what the series is made of.
package enum NoiseDoubt: Equatable {
  /// One of the means of a sixty-fourth of the series is off the one before as none of the others: the value steps there,
  /// seconds from the beginning.
  case step(Double)
  /// The drift of the first half is not that of the second, in the series' unit for a second.
  case unsteadyDrift(Double, Double)
  /// χ² for each degree of freedom.
  case misfit(Double)

  /// Means that a step is looked for in.
  private static let parts = 64
  /// Deviations, by the median, from which on a change is a step: of 63 normal ones in one of ten thousand series.
  private static let farthest = 7.0
  /// Of fits to the five terms one in a thousand has more.
  private static let mostMisfit = 3.0

  /// - Returns: nil where nothing speaks against the fit.
  package init?(_ fit: NoiseFit, _ series: RegularSeries) {
    if let place = Self.step(in: series.values) {
      self = .step(Double(place) * series.period)
    } else if let drifts = Self.unsteadyDrift(fit, series) {
      self = .unsteadyDrift(drifts.0, drifts.1)
    } else if fit.misfit > Self.mostMisfit {
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
      abs(changes[largest] - median) > farthest * spread
    else { return nil }
    return (largest + 1) * width
  }

  /// A steady drift is the same in both halves, but for what noise makes of it.
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
    // As for the whole series in `NoiseFit`; of the difference twice.
    let variance =
      12 * white * white / (length * length * length) + 9 / .pi * flicker * flicker / (length * length)
      + 1.2 * walk * walk / length
    let difference = abs(slopes.0 - slopes.1)
    return difference > max(0.5 * ramp, 4 * (2 * variance).squareRoot()) ? slopes : nil
  }

  /// A sentence for people, without its subject.
  package var words: String {
    switch self {
    case .step(let time):
      "its value steps at about \(Int(time.rounded())) s, which is none of the five terms: a random walk or drift that is told "
        + "is that step; choose a part without it with --start and --end"
    case .unsteadyDrift(let first, let second):
      "its drift is \(Self.number(first)) in the first half and \(Self.number(second)) in the second, as of a sensor that "
        + "warms up: the ramp is none that goes on; begin later with --start"
    case .misfit(let value):
      "the five terms do not explain its curve (χ² of \(Self.number(value)) for each degree of freedom): the curve is to be "
        + "trusted, the terms are not"
    }
  }

  /// Three significant digits.
  private static func number(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return "0" }
    let scale = pow(10, 2 - log10(abs(value)).rounded(.down))
    return "\((value * scale).rounded() / scale)"
  }
}
