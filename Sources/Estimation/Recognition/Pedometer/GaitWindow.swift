internal import InertialNumerics
internal import InertialSystem

/// The magnitude of the acceleration in cells of 40 ms, and the measures of its last 2.56 s every 0.32 s. At the slow
/// pace, cells have 80 ms and a window has 5.12 s.
///
/// The magnitude does not depend on the orientation of the device. It passes a high-pass of 0.6 Hz and a low-pass of
/// 2 Hz (slow: half of both), which emphasise the step frequency over its multiples. The autocorrelation is
/// normalised for each lag by the energies of its two parts, and updated block by block.
struct GaitWindow: Sendable, Codable, Equatable {
  /// The number of cells in the window, and between two measures.
  static let length = 64
  static let hop = 8
  /// The lags, in cells: steps of 0.28 to 0.9 s (slow: 0.56 to 1.8), and strides of two steps. The shortest lag is
  /// one lower, so that the number of lags is a multiple of the vector width.
  private static let minimumLag = 6
  private static let minimumStrideLag = 14
  private static let maximumLag = 45
  /// The number of past cells that are available.
  static let reach = 128

  let pace: GaitPace
  /// The number of cells since the start; the last cell is `count - 1`.
  private(set) var count = 0
  /// The number of filtered cells: all except those of the current block.
  private var filteredCount = 0
  /// The filtered magnitude and the magnitude, in g, of the last `reach` cells or more; moved down when the arrays
  /// are full. In the current block, `magnitudes` contains squared magnitudes, in g².
  private var filtered = [Double](repeating: 0, count: 2 * Self.reach)
  private var magnitudes = [Double](repeating: 0, count: 2 * Self.reach)
  /// The index of the next cell in the arrays.
  private var place = Self.reach

  private var highPass: FirstOrderHighPass
  private var lowPass: LowPassFilter
  /// The last two values after the high-pass.
  private var before = 0.0
  private var beforeThat = 0.0

  /// The sums over the current block, and over the blocks of the window as a ring buffer.
  private var sums = GaitSums()
  private var blocks = [GaitSums](repeating: GaitSums(), count: Self.blockCount)
  /// The products with earlier values, the longest lag first: one row per block, and one row for their sum.
  private var products = [Double](repeating: 0, count: Self.lagCount * (Self.blockCount + 1))

  init(_ pace: GaitPace = .ordinary) {
    self.pace = pace
    highPass = FirstOrderHighPass(cutoff: pace.highPass, sampleRate: 1 / pace.cell)
    lowPass = LowPassFilter(cutoff: pace.lowPass, sampleRate: 1 / pace.cell)
  }

  private static let lagCount = 40
  private static let blockCount = 8

  /// The filtered magnitude of a cell, in g.
  subscript(cell: Int) -> Double { filtered[cell - count + place] }

  /// Returns whether no available cell within a distance has a higher filtered magnitude; of equal cells, the first.
  func isPeak(_ cell: Int, _ distance: Int) -> Bool {
    let index = cell - count + place
    let value = filtered[index]
    return filtered[max(index - distance, 0)..<index].allSatisfy { $0 < value }
      && filtered[index..<min(index + distance + 1, place)].allSatisfy { $0 <= value }
  }

  /// Returns the highest minus the lowest magnitude of a range of cells, in g. Unavailable cells are ignored.
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

  /// Appends a cell's mean acceleration in g. Returns whether it completes a block.
  @inline(__always)
  mutating func append(_ cell: Vector3) -> Bool {
    if place == 2 * Self.reach { moveDown() }
    // Square roots are slow one by one, so they are computed for the whole block.
    magnitudes[place] = cell.squaredNorm
    sums.add(cell)
    place += 1
    count += 1
    guard count % Self.hop == 0 else { return false }
    closeBlock()
    return true
  }

  /// Returns a copy that includes the cells of the current block, for the end of the input.
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

