/// What a window's cells show without regard to their order, but for the norm's changes.
struct WindowMoments {
  var skewness: Float = 0
  var kurtosis: Float = 0
  var leastNorm = Float.infinity
  var normDeviation: Float = 0
  var normSkewness: Float = 0
  var normChange: Float = 0
  var horizontalMean: Float = 0
  var horizontalVariation: Float = 0
  var tilt: Float = 0

  /// - Parameters:
  ///   - cells: 128 of them.
  ///   - mean: of the cells.
  init(_ cells: UnsafePointer<ActivityCell>, mean: SIMD8<Float>) {
    let n = WindowSpectrum.size
    var (second, third, fourth): (Float, Float, Float) = (0, 0, 0)
    var (normSecond, normThird): (Float, Float) = (0, 0)
    var horizontalSquares: Float = 0
    var last = cells[0].values[4]
    for index in 0..<n {
      let values = cells[index].values
      let d = values - mean
      let squares = d * d
      second += squares[0]
      third += squares[0] * d[0]
      fourth += squares[0] * squares[0]
      normSecond += squares[4]
      normThird += squares[4] * d[4]
      normDeviation += abs(d[4])
      leastNorm = min(leastNorm, values[4])
      normChange += abs(values[4] - last)
      last = values[4]
      let across = values[1] * values[1] + values[2] * values[2] + values[3] * values[3]
      horizontalSquares += across
      horizontalMean += across.squareRoot()
      tilt += (squares[5] + squares[6] + squares[7]).squareRoot()
    }
    let count = Float(n)
    // 3 mg: the noise of a phone at rest has no shape.
    let deviation = (second / count).squareRoot() + 0.003
    skewness = Self.limited(third / count / (deviation * deviation * deviation), 3)
    kurtosis = Self.limited(fourth / count / (deviation * deviation * deviation * deviation), 10)
    let normSpread = (normSecond / count).squareRoot() + 0.003
    normSkewness = Self.limited(normThird / count / (normSpread * normSpread * normSpread), 3)
    normDeviation /= count
    normChange /= count - 1
    horizontalMean /= count
    let variance = max(0, horizontalSquares / count - horizontalMean * horizontalMean)
    horizontalVariation = variance.squareRoot() / (horizontalMean + 0.003)
    tilt /= count
  }

  private static func limited(_ value: Float, _ limit: Float) -> Float { min(max(value, -limit), limit) }

  /// The repetition of the acceleration downwards.
  func correlation(_ cells: UnsafePointer<ActivityCell>, mean: SIMD8<Float>) -> WindowCorrelation.Peak {
    let n = WindowSpectrum.size
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: n + 8) { buffer in
      for index in 0..<n { buffer[index] = cells[index].values[0] - mean[0] }
      for index in n..<(n + 8) { buffer[index] = 0 }
      return WindowCorrelation.peak(UnsafePointer(buffer.baseAddress!))
    }
  }
}
