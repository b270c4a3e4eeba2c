internal import InertialNumerics
internal import InertialRotations

/// A device laid down in one attitude after another and rotated by hand in between, as required for a calibration.
///
/// The first six attitudes have each axis up and down, the others are random. The device rests in each.
public struct PosesTrajectory: Trajectory {
  /// The duration of each rest, in seconds.
  public let restDuration: Double
  /// The duration of the rotation between two attitudes, in seconds.
  public let turnDuration: Double
  private let attitudes: [Quaternion]
  /// The rotation from each attitude to the next, in the device's axes.
  private let turns: [(axis: Vector3, angle: Double)]

  /// Creates a trajectory through seeded poses.
  ///
  /// - Parameters:
  ///   - count: The number of attitudes, 1 or more.
  ///   - restDuration: The duration of each rest, in seconds, more than 0.
  ///   - turnDuration: The duration of each rotation, in seconds, more than 0.
  ///   - seed: The seed; the same seed gives the same motion.
  public init(count: Int = 24, restDuration: Double = 3, turnDuration: Double = 2, seed: UInt64) {
    precondition(count > 0 && restDuration > 0 && turnDuration > 0, "poses that take no time")
    (self.restDuration, self.turnDuration) = (restDuration, turnDuration)
    var generator = SeededGenerator(seed: seed)
    func random() -> Vector3 { Vector3(generator.normal(), generator.normal(), generator.normal()) }
    let faces: [Quaternion] = [
      .identity, Quaternion(angle: .pi, axis: .unitX), Quaternion(angle: .pi / 2, axis: .unitX),
      Quaternion(angle: -.pi / 2, axis: .unitX), Quaternion(angle: .pi / 2, axis: .unitY),
      Quaternion(angle: -.pi / 2, axis: .unitY),
    ]
    var attitudes: [Quaternion] = []
    for index in 0..<count {
      let heading = Quaternion(angle: 2 * .pi * generator.uniform(), axis: .unitZ)
      let vector = random()
      let face =
        index < faces.count
        ? faces[index]
        : Quaternion(angle: .pi * generator.uniform(), axis: vector.normalized ?? .unitX)
      attitudes.append(heading * face)
    }
    self.attitudes = attitudes
    turns = zip(attitudes, attitudes.dropFirst()).map { from, to in
      let vector = (from.conjugate * to).rotationVector
      return (vector.normalized ?? .unitX, vector.norm)
    }
  }

  /// The time from the start to the end of the last rest, in seconds.
  public var duration: Double { Double(attitudes.count) * (restDuration + turnDuration) - turnDuration }

  public func state(at time: Double) -> KinematicState {
    let period = restDuration + turnDuration
    let index = min(max(0, Int(max(-1, min(time / period, 1e9)).rounded(.down))), attitudes.count - 1)
    var chain = RotationChain(from: attitudes[index])
    guard index < turns.count else { return KinematicState(chain, isMoving: false) }
    let start = Double(index) * period + restDuration
    let turn = turns[index]
    let step = Jet.smoothStep(start: start, duration: turnDuration, at: time)
    chain.rotate(about: turn.axis, by: turn.angle * step)
    return KinematicState(chain, isMoving: step.first != 0)
  }
}
