public import InertialRotations

/// A foot that walks along a square, counter-clockwise, and returns to its start.
///
/// The foot rests, and between stances moves ahead by a smooth step, pitched by its heel and lifted. At a corner the
/// foot rotates with the stride. The first two sides may go up stairs and the others down.
public struct StridesTrajectory: Trajectory, Equatable {
  /// The number of strides per side; at least 1.
  public var side: Int
  /// The length of a stride, in m.
  public var length: Double
  /// The rise of a stride on the first two sides, and the fall on the others, in m.
  public var rise: Double
  /// The time of the foot in the air, in s; more than 0.
  public var swing: Double
  /// The time of the foot on the ground between swings, in s; 0 or more.
  public var stance: Double
  /// The duration of the rest at the start, in s.
  public var rest: Double
  /// The amplitude of the foot's pitch in a swing, in radians.
  public var pitch: Double
  /// The height by which a swing lifts the foot, in m.
  public var lift: Double
  /// The mounting: a unit quaternion, device to foot, with x ahead and z up.
  public var mounting: Quaternion

  /// Creates strides of a foot: their number per side, m, m, s, s, s, radians, m.
  public init(
    side: Int = 15, length: Double = 1.3, rise: Double = 0, swing: Double = 0.5, stance: Double = 0.4, rest: Double = 2,
    pitch: Double = 0.7, lift: Double = 0.1, mounting: Quaternion = .identity
  ) {
    precondition(side > 0 && swing > 0 && stance >= 0, "a foot needs strides, and time for them")
    self.side = side
    self.length = length
    self.rise = rise
    self.swing = swing
    self.stance = stance
    self.rest = rest
    self.pitch = pitch
    self.lift = lift
    self.mounting = mounting
  }

  /// The number of strides.
  public var strideCount: Int { 4 * side }
  /// The end of the last stride's stance, in s.
  public var end: Double { rest + Double(strideCount) * (swing + stance) }

  public func state(at time: Double) -> KinematicState {
    let stride = min(max(0, ((time - rest) / (swing + stance)).rounded(.down)), Double(strideCount - 1))
    let start = rest + stride * (swing + stance)
    let fraction = Jet.smoothStep(start: start, duration: swing, at: time)
    let air = fraction * fraction * (.constant(1) - fraction) * (.constant(1) - fraction)

    let index = Int(stride)
    let corner = index % side == 0 && index > 0 ? 1.0 : 0
    let quarter = Double.pi / 2
    var chain = RotationChain()
    chain.rotate(yaw: quarter * (.constant(Double(index / side) - corner) + corner * fraction))
    chain.rotate(roll: 16 * pitch * air)
    chain.rotate(by: mounting)

    let (from, to) = (position(index), position(index + 1))
    func along(_ from: Double, _ to: Double) -> Jet { .constant(from) + (to - from) * fraction }
    return KinematicState(
      chain, along(from.x, to.x), along(from.y, to.y), along(from.z, to.z) + 16 * lift * air,
      isMoving: time > start && time < start + swing)
  }

  /// Returns the position of the foot after a number of strides, in m.
  private func position(_ count: Int) -> (x: Double, y: Double, z: Double) {
    func done(_ number: Int) -> Double { Double(min(max(0, count - number * side), side)) }
    return (length * (done(0) - done(2)), length * (done(1) - done(3)), rise * (done(0) + done(1) - done(2) - done(3)))
  }
}
