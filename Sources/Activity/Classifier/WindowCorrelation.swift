/// How much a window's vertical acceleration repeats itself.
enum WindowCorrelation {
  /// Cells: the lags at which a gait repeats (0.24 to 1.22 s), and those at which it goes the other way.
  static let repeats = 12..<62
  static let opposites = 4..<40

  struct Peak {
    /// Autocorrelation at its highest, about −1 to 1, with the lag in seconds, and at its lowest.
    var highest: Float
    var lag: Float
    var lowest: Float
  }

  /// - Parameter signal: 128 values of mean 0, then 8 zeros or more.
  static func peak(_ signal: UnsafePointer<Float>) -> Peak {
    let n = WindowSpectrum.size
    let energy = sum(signal, lag: 0) + 1e-4
    var peak = Peak(highest: -.infinity, lag: 0, lowest: .infinity)
    for lag in opposites.lowerBound..<repeats.upperBound {
      let value = sum(signal, lag: lag) / energy * Float(n) / Float(n - lag)
      if repeats.contains(lag), value > peak.highest { (peak.highest, peak.lag) = (value, Float(lag)) }
      if opposites.contains(lag) { peak.lowest = min(peak.lowest, value) }
    }
    peak.lag *= Float(ActivityCells.period)
    return peak
  }

  /// Sum of the products of all pairs that are so many cells apart.
  @inline(__always)
  private static func sum(_ signal: UnsafePointer<Float>, lag: Int) -> Float {
    let count = WindowSpectrum.size - lag
    let (early, late) = (UnsafeRawPointer(signal), UnsafeRawPointer(signal + lag))
    var total = SIMD8<Float>.zero
    // The zeros after the signal make the last products vanish.
    for start in stride(from: 0, to: count, by: 8) {
      let offset = start * MemoryLayout<Float>.stride
      total +=
        early.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        * late.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
    }
    return total.sum()
  }
}
