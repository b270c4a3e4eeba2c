/// A cell of 20 ms of motion: the vertical and the horizontal acceleration, and the direction of gravity.
///
/// The eight numbers are in one vector, so that a window sums all of them at once.
struct ActivityBin: Sendable, Hashable, Codable {
  typealias Lanes = SIMD4<Float>

  /// The downward acceleration (g), the user acceleration perpendicular to gravity in device axes (3 × g), the norm
  /// of the acceleration with gravity (g), and the direction of gravity (3 × 1).
  var values: SIMD8<Float>

  init(_ values: SIMD8<Float>) { self.values = values }

  /// Converts mean accelerations to cells in place, four at a time.
  ///
  /// - Parameters:
  ///   - places: The mean accelerations (`ActivityBins.Means`), which are replaced by the values of cells.
  ///   - count: The number of cells, a multiple of four.
  static func describe(_ places: UnsafeMutablePointer<ActivityBin>, count: Int) {
    for first in stride(from: 0, to: count, by: 4) {
      let four = places + first
      let (x, y, z, _) = lowColumns(four)
      let (tx, ty, tz, _) = highColumns(four)
      let (gx, gy, gz) = (tx - x, ty - y, tz - z)
      let gravity = (gx * gx + gy * gy + gz * gz).squareRoot()
      // In free fall, there is no downward direction.
      let fraction = 1 / (gravity + Lanes(repeating: 1e-6))
      let (dx, dy, dz) = (gx * fraction, gy * fraction, gz * fraction)
      let along = x * dx + y * dy + z * dz
      let norm = (tx * tx + ty * ty + tz * tz).squareRoot()
      // Core Motion's user acceleration is the negative of the device's own, so this is the downward acceleration.
      let low = transposed(-along, x - along * dx, y - along * dy, z - along * dz)
      let high = transposed(norm, dx, dy, dz)
      four[0].values = SIMD8(lowHalf: low.0, highHalf: high.0)
      four[1].values = SIMD8(lowHalf: low.1, highHalf: high.1)
      four[2].values = SIMD8(lowHalf: low.2, highHalf: high.2)
      four[3].values = SIMD8(lowHalf: low.3, highHalf: high.3)
    }
  }

  /// Returns the first four numbers of four cells, one vector per number.
  @inline(__always)
  static func lowColumns(_ four: UnsafePointer<ActivityBin>) -> (Lanes, Lanes, Lanes, Lanes) {
    transposed(four[0].values.lowHalf, four[1].values.lowHalf, four[2].values.lowHalf, four[3].values.lowHalf)
  }

  /// Returns the last four numbers of four cells, one vector per number.
  @inline(__always)
  static func highColumns(_ four: UnsafePointer<ActivityBin>) -> (Lanes, Lanes, Lanes, Lanes) {
    transposed(four[0].values.highHalf, four[1].values.highHalf, four[2].values.highHalf, four[3].values.highHalf)
  }

  /// Returns the transpose.
  @inline(__always)
  private static func transposed(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> (Lanes, Lanes, Lanes, Lanes) {
    (
      Lanes(a.x, b.x, c.x, d.x), Lanes(a.y, b.y, c.y, d.y), Lanes(a.z, b.z, c.z, d.z), Lanes(a.w, b.w, c.w, d.w)
    )
  }
}
