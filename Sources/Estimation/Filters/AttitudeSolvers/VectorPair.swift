public import InertialNumerics
package import InertialRotations

/// One direction known in two frames: as the device measures it and as it is in the earth frame.
///
/// The attitude sought maps one to the other: earth = R(q) device. Lengths do not matter, only directions; so a pair
/// may hold g, µT or anything else, of any size down to the smallest double.
public struct VectorPair: Sendable, Equatable, Codable {
  /// The vector in device axes.
  public var device: Vector3

  /// The same vector in earth axes.
  public var earth: Vector3

  /// How much the pair counts: any positive number.
  ///
  /// Only ratios matter for the attitude. For its covariance it is 1/σ², σ the standard deviation in radians of the
  /// direction about either axis perpendicular to it.
  public var weight: Double

  /// A pair; of weight 1 where none is given.
  public init(device: Vector3, earth: Vector3, weight: Double = 1) {
    self.device = device
    self.earth = earth
    self.weight = weight
  }

  /// The pair with both vectors of length 1.
  func normalized(index: Int) throws(OneShotError) -> VectorPair {
    guard let device = device.direction, let earth = earth.direction else { throw .noDirection(pair: index) }
    return VectorPair(device: device, earth: earth, weight: weight)
  }

  /// The pairs that an accelerometer and a magnetometer give, up and field, in the NWU earth frame.
  ///
  /// Up is minus the acceleration and Z in the earth frame. The field points along (cos dip, 0, −sin dip).
  ///
  /// - Parameters:
  ///   - acceleration: g, Core Motion's sign: (0, 0, −1) at rest face up.
  ///   - field: µT, device axes.
  ///   - dip: the angle of the field below the horizontal, radians, −π/2 to π/2, negative in the south. Nil takes it
  ///     from the two vectors themselves: then they fit exactly, and the field decides nothing but heading.
  ///   - accelerationWeight: weight of the first pair.
  ///   - fieldWeight: weight of the second.
  /// - Throws: `noDirection` with the number of the vector (0 acceleration, 1 field or dip) that has none.
  public static func gravityAndField(
    acceleration: Vector3, field: Vector3, dip: Double? = nil, accelerationWeight: Double = 1, fieldWeight: Double = 1
  ) throws(OneShotError) -> (up: VectorPair, field: VectorPair) {
    guard let up = (-acceleration).direction else { throw .noDirection(pair: 0) }
    guard let north = field.direction else { throw .noDirection(pair: 1) }
    // The sine and cosine of the angle above the horizontal: u · m and |u × m|, which keeps its digits near ±90°.
    let reference =
      if let dip { Vector3(dip: dip) } else { Vector3(up.cross(north).norm, 0, up.dot(north)) }
    guard reference.isFinite else { throw .noDirection(pair: 1) }
    return (
      VectorPair(device: up, earth: .unitZ, weight: accelerationWeight),
      VectorPair(device: north, earth: reference, weight: fieldWeight)
    )
  }
}

extension [VectorPair] {
  /// Wahba's loss of an attitude, ½ Σ wᵢ |eᵢ − R dᵢ|², of the directions (Wahba 1965).
  ///
  /// Summed pair by pair, so that a loss near zero keeps its digits.
  package func wahbaLoss(of attitude: Quaternion) throws(OneShotError) -> Double {
    var loss = 0.0
    for index in indices {
      let pair = try self[index].normalized(index: index)
      loss += pair.weight * (pair.earth - attitude.rotate(pair.device)).squaredNorm / 2
    }
    return loss
  }
}

/// Why vector pairs give no attitude.
public enum OneShotError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The method needs more pairs.
  case tooFewPairs(given: Int, needed: Int)
  /// The method does not take as many pairs.
  case tooManyPairs(given: Int, taken: Int)
  /// A vector of the pair of this number, counted from 0, is zero, infinite or NaN.
  case noDirection(pair: Int)
  /// The weight of the pair of this number is not positive, not finite, or not finite when all are summed.
  case invalidWeight(pair: Int)
  /// The directions leave a rotation open: they are parallel, or contradict each other in a symmetric way.
  case undetermined
  /// A rate, a time step or an attitude that a step starts from is not finite, or the attitude is zero.
  case invalidStep

  public var description: String {
    switch self {
    case .tooFewPairs(let given, let needed): "\(given) vector pairs are too few; it takes \(needed)"
    case .tooManyPairs(let given, let taken): "\(given) vector pairs are too many; it takes \(taken)"
    case .noDirection(let pair): "vector pair \(pair) has no direction: a vector is zero or not finite"
    case .invalidWeight(let pair): "the weight of vector pair \(pair) is not a positive finite number"
    case .undetermined: "the directions do not determine the attitude: they are parallel or contradict each other"
    case .invalidStep: "the rate, the time step or the attitude before is not finite"
    }
  }
}
