internal import InertialNumerics
internal import InertialSensors

/// A window's acceleration along its dominant axis, relative to its mean: its reversals, period and displacement.
struct WindowProjection {
  private typealias Cells = WindowRows.Cells

  /// The number of scratch values that a projection needs during its lifetime: the zero-padded projection, and one
  /// row per search.
  static let scratchCount = padded + 2 * width
  private static let width = MotionWindow.capacity + 1
  /// The number of values including the zeros for the longest lag and one more block.
  private static let padded = MotionWindow.capacity + 16
  /// The lags of possible periods, in cells, with one more on either side.
  private static let lags = 2..<14

  private let count: Int
  private let first: Int
  private let values: UnsafeMutablePointer<Double>
  private let row: UnsafeMutablePointer<Double>
  private let otherRow: UnsafeMutablePointer<Double>

  /// - Parameter scratch: Uninitialised memory for `scratchCount` numbers.
  init(
    _ window: WindowRows, about mean: Vector3, along axis: Vector3, _ scratch: UnsafeMutableBufferPointer<Double>
  ) {
    precondition(scratch.count >= Self.scratchCount, "scratch for a projection")
    count = window.count
    first = MotionWindow.capacity - count
    values = scratch.baseAddress!
    row = values + Self.padded
    otherRow = row + Self.width
    (values + MotionWindow.capacity).initialize(repeating: 0, count: Self.padded - MotionWindow.capacity)
    let target = UnsafeMutableRawPointer(values)
    for block in 0..<WindowRows.blockCount {
      let (a, b, c) = window.centred(block, mean)
      let along = a * axis.x + b * axis.y + c * axis.z
      (target + block * MemoryLayout<Cells>.size).storeBytes(of: along, as: Cells.self)
    }
  }

  /// Returns the number of changes between above the level and below its negative.
  func reversals(above level: Double) -> Int {
    var (side, count) = (0, 0)
    for index in first..<MotionWindow.capacity {
      let now = (values[index] > level ? 1 : 0) - (values[index] < -level ? 1 : 0)
      count += now * side < 0 ? 1 : 0
      side = now != 0 ? now : side
    }
    return count
  }

  /// Returns the first peak of the autocorrelation that is nearly the highest; a later peak is a multiple of the
  /// period.
  ///
  /// Each lag is normalised by the energies of its own two parts, so that the rest before the start of a shake has no
  /// effect.
  func period() -> (lag: Int, cells: Double, correlation: Double)? {
    correlate()
    let correlations = row
    func isPeak(_ i: Int) -> Bool {
      correlations[i] >= correlations[i - 1] && correlations[i] > correlations[i + 1] && correlations[i] > 0
    }
    let inner = 1..<(Self.lags.count - 1)
    var highest = 0.0
    for i in inner where isPeak(i) { highest = max(highest, correlations[i]) }
    guard highest > 0, let i = inner.first(where: { isPeak($0) && correlations[$0] >= 0.8 * highest }) else {
      return nil
    }
    // A parabola through the peak and its neighbours.
    let curvature = correlations[i - 1] - 2 * correlations[i] + correlations[i + 1]
    let offset = curvature < 0 ? 0.5 * (correlations[i - 1] - correlations[i + 1]) / curvature : 0
    let lag = Self.lags.lowerBound + i
    return (lag, Double(lag) + offset, correlations[i])
  }

  /// Writes the autocorrelation at each of the lags to `row`; −1 if there are too few values.
  private func correlate() {
    // All lags at once: the values after the window are 0.
    var (near, middle, far) = (Cells.zero, Cells.zero, Cells.zero)
    let start = UnsafeRawPointer(values + Self.lags.lowerBound)
    for index in first..<(MotionWindow.capacity - Self.lags.lowerBound) {
      let partners = start + index * MemoryLayout<Double>.stride
      let value = values[index]
      near += value * partners.loadUnaligned(as: Cells.self)
      middle += value * (partners + 32).loadUnaligned(as: Cells.self)
      far += value * (partners + 64).loadUnaligned(as: Cells.self)
    }
    let target = UnsafeMutableRawPointer(row)
    target.storeBytes(of: near, as: Cells.self)
    (target + 32).storeBytes(of: middle, as: Cells.self)
    (target + 64).storeBytes(of: far, as: Cells.self)
    // The energies of the parts, from the start and from the end.
    let capacity = MotionWindow.capacity
    var (early, late) = (0.0, 0.0)
    for index in first..<(first + 3) { early += values[index] * values[index] }
    for index in (capacity - 3)..<capacity { late += values[index] * values[index] }
    // The longest lag has the shortest parts.
    for length in 3...(count - Self.lags.lowerBound) {
      let lag = count - length
      if lag < Self.lags.upperBound {
        row[lag - Self.lags.lowerBound] /= (late * early + 1e-12).squareRoot()
      }
      guard lag > Self.lags.lowerBound else { break }
      let (next, before) = (values[first + length], values[capacity - 1 - length])
      early += next * next
      late += before * before
    }
    for lag in Self.lags where count - lag < 3 { row[lag - Self.lags.lowerBound] = -1 }
  }

  /// Returns the root mean square of the twice integrated projection, in m. After each integration a straight line is
  /// subtracted.
  ///
  /// Time is in cells from the middle of the window. The integral of the first line is a parabola, of which the
  /// second line removes everything except the square. Therefore only the slope of the first line matters.
  func displacement() -> Double {
    let (n, middle) = (Double(count), Double(count - 1) / 2)
    let inertia = n * (n * n - 1) / 12
    var (last, speed, position, moment) = (values[first], 0.0, 0.0, 0.0)
    otherRow[0] = 0
    for index in 1..<count {
      let value = values[first + index]
      let before = speed
      speed += (last + value) / 2
      position += (before + speed) / 2
      last = value
      otherRow[index] = position
      moment += speed * (Double(index) - middle)
    }
    let slope = moment / inertia
    var (sum, tilt, squares) = (0.0, 0.0, 0.0)
    for index in 0..<count {
      let time = Double(index) - middle
      let value = otherRow[index] - slope / 2 * time * time
      sum += value
      tilt += value * time
      squares += value * value
    }
    let rest = max(0, squares - sum * sum / n - tilt * tilt / inertia)
    return standardGravity * MotionBins.period * MotionBins.period * (rest / n).squareRoot()
  }
}
