internal import InertialNumerics

/// Finds the range of a gyroscope that is driven beyond it, in the rates alone.
///
/// At its range an axis stops short: it rises steeply and then stays at one value while the others go on. A motion
/// comes to its greatest rate smoothly, and a sample that is only repeated repeats all axes.
struct ClippingDetector: Sendable, Codable, Equatable {
  /// Least rate that may be a range, rad/s: 250 °/s is the smallest that is built.
  private static let leastRange = 4.3
  /// How near each other held values are, and how much the value before is below them, as shares.
  private static let heldShare = 1e-5
  private static let stepShare = 0.01
  /// Samples that must be held.
  private static let leastCount = 3

  /// rad/s; nil where none is known.
  private var known: Double? {
    didSet { latestRange = known ?? latestRange }
  }
  /// The range that is known or was known last, rad/s; finite, and 0 before any is known. What was counted as clipped
  /// was counted by it, even if a higher rate has refuted it since.
  private(set) var latestRange: Double
  /// It was declared and does not change.
  private let isDeclared: Bool
  private var last = Vector3.zero
  /// Samples that each axis has held its value for after a steep step; 0 without one.
  private var counts = SIMD3<Int32>.zero

  /// - Parameter range: rad/s; 0 for unknown.
  init(declaredRange range: Double) {
    isDeclared = range > 0
    known = range > 0 ? range : nil
    latestRange = max(range, 0)
  }

  /// Of its range, where an axis counts as clipped.
  private static let share = 0.99

  /// The range, rad/s; infinite where none is known.
  var range: Double { known ?? .infinity }
  /// From this rate on an axis is clipped, rad/s.
  var limit: Double { Self.share * range }

  /// Learns from a measured rate, rad/s.
  @inline(__always)
  mutating func add(_ rate: Vector3) {
    guard !isDeclared, rate.maximumMagnitude > Self.leastRange || counts != .zero else {
      last = rate
      return
    }
    learn(rate)
  }

  private mutating func learn(_ rate: Vector3) {
    // A rate beyond what was taken for the range: it was none.
    if rate.maximumMagnitude > 1.02 * range { known = nil }
    let isRepeated = (0..<3).allSatisfy { isHeld(rate, $0) }
    for axis in 0..<3 {
      let (now, before) = (abs(rate[axis]), abs(last[axis]))
      if isHeld(rate, axis) {
        if counts[axis] > 0, !isRepeated { counts[axis] += 1 }
      } else {
        counts[axis] = now > Self.leastRange && now - before > Self.stepShare * now ? 1 : 0
      }
      if counts[axis] >= Self.leastCount { known = min(range, now) }
    }
    last = rate
  }

  private func isHeld(_ rate: Vector3, _ axis: Int) -> Bool {
    abs(rate[axis] - last[axis]) <= Self.heldShare * abs(rate[axis])
  }
}
