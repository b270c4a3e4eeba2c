/// The statistics of a window's cells; except for the changes of the norm, they do not depend on the order of the
/// cells.
struct WindowMoments {
  private(set) var skewness: Float = 0
  private(set) var kurtosis: Float = 0
  private(set) var minimumNorm: Float = 0
  private(set) var normDeviation: Float = 0
  private(set) var normSkewness: Float = 0
  private(set) var normChange: Float = 0
  private(set) var horizontalMean: Float = 0
  private(set) var horizontalVariation: Float = 0
  private(set) var tilt: Float = 0

  private typealias Lanes = SIMD4<Float>

  /// The sums over a window, four cells at a time in the lanes.
  private struct Sums {
    var second = Lanes.zero
    var third = Lanes.zero
    var fourth = Lanes.zero
    var normSecond = Lanes.zero
    var normThird = Lanes.zero
    var normDistance = Lanes.zero
    var normChange = Lanes.zero
    var minimumNorm = Lanes(repeating: .infinity)
    var acrossSquares = Lanes.zero
    var across = Lanes.zero
    var tilt = Lanes.zero
  }

  /// - Parameters:
  ///   - cells: 128 cells.
  ///   - mean: The mean of the cells.
  ///   - vertical: A buffer that receives the downward accelerations minus their mean, in order.
  init(_ cells: UnsafePointer<ActivityBin>, mean: SIMD8<Float>, vertical: UnsafeMutablePointer<Float>) {
    var sums = Sums()
    var last = cells[0].values[4]
    for index in stride(from: 0, to: WindowSpectrum.size, by: 4) {
      let (down, x, y, z) = ActivityBin.lowColumns(cells + index)
      let (norm, gx, gy, gz) = ActivityBin.highColumns(cells + index)
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
    sums.minimumNorm.replace(with: norm, where: norm .< sums.minimumNorm)
    let change = norm - Lanes(last, norm.x, norm.y, norm.z)
    sums.normChange += absolute(change)
  }

  private mutating func finish(_ sums: Sums) {
    let count = Float(WindowSpectrum.size)
    // The offset of 3 mg suppresses the skewness and kurtosis of the noise of a phone at rest.
    let deviation = (sums.second.sum() / count).squareRoot() + 0.003
    let cube = deviation * deviation * deviation
    skewness = Self.limited(sums.third.sum() / count / cube, 3)
    kurtosis = Self.limited(sums.fourth.sum() / count / (cube * deviation), 10)
    let normSpread = (sums.normSecond.sum() / count).squareRoot() + 0.003
    normSkewness = Self.limited(sums.normThird.sum() / count / (normSpread * normSpread * normSpread), 3)
    normDeviation = sums.normDistance.sum() / count
    normChange = sums.normChange.sum() / (count - 1)
    minimumNorm = sums.minimumNorm.min()
    horizontalMean = sums.across.sum() / count
    let variance = max(0, sums.acrossSquares.sum() / count - horizontalMean * horizontalMean)
    horizontalVariation = variance.squareRoot() / (horizontalMean + 0.003)
    tilt = sums.tilt.sum() / count
  }

  private static func limited(_ value: Float, _ limit: Float) -> Float { min(max(value, -limit), limit) }
}
