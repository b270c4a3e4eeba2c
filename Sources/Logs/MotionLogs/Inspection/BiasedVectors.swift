internal import InertialNumerics
internal import InertialRotations

/// A vector that `GravityRotationTest` computes for one reading of the rates with four biases at once: none, and one
/// about each axis.
///
/// A test of scales processes a recording about twenty times. SIMD lanes evaluate the four biases together.
struct BiasedVectors {
  private typealias Lanes = SIMD4<Double>

  private var x = Lanes.zero
  private var y = Lanes.zero
  private var z = Lanes.zero

  /// The vector without a bias.
  var start: Vector3 { self[0] }
  /// Returns the vector with the bias about an axis, 0 to 2.
  func shifted(_ axis: Int) -> Vector3 { self[axis + 1] }

  private subscript(lane: Int) -> Vector3 { Vector3(x[lane], y[lane], z[lane]) }

  /// Returns the differences between the mean accelerations of consecutive blocks, in the frame at the start of the
  /// later block.
  ///
  /// - Parameters:
  ///   - weights: The weights of a block's steps in its mean.
  ///   - factor: The factor applied to the rates.
  ///   - bias: The bias to subtract from the rate about each axis separately, in rad/s.
  static func differences(
    _ stretch: [DownsampledMotion.Step], _ weights: [Double], factor: Double, bias: Double
  ) -> [BiasedVectors] {
    let blocks = (0..<stretch.count / weights.count).map { index in
      block(stretch[index * weights.count..<(index + 1) * weights.count], weights, factor, bias)
    }
    return zip(blocks, blocks.dropFirst()).map { earlier, later in
      let start = (x: -earlier.turn.x, y: -earlier.turn.y, z: -earlier.turn.z, w: earlier.turn.w)
      let back = turn(earlier.mean, by: start)
      return BiasedVectors(x: later.mean.x - back.x, y: later.mean.y - back.y, z: later.mean.z - back.z)
    }
  }

  /// The quaternions of rotations.
  private typealias Turn = (x: Lanes, y: Lanes, z: Lanes, w: Lanes)
  private static let identity: Turn = (.zero, .zero, .zero, Lanes(repeating: 1))

  /// Returns the mean acceleration in the frame at the start, and the rotation from start to end.
  private static func block(
    _ steps: ArraySlice<DownsampledMotion.Step>, _ weights: [Double], _ factor: Double, _ bias: Double
  ) -> (mean: BiasedVectors, turn: Turn) {
    let biases = (x: Lanes(0, bias, 0, 0), y: Lanes(0, 0, bias, 0), z: Lanes(0, 0, 0, bias))
    let half = 0.5 * DownsampledMotion.step * factor
    var mean = BiasedVectors()
    var attitude = identity
    for (step, weight) in zip(steps, weights) {
      let (x, y, z): (Lanes, Lanes, Lanes) = (
        half * (step.rate.x - biases.x), half * (step.rate.y - biases.y), half * (step.rate.z - biases.z)
      )
      let turned = turn(x, y, z)
      attitude = product(attitude, turned)
      let a = weight * step.acceleration
      let frame = turn(
        BiasedVectors(x: Lanes(repeating: a.x), y: Lanes(repeating: a.y), z: Lanes(repeating: a.z)), by: attitude)
      mean.x += frame.x
      mean.y += frame.y
      mean.z += frame.z
      attitude = product(attitude, turned)
    }
    return (mean, attitude)
  }

  /// Returns the rotations for the rotation vectors in the lanes. The series is exact to 1e-9.
  @inline(__always)
  private static func turn(_ x: Lanes, _ y: Lanes, _ z: Lanes) -> Turn {
    let quarter: Lanes = 0.25 * (x * x + y * y + z * z)
    guard quarter.max() < 0.04 else { return turnLaneByLane(x, y, z) }
    let sine: Lanes = 0.5 + quarter * (quarter * (1.0 / 240 - quarter * (1.0 / 10080)) - 1.0 / 12)
    let cosine: Lanes = 1 + quarter * (quarter * (1.0 / 24 - quarter * (1.0 / 720)) - 0.5)
    return (sine * x, sine * y, sine * z, cosine)
  }

  @inline(never)
  private static func turnLaneByLane(_ x: Lanes, _ y: Lanes, _ z: Lanes) -> Turn {
    var turns = identity
    for lane in 0..<Lanes.scalarCount {
      let turn = Quaternion(rotationVector: Vector3(x[lane], y[lane], z[lane]))
      (turns.x[lane], turns.y[lane], turns.z[lane], turns.w[lane]) = (turn.x, turn.y, turn.z, turn.w)
    }
    return turns
  }

  @inline(__always)
  private static func product(_ a: Turn, _ b: Turn) -> Turn {
    var (x, y, z, w): (Lanes, Lanes, Lanes, Lanes) = (a.w * b.x, a.w * b.y, a.w * b.z, a.w * b.w)
    x += a.x * b.w
    y -= a.x * b.z
    z += a.x * b.y
    w -= a.x * b.x
    x += a.y * b.z
    y += a.y * b.w
    z -= a.y * b.x
    w -= a.y * b.y
    x -= a.z * b.y
    y += a.z * b.x
    z += a.z * b.w
    w -= a.z * b.z
    return (x, y, z, w)
  }

  /// Rotates v: v + 2 q × (q × v + w v) for the vector part q.
  @inline(__always)
  private static func turn(_ v: BiasedVectors, by a: Turn) -> BiasedVectors {
    let x: Lanes = 2 * (a.y * v.z - a.z * v.y)
    let y: Lanes = 2 * (a.z * v.x - a.x * v.z)
    let z: Lanes = 2 * (a.x * v.y - a.y * v.x)
    var turned = BiasedVectors(x: v.x + a.w * x, y: v.y + a.w * y, z: v.z + a.w * z)
    turned.x += a.y * z - a.z * y
    turned.y += a.z * x - a.x * z
    turned.z += a.x * y - a.y * x
    return turned
  }
}
