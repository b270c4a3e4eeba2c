/// A window of 2.56 s: its features, and what the rules of physics look at.
package struct ActivityWindow: Sendable, Hashable {
  /// First and last moment, seconds on the log's clock.
  package let start: Double
  package let end: Double
  /// Whether nothing is known of the time before, as after a gap.
  package let isFirst: Bool
  /// In the order of `ActivityFeature.allCases`.
  package private(set) var features: [Float] = []
  /// Root mean square of the acceleration in all directions, g.
  package private(set) var level: Float = 0
  /// Its parts from 5 to 18 Hz, as wheels and engines shake, and from 0.3 to 3.5 Hz, as persons move, g.
  package private(set) var fast: Float = 0
  package private(set) var slow: Float = 0

  /// The fraction of all power in the strongest line below 5 Hz, its frequency, Hz, and the fraction of the power from 5 to 18 Hz in
  /// the strongest line there.
  private(set) var slowLine: Float = 0
  private(set) var slowLineFrequency = 0.0
  private(set) var fastLine: Float = 0

  /// Of the features, what the rules look at: `repetition`, `verticalSkewness` and `verticalKurtosis`; and the root mean
  /// square of the acceleration downwards, g.
  private(set) var repetition: Float = 0
  private(set) var skewness: Float = 0
  private(set) var kurtosis: Float = 0
  /// Mean angle of gravity's direction to its mean over the window, rad.
  private(set) var tilt: Float = 0
  private(set) var verticalLevel: Float = 0

  /// Samples a second.
  package internal(set) var rate = 0.0
  /// How the device has turned; nil where the rotation rate is not known, or not for long enough.
  package internal(set) var rotation: RotationMeasure?

  package subscript(feature: ActivityFeature) -> Float {
    features[ActivityFeature.allCases.firstIndex(of: feature)!]
  }

  /// - Parameter cells: 128 of them.
  init(_ cells: [ActivityCell], start: Double, isFirst: Bool) {
    self.start = start
    end = start + Double(WindowSpectrum.size) * ActivityCells.period
    self.isFirst = isFirst
    cells.withUnsafeBufferPointer { describe($0.baseAddress!) }
  }

  private mutating func describe(_ cells: UnsafePointer<ActivityCell>) {
    let n = WindowSpectrum.size
    var (even, odd) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    for index in stride(from: 0, to: n, by: 2) {
      even += cells[index].values
      odd += cells[index + 1].values
    }
    let mean = (even + odd) / Float(n)
    features = [Float](unsafeUninitializedCapacity: FeatureScale.count) { buffer, count in
      let places = buffer.baseAddress!
      describeSpectra(cells, mean: mean, places)
      describeMoments(cells, mean: mean, places + 20)
      FeatureScale.shared.apply(places)
      count = FeatureScale.count
    }
  }

  private mutating func describeSpectra(
    _ cells: UnsafePointer<ActivityCell>, mean: SIMD8<Float>, _ places: UnsafeMutablePointer<Float>
  ) {
    withUnsafeTemporaryAllocation(of: WindowSpectrum.Power.self, capacity: WindowSpectrum.half + 1) { buffer in
      let powers = UnsafePointer(buffer.baseAddress!)
      WindowSpectrum.shared.evaluate(cells, mean: mean, powers: buffer.baseAddress!)
      let sums = SpectrumSums(powers)
      set(sums)
      let lines = SpectrumLines(powers, sums)
      (slowLine, fastLine) = (lines.slowShare, lines.fastShare)
      slowLineFrequency = Double(lines.slowBin) * WindowSpectrum.resolution
      let peaks = SpectrumPeaks(powers)
      for lane in 0..<2 {
        let place = places + 10 * lane
        place[0] = sums.total[lane] + 1e-9
        (place[1], place[2], place[3]) = (sums.bands.0[lane], sums.bands.1[lane], sums.bands.2[lane])
        (place[4], place[5], place[6]) = (sums.bands.3[lane], sums.bands.4[lane], sums.bands.5[lane])
        place[7] = Float(Double(peaks.bins[lane]) * WindowSpectrum.resolution)
        place[8] = peaks.powers[lane] / place[0]
        place[9] = max(1, sums.spread[lane] * sums.spread[lane] / max(sums.spreadSquares[lane], 1e-20))
      }
    }
  }

  private mutating func set(_ sums: SpectrumSums) {
    level = sums.total.sum().squareRoot()
    verticalLevel = sums.total.x.squareRoot()
    // The resolution of a coarse sensor, so that a quiet one has no ratio by chance.
    fast = (sums.fast.sum() + 6e-6).squareRoot()
    slow = (sums.slow.sum() + 8e-6).squareRoot()
  }

  private mutating func describeMoments(
    _ cells: UnsafePointer<ActivityCell>, mean: SIMD8<Float>, _ places: UnsafeMutablePointer<Float>
  ) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: WindowCorrelation.capacity) { buffer in
      let signal = buffer.baseAddress!
      let moments = WindowMoments(cells, mean: mean, vertical: signal)
      for index in WindowSpectrum.size..<WindowCorrelation.capacity { signal[index] = 0 }
      let peak = WindowCorrelation.peak(signal)
      (repetition, skewness, kurtosis) = (peak.highest, moments.skewness, moments.kurtosis)
      tilt = moments.tilt
      (places[0], places[1], places[2]) = (peak.highest, peak.lag, peak.lowest)
      (places[3], places[4], places[5]) = (skewness, kurtosis, moments.leastNorm)
      (places[6], places[7], places[8]) = (moments.normDeviation, moments.normSkewness, moments.normChange)
      (places[9], places[10], places[11]) = (moments.horizontalMean, moments.horizontalVariation, moments.tilt)
    }
  }
}
