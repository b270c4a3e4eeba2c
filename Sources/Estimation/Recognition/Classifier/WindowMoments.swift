/// What a window's cells show without regard to their order, but for the norm's changes.
struct WindowMoments {
  private(set) var skewness: Float = 0
  private(set) var kurtosis: Float = 0
  private(set) var leastNorm: Float = 0
  private(set) var normDeviation: Float = 0
  private(set) var normSkewness: Float = 0
  private(set) var normChange: Float = 0
  private(set) var horizontalMean: Float = 0
  private(set) var horizontalVariation: Float = 0
  private(set) var tilt: Float = 0

  private typealias Lanes = SIMD4<Float>

  /// Sums over a window, four cells at a time in the lanes.
  private struct Sums {
    var second = Lanes.zero
    var third = Lanes.zero
    var fourth = Lanes.zero
    var normSecond = Lanes.zero
    var normThird = Lanes.zero
    var normDistance = Lanes.zero
    var normChange = Lanes.zero
    var leastNorm = Lanes(repeating: .infinity)
    var acrossSquares = Lanes.zero
    var across = Lanes.zero
    var tilt = Lanes.zero
  }

  /// - Parameters:
  ///   - cells: 128 of them.
  ///   - mean: of the cells.
  ///   - vertical: gets the accelerations downwards less their mean, in order.
  init(_ cells: UnsafePointer<ActivityCell>, mean: SIMD8<Float>, vertical: UnsafeMutablePointer<Float>) {
    var sums = Sums()
    var last = cells[0].values[4]
    for index in stride(from: 0, to: WindowSpectrum.size, by: 4) {
      let (down, x, y, z) = ActivityCell.lowColumns(cells + index)
      let (norm, gx, gy, gz) = ActivityCell.highColumns(cells + index)
      let centred = down - mean[0]
      UnsafeMutableRawPointer(vertical + index).storeBytes(of: centred, as: Lanes.self)
      Self.add(centred, &sums)
      Self.add(norm: norm, mean: mean[4], last: last, &sums)
      last = norm.w
      let squares = x * x + y * y + z * z
      sums.acrossSquares += squares
      sums.across += squares.squareRoot()
      let (dx, dy, dz) = (gx - mean[5], gy - mean[6], gz - mean[7])
      sums.tilt += (dx * dx + dy * dy + dz * dz).squareRoot()
    }
    finish(sums)
  }

  @inline(__always)
  private static func add(_ centred: Lanes, _ sums: inout Sums) {
    let squares = centred * centred
    sums.second += squares
    sums.third += squares * centred
    sums.fourth += squares * squares
  }

  @inline(__always)
  private static func add(norm: Lanes, mean: Float, last: Float, _ sums: inout Sums) {
    let centred = norm - mean
    let squares = centred * centred
    sums.normSecond += squares
    sums.normThird += squares * centred
    sums.normDistance += absolute(centred)
    sums.leastNorm.replace(with: norm, where: norm .< sums.leastNorm)
    let change = norm - Lanes(last, norm.x, norm.y, norm.z)
    sums.normChange += absolute(change)
  }

  private mutating func finish(_ sums: Sums) {
    let count = Float(WindowSpectrum.size)
    // 3 mg: the noise of a phone at rest has no shape.
    let deviation = (sums.second.sum() / count).squareRoot() + 0.003
    let cube = deviation * deviation * deviation
    skewness = Self.limited(sums.third.sum() / count / cube, 3)
    kurtosis = Self.limited(sums.fourth.sum() / count / (cube * deviation), 10)
    let normSpread = (sums.normSecond.sum() / count).squareRoot() + 0.003
    normSkewness = Self.limited(sums.normThird.sum() / count / (normSpread * normSpread * normSpread), 3)
    normDeviation = sums.normDistance.sum() / count
    normChange = sums.normChange.sum() / (count - 1)
    leastNorm = sums.leastNorm.min()
    horizontalMean = sums.across.sum() / count
    let variance = max(0, sums.acrossSquares.sum() / count - horizontalMean * horizontalMean)
    horizontalVariation = variance.squareRoot() / (horizontalMean + 0.003)
    tilt = sums.tilt.sum() / count
  }

  private static func limited(_ value: Float, _ limit: Float) -> Float { min(max(value, -limit), limit) }
}
