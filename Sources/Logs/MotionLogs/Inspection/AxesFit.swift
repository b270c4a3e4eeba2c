internal import InertialNumerics
internal import InertialSensors

/// The agreement of two series of vectors under a mapping of the axes and a scale. Sums over pairs suffice to evaluate
/// each of the 48 mappings at the end.
struct AxesFit {
  private(set) var count = 0
  private var weight: Double { Double(count) }
  private var (xx, xSum, ySum) = (0.0, Vector3.zero, Vector3.zero)
  private var (yy, products) = (0.0, Matrix3(diagonal: .zero))

  mutating func add(_ x: Vector3, _ y: Vector3) {
    guard x.isFinite, y.isFinite else { return }
    count += 1
    xSum += x
    ySum += y
    xx += x.squaredNorm
    yy += y.squaredNorm
    products = products + Matrix3(outer: y, x)
  }

  /// Returns the mean squares of the two series. If `hasOffset` is `true`, the squared means are subtracted.
  func meanSquares(hasOffset: Bool) -> (x: Double, y: Double) {
    guard weight > 0 else { return (0, 0) }
    let (x, y) = hasOffset ? (xSum.squaredNorm / weight, ySum.squaredNorm / weight) : (0, 0)
    return ((xx - x) / weight, (yy - y) / weight)
  }

  /// Returns all mappings from x to y with a positive scale, the best first.
  ///
  /// - Parameter hasOffset: Whether x may have a constant part, such as a bias, that explains nothing.
  func candidates(hasOffset: Bool) -> [AxesCandidate] {
    guard weight > 0 else { return [] }
    let sums = hasOffset ? (x: xSum, y: ySum) : (x: .zero, y: .zero)
    let xVariance = xx - sums.x.squaredNorm / weight
    let yVariance = yy - sums.y.squaredNorm / weight
    let centred = products - (1 / weight) * Matrix3(outer: sums.y, sums.x)
    guard xVariance > 0, yVariance > 0 else { return [] }
    return SignedAxes.all.compactMap { axes in
      let product = (0..<3).reduce(0.0) { sum, row in
        let values = centred.row(row)
        return sum + axes.signs[row] * [values.x, values.y, values.z][axes.components[row]]
      }
      guard product > 0 else { return nil }
      return AxesCandidate(axes: axes, scale: product / xVariance, fraction: product / xVariance * product / yVariance)
    }.sorted { $0.fraction > $1.fraction }
  }
}
