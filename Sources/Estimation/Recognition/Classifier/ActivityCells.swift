internal import InertialNumerics

/// Turns samples at any rate into cells of 20 ms: means of the samples that fall into one, straight lines over cells
/// without a sample.
struct ActivityCells: Sendable, Hashable, Codable {
  static let period = 0.02
  /// Cells a second.
  private static let rate = 50.0
  /// Seconds: a stamp that is a rounding short of a cell's end belongs to the next.
  private static let rounding = 1e-6

  /// Accelerations of a cell: without gravity in the first three lanes, with it in the fifth to seventh; g, device axes.
  typealias Means = SIMD8<Float>

  /// Time of the first cell's beginning.
  private(set) var origin = 0.0
  /// When the cell that is filled ends; before the first sample that is before all times.
  private var end = -Double.greatestFiniteMagnitude
  /// Of the cell that is filled, counted from `origin`.
  private var index = 0
  private var user = Vector3.zero
  private var total = Vector3.zero
  private var count = 0.0
  private var last = Means.zero
  private var lastIndex = -1

  /// Takes a sample that completes no cell, and says whether it was one.
  @inline(__always)
  mutating func add(time: Double, user: Vector3, total: Vector3) -> Bool {
    guard time < end else { return false }
    self.user += user
    self.total += total
    count += 1
    return true
  }

  /// Takes a sample; cells that it completes are handed on in order.
  mutating func append(time: Double, user: Vector3, total: Vector3, _ consume: (Means) -> Void) {
    guard !add(time: time, user: user, total: total) else { return }
    if count == 0 {
      origin = time
    } else {
      complete(consume)
      index = max(index + 1, Int((time + Self.rounding - origin) * Self.rate))
    }
    end = origin + Double(index + 1) * Self.period - Self.rounding
    (self.user, self.total, count) = (user, total, 1)
  }

  private mutating func complete(_ consume: (Means) -> Void) {
    let share = 1 / count
    let (user, total) = (share * user, share * total)
    let means = Means(
      Float(user.x), Float(user.y), Float(user.z), 0, Float(total.x), Float(total.y), Float(total.z), 0)
    if lastIndex >= 0, index > lastIndex + 1 {
      for missing in (lastIndex + 1)..<index {
        consume(last + Float(missing - lastIndex) / Float(index - lastIndex) * (means - last))
      }
    }
    consume(means)
    (last, lastIndex) = (means, index)
  }
}
