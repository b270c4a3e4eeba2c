internal import InertialNumerics

/// The last 2.56 s of user acceleration and gravity, and a test whether the device is moved by the ground reaction
/// force of gait.
///
/// A hand pulls as hard as it pushes, but the ground only pushes. With both feet in the air a body falls with 1 g,
/// never faster, and the steps that support it for the rest of the time push with 2 g and more. Therefore gait is
/// more vertical than horizontal, its dips end at free fall, and its peaks are higher than its dips are deep.
struct GaitForce: Sendable, Codable {
  /// The number of cells: 2.56 s, four steps of a slow run.
  static let capacity = 64
  /// The duration of the cells, in seconds.
  static let length = Double(capacity) * MotionBins.period

  /// The cosine of 45°: more parallel than perpendicular to gravity.
  private static let verticalCosine = 0.5.squareRoot()
  /// The maximum depth of a dip, in g: free fall, plus a third for the additional motion of a pocket or an arm.
  private static let deepestDip = 1.35
  /// The number of lowest cells, of 64, that are ignored as blows.
  private static let dipRank = 3
  /// The minimum third standardised moment. A sine has 0; half sines between which a runner is in the air for half of
  /// the time have 0.66.
  private static let minimumSkewness = 0.3
  /// The minimum ratio of the variances of the two halves, which shows that the motion has lasted for the whole
  /// window.
  private static let evenness = 0.25

  /// The accelerations, in g, device axes. Gravity is zero if it is unknown.
  private var user: [Vector3] = []
  private var gravity: [Vector3] = []
  /// The index of the oldest cell in the full ring buffer.
  private var oldest = 0

  mutating func append(_ cell: MotionBin) {
    guard user.count == Self.capacity else {
      user.append(cell.acceleration)
      gravity.append(cell.gravity)
      return
    }
    user[oldest] = cell.acceleration
    gravity[oldest] = cell.gravity
    oldest = (oldest + 1) % Self.capacity
  }

  mutating func removeAll() {
    user.removeAll(keepingCapacity: true)
    gravity.removeAll(keepingCapacity: true)
    oldest = 0
  }

  /// Whether the complete window shows gait; `false` if gravity is unknown or the window is not full.
  var holds: Bool {
    guard user.count == Self.capacity, let up = upward(), isVertical else { return false }
    // The lowest first. Positive values are upwards, the direction in which a step pushes.
    guard up.sorted()[Self.dipRank] > -Self.deepestDip else { return false }
    let all = moments(up[...])
    guard all.third > Self.minimumSkewness * all.second * all.second.squareRoot() else { return false }
    let inOrder = up[oldest...] + up[..<oldest]
    let (early, late) = (moments(inOrder.prefix(Self.capacity / 2)), moments(inOrder.suffix(Self.capacity / 2)))
    return min(early.second, late.second) > Self.evenness * max(early.second, late.second)
  }

  /// Returns the upward acceleration in g, in the order of storage, or `nil` if gravity is unknown.
  private func upward() -> [Double]? {
    var up = [Double](repeating: 0, count: Self.capacity)
    for index in up.indices {
      let norm = gravity[index].norm
      guard norm > 0 else { return nil }
      // Core Motion's user acceleration is opposite to the acceleration, and gravity points down.
      up[index] = user[index].dot(gravity[index]) / norm
    }
    return up
  }

  /// Whether most of the motion is parallel to gravity.
  private var isVertical: Bool {
    let mean = user.reduce(Vector3.zero, +) / Double(Self.capacity)
    var (xx, xy, xz, yy, yz, zz) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for value in user {
      let d = value - mean
      (xx, xy, xz) = (xx + d.x * d.x, xy + d.x * d.y, xz + d.x * d.z)
      (yy, yz, zz) = (yy + d.y * d.y, yz + d.y * d.z, zz + d.z * d.z)
    }
    let axis = DominantAxis(xx: xx, xy: xy, xz: xz, yy: yy, yz: yz, zz: zz)
    let down = gravity.reduce(Vector3.zero, +)
    return abs(axis.direction.dot(down)) > Self.verticalCosine * down.norm
  }

  /// Returns the second and the third central moment.
  private func moments(_ values: ArraySlice<Double>) -> (second: Double, third: Double) {
    let n = Double(values.count)
    let mean = values.reduce(0, +) / n
    var (second, third) = (0.0, 0.0)
    for value in values {
      let d = value - mean
      second += d * d
      third += d * d * d
    }
    return (second / n, third / n)
  }
}
