import Testing

@Suite("Statistics") struct StatisticsTests {
  @Test("mean, variance, median and root mean square of a small set match hand-computed values")
  func byHand() {
    let values = [2.0, 4, 4, 4, 5, 5, 7, 9]
    #expect(Statistics.mean(values) == 5 && RunningStatistics(values).populationVariance == 4)
    #expect(isNear(Statistics.variance(values)!, 32.0 / 7, within: 1e-14))
    #expect(isNear(Statistics.standardDeviation(values)!, (32.0 / 7).squareRoot(), within: 1e-14))
    #expect(Statistics.median(values) == 4.5 && Statistics.median([3, 1, 2]) == 2)
    #expect(isNear(Statistics.rootMeanSquare(values)!, 29.0.squareRoot(), within: 1e-14))
    #expect(isNear(RunningStatistics(values).rootMeanSquare, 29.0.squareRoot(), within: 1e-14))
    #expect(RunningStatistics(values).minimum == 2 && RunningStatistics(values).maximum == 9)
  }

  @Test("an empty set yields nil, a single number has no variance, and NaN is propagated")
  func edges() {
    let none: [Double] = []
    #expect(Statistics.mean(none) == nil && Statistics.variance([1]) == nil && Statistics.median(none) == nil)
    #expect(Statistics.percentile(95, of: none) == nil && Statistics.rootMeanSquare(none) == nil)
    #expect(Statistics.medianAbsoluteDeviation(none) == nil)
    #expect(RunningStatistics().variance == 0 && RunningStatistics([5]).variance == 0)
    #expect(Statistics.percentile(50, of: [1, .nan, 3])!.isNaN && Statistics.mean([1, .nan])!.isNaN)
    #expect(RunningStatistics([1, .nan, 0]).minimum.isNaN && RunningStatistics([.nan, 1]).maximum.isNaN)
    #expect(Statistics.percentile(95, of: [4]) == 4)
  }

  @Test(
    "percentiles interpolate between the order statistics",
    arguments: [(0.0, 15.0), (5, 16), (30, 23), (40, 29), (50, 35), (95, 48), (100, 50)])
  func percentiles(percent: Double, expected: Double) {
    // The positions are percent/100 · 4 in 15, 20, 35, 40, 50.
    #expect(isNear(Statistics.percentile(percent, of: [35, 20, 15, 50, 40])!, expected, within: 1e-12))
  }

  @Test("infinite numbers are order statistics like any other")
  func infiniteValues() {
    let values = [1.0, 2, .infinity]
    #expect(Statistics.median(values) == 2 && Statistics.percentile(100, of: values) == .infinity)
    #expect(Statistics.percentile(100, of: [.infinity, .infinity]) == .infinity)
    #expect(Statistics.percentile(75, of: [1, .infinity, .infinity]) == .infinity)
  }

  @Test("percentiles of many normal numbers match the distribution")
  func normalPercentiles() {
    var generator = SeededGenerator(seed: 11)
    let values = (0..<40_000).map { _ in generator.normal() }
    #expect(isNear(Statistics.percentile(95, of: values)!, 1.6449, within: 0.03))
    #expect(isNear(Statistics.percentile(99, of: values)!, 2.3263, within: 0.05))
    #expect(isNear(Statistics.median(values)!, 0, within: 0.02))
    #expect(isNear(Statistics.medianAbsoluteDeviation(values, scaledToNormal: true)!, 1, within: 0.02))
  }

  @Test("the variance keeps its precision with a large mean")
  func largeMean() {
    let values = [4.0, 7, 13, 16].map { $0 + 1e9 }
    #expect(isNear(Statistics.variance(values)!, 30, within: 1e-9))
  }

  @Test("merged statistics of two parts match those of the whole", arguments: [0, 1, 37, 99, 100])
  func merge(split: Int) {
    var generator = SeededGenerator(seed: 12)
    let values = (0..<100).map { _ in 3 + 2 * generator.normal() }
    var merged = RunningStatistics(values[..<split])
    merged.merge(RunningStatistics(values[split...]))
    let whole = RunningStatistics(values)
    #expect(merged.count == 100 && isNear(merged.mean, whole.mean, within: 1e-13))
    #expect(isNear(merged.variance, whole.variance, within: 1e-12) && merged.minimum == whole.minimum)
    #expect(merged.maximum == whole.maximum)
  }

  @Test("outliers in less than half of the numbers hardly change the median absolute deviation")
  func medianAbsoluteDeviation() {
    #expect(Statistics.medianAbsoluteDeviation([1, 1, 2, 2, 4, 6, 9]) == 1)
    #expect(Statistics.medianAbsoluteDeviation([1, 2, 3, 4, 1e9]) == 1)
  }
}

@Suite("Seeded generator") struct SeededGeneratorTests {
  @Test("the same seed yields the same numbers, another seed others")
  func seeds() {
    var (a, b, c) = (SeededGenerator(seed: 5), SeededGenerator(seed: 5), SeededGenerator(seed: 6))
    for _ in 0..<100 {
      let value = a.next()
      #expect(value == b.next() && value != c.next())
    }
  }

  @Test("uniform numbers lie in [0, 1) with mean 1/2 and variance 1/12")
  func uniform() {
    var generator = SeededGenerator(seed: 8)
    let statistics = RunningStatistics((0..<50_000).map { _ in generator.uniform() })
    #expect(statistics.minimum >= 0 && statistics.maximum < 1 && isNear(statistics.mean, 0.5, within: 0.006))
    #expect(isNear(statistics.variance, 1.0 / 12, within: 0.002))
  }

  @Test("normal numbers have mean 0, variance 1 and fourth moment 3")
  func normal() {
    var generator = SeededGenerator(seed: 9)
    let values = (0..<50_000).map { _ in generator.normal() }
    #expect(isNear(Statistics.mean(values)!, 0, within: 0.02) && isNear(Statistics.variance(values)!, 1, within: 0.03))
    #expect(isNear(Statistics.mean(values.map { pow($0, 4) })!, 3, within: 0.2))
  }
}
