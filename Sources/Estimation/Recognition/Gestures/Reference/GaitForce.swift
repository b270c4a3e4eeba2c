internal import InertialNumerics

/// The last 2.56 s of user acceleration and gravity, and whether it is the ground under somebody's feet that moves the
/// device.
///
/// A hand pulls as hard as it pushes. The ground only pushes: with both feet off it a body falls, by 1 g and no faster, and
/// a step that bears it for the rest of the time pushes with 2 g and more. So the motion of a gait goes up and down rather
/// than sideways, its dips end at free fall, and its peaks are higher than its dips are deep.
struct GaitForce: Sendable, Codable {
  /// Cells: 2.56 s, four steps of a slow run.
  static let capacity = 64
  /// Seconds of them.
  static let length = Double(capacity) * MotionCells.period

  /// Cosine of 45°: more along gravity than across it.
  private static let verticalCosine = 0.5.squareRoot()
  /// g: free fall, and a third for what a pocket or an arm adds to it.
  private static let deepestDip = 1.35
  /// Of 64 cells the three lowest are not looked at: blows.
  private static let dipRank = 3
  /// Third standardised moment. A sine has 0; half sines between which a runner is in the air for half of the time have 0.66.
  private static let leastSkewness = 0.3
  /// The motion has gone on all the time where neither half of it has less of the variance than this share of the other's.
  private static let evenness = 0.25

  /// g, device axes; gravity is zero where it is not known.
  private var user: [Vector3] = []
  private var gravity: [Vector3] = []
  /// Of the oldest cell, once there are as many as are kept.
  private var oldest = 0

  mutating func append(_ cell: MotionCell) {
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

  /// Whether the whole of the time shows a gait; false where gravity or the time before is not known.
  var holds: Bool {
    guard user.count == Self.capacity, let up = upward(), isVertical else { return false }
    // The lowest first. Positive is up: the way a step pushes.
    guard up.sorted()[Self.dipRank] > -Self.deepestDip else { return false }
    let all = moments(up[...])
    guard all.third > Self.leastSkewness * all.second * all.second.squareRoot() else { return false }
    let inOrder = up[oldest...] + up[..<oldest]
    let (early, late) = (moments(inOrder.prefix(Self.capacity / 2)), moments(inOrder.suffix(Self.capacity / 2)))
    return min(early.second, late.second) > Self.evenness * max(early.second, late.second)
  }

  /// The acceleration upwards in g, in the order of the cells' places; nil where gravity is not known.
  private func upward() -> [Double]? {
    var up = [Double](repeating: 0, count: Self.capacity)
    for index in up.indices {
      let norm = gravity[index].norm
      guard norm > 0 else { return nil }
      // Core Motion's user acceleration points against the acceleration, and gravity down.
      up[index] = user[index].dot(gravity[index]) / norm
    }
    return up
  }

  /// Whether most of the motion is along gravity.
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

  /// Second and third central moment.
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
