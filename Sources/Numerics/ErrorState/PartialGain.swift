/// The errors that a measurement corrects only in part: equation (14) of docs/theory/error-state.md.
///
/// After Brink, "Partial-update Schmidt-Kalman filter", J. Guidance, Control and Dynamics 40 (2017). A fraction of the
/// optimal gain is omitted for each of these errors, and the covariance is exact for the remaining gain.
public struct PartialGain: Sendable {
  /// An omitted part of the gain.
  struct Part: Sendable {
    var start = 0
    var count = 0
    var fraction = 0.0
    /// The unit vector along which the gain is omitted, or `nil` for all directions.
    var direction: Vector3?
  }

  /// Whether a smoother uses the optimal gain for all errors except that of a separate pass; otherwise, it
  /// uses the gain that remains. See `ErrorAdjoint.partialError`.
  public var isSmoothedAsOptimal = false
  private(set) var parts = InlineArray<6, Part>(repeating: Part())
  private(set) var count = 0

  /// Creates a gain without omitted parts.
  public init() {}

  /// Omits a fraction, 0 to 1, of the gain of consecutive errors. Parts do not overlap; there are at most six.
  public mutating func hold(_ indices: Range<Int>, by fraction: Double) {
    append(Part(start: indices.lowerBound, count: indices.count, fraction: fraction))
  }

  /// Omits a fraction, 0 to 1, of the gain of a block along a unit vector.
  public mutating func hold(_ block: ErrorLayout.Block, along direction: Vector3, by fraction: Double) {
    precondition(block.count == 3, "a direction in a block of \(block.count) components")
    append(Part(start: block.start, count: 3, fraction: fraction, direction: direction))
  }

  private mutating func append(_ part: Part) {
    guard part.fraction != 0 else { return }
    parts[count] = part
    count += 1
  }
}

extension PartialGain.Part {
  /// Sets the components of b to the omitted part of a.
  @inline(__always)
  func omit(_ a: UnsafePointer<Double>, into b: UnsafeMutablePointer<Double>) {
    guard let direction else {
      for index in start..<start + count { b[index] = fraction * a[index] }
      return
    }
    let along = a[start] * direction.x + a[start + 1] * direction.y + a[start + 2] * direction.z
    for axis in 0..<3 { b[start + axis] = fraction * along * direction[axis] }
  }
}
