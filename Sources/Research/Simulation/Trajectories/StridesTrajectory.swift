public import InertialRotations

/// A foot that walks along a square, counter-clockwise, and stands where it began.
///
/// It rests, and between stances moves a stride ahead by a smooth step, turned up and down by its heel and lifted. At a corner the
/// stride turns with it. The first two sides may go up stairs and the others down.
public struct StridesTrajectory: Trajectory, Equatable {
  /// Strides of a side; at least 1.
  public var side: Int
  /// Length of a stride, in m.
  public var length: Double
  /// What a stride of the first two sides rises and one of the others falls, in m.
  public var rise: Double
  /// For how long the foot is in the air, and on the ground between, in s; more than 0.
  public var swing: Double
  /// See `swing`; 0 or more.
  public var stance: Double
  /// For how long it stands at first, in s.
  public var rest: Double
  /// Amplitude of the foot's pitch in a swing, in radians.
  public var pitch: Double
  /// How far a swing lifts the foot, in m.
  public var lift: Double
  /// Unit quaternion, device to foot: x ahead, z up.
  public var mounting: Quaternion

  /// Strides of a foot: their number for a side, m, m, s, s, s, radians, m.
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

  /// How many strides it is.
  public var strideCount: Int { 4 * side }
  /// When the last stride's stance is over, in s.
  public var end: Double { rest + Double(strideCount) * (swing + stance) }

  public func state(at time: Double) -> KinematicState {
    let stride = min(max(0, ((time - rest) / (swing + stance)).rounded(.down)), Double(strideCount - 1))
    let start = rest + stride * (swing + stance)
    let share = Jet.smoothStep(start: start, duration: swing, at: time)
    let air = share * share * (.constant(1) - share) * (.constant(1) - share)

    let index = Int(stride)
    let corner = index % side == 0 && index > 0 ? 1.0 : 0
    let quarter = Double.pi / 2
    var chain = RotationChain()
    chain.rotate(yaw: quarter * (.constant(Double(index / side) - corner) + corner * share))
    chain.rotate(roll: 16 * pitch * air)
    chain.rotate(by: mounting)

    let (from, to) = (place(index), place(index + 1))
    func along(_ from: Double, _ to: Double) -> Jet { .constant(from) + (to - from) * share }
    return KinematicState(
      chain, along(from.x, to.x), along(from.y, to.y), along(from.z, to.z) + 16 * lift * air,
      isMoving: time > start && time < start + swing)
  }

  /// Where the foot stands after so many strides, m.
  private func place(_ count: Int) -> (x: Double, y: Double, z: Double) {
    func done(_ number: Int) -> Double { Double(min(max(0, count - number * side), side)) }
    return (length * (done(0) - done(2)), length * (done(1) - done(3)), rise * (done(0) + done(1) - done(2) - done(3)))
  }
}
