internal import Dispatch
internal import InertialNumerics
internal import InertialSystem
internal import Synchronization

/// A deviation over averaging times, with what is known of each point.
public struct StabilityCurve: Sendable, Codable, Equatable {
  /// The deviation at one averaging time.
  public struct Point: Sendable, Codable, Equatable {
    /// Averaging time, seconds.
    public var time: Double
    /// In the unit of the series.
    public var deviation: Double
    /// The interval that holds the true deviation with the curve's confidence: χ² with `degreesOfFreedom`.
    public var lower: Double
    /// The interval's other end, in the unit of the series.
    public var upper: Double
    /// Equivalent: by the noise and the length of the series.
    public var degreesOfFreedom: Double
    /// What the series is at this time, by the correlation of neighbours; at times of which the series has fewer than 30,
    /// what it was at the last shorter one, and no whiter than that at times of which it has fewer than 512.
    public var noise: PowerLawNoise
    /// Values in a mean.
    public var factor: Int
    /// Differences that were used.
    public var terms: Int
  }

  /// Which deviation it is.
  public var kind: StabilityDeviation
  /// The probability of each point's interval.
  public var confidence: Double
  /// In the order of their times.
  public var points: [Point]

  /// The point of the smallest deviation.
  public var minimum: Point? { points.min { $0.deviation < $1.deviation } }

  /// Averaging factors at even steps of the time's logarithm, from one value to a quarter of the series.
  ///
  /// - Parameters:
  ///   - count: the number of factors; fewer when they would not be whole numbers apart.
  ///   - sampleCount: the number of values of the series.
  public static func factors(_ count: Int, sampleCount: Int) -> [Int] {
    let longest = max(1, sampleCount / 4)
    guard count > 1, longest > 1 else { return [1] }
    let step = log(Double(longest)) / Double(count - 1)
    var factors: [Int] = []
    for index in 0..<count {
      let factor = min(longest, Int(exp(step * Double(index)).rounded()))
      if factor > factors.last ?? 0 { factors.append(factor) }
    }
    return factors
  }

  /// Deviations of several series, by turns of series on all cores.
  ///
  /// - Parameters:
  ///   - series: of any lengths.
  ///   - kinds: which deviations.
  ///   - factors: averaging factors, rising; those that a series is too short for have no point. nil: 60 by `factors`.
  ///   - confidence: of the intervals, 0 to 1.
  /// - Returns: for each series a curve of each kind.
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

  /// Samples after which the type of a noise is known well enough.
  private static let enoughForNoise = 4096
  /// Samples after which a noise may be whiter than at a shorter time. In a sum of power laws the redder ones are what is
  /// left at longer times, so that a whiter one in fewer samples is chance, and its interval would be far too narrow.
  private static let enoughForWhiter = 512
  /// The parts in which a series is worked on, so that what differences at all short times read stays in the cache.
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
      // Differences that gaps have cost are taken for as many as the others.
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
