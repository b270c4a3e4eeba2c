internal import LinearAlgebra
internal import Sensors
internal import Signals

/// One fiftieth of a second of motion: the acceleration downwards and across, and gravity's direction.
///
/// Eight numbers in one vector, so that a window's sums run over all of them at once.
struct ActivityCell: Sendable, Hashable, Codable {
  /// Acceleration downwards; user acceleration across gravity on the device's axes; the norm of the acceleration with
  /// gravity; the direction of gravity. g, g, g, g, g, 1, 1, 1.
  var values: SIMD8<Float>

  /// - Parameters: mean acceleration without and with gravity, g, device axes, Core Motion's sign.
  init(user: Vector3, total: Vector3) {
    let gravity = total - user
    let down = gravity / max(gravity.norm, 1e-3)
    let along = user.dot(down)
    let across = user - along * down
    // Core Motion's user acceleration is the negative of the device's own, so this is the acceleration downwards.
    values = SIMD8(
      Float(-along), Float(across.x), Float(across.y), Float(across.z), Float(total.norm), Float(down.x),
      Float(down.y), Float(down.z))
  }

  init(_ values: SIMD8<Float>) { self.values = values }
}

/// Turns samples at any rate into cells of 20 ms: means of the samples that fall into one, straight lines over cells
/// without a sample.
struct ActivityCells: Sendable, Hashable, Codable {
  static let period = 0.02

  /// Time of the first cell's beginning.
  private(set) var origin = 0.0
  /// The cell that is filled, counted from `origin`; nil before the first sample.
  private var index: Int?
  private var user = Vector3.zero
  private var total = Vector3.zero
  private var count = 0.0
  private var last: ActivityCell?
  private var lastIndex = 0

  /// Takes a sample; cells that it completes are handed on in order.
  mutating func append(time: Double, user: Vector3, total: Vector3, _ consume: (ActivityCell) -> Void) {
    guard let index else {
      origin = time
      self.index = 0
      (self.user, self.total, count) = (user, total, 1)
      return
    }
    let place = Int((time - origin) / Self.period)
    if place > index {
      complete(index, consume)
      self.index = place
      (self.user, self.total, count) = (user, total, 1)
    } else {
      self.user += user
      self.total += total
      count += 1
    }
  }

  private mutating func complete(_ index: Int, _ consume: (ActivityCell) -> Void) {
    let cell = ActivityCell(user: user / count, total: total / count)
    if let last, index > lastIndex + 1 {
      for missing in (lastIndex + 1)..<index {
        let share = Float(missing - lastIndex) / Float(index - lastIndex)
        consume(ActivityCell(last.values + share * (cell.values - last.values)))
      }
    }
    consume(cell)
    (last, lastIndex) = (cell, index)
  }
}
