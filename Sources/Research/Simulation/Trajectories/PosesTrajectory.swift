internal import InertialNumerics
internal import InertialRotations

/// A device that is laid down in one attitude after another and turned by hand between: what a calibration asks for.
///
/// The first six attitudes have each axis up and down, the others are random. In each it lies still.
public struct PosesTrajectory: Trajectory {
  /// Seconds in each attitude, and between two.
  public let restDuration: Double
  /// Seconds between two attitudes.
  public let turnDuration: Double
  private let attitudes: [Quaternion]
  /// From each attitude to the next, in the device's axes: two turns, one after the other, as hands make them.
  private let turns: [(axis: Vector3, angle: Double)]

  /// - Parameters:
  ///   - count: of attitudes; 1 or more.
  ///   - restDuration: seconds in each, more than 0.
  ///   - turnDuration: seconds between two, more than 0.
  ///   - seed: the same seed gives the same motion.
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

  /// Until the end of the last rest.
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
