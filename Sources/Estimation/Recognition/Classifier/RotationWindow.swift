internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// The properties of the device's rotation in the last 5.12 s.
package struct RotationMeasure: Sendable, Hashable, Codable {
  /// The root mean square of the rotation rate above 0.3 Hz, in rad/s.
  package var strength: Double
  /// The root mean square of the total rotation rate, in rad/s.
  package var total = 0.0
  /// The magnitude of the mean rotation rate, in rad/s: continuous rotation about an axis of the device.
  package var steady = 0.0
  /// The fraction of the rotation about its main axis in the device, 1/3...1.
  package var planarity = 1.0 / 3
  /// The autocorrelation of the rotation about that axis at a lag of one period, −1...1.
  package var regularity = 0.0
  /// The period of the rotation, in seconds, or `nil` if there is hardly any rotation.
  package var period: Double?

  /// Returns the distance from the axis, in m, at which the rotation would cause an acceleration in g, or `nil` without
  /// a period: an oscillation with the rate ω and the period T accelerates a point at the radius r by ω r 2π / T.
  func radius(of acceleration: Double) -> Double? {
    period.map { standardGravity * acceleration * $0 / (2 * .pi * strength) }
  }
}

/// The rotation rate in cells of 40 ms, and its measures over the last 5.12 s.
struct RotationWindow: Sendable, Hashable, Codable {
  private static let size = WindowSpectrum.size
  private static let cell = 0.04
  /// The lags, in cells: back and forth in 0.56 to 2.08 s.
  private static let lags = 14...52
  /// The minimum strength for a search for a period, in rad/s.
  private static let minimumStrength = 0.2
  /// The fraction of the best correlation at which a shorter lag is the period and the best one is a multiple of it.
  private static let multiple: Float = 0.9
  /// The decay of a first-order high-pass of 0.3 Hz, from cell to cell.
  private static let memory = exp(-2 * Double.pi * 0.3 * Self.cell)

  private var sum = Vector3.zero
  private var count = 0.0
  /// The end time of the current cell; before the first sample, a time earlier than any.
  private var end = -Double.greatestFiniteMagnitude
  private var last: Vector3?
  private var level = Vector3.zero
  /// The high-passed rotation rates, in rad/s, the newest last. Rates before the last `size` are removed when the
  /// array has twice that size.
  private var cells: [SIMD4<Float>] = []
  /// The unfiltered rotation rates, in rad/s, of the same cells.
  private var rates: [SIMD4<Float>] = []

  /// Adds a rotation rate, in rad/s.
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
      // Cells without a sample repeat the previous mean.
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

  /// Returns the measures, or `nil` before there are enough samples.
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
    // The products of x, y and z with themselves, and with y, z and x.
    var (own, next) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for index in 0..<size {
      let d = cells[index] - mean
      own += d * d
      next += d * SIMD4(d.y, d.z, d.x, 0)
    }
    let total = own.sum()
    var result = RotationMeasure(strength: Double((total / Float(size)).squareRoot()))
    guard result.strength > minimumStrength, total.isFinite else { return result }
    let axis = mainAxis(own / total, next / total, &result.planarity)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: WindowCorrelation.capacity) { turning in
      turning.initialize(repeating: 0)
      for index in 0..<size { turning[index] = ((cells[index] - mean) * axis).sum() }
      (result.regularity, result.period) = period(turning)
    }
    return result
  }

  /// Returns the main axis of the rotation and its fraction: a power of the covariance maps any vector to this axis.
  private static func mainAxis(_ own: SIMD4<Float>, _ next: SIMD4<Float>, _ fraction: inout Double) -> SIMD4<Float> {
    /// A symmetric matrix, stored by columns.
    typealias Matrix = (x: SIMD4<Float>, y: SIMD4<Float>, z: SIMD4<Float>)
    func product(_ m: Matrix, _ v: SIMD4<Float>) -> SIMD4<Float> { m.x * v.x + m.y * v.y + m.z * v.z }
    let covariance: Matrix = (
      SIMD4(own.x, next.x, next.z, 0), SIMD4(next.x, own.y, next.y, 0), SIMD4(next.z, next.y, own.z, 0)
    )
    var power = covariance
    // Four squarings result in the sixteenth power; the trace is kept at 1 to stay in range.
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
    fraction = Double((unit * product(covariance, unit)).sum())
    return unit
  }

  /// - Parameter turning: 128 values with mean 0, then zeros.
  private static func period(_ turning: UnsafeMutableBufferPointer<Float>) -> (regularity: Double, period: Double) {
    WindowCorrelation.withSums(UnsafePointer(turning.baseAddress!)) { sums in
      // The correlation by lag, normalised by the mean of the energies of both parts.
      var both = 2 * sums[0]
      for lag in 1...lags.upperBound {
        let (early, late) = (turning[lag - 1], turning[size - lag])
        both -= early * early + late * late
        sums[lag] /= 1e-9 + 0.5 * both
      }
      var best = lags.lowerBound
      for lag in lags where sums[lag] > sums[best] { best = lag }
      // The first lag that is similarly good and a local maximum.
      let first = lags.first { lag in
        sums[lag] >= multiple * sums[best] && (lag == lags.lowerBound || sums[lag] >= sums[lag - 1])
          && (lag == lags.upperBound || sums[lag] >= sums[lag + 1])
      }
      return (Double(sums[best]), Double(first ?? best) * cell)
    }
  }
}
