internal import LinearAlgebra
internal import Signals

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The magnitude of the acceleration in cells of 40 ms, and what its last 2.56 s look like every 0.32 s.
///
/// The magnitude does not depend on how the device is held. It is passed through a high-pass of 0.6 Hz and a low-pass of
/// 2 Hz, in which the frequency of steps stands out from its multiples; the correlation with itself is normalised for each
/// lag by the energies of its own two parts, and kept up to date block by block.
struct GaitWindow: Sendable, Codable, Equatable {
  /// Cells of the window, and between two measures.
  static let length = 64
  static let hop = 8
  /// Cells: steps from 0.28 s to 0.9 s, and two of them; one lag less, so that fours of them fit.
  private static let shortestLag = 6
  private static let shortestStride = 14
  private static let longestLag = 45
  /// Cells that can be asked for.
  static let reach = 128
  /// Seconds by which the filters delay a step.
  static let delay = 0.1

  /// Cells since the start; the last is `count - 1`.
  private(set) var count = 0
  /// The filtered magnitude and the magnitude itself, g, of the last `reach` cells or more; moved down when full.
  private var filtered = [Double](repeating: 0, count: 2 * Self.reach)
  private var magnitudes = [Double](repeating: 0, count: 2 * Self.reach)
  /// Where in the arrays the next cell goes.
  private var place = Self.reach

  private var highPass = FirstOrderHighPass(cutoff: 0.6, sampleRate: 1 / PedometerCells.period)
  private var lowPass = LowPassFilter(cutoff: 2, sampleRate: 1 / PedometerCells.period)
  /// The last two values after the high-pass.
  private var before = 0.0
  private var beforeThat = 0.0

  /// Sums over the block that is filled, over those of the window, by turns, and over all of these.
  private var sums = GaitSums()
  private var blocks = [GaitSums](repeating: GaitSums(), count: Self.blockCount)
  /// The same of the products with earlier values, the longest lag first.
  private var blockProducts = [Double](repeating: 0, count: Self.lagCount * Self.blockCount)
  private var windowProducts = [Double](repeating: 0, count: Self.lagCount)

  private static let lagCount = 40
  private static let blockCount = 8

  /// The filtered magnitude in a cell, g.
  subscript(cell: Int) -> Double { filtered[cell - count + place] }

  /// Highest minus lowest magnitude of some cells, g; cells that are not there are left out.
  func range(of cells: ClosedRange<Int>) -> Double {
    let (first, last) = (max(cells.lowerBound, count - Self.reach, 0), min(cells.upperBound, count - 1))
    guard first <= last else { return 0 }
    var (low, high) = (Double.infinity, -Double.infinity)
    for index in (first - count + place)...(last - count + place) {
      low = min(low, magnitudes[index])
      high = max(high, magnitudes[index])
    }
    return high - low
  }

  /// Takes a cell's mean acceleration in g. Gives a measure every 0.32 s, from 2.56 s on.
  mutating func append(_ cell: Vector3) -> GaitMeasure? {
    if place == 2 * Self.reach { moveDown() }
    let magnitude = cell.norm
    let passed = highPass.update(magnitude)
    let value = lowPass.update(passed)
    sums.add(cell, magnitude, filtered: value, smoothed: (passed + before + beforeThat) / 3)
    (before, beforeThat) = (passed, before)
    (filtered[place], magnitudes[place]) = (value, magnitude)
    place += 1
    count += 1
    guard count % Self.hop == 0 else { return nil }
    closeBlock()
    return count < Self.length ? nil : measure()
  }

  private mutating func moveDown() {
    for index in 0..<Self.reach {
      filtered[index] = filtered[index + Self.reach]
      magnitudes[index] = magnitudes[index + Self.reach]
    }
    place = Self.reach
  }

  private mutating func closeBlock() {
    let block = (count / Self.hop - 1) % Self.blockCount
    blocks[block] = sums
    sums = GaitSums()
    Self.exchangeProducts(of: filtered, from: place - Self.hop, &blockProducts, block * Self.lagCount, &windowProducts)
  }

