internal import InertialSystem

/// A window of 2.56 s: its features, and the measures for the physical rules.
package struct ActivityWindow: Sendable, Hashable {
  /// The start and end, in seconds on the log's clock.
  package let start: Double
  package let end: Double
  /// Whether the previous time is unknown, for instance after a gap.
  package let isFirst: Bool
  /// The features in the order of `ActivityFeature.allCases`.
  package private(set) var features: [Float] = []
  /// The root mean square of the acceleration in all directions, in g.
  package private(set) var level: Float = 0
  /// The parts of it from 5 to 18 Hz, caused by wheels and engines, and from 0.3 to 3.5 Hz, caused by people, in g.
  package private(set) var fast: Float = 0
  package private(set) var slow: Float = 0

  /// The fraction of the total power in the strongest line below 5 Hz, its frequency in Hz, and the fraction of the
  /// power from 5 to 18 Hz in the strongest line of this band.
  private(set) var slowLine: Float = 0
  private(set) var slowLineFrequency = 0.0
  private(set) var fastLine: Float = 0

  /// The feature `verticalKurtosis`, used by the rules.
  private(set) var kurtosis: Float = 0
  /// The mean angle between gravity's direction and its mean over the window, in radians.
  private(set) var tilt: Float = 0
  /// The ratio of the vertical to the horizontal acceleration.
  private(set) var lift: Float = 0

  /// The sample rate, in Hz.
  package internal(set) var rate = 0.0
  /// The rotation of the device, or `nil` if the rotation rate is unknown or not available for long enough.
  package let rotation: RotationMeasure?

  package subscript(feature: ActivityFeature) -> Float {
    features[ActivityFeature.allCases.firstIndex(of: feature)!]
  }

  /// - Parameter cells: 128 cells.
  init(_ cells: [ActivityBin], rotation: RotationMeasure?, start: Double, isFirst: Bool) {
    self.start = start
    end = start + Double(WindowSpectrum.size) * ActivityBins.period
    self.isFirst = isFirst
    self.rotation = rotation
    features.reserveCapacity(ActivityFeature.allCases.count)
    cells.withUnsafeBufferPointer { describe($0.baseAddress!) }
    describeRotation()
  }

  private mutating func describeRotation() {
    let turning = rotation.map { max($0.strength, 1e-3) }
    features += [slowLine, fastLine, Self.logarithm(Double(fast / slow))]
    guard let rotation, let turning else {
      return features += Array(repeating: ActivityFeature.missing, count: 9) + [0]
    }
    let period = rotation.period ?? 0
    features += [
      Self.logarithm(turning), Self.logarithm(rotation.total), Float(rotation.steady / max(rotation.total, 1e-3)),
      Float(rotation.planarity), Float(rotation.regularity), Float(period), Self.logarithm(Double(fast) / turning),
      Self.logarithm(rotation.radius(of: Double(slow)) ?? 0), Float(Double(self[.verticalPeakFrequency]) * period), 1,
    ]
  }

  /// Returns the decimal logarithm of a value, limited to values of at least 1e-3.
  private static func logarithm(_ value: Double) -> Float { Float(log10(max(value, 1e-3))) }

  private mutating func describe(_ cells: UnsafePointer<ActivityBin>) {
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
    _ cells: UnsafePointer<ActivityBin>, mean: SIMD8<Float>, _ places: UnsafeMutablePointer<Float>
  ) {
    withUnsafeTemporaryAllocation(of: WindowSpectrum.Power.self, capacity: WindowSpectrum.half + 1) { buffer in
      let powers = UnsafePointer(buffer.baseAddress!)
      WindowSpectrum.shared.evaluate(cells, mean: mean, powers: buffer.baseAddress!)
      let sums = SpectrumSums(powers)
      set(sums)
      let lines = SpectrumLines(powers, sums)
      (slowLine, fastLine) = (lines.slowFraction, lines.fastFraction)
      slowLineFrequency = Double(lines.slowBin) * WindowSpectrum.resolution
      let peaks = SpectrumPeaks(powers)
      for lane in 0..<2 {
        let position = places + 10 * lane
        position[0] = sums.total[lane] + 1e-9
        (position[1], position[2], position[3]) = (sums.bands.0[lane], sums.bands.1[lane], sums.bands.2[lane])
        (position[4], position[5], position[6]) = (sums.bands.3[lane], sums.bands.4[lane], sums.bands.5[lane])
        position[7] = Float(Double(peaks.bins[lane]) * WindowSpectrum.resolution)
        position[8] = peaks.powers[lane] / position[0]
        position[9] = max(1, sums.spread[lane] * sums.spread[lane] / max(sums.spreadSquares[lane], 1e-20))
      }
    }
  }

  private mutating func set(_ sums: SpectrumSums) {
    level = sums.total.sum().squareRoot()
    lift = (sums.total.x / max(sums.total.y, 1e-8)).squareRoot()
    // The resolution of a coarse sensor is added, so that a quiet window has no random ratio.
    fast = (sums.fast.sum() + 6e-6).squareRoot()
    slow = (sums.slow.sum() + 8e-6).squareRoot()
  }

  private mutating func describeMoments(
    _ cells: UnsafePointer<ActivityBin>, mean: SIMD8<Float>, _ places: UnsafeMutablePointer<Float>
  ) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: WindowCorrelation.capacity) { buffer in
      let signal = buffer.baseAddress!
      let moments = WindowMoments(cells, mean: mean, vertical: signal)
      for index in WindowSpectrum.size..<WindowCorrelation.capacity { signal[index] = 0 }
      let peak = WindowCorrelation.peak(signal)
      (kurtosis, tilt) = (moments.kurtosis, moments.tilt)
      (places[0], places[1], places[2]) = (peak.highest, peak.lag, peak.lowest)
      (places[3], places[4], places[5]) = (moments.skewness, kurtosis, moments.minimumNorm)
      (places[6], places[7], places[8]) = (moments.normDeviation, moments.normSkewness, moments.normChange)
      (places[9], places[10], places[11]) = (moments.horizontalMean, moments.horizontalVariation, moments.tilt)
    }
  }
}
