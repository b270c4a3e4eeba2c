internal import Foundation
internal import LinearAlgebra

/// How the device has turned in the last 5.12 s.
package struct RotationMeasure: Sendable, Hashable, Codable {
  /// Root mean square of the rotation rate, without what is slower than 0.3 Hz, rad/s.
  package var strength: Double
  /// The part of it about one axis of the device, 1/3 to 1.
  package var planarity = 1.0 / 3
  /// Correlation of the turning about that axis with itself a period before, −1 to 1.
  package var regularity = 0.0
  /// Seconds of that period; nil where hardly anything turns.
  package var period: Double?
}

/// The rotation rate in cells of 40 ms, and what its last 5.12 s look like.
struct RotationWindow: Sendable, Hashable, Codable {
  private static let size = 128
  private static let cell = 0.04
  /// Cells: to and fro in 0.56 to 2.08 s.
  private static let lags = 14...52
  /// rad/s: less has no period that is worth looking for.
  private static let leastStrength = 0.2
  /// Of the best correlation: a shorter period that has as much is the period, the best one a multiple of it.
  private static let multiple = 0.9
  /// Of a first-order high-pass of 0.3 Hz, from cell to cell.
  private static let memory = exp(-2 * Double.pi * 0.3 * Self.cell)

  private var sum = Vector3.zero
  private var count = 0.0
  /// When the cell that is filled ends; before the first sample before all times.
  private var end = -Double.greatestFiniteMagnitude
  private var last: Vector3?
  private var level = Vector3.zero
  /// Without what is slow, rad/s; the newest last. Those before the last `size` are left until there are as many.
  private var cells: [Vector3] = []

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
      let mean = sum / count
      // Cells without a sample are like the one before.
      let passed = Int(min((time - end) / Self.cell, 1e6)) + 1
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
    if cells.count == 2 * Self.size { cells.removeFirst(Self.size) }
    cells.append(level)
  }

  /// nil before there are so many samples.
  func measure() -> RotationMeasure? {
    guard cells.count >= Self.size else { return nil }
    let cells = cells.suffix(Self.size)
    let mean = cells.reduce(Vector3.zero, +) / Double(Self.size)
    var (xx, yy, zz, xy, xz, yz) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for cell in cells {
      let d = cell - mean
      xx += d.x * d.x
      yy += d.y * d.y
      zz += d.z * d.z
      xy += d.x * d.y
      xz += d.x * d.z
      yz += d.y * d.z
    }
    let total = xx + yy + zz
    var result = RotationMeasure(strength: (total / Double(Self.size)).squareRoot())
    guard result.strength > Self.leastStrength, total.isFinite else { return result }
    // The power method: the axis about which most of the turning is.
    var axis =
      Vector3(xx >= max(yy, zz) ? 1 : 0, yy > max(xx, zz) ? 1 : 0, zz > max(xx, yy) ? 1 : 0) + Vector3(0.1, 0.2, 0.3)
    var most = 0.0
    for _ in 0..<16 {
      let next = Vector3(
        xx * axis.x + xy * axis.y + xz * axis.z, xy * axis.x + yy * axis.y + yz * axis.z,
        xz * axis.x + yz * axis.y + zz * axis.z)
      most = next.norm / axis.norm
      axis = next / next.norm
    }
    result.planarity = most / total
    (result.regularity, result.period) = Self.period(cells.map { ($0 - mean).dot(axis) })
    return result
  }

  private static func period(_ turning: [Double]) -> (regularity: Double, period: Double) {
    let correlations = correlations(turning)
    let best = correlations.indices.max { correlations[$0] < correlations[$1] }!
    // The first that is as good and better than those beside.
    let first = correlations.indices.first { index in
      correlations[index] >= multiple * correlations[best]
        && correlations[index] >= (index > 0 ? correlations[index - 1] : -1)
        && correlations[index] >= (index + 1 < correlations.count ? correlations[index + 1] : -1)
    }
    return (correlations[best], Double(lags.lowerBound + (first ?? best)) * cell)
  }

  /// With itself a lag before, over the mean of both parts' energies; two lags and eight values at a time, as this is much
  /// of the work.
  private static func correlations(_ turning: [Double]) -> [Double] {
    var energies = [0.0]
    energies.reserveCapacity(turning.count + 1)
    for value in turning { energies.append(energies.last! + value * value) }
    let (count, all) = (turning.count, energies.last!)
    var products: [Double] = []
    products.reserveCapacity(lags.count + 1)
    turning.withUnsafeBytes { bytes in
      for lag in stride(from: lags.lowerBound, through: lags.upperBound, by: 2) {
        let (own, next) = Self.products(UnsafeRawBufferPointer(bytes), count: count, lag)
        products.append(own)
        products.append(next)
      }
    }
    return lags.indices.map { index in
      let lag = lags[index]
      return products[lag - lags.lowerBound] / (1e-9 + 0.5 * (all - energies[lag] + energies[count - lag]))
    }
  }

  /// The sums of the values' products with those a lag before, and with those one more before.
  @inline(__always)
  private static func products(_ bytes: UnsafeRawBufferPointer, count: Int, _ lag: Int) -> (Double, Double) {
    typealias Lanes = SIMD8<Double>
    let size = MemoryLayout<Double>.size
    func values(_ index: Int) -> Lanes { bytes.loadUnaligned(fromByteOffset: size * index, as: Lanes.self) }
    func rest(_ sum: Lanes, _ lag: Int, from index: Int) -> Double {
      var product = sum.sum()
      for index in index..<count {
        product +=
          bytes.load(fromByteOffset: size * index, as: Double.self)
          * bytes.load(fromByteOffset: size * (index - lag), as: Double.self)
      }
      return product
    }
    var (own, next, earlier) = (Lanes.zero, Lanes.zero, 0)
    while earlier + lag + 1 + 8 <= count {
      let before = values(earlier)
      own += values(earlier + lag) * before
      next += values(earlier + lag + 1) * before
      earlier += 8
    }
    let rests = (own: earlier + lag, next: earlier + lag + 1)
    // The shorter lag may have eight more.
    guard rests.own + 8 <= count else {
      return (rest(own, lag, from: rests.own), rest(next, lag + 1, from: rests.next))
    }
    own += values(rests.own) * values(earlier)
    return (rest(own, lag, from: rests.own + 8), rest(next, lag + 1, from: rests.next))
  }
}
