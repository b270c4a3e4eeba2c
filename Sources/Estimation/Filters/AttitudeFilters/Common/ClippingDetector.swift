internal import InertialNumerics

/// A detector of the range of a gyroscope that is driven beyond it, from the rates alone: docs/theory/flagship.md,
/// section 3.5.
///
/// At its range, an axis stops abruptly: it rises steeply and then stays at one value while the other axes continue to
/// change. In contrast, a motion reaches its maximum rate smoothly, and a repeated sample repeats all axes.
struct ClippingDetector: Sendable, Codable, Equatable {
  /// The minimum rate that may be a range, in rad/s. The smallest range of existing sensors is 250 °/s.
  private static let minimumRange = 4.3
  /// The largest relative difference between held values, and the smallest relative step up to them. Some sensors are
  /// scaled after they were clipped, so held values differ.
  private static let heldFraction = 2e-3
  private static let stepFraction = 0.01
  /// The minimum number of samples at the range: the first and three that differ by less than the held fraction.
  private static let minimumCount = 4

  /// The known range, in rad/s, or `nil` if it is unknown.
  private var known: Double? {
    didSet { latestRange = known ?? latestRange }
  }
  /// The latest known range, in rad/s; finite, and 0 before any is known. Clipping was counted with this range, even if
  /// a higher rate has refuted it since.
  private(set) var latestRange: Double
  /// Whether the range was declared and therefore does not change.
  private let isDeclared: Bool
  private var last = Vector3.zero
  /// The number of samples for which each axis has held its value after a steep step; 0 without a step.
  private var counts = SIMD3<Int32>.zero

  /// - Parameter range: The range, in rad/s, or 0 if it is unknown.
  init(declaredRange range: Double) {
    isDeclared = range > 0
    known = range > 0 ? range : nil
    latestRange = max(range, 0)
  }

  /// The fraction of its range at which an axis counts as clipped.
  private static let fraction = 0.98

  /// The range, in rad/s; infinite if it is unknown.
  var range: Double { known ?? .infinity }
  /// The rate from which an axis counts as clipped, in rad/s.
  var limit: Double { Self.fraction * range }

  /// Updates the range with a measured rate, in rad/s.
  @inline(__always)
  mutating func add(_ rate: Vector3) {
    guard !isDeclared, rate.maximumMagnitude > Self.minimumRange || counts != .zero else {
      last = rate
      return
    }
    learn(rate)
  }

  private mutating func learn(_ rate: Vector3) {
    // A rate beyond the assumed range refutes it.
    if rate.maximumMagnitude > 1.02 * range { known = nil }
    let isRepeated = (0..<3).allSatisfy { isHeld(rate, $0) }
    for axis in 0..<3 {
      let (now, before) = (abs(rate[axis]), abs(last[axis]))
      if isHeld(rate, axis) {
        if counts[axis] > 0, !isRepeated { counts[axis] += 1 }
      } else {
        counts[axis] = now > Self.minimumRange && now - before > Self.stepFraction * now ? 1 : 0
      }
      if counts[axis] >= Self.minimumCount { known = min(range, now) }
    }
    last = rate
  }

  private func isHeld(_ rate: Vector3, _ axis: Int) -> Bool {
    abs(rate[axis] - last[axis]) <= Self.heldFraction * abs(rate[axis])
  }
}
