/// The autocorrelation of a window.
enum WindowCorrelation {
  /// The lags, in cells, at which a gait repeats (0.24 to 1.22 s), and those at which it has the opposite sign.
  static let repeats = 12..<62
  static let opposites = 4..<40
  /// The required capacity of a signal: its values, and zeros up to the longest lag.
  static let capacity = WindowSpectrum.size + lagCount

  private static let lagCount = 64
  private typealias Lanes = SIMD8<Float>

  struct Peak {
    /// The highest autocorrelation, about −1...1, its lag in seconds, and the lowest autocorrelation.
    var highest: Float
    var lag: Float
    var lowest: Float
  }

  /// - Parameter signal: 128 values with mean 0, then zeros up to `capacity`.
  static func peak(_ signal: UnsafePointer<Float>) -> Peak { withSums(signal) { peak(sums: $0) } }

  /// Calls a closure with the sums of the products of all pairs of values at a lag, for 64 lags.
  ///
  /// - Parameter signal: 128 values, then zeros up to `capacity`.
  static func withSums<Result>(
    _ signal: UnsafePointer<Float>, _ body: (UnsafeMutableBufferPointer<Float>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: Lanes.self, capacity: lagCount / Lanes.scalarCount) { sums in
      for block in stride(from: 0, to: lagCount, by: 32) {
        correlate(signal, from: block, sums.baseAddress! + block / 8)
      }
      return sums.withMemoryRebound(to: Float.self) { body($0) }
    }
  }

  private static func peak(sums: UnsafeMutableBufferPointer<Float>) -> Peak {
    let n = WindowSpectrum.size
    let scale = Float(n) / (sums[0] + 1e-4)
    var peak = Peak(highest: -.infinity, lag: 0, lowest: .infinity)
    for lag in opposites.lowerBound..<repeats.upperBound {
      let value = sums[lag] * scale / Float(n - lag)
      if lag >= repeats.lowerBound, value > peak.highest { (peak.highest, peak.lag) = (value, Float(lag)) }
      if lag < opposites.upperBound { peak.lowest = min(peak.lowest, value) }
    }
    peak.lag *= Float(ActivityBins.period)
    return peak
  }

  /// Computes the sums of the products of all pairs of values at a lag, for 32 lags from the given one.
  @inline(__always)
  private static func correlate(
    _ signal: UnsafePointer<Float>, from lag: Int, _ sums: UnsafeMutablePointer<Lanes>
  ) {
    var (a, b, c, d) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
    for index in 0..<(WindowSpectrum.size - lag) {
      let value = signal[index]
      let later = UnsafeRawPointer(signal + index + lag)
      a += later.loadUnaligned(as: Lanes.self) * value
      b += later.loadUnaligned(fromByteOffset: 32, as: Lanes.self) * value
      c += later.loadUnaligned(fromByteOffset: 64, as: Lanes.self) * value
      d += later.loadUnaligned(fromByteOffset: 96, as: Lanes.self) * value
    }
    (sums[0], sums[1], sums[2], sums[3]) = (a, b, c, d)
  }
}
