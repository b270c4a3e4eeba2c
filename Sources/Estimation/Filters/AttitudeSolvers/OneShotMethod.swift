internal import InertialNumerics
public import InertialRotations

/// A method that finds an attitude from vector pairs of one moment, without memory.
///
/// The quaternion maps device to earth, earth = R(q) device. It has norm 1; its sign is free. Input that does not
/// determine an attitude is an error, so no result is ever other than a finite unit quaternion.
public protocol OneShotMethod: Sendable {
  /// The word that scripts and the command find it by.
  static var name: String { get }
  /// What it is, in a sentence.
  static var summary: String { get }
  /// Where its mathematics is from.
  static var source: String { get }
  /// The fewest pairs it takes.
  static var minimumPairs: Int { get }
  /// The most pairs it takes; nil for any number.
  static var maximumPairs: Int? { get }
  /// Whether the result has the least Wahba loss of all attitudes. Where it has not, weights do not count.
  static var isOptimal: Bool { get }

  /// The attitude from vector pairs.
  static func attitude(_ pairs: [VectorPair]) throws(OneShotError) -> Quaternion

  /// The attitude from two vector pairs, the same as from an array of the two, which it does not need.
  static func attitude(_ first: VectorPair, _ second: VectorPair) throws(OneShotError) -> Quaternion
}

extension OneShotMethod {
  public static func attitude(_ first: VectorPair, _ second: VectorPair) throws(OneShotError) -> Quaternion {
    try attitude([first, second])
  }

  /// The attitude of a device at rest, NWU: from gravity and the field. A method of one pair takes gravity alone.
  ///
  /// - Parameters:
  ///   - acceleration: g, Core Motion's sign: (0, 0, −1) at rest face up. Only its direction counts.
  ///   - field: µT, device axes. Only its direction counts.
  ///   - dip: the field's angle below the horizontal, radians; nil takes it from the sample itself. It matters to
  ///     the optimal methods alone: a wrong one tilts the attitude. Without it all methods of two pairs are equal.
  ///   - accelerationWeight: weight of gravity for the optimal methods.
  ///   - fieldWeight: weight of the field for the optimal methods.
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

  /// Throws where there are too few or too many pairs.
  static func check(count: Int) throws(OneShotError) {
    guard count >= minimumPairs else { throw .tooFewPairs(given: count, needed: minimumPairs) }
    if let maximumPairs, count > maximumPairs { throw .tooManyPairs(given: count, taken: maximumPairs) }
  }
}

/// A method for any number of pairs that minimises Wahba's loss.
public protocol WahbaMethod: OneShotMethod {
  /// The attitude of least loss.
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

/// A method for two directions that takes the first as exact and from the second only the turn about the first.
///
/// Weights do not count, and the angle between the vectors may differ in the two frames. All such methods give the
/// same rotation; they differ in how they get there.
public protocol TwoVectorMethod: OneShotMethod {
  /// The attitude to the frame in which `up` is Z and `field` is in the half plane of X and Z with x > 0.
  ///
  /// - Parameters:
  ///   - up: the first direction in device axes, of norm 1.
  ///   - field: the second direction in device axes, of norm 1.
  /// - Throws: `undetermined` for parallel directions.
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
    // Gravity and field: the earth frame is the level frame as it is.
    if first.earth == .unitZ, second.earth.y == 0, second.earth.x > Triad.leastSine { return level }
    let earth = try Triad(first.earth, second.earth)
    let q = Quaternion(matrix: earth.levelAxes) * level
    return q.normalized ?? q
  }
}

extension VectorPair {
  /// Throws where the weight is not positive and finite: the same in methods that do not use it.
  func checkWeight(index: Int) throws(OneShotError) {
    guard weight > 0, weight.isFinite else { throw .invalidWeight(pair: index) }
  }
}
