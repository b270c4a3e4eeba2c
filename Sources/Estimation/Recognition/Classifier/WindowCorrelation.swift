/// How much a window repeats itself.
enum WindowCorrelation {
  /// Cells: the lags at which a gait repeats (0.24 to 1.22 s), and those at which it goes the other way.
  static let repeats = 12..<62
  static let opposites = 4..<40
  /// Places that a signal takes: its values, and zeros as far as the longest lag looks.
  static let capacity = WindowSpectrum.size + lagCount

  private static let lagCount = 64
  private typealias Lanes = SIMD8<Float>

  struct Peak {
    /// Autocorrelation at its highest, about −1 to 1, with the lag in seconds, and at its lowest.
    var highest: Float
    var lag: Float
    var lowest: Float
  }

  /// - Parameter signal: 128 values of mean 0, then zeros up to `capacity`.
  static func peak(_ signal: UnsafePointer<Float>) -> Peak { withSums(signal) { peak(sums: $0) } }

  /// Calls a closure with the sums of the products of all pairs that are so many values apart, by that lag: 64 of them.
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
    peak.lag *= Float(ActivityCells.period)
    return peak
  }

  /// Sums of the products of all pairs that are so many cells apart, for 32 lags from one on.
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