  /// Puts the products of the last block's cells with those before by each lag in the place of the oldest block's.
  ///
  /// Without bounds checks, and four lags at a time: this is most of the work.
  private static func exchangeProducts(
    of values: [Double], from first: Int, _ blocks: inout [Double], _ block: Int, _ window: inout [Double]
  ) {
    precondition(first >= longestLag && first + hop <= values.count)
    precondition(block + lagCount <= blocks.count && lagCount <= window.count && lagCount % 4 == 0)
    values.withUnsafeBytes { values in
      for index in stride(from: 0, to: lagCount, by: 4) {
        var sum = SIMD4<Double>.zero
        for cell in first..<(first + hop) {
          let value = values.loadUnaligned(fromByteOffset: 8 * cell, as: Double.self)
          let earlier = values.loadUnaligned(fromByteOffset: 8 * (cell - longestLag + index), as: SIMD4<Double>.self)
          sum += value * earlier
        }
        for lane in 0..<4 {
          window[index + lane] += sum[lane] - blocks[block + index + lane]
          blocks[block + index + lane] = sum[lane]
        }
      }
    }
  }

  private func measure() -> GaitMeasure {
    var all = GaitSums()
    for block in blocks { all += block }
    let n = Double(Self.length)
    let mean = all.magnitude / n
    let steadiness = (all.vector / n).norm
    let amplitude = (all.filteredSquare / n).squareRoot()
    let strength = max(all.square / n - mean * mean, 0).squareRoot()
    let whole = max(all.square / n - steadiness * steadiness, 1e-9).squareRoot()
    var measure = GaitMeasure(
      period: 0, stepCorrelation: 0, strideCorrelation: 0, amplitude: amplitude, strength: strength,
      share: strength / whole, steadiness: steadiness,
      skewness: all.skewness(n))
    // Hardly anything moves: no need to look for a period.
    if amplitude > 0.01 { findPeriod(&measure) }
    return measure
  }

  /// The stride is what repeats best, and a step is its half; of several such lags, one in the middle of human cadence.
  private func findPeriod(_ measure: inout GaitMeasure) {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: Self.lagCount) { correlations in
      correlate(correlations)
      let penalties = Self.penalties
      // Strong motion at a slow cadence is running, of which every second step is seen.
      let slowest = measure.strength > 0.35 ? Self.runningStride : Self.longestLag
      var best = -Double.infinity
      for stride in Self.shortestStride...Self.longestLag {
        let index = Self.longestLag - stride / 2
        let half = stride % 2 == 0 ? correlations[index] : 0.5 * (correlations[index] + correlations[index - 1])
        let whole = correlations[Self.longestLag - stride]
        let score = whole + 0.5 * half - penalties[stride - Self.shortestStride] - (stride > slowest ? 0.5 : 0)
        guard score > best else { continue }
        best = score
        (measure.period, measure.stepCorrelation, measure.strideCorrelation) = (Double(stride) / 2, half, whole)
      }
    }
  }

  /// Cells: two steps of half a second.
  private static let runningStride = 25

  /// By stride: how far a cadence is from two steps a second.
  private static let penalties = (shortestStride...longestLag).map { (stride: Int) -> Double in
    let ratio = log(Double(stride) / 2 * PedometerCells.period / 0.5)
    return 0.7 * ratio * ratio
  }

  /// Correlations of the window with the values before by a lag, −1 to 1, the longest lag first.
  ///
  /// Over the mean of both energies and not their geometric mean: what is as strong as before repeats better.
  private func correlate(_ correlations: UnsafeMutableBufferPointer<Double>) {
    let first = place - Self.length
    filtered.withUnsafeBufferPointer { filtered in
      var energy = 0.0
      for index in first..<place { energy += filtered[index] * filtered[index] }
      var shifted = energy
      for lag in 1...Self.longestLag {
        let (entering, leaving) = (filtered[first - lag], filtered[place - lag])
        shifted += entering * entering - leaving * leaving
        guard lag >= Self.shortestLag else { continue }
        let index = Self.longestLag - lag
        correlations[index] = windowProducts[index] / (0.5 * (energy + max(shifted, 0)) + 1e-6)
      }
    }
  }
}
