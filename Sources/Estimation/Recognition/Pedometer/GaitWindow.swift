internal import InertialNumerics
internal import InertialSystem

/// The magnitude of the acceleration in cells of 40 ms, and what its last 2.56 s look like every 0.32 s; at a slow pace in
/// cells of 80 ms, of which a window has 5.12 s.
///
/// The magnitude does not depend on how the device is held. It is passed through a high-pass of 0.6 Hz and a low-pass of
/// 2 Hz (slow: half of both), in which the frequency of steps stands out from its multiples; the correlation with itself is
/// normalised for each lag by the energies of its own two parts, and kept up to date block by block.
struct GaitWindow: Sendable, Codable, Equatable {
  /// Cells of the window, and between two measures.
  static let length = 64
  static let hop = 8
  /// Cells: steps from 0.28 s to 0.9 s (slow: 0.56 to 1.8), and two of them; one lag less, so that fours of them fit.
  private static let shortestLag = 6
  private static let shortestStride = 14
  private static let longestLag = 45
  /// Cells that can be asked for.
  static let reach = 128

  let pace: GaitPace
  /// Cells since the start; the last is `count - 1`.
  private(set) var count = 0
  /// Cells that are filtered: all but those of the block that is filled.
  private var filteredCount = 0
  /// The filtered magnitude and the magnitude itself, g, of the last `reach` cells or more; moved down when full. Of the
  /// block that is filled the magnitude's square, g².
  private var filtered = [Double](repeating: 0, count: 2 * Self.reach)
  private var magnitudes = [Double](repeating: 0, count: 2 * Self.reach)
  /// Where in the arrays the next cell goes.
  private var place = Self.reach

  private var highPass: FirstOrderHighPass
  private var lowPass: LowPassFilter
  /// The last two values after the high-pass.
  private var before = 0.0
  private var beforeThat = 0.0

  /// Sums over the block that is filled, and over those of the window, by turns.
  private var sums = GaitSums()
  private var blocks = [GaitSums](repeating: GaitSums(), count: Self.blockCount)
  /// The products with earlier values, the longest lag first: a row for each block, and one for all together.
  private var products = [Double](repeating: 0, count: Self.lagCount * (Self.blockCount + 1))

  init(_ pace: GaitPace = .ordinary) {
    self.pace = pace
    highPass = FirstOrderHighPass(cutoff: pace.highPass, sampleRate: 1 / pace.cell)
    lowPass = LowPassFilter(cutoff: pace.lowPass, sampleRate: 1 / pace.cell)
  }

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

  /// Takes a cell's mean acceleration in g. Whether it completes a block.
  @inline(__always)
  mutating func append(_ cell: Vector3) -> Bool {
    if place == 2 * Self.reach { moveDown() }
    // Roots take long one by one: they wait for the whole block.
    magnitudes[place] = cell.squaredNorm
    sums.add(cell)
    place += 1
    count += 1
    guard count % Self.hop == 0 else { return false }
    closeBlock()
    return true
  }

  /// With the cells of the block that is filled, to look at the end of the samples.
  func flushed() -> GaitWindow {
    var window = self
    window.filterCells()
    return window
  }

  private mutating func filterCells() {
    var sums = self.sums
    for index in (place - (count - filteredCount))..<place {
      let magnitude = magnitudes[index].squareRoot()
      magnitudes[index] = magnitude
      let passed = highPass.update(magnitude)
      let value = lowPass.update(passed)
      filtered[index] = value
      sums.add(magnitude, filtered: value, smoothed: (passed + before + beforeThat) / 3)
      (before, beforeThat) = (passed, before)
    }
    self.sums = sums
    filteredCount = count
  }

  private mutating func moveDown() {
    for index in 0..<Self.reach {
      filtered[index] = filtered[index + Self.reach]
      magnitudes[index] = magnitudes[index + Self.reach]
    }
    place = Self.reach
  }

  private mutating func closeBlock() {
    filterCells()
    let turn = (count / Self.hop - 1) % Self.blockCount
    blocks[turn] = sums
    sums = GaitSums()
    Self.exchangeProducts(of: filtered, from: place - Self.hop, &products, turn)
  }

  /// Puts the products of the last block's cells with those before by each lag in the place of the oldest block's.
  ///
  /// Without bounds checks, and eight lags at a time: this is much of the work.
  private static func exchangeProducts(
    of values: [Double], from first: Int, _ products: inout [Double], _ turn: Int
  ) {
    precondition(first >= longestLag && first + hop <= values.count)
    precondition(products.count == lagCount * (blockCount + 1) && (0..<blockCount).contains(turn))
    let size = MemoryLayout<Double>.size
    values.withUnsafeBytes { values in
      products.withUnsafeMutableBytes { products in
        for index in stride(from: 0, to: lagCount, by: 8) {
          var sum = SIMD8<Double>.zero
          for cell in first..<(first + hop) {
            let value = values.loadUnaligned(fromByteOffset: size * cell, as: Double.self)
            sum +=
              value
              * values.loadUnaligned(fromByteOffset: size * (cell - longestLag + index), as: SIMD8<Double>.self)
          }
          let (own, all) = (size * (turn * lagCount + index), size * (blockCount * lagCount + index))
          let old = products.loadUnaligned(fromByteOffset: own, as: SIMD8<Double>.self)
          let whole = products.loadUnaligned(fromByteOffset: all, as: SIMD8<Double>.self)
          products.storeBytes(of: sum, toByteOffset: own, as: SIMD8<Double>.self)
          products.storeBytes(of: whole + (sum - old), toByteOffset: all, as: SIMD8<Double>.self)
        }
      }
    }
  }

