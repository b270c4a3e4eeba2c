internal import InertialNumerics
internal import InertialRotations

/// A smooth random motion between two rests: uniform cubic B-splines through random control points, for the position
/// and, cumulatively, on the rotation group. Angular rate and acceleration are continuous.
///
/// With control rotations C and their steps d_j = log(C_{j−1}⁻¹ C_j), in each knot interval
/// q(u) = C_{i−1} exp(B̃₁(u) d_i) exp(B̃₂(u) d_{i+1}) exp(B̃₃(u) d_{i+2}): Kim, Kim and Shin, "A general
/// construction scheme for unit quaternion curves with simple high order derivatives", 1995.
public struct RandomSplineTrajectory: Trajectory {
  /// The time between control points, in seconds.
  public let knotInterval: Double
  private let rotations: [Quaternion]
  private let positions: [Vector3]
  /// The rotation vector from each control rotation to the next.
  private let turns: [Vector3]

  /// Creates a trajectory through seeded knots.
  ///
  /// - Parameters:
  ///   - duration: The time at which the motion ends, in seconds; the device rests afterwards.
  ///   - restDuration: The duration of the rest at the start, in seconds; rounded up to whole knot intervals.
  ///   - knotInterval: The time between control points, in seconds, more than 0. Smaller intervals make a faster
  ///     motion.
  ///   - rotationStep: The standard deviation per axis of the rotation between control points, in radians.
  ///   - positionSpread: The standard deviation per axis of the control positions, in m.
  ///   - seed: The seed; the same seed gives the same motion.
  public init(
    duration: Double, restDuration: Double = 3, knotInterval: Double = 0.5, rotationStep: Double = 0.6,
    positionSpread: Double = 0.15, seed: UInt64
  ) {
    precondition(knotInterval > 0, "a knot interval of \(knotInterval) s")
    var generator = SeededGenerator(seed: seed)
    func random(_ deviation: Double) -> Vector3 {
      deviation * Vector3(generator.normal(), generator.normal(), generator.normal())
    }
    // The control point i has an effect from two knots before its own to two after it.
    let restKnots = max(Int((restDuration / knotInterval).rounded(.up)), 0) + 2
    let movingKnots = max(Int((duration / knotInterval).rounded(.down)) - restKnots - 1, 0)
    var rotations = [Quaternion](repeating: .identity, count: restKnots)
    var positions = [Vector3](repeating: .zero, count: restKnots)
    var turns = [Vector3](repeating: .zero, count: restKnots - 1)
    for _ in 0..<movingKnots {
      let turn = random(rotationStep)
      let next = rotations[rotations.count - 1] * Quaternion(rotationVector: turn)
      turns.append(turn)
      rotations.append(next.normalized ?? .identity)
      positions.append(random(positionSpread))
    }
    self.knotInterval = knotInterval
    self.rotations = rotations
    self.positions = positions
    self.turns = turns
  }

  public func state(at time: Double) -> KinematicState {
    // Beyond the control points, the device rests; the bounds also prevent an overflow of Int.
    let knot = min(max((time / knotInterval).rounded(.down), -4), Double(rotations.count) + 4)
    let u = time / knotInterval - knot
    let first = Int(knot) - 1
    let weights = cumulativeWeights(min(max(u, 0), 1))

    var chain = RotationChain(from: control(rotations, first))
    var position = control(positions, first)
    var (velocity, acceleration) = (Vector3.zero, Vector3.zero)
    var isMoving = false
    for (j, weight) in weights.enumerated() {
      // Beyond the control points, nothing rotates.
      let turn = turns.indices.contains(first + j) ? turns[first + j] : .zero
      if let axis = turn.normalized { chain.rotate(about: axis, by: turn.norm * weight) }
      let step = control(positions, first + j + 1) - control(positions, first + j)
      position += weight.value * step
      velocity += weight.first * step
      acceleration += weight.second * step
      isMoving = isMoving || turn != .zero || step != .zero
    }
    return KinematicState(
      attitude: chain.attitude, angularRate: chain.angularRate, position: position, velocity: velocity,
      acceleration: acceleration, isMoving: isMoving)
  }

  /// Returns the cumulative cubic basis functions B̃₁, B̃₂, B̃₃ at u in 0...1, with derivatives by time.
  private func cumulativeWeights(_ u: Double) -> [Jet] {
    let (h, h2) = (knotInterval, knotInterval * knotInterval)
    let (a, b) = ((1 - u) * (1 - u), u * u)
    return [
      Jet(value: 1 - (1 - u) * a / 6, first: a / (2 * h), second: -(1 - u) / h2),
      Jet(
        value: (1 + 3 * u + 3 * b - 2 * u * b) / 6, first: (1 + 2 * u - 2 * b) / (2 * h),
        second: (1 - 2 * u) / h2),
      Jet(value: u * b / 6, first: b / (2 * h), second: u / h2),
    ]
  }

  private func control<Value>(_ values: [Value], _ index: Int) -> Value {
    values[min(max(index, 0), values.count - 1)]
  }
}
