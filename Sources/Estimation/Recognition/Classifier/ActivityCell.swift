/// One fiftieth of a second of motion: the acceleration downwards and across, and gravity's direction.
///
/// Eight numbers in one vector, so that a window's sums run over all of them at once.
struct ActivityCell: Sendable, Hashable, Codable {
  typealias Lanes = SIMD4<Float>

  /// Acceleration downwards; user acceleration across gravity on the device's axes; the norm of the acceleration with
  /// gravity; the direction of gravity. g, g, g, g, g, 1, 1, 1.
  var values: SIMD8<Float>

  init(_ values: SIMD8<Float>) { self.values = values }

  /// Makes cells of the accelerations that are in their places, four at a time side by side.
  ///
  /// - Parameters:
  ///   - places: mean accelerations (`ActivityCells.Means`); become what a cell holds.
  ///   - count: of the cells, a multiple of four.
  static func describe(_ places: UnsafeMutablePointer<ActivityCell>, count: Int) {
    for first in stride(from: 0, to: count, by: 4) {
      let four = places + first
      let (x, y, z, _) = lowColumns(four)
      let (tx, ty, tz, _) = highColumns(four)
      let (gx, gy, gz) = (tx - x, ty - y, tz - z)
      let gravity = (gx * gx + gy * gy + gz * gz).squareRoot()
      // A device that feels no gravity has no down.
      let share = 1 / (gravity + Lanes(repeating: 1e-6))
      let (dx, dy, dz) = (gx * share, gy * share, gz * share)
      let along = x * dx + y * dy + z * dz
      let norm = (tx * tx + ty * ty + tz * tz).squareRoot()
      // Core Motion's user acceleration is the negative of the device's own, so this is the acceleration downwards.
      let low = transposed(-along, x - along * dx, y - along * dy, z - along * dz)
      let high = transposed(norm, dx, dy, dz)
      four[0].values = SIMD8(lowHalf: low.0, highHalf: high.0)
      four[1].values = SIMD8(lowHalf: low.1, highHalf: high.1)
      four[2].values = SIMD8(lowHalf: low.2, highHalf: high.2)
      four[3].values = SIMD8(lowHalf: low.3, highHalf: high.3)
    }
  }

  /// The first four numbers of four cells, each number of all of them in one vector.
  @inline(__always)
  static func lowColumns(_ four: UnsafePointer<ActivityCell>) -> (Lanes, Lanes, Lanes, Lanes) {
    transposed(four[0].values.lowHalf, four[1].values.lowHalf, four[2].values.lowHalf, four[3].values.lowHalf)
  }

  /// The last four numbers of four cells.
  @inline(__always)
  static func highColumns(_ four: UnsafePointer<ActivityCell>) -> (Lanes, Lanes, Lanes, Lanes) {
    transposed(four[0].values.highHalf, four[1].values.highHalf, four[2].values.highHalf, four[3].values.highHalf)
  }

  /// Rows become columns.
  @inline(__always)
  private static func transposed(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> (Lanes, Lanes, Lanes, Lanes) {
    (
      Lanes(a.x, b.x, c.x, d.x), Lanes(a.y, b.y, c.y, d.y), Lanes(a.z, b.z, c.z, d.z), Lanes(a.w, b.w, c.w, d.w)
    )
  }
}
