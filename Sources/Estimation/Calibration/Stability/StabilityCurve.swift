internal import Dispatch
internal import InertialNumerics
internal import InertialSystem
internal import Synchronization

/// A deviation as a function of the averaging time, with the uncertainty of each point.
public struct StabilityCurve: Sendable, Codable, Equatable {
  /// The deviation at one averaging time.
  public struct Point: Sendable, Codable, Equatable {
    /// The averaging time, in seconds.
    public var time: Double
    /// The deviation, in the unit of the series.
    public var deviation: Double
    /// The lower end of the interval that contains the true deviation with the curve's confidence: χ² with
    /// `degreesOfFreedom`.
    public var lower: Double
    /// The upper end of the interval, in the unit of the series.
    public var upper: Double
    /// The equivalent degrees of freedom, from the noise and the length of the series.
    public var degreesOfFreedom: Double
    /// The type of noise at this time, from the correlation of adjacent values. If the series has fewer than 30 such
    /// values, it is the type at the previous shorter time, and with fewer than 512, it is not whiter than that.
    public var noise: PowerLawNoise
    /// The number of values in a mean.
    public var factor: Int
    /// The number of differences used.
    public var terms: Int
  }

  /// The kind of deviation.
  public var kind: StabilityDeviation
  /// The probability of each point's interval.
  public var confidence: Double
  /// The points, ascending in time.
  public var points: [Point]

  /// The point with the smallest deviation.
  public var minimum: Point? { points.min { $0.deviation < $1.deviation } }

  /// Returns averaging factors at equal logarithmic steps, from one value to a quarter of the series.
  ///
  /// - Parameters:
  ///   - count: The number of factors; fewer if they would not be distinct integers.
  ///   - sampleCount: The number of values of the series.
  public static func factors(_ count: Int, sampleCount: Int) -> [Int] {
    let maximum = max(1, sampleCount / 4)
    guard count > 1, maximum > 1 else { return [1] }
    let step = log(Double(maximum)) / Double(count - 1)
    var factors: [Int] = []
    for index in 0..<count {
      let factor = min(maximum, Int(exp(step * Double(index)).rounded()))
      if factor > factors.last ?? 0 { factors.append(factor) }
    }
    return factors
  }

  /// Computes deviations of several series, in parallel on all cores.
  ///
  /// - Parameters:
  ///   - series: The series, of any lengths.
  ///   - kinds: The kinds of deviation.
  ///   - factors: The averaging factors, ascending, or `nil` for 60 by `factors`. Factors too large for a series have
  ///     no point.
  ///   - confidence: The confidence of the intervals, 0...1.
  /// - Returns: For each series, a curve of each kind.
  public static func curves(
    of series: [RegularSeries], kinds: [StabilityDeviation] = [.allan], factors: [Int]? = nil, confidence: Double = 0.95
  ) -> [[StabilityCurve]] {
    precondition(confidence > 0 && confidence < 1, "a confidence of \(confidence)")
    let results = Mutex([[StabilityCurve]](repeating: [], count: series.count))
    DispatchQueue.concurrentPerform(iterations: series.count) { index in
      let series = series[index]
      let chosen = factors ?? Self.factors(60, sampleCount: series.values.count)
      let phase = PhaseSeries(series, for: Set(kinds))
      let noises = Self.noises(of: phase, factors: chosen)
      let curves = kinds.map { kind in
        Self.curve(kind, phase, series, factors: chosen, noises: noises, confidence: confidence)
      }
      results.withLock { $0[index] = curves }
    }
    return results.withLock { $0 }
  }

  /// The number of samples that is sufficient to identify the type of noise.
  private static let enoughForNoise = 4096
  /// The number of samples above which a noise may be whiter than at a shorter time. In a sum of power laws, the redder
  /// ones dominate at longer times, so a whiter one in fewer samples is due to chance, and its interval would be far
  /// too narrow.
  private static let enoughForWhiter = 512
  /// The size of the blocks in which a series is processed, so that the differences at all short times read from the
  /// cache.
  private static let blockSize = 8192

  private static func noises(of phase: PhaseSeries, factors: [Int]) -> [PowerLawNoise] {
    var last: PowerLawNoise?
    return factors.map { factor in
      let part = phase.decimated(by: factor, atMost: enoughForNoise)
      if let noise = PowerLawNoise(ofPhase: part, factor: factor) {
        let before = last ?? noise
        last = part.count >= enoughForWhiter ? noise : .redder(before, noise)
      }
      return last ?? .white
    }
  }

  private static func curve(
    _ kind: StabilityDeviation, _ phase: PhaseSeries, _ series: RegularSeries, factors: [Int], noises: [PowerLawNoise],
    confidence: Double
  ) -> StabilityCurve {
    let count = series.values.count
    var sums = [PhaseSeries.Sum](repeating: PhaseSeries.Sum(), count: factors.count)
    for start in stride(from: 0, to: count + 1, by: blockSize) {
      for (index, factor) in factors.enumerated() {
        let part = phase.sum(kind, factor: factor, in: start..<(start + blockSize))
        sums[index].squares += part.squares
        sums[index].terms += part.terms
        sums[index].missing += part.missing
      }
    }
    var points: [Point] = []
    for (index, factor) in factors.enumerated() where sums[index].terms > 0 {
      let all = PhaseSeries.terms(kind, factor: factor, count: count)
      // Differences lost in gaps are assumed to contain as much information as the others.
      let degrees =
        DegreesOfFreedom.of(kind, factor: factor, count: count, noise: noises[index]) * Double(sums[index].terms)
        / Double(all)
      guard degrees > 0 else { continue }
      let deviation = phase.deviation(kind, factor: factor, sums[index])
      // NIST SP 1065, eq. (45).
      let band = ChiSquare(degreesOfFreedom: degrees).band(confidence)
      points.append(
        Point(
          time: Double(factor) * series.period, deviation: deviation,
          lower: deviation * (degrees / band.upperBound).squareRoot(),
          upper: deviation * (degrees / band.lowerBound).squareRoot(), degreesOfFreedom: degrees, noise: noises[index],
          factor: factor, terms: sums[index].terms))
    }
    return StabilityCurve(kind: kind, confidence: confidence, points: points)
  }
}
