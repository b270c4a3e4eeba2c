internal import InertialNumerics
public import InertialRotations

/// A method that finds an attitude from simultaneous vector pairs, without memory.
///
/// The quaternion maps device to earth, earth = R(q) device. It has norm 1; its sign is arbitrary. Input that does not
/// determine an attitude is an error, so every result is a finite unit quaternion.
public protocol OneShotMethod: Sendable {
  /// The method's name in scripts and commands.
  static var name: String { get }
  /// A description in one sentence.
  static var summary: String { get }
  /// The publication of the method's mathematics.
  static var source: String { get }
  /// The minimum number of pairs.
  static var minimumPairs: Int { get }
  /// The maximum number of pairs, or `nil` for any number.
  static var maximumPairs: Int? { get }
  /// Whether the result minimises Wahba's loss over all attitudes. If it does not, weights have no effect.
  static var isOptimal: Bool { get }

  /// Returns the attitude from vector pairs.
  static func attitude(_ pairs: [VectorPair]) throws(OneShotError) -> Quaternion

  /// Returns the attitude from two vector pairs, as from an array of both, without allocating the array.
  static func attitude(_ first: VectorPair, _ second: VectorPair) throws(OneShotError) -> Quaternion
}

extension OneShotMethod {
  public static func attitude(_ first: VectorPair, _ second: VectorPair) throws(OneShotError) -> Quaternion {
    try attitude([first, second])
  }

  /// Returns the attitude (NWU) of a device at rest, from gravity and the field. A method of one pair uses only
  /// gravity.
  ///
  /// - Parameters:
  ///   - acceleration: The acceleration, in g, with Core Motion's sign: (0, 0, −1) at rest face up. Only its direction
  ///     counts.
  ///   - field: The magnetic field, in µT, in device axes. Only its direction counts.
  ///   - dip: The field's angle below the horizontal, in radians, or `nil` to compute it from the sample. It affects
  ///     only the optimal methods: a wrong dip tilts the attitude. Without it, all methods of two pairs give the same
  ///     attitude.
  ///   - accelerationWeight: The weight of gravity for the optimal methods.
  ///   - fieldWeight: The weight of the field for the optimal methods.
  public static func attitude(
    acceleration: Vector3, field: Vector3, dip: Double? = nil, accelerationWeight: Double = 1, fieldWeight: Double = 1
  ) throws(OneShotError) -> Quaternion {
    if maximumPairs == 1 {
      return try attitude([VectorPair(device: -acceleration, earth: .unitZ, weight: accelerationWeight)])
    }
    let pairs = try VectorPair.gravityAndField(
      acceleration: acceleration, field: field, dip: dip, accelerationWeight: accelerationWeight,
      fieldWeight: fieldWeight)
    return try attitude(pairs.up, pairs.field)
  }

  /// Checks the number of pairs.
  ///
  /// - Throws: `tooFewPairs` or `tooManyPairs` if the method does not accept `count` pairs.
  static func check(count: Int) throws(OneShotError) {
    guard count >= minimumPairs else { throw .tooFewPairs(given: count, needed: minimumPairs) }
    if let maximumPairs, count > maximumPairs { throw .tooManyPairs(given: count, taken: maximumPairs) }
  }
}

/// A method for any number of pairs that minimises Wahba's loss.
public protocol WahbaMethod: OneShotMethod {
  /// Returns the attitude of minimum loss.
  static func attitude(of problem: WahbaProblem) throws(OneShotError) -> Quaternion
}

extension WahbaMethod {
  public static var minimumPairs: Int { 2 }
  public static var maximumPairs: Int? { nil }
  public static var isOptimal: Bool { true }

  public static func attitude(_ pairs: [VectorPair]) throws(OneShotError) -> Quaternion {
    try check(count: pairs.count)
    return try attitude(of: WahbaProblem(pairs))
  }

  public static func attitude(_ first: VectorPair, _ second: VectorPair) throws(OneShotError) -> Quaternion {
    try attitude(of: WahbaProblem(first, second))
  }
}

/// A method for two directions that treats the first as exact and uses only the rotation about it from the second.
///
/// Weights have no effect, and the angle between the vectors may differ in the two frames. All such methods give the
/// same rotation, by different computations.
public protocol TwoVectorMethod: OneShotMethod {
  /// Returns the attitude to the frame in which `up` is Z and `field` is in the half plane of X and Z with x > 0.
  ///
  /// - Parameters:
  ///   - up: The first direction in device axes, of norm 1.
  ///   - field: The second direction in device axes, of norm 1.
  /// - Throws: `undetermined` if the directions are parallel.
  static func levelFromDevice(up: Vector3, field: Vector3) throws(OneShotError) -> Quaternion
}

extension TwoVectorMethod {
  public static var minimumPairs: Int { 2 }
  public static var maximumPairs: Int? { 2 }
  public static var isOptimal: Bool { false }

  public static func attitude(_ pairs: [VectorPair]) throws(OneShotError) -> Quaternion {
    try check(count: pairs.count)
    return try attitude(pairs[0], pairs[1])
  }

  public static func attitude(_ first: VectorPair, _ second: VectorPair) throws(OneShotError) -> Quaternion {
    try first.checkWeight(index: 0)
    try second.checkWeight(index: 1)
    let (first, second) = (try first.normalized(index: 0), try second.normalized(index: 1))
    let level = try levelFromDevice(up: first.device, field: second.device)
    // Gravity and field: the earth frame equals the level frame.
    if first.earth == .unitZ, second.earth.y == 0, second.earth.x > Triad.minimumSine { return level }
    let earth = try Triad(first.earth, second.earth)
    let q = Quaternion(matrix: earth.levelAxes) * level
    return q.normalized ?? q
  }
}

extension VectorPair {
  /// Checks the weight, even for methods that do not use it.
  ///
  /// - Throws: `invalidWeight` if the weight is not positive and finite.
  func checkWeight(index: Int) throws(OneShotError) {
    guard weight > 0, weight.isFinite else { throw .invalidWeight(pair: index) }
  }
}
