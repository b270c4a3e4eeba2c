internal import InertialNumerics
internal import InertialSystem

/// How the device has turned in the last 5.12 s.
package struct RotationMeasure: Sendable, Hashable, Codable {
  /// Root mean square of the rotation rate, without what is slower than 0.3 Hz, rad/s.
  package var strength: Double
  /// Root mean square of the whole rotation rate, rad/s.
  package var total = 0.0
  /// Amount of the mean rotation rate, rad/s: what turns on and on, about an axis of the device.
  package var steady = 0.0
  /// The part of it about one axis of the device, 1/3 to 1.
  package var planarity = 1.0 / 3
  /// Correlation of the turning about that axis with itself a period before, −1 to 1.
  package var regularity = 0.0
  /// Seconds of that period; nil where hardly anything turns.
  package var period: Double?
}

/// The rotation rate in cells of 40 ms, and what its last 5.12 s look like.
struct RotationWindow: Sendable, Hashable, Codable {
  private static let size = WindowSpectrum.size
  private static let cell = 0.04
  /// Cells: to and fro in 0.56 to 2.08 s.
  private static let lags = 14...52
  /// rad/s: less has no period that is worth looking for.
  private static let leastStrength = 0.2
  /// Of the best correlation: a shorter period that has as much is the period, the best one a multiple of it.
  private static let multiple: Float = 0.9
  /// Of a first-order high-pass of 0.3 Hz, from cell to cell.
  private static let memory = exp(-2 * Double.pi * 0.3 * Self.cell)

  private var sum = Vector3.zero
  private var count = 0.0
  /// When the cell that is filled ends; before the first sample before all times.
  private var end = -Double.greatestFiniteMagnitude
  private var last: Vector3?
  private var level = Vector3.zero
  /// Without what is slow, rad/s; the newest last. Those before the last `size` are left until there are as many.
  private var cells: [SIMD4<Float>] = []
  /// With it, rad/s; as many.
  private var rates: [SIMD4<Float>] = []

  /// Takes a rotation rate, rad/s.
  @inline(__always)
  mutating func add(_ rate: Vector3, at time: Double) {
    if time < end {
      sum += rate
      count += 1
    } else {
      complete(rate, at: time)
    }
  }

  @inline(never)
  private mutating func complete(_ rate: Vector3, at time: Double) {
    if count > 0 {
      let mean = (1 / count) * sum
      // Cells without a sample are like the one before.
      let passed = time < end + Self.cell ? 1 : Int(min((time - end) / Self.cell, 1e6)) + 1
      if abs(mean.x + mean.y + mean.z) < .infinity {
        for _ in 0..<min(Self.size, passed) { append(mean) }
      }
      end += Double(passed) * Self.cell
    } else {
      end = time + Self.cell
    }
    (sum, count) = (rate, 1)
  }

  private mutating func append(_ mean: Vector3) {
    level = Self.memory * (level + mean - (last ?? mean))
    last = mean
    if cells.count == 2 * Self.size {
      cells.removeFirst(Self.size)
      rates.removeFirst(Self.size)
    }
    cells.append(SIMD4(Float(level.x), Float(level.y), Float(level.z), 0))
    rates.append(SIMD4(Float(mean.x), Float(mean.y), Float(mean.z), 0))
  }

  /// nil before there are so many samples.
  func measure() -> RotationMeasure? {
    guard cells.count >= Self.size else { return nil }
    let first = cells.count - Self.size
    var measure = cells.withUnsafeBufferPointer { Self.measure($0.baseAddress! + first) }
    var (sum, squares) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for rate in rates[first...] {
      sum += rate
      squares += rate * rate
    }
    let mean = sum / Float(Self.size)
    measure.total = Double((squares.sum() / Float(Self.size)).squareRoot())
    measure.steady = Double((mean * mean).sum().squareRoot())
    return measure
  }

  private static func measure(_ cells: UnsafePointer<SIMD4<Float>>) -> RotationMeasure {
    var mean = SIMD4<Float>.zero
    for index in 0..<size { mean += cells[index] }
    mean /= Float(size)
    // Of x, y and z with themselves, and with y, z and x.
    var (own, next) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for index in 0..<size {
      let d = cells[index] - mean
      own += d * d
      next += d * SIMD4(d.y, d.z, d.x, 0)
    }
    let total = own.sum()
    var result = RotationMeasure(strength: Double((total / Float(size)).squareRoot()))
    guard result.strength > leastStrength, total.isFinite else { return result }
    let axis = mainAxis(own / total, next / total, &result.planarity)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: WindowCorrelation.capacity) { turning in
      turning.initialize(repeating: 0)
      for index in 0..<size { turning[index] = ((cells[index] - mean) * axis).sum() }
      (result.regularity, result.period) = period(turning)
    }
    return result
  }

  /// The axis about which most of the turning is, and its share: a power of the covariance takes any vector there.
  private static func mainAxis(_ own: SIMD4<Float>, _ next: SIMD4<Float>, _ share: inout Double) -> SIMD4<Float> {
    /// A symmetric matrix by its columns.
    typealias Matrix = (x: SIMD4<Float>, y: SIMD4<Float>, z: SIMD4<Float>)
    func product(_ m: Matrix, _ v: SIMD4<Float>) -> SIMD4<Float> { m.x * v.x + m.y * v.y + m.z * v.z }
    let covariance: Matrix = (
      SIMD4(own.x, next.x, next.z, 0), SIMD4(next.x, own.y, next.y, 0), SIMD4(next.z, next.y, own.z, 0)
    )
    var power = covariance
    // Squared four times it is the sixteenth power; of trace 1, so that it stays in range.
    for _ in 0..<4 {
      power = (product(power, power.x), product(power, power.y), product(power, power.z))
      let scale = 1 / (power.x.x + power.y.y + power.z.z)
      power = (scale * power.x, scale * power.y, scale * power.z)
    }
    let largest = own.x >= max(own.y, own.z) ? 0 : own.y >= own.z ? 1 : 2
    var start = SIMD4<Float>(0.1, 0.2, 0.3, 0)
    start[largest] += 1
    let axis = product(power, start)
    let unit = axis / (axis * axis).sum().squareRoot()
    share = Double((unit * product(covariance, unit)).sum())
    return unit
  }

  /// - Parameter turning: 128 values of mean 0, then zeros.
  private static func period(_ turning: UnsafeMutableBufferPointer<Float>) -> (regularity: Double, period: Double) {
    WindowCorrelation.withSums(UnsafePointer(turning.baseAddress!)) { sums in
      // By a lag, over the mean of the energies of both parts.
      var both = 2 * sums[0]
      for lag in 1...lags.upperBound {
        let (early, late) = (turning[lag - 1], turning[size - lag])
        both -= early * early + late * late
        sums[lag] /= 1e-9 + 0.5 * both
      }
      var best = lags.lowerBound
      for lag in lags where sums[lag] > sums[best] { best = lag }
      // The first that is as good and better than those beside.
      let first = lags.first { lag in
        sums[lag] >= multiple * sums[best] && (lag == lags.lowerBound || sums[lag] >= sums[lag - 1])
          && (lag == lags.upperBound || sums[lag] >= sums[lag + 1])
      }
      return (Double(sums[best]), Double(first ?? best) * cell)
    }
  }
}