  /// Replaces the products of the oldest block with those of the newest block and its earlier values at each lag.
  ///
  /// This is a large part of the computation, so it has no bounds checks and processes eight lags at a time.
  private static func exchangeProducts(
    of values: [Double], from first: Int, _ products: inout [Double], _ turn: Int
  ) {
    precondition(first >= maximumLag && first + hop <= values.count)
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
              * values.loadUnaligned(fromByteOffset: size * (cell - maximumLag + index), as: SIMD8<Double>.self)
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

  /// Returns the measures of the window except the period, or `nil` before the window is full, or within a block.
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
      fraction: strength / whole, steadiness: steadiness,
      skewness: all.skewness(n))
  }

  /// Finds the period: the stride is the lag with the highest correlation, and a step is half a stride. If several
  /// lags are similar, a cadence in the middle of the human range is preferred.
  func findPeriod(_ measure: inout GaitMeasure) {
    // Without motion there is no period.
    guard measure.amplitude > GaitRule.minimumAmplitude else { return }
    withUnsafeTemporaryAllocation(of: Double.self, capacity: Self.lagCount) { correlations in
      correlate(correlations)
      // Strong motion at a slow cadence is running, with only every second step detected.
      let slowest = measure.isStrong && pace == .ordinary ? Self.runningStride : Self.maximumLag
      // No other period of the acceleration is as certain as that of a firm swing.
      let swing = measure.swing.flatMap { $0.isFirm ? $0 : nil }
      var (best, score) = (Self.minimumStrideLag, -Double.infinity)
      (pace == .ordinary ? Self.penalties : Self.slowPenalties).withUnsafeBufferPointer { penalties in
        for stride in Self.minimumStrideLag...Self.maximumLag {
          let value =
            correlations[Self.maximumLag - stride] + 0.5 * Self.half(stride, correlations)
            - penalties[stride - Self.minimumStrideLag] - (stride > slowest ? 0.5 : 0)
            - (swing?.confirms(stride: Double(stride) * pace.cell, isStrong: measure.isStrong) ?? true ? 0 : 1)
          if value > score { (best, score) = (stride, value) }
        }
      }
      measure.period = Double(best) / 2
      measure.stepCorrelation = Self.half(best, correlations)
      measure.strideCorrelation = correlations[Self.maximumLag - best]
    }
  }

  /// Returns the correlation at half a stride, interpolated between two lags if the stride is odd.
  @inline(__always)
  private static func half(_ stride: Int, _ correlations: UnsafeMutableBufferPointer<Double>) -> Double {
    let index = maximumLag - stride / 2
    return stride % 2 == 0 ? correlations[index] : 0.5 * (correlations[index] + correlations[index - 1])
  }

  /// The longest stride of running, in cells: two steps of half a second.
  private static let runningStride = 25

  /// The penalties by stride for the deviation from the pace's own cadence.
  private static let penalties = penalties(.ordinary)
  private static let slowPenalties = penalties(.slow)

  private static func penalties(_ pace: GaitPace) -> [Double] {
    (minimumStrideLag...maximumLag).map { (stride: Int) -> Double in
      let ratio = log(Double(stride) / 2 * pace.cell / pace.middle)
      return 0.7 * ratio * ratio
    }
  }

  /// Computes the correlations of the window with the values one lag earlier, −1...1, the longest lag first.
  ///
  /// They are normalised by the arithmetic mean of both energies instead of the geometric mean, so that a constant
  /// strength increases the correlation.
  private func correlate(_ correlations: UnsafeMutableBufferPointer<Double>) {
    let first = place - Self.length
    precondition(first >= Self.maximumLag && place <= filtered.count && correlations.count == Self.lagCount)
    let size = MemoryLayout<Double>.size
    filtered.withUnsafeBufferPointer { filtered in
      var energy = SIMD8<Double>.zero
      let bytes = UnsafeRawBufferPointer(filtered)
      for index in stride(from: first, to: place, by: 8) {
        let values = bytes.loadUnaligned(fromByteOffset: size * index, as: SIMD8<Double>.self)
        energy += values * values
      }
      // First the energies of the earlier parts, then the correlations, several at a time.
      var shifted = energy.sum()
      for lag in 1...Self.maximumLag {
        let (entering, leaving) = (filtered[first - lag], filtered[place - lag])
        shifted += entering * entering - leaving * leaving
        if lag >= Self.minimumLag { correlations[Self.maximumLag - lag] = max(shifted, 0) }
      }
      Self.normalize(UnsafeMutableRawBufferPointer(correlations), products, energy.sum())
    }
  }

  /// Replaces the energies of the earlier parts with the correlations.
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