  /// What the last 2.56 s look like but for the period; nil before there are so many, or within a block.
  func measure() -> GaitMeasure? {
    guard count >= Self.length, count == filteredCount else { return nil }
    var all = GaitSums()
    for block in blocks { all += block }
    let n = Double(Self.length)
    let mean = all.magnitude / n
    let steadiness = (all.vector / n).norm
    let amplitude = (all.filteredSquare / n).squareRoot()
    let strength = max(all.square / n - mean * mean, 0).squareRoot()
    let whole = max(all.square / n - steadiness * steadiness, 1e-9).squareRoot()
    return GaitMeasure(
      pace: pace, period: 0, stepCorrelation: 0, strideCorrelation: 0, amplitude: amplitude, strength: strength,
      share: strength / whole, steadiness: steadiness,
      skewness: all.skewness(n))
  }

  /// Finds the period: the stride is what repeats best, and a step is its half; of several such lags, one in the middle of
  /// human cadence.
  func findPeriod(_ measure: inout GaitMeasure) {
    // Hardly anything moves: no need to look for one.
    guard measure.amplitude > GaitRule.leastAmplitude else { return }
    withUnsafeTemporaryAllocation(of: Double.self, capacity: Self.lagCount) { correlations in
      correlate(correlations)
      // Strong motion at a slow cadence is running, of which every second step is seen.
      let slowest = measure.strength > 0.35 && pace == .ordinary ? Self.runningStride : Self.longestLag
      var (best, score) = (Self.shortestStride, -Double.infinity)
      (pace == .ordinary ? Self.penalties : Self.slowPenalties).withUnsafeBufferPointer { penalties in
        for stride in Self.shortestStride...Self.longestLag {
          let value =
            correlations[Self.longestLag - stride] + 0.5 * Self.half(stride, correlations)
            - penalties[stride - Self.shortestStride] - (stride > slowest ? 0.5 : 0)
          if value > score { (best, score) = (stride, value) }
        }
      }
      measure.period = Double(best) / 2
      measure.stepCorrelation = Self.half(best, correlations)
      measure.strideCorrelation = correlations[Self.longestLag - best]
    }
  }

  /// Correlation at half a stride, between two lags where it is odd.
  @inline(__always)
  private static func half(_ stride: Int, _ correlations: UnsafeMutableBufferPointer<Double>) -> Double {
    let index = longestLag - stride / 2
    return stride % 2 == 0 ? correlations[index] : 0.5 * (correlations[index] + correlations[index - 1])
  }

  /// Cells: two steps of half a second.
  private static let runningStride = 25

  /// By stride: how far a cadence is from the pace's own.
  private static let penalties = penalties(.ordinary)
  private static let slowPenalties = penalties(.slow)

  private static func penalties(_ pace: GaitPace) -> [Double] {
    (shortestStride...longestLag).map { (stride: Int) -> Double in
      let ratio = log(Double(stride) / 2 * pace.cell / pace.middle)
      return 0.7 * ratio * ratio
    }
  }

  /// Correlations of the window with the values before by a lag, −1 to 1, the longest lag first.
  ///
  /// Over the mean of both energies and not their geometric mean: what is as strong as before repeats better.
  private func correlate(_ correlations: UnsafeMutableBufferPointer<Double>) {
    let first = place - Self.length
    precondition(first >= Self.longestLag && place <= filtered.count && correlations.count == Self.lagCount)
    let size = MemoryLayout<Double>.size
    filtered.withUnsafeBufferPointer { filtered in
      var energy = SIMD8<Double>.zero
      let bytes = UnsafeRawBufferPointer(filtered)
      for index in stride(from: first, to: place, by: 8) {
        let values = bytes.loadUnaligned(fromByteOffset: size * index, as: SIMD8<Double>.self)
        energy += values * values
      }
      // First the energies of the earlier part, then the correlations, several at a time.
      var shifted = energy.sum()
      for lag in 1...Self.longestLag {
        let (entering, leaving) = (filtered[first - lag], filtered[place - lag])
        shifted += entering * entering - leaving * leaving
        if lag >= Self.shortestLag { correlations[Self.longestLag - lag] = max(shifted, 0) }
      }
      Self.normalize(UnsafeMutableRawBufferPointer(correlations), products, energy.sum())
    }
  }

  /// The correlations from the energies of the earlier part, in place.
  private static func normalize(_ values: UnsafeMutableRawBufferPointer, _ products: [Double], _ energy: Double) {
    let size = MemoryLayout<Double>.size
    products.withUnsafeBytes { products in
      for index in stride(from: 0, to: lagCount, by: 8) {
        let shifted = values.loadUnaligned(fromByteOffset: size * index, as: SIMD8<Double>.self)
        let product = products.loadUnaligned(
          fromByteOffset: size * (blockCount * lagCount + index), as: SIMD8<Double>.self)
        values.storeBytes(
          of: product / (0.5 * (energy + shifted) + 1e-6), toByteOffset: size * index, as: SIMD8<Double>.self)
      }
    }
  }
}
