public import InertialNumerics
package import InertialRotations

/// One direction in two frames: as measured by the device and in the earth frame.
///
/// The attitude maps one to the other: earth = R(q) device. Only directions matter, so a pair may be in g, µT or any
/// other unit, of any magnitude down to the smallest `Double`.
public struct VectorPair: Sendable, Equatable, Codable {
  /// The vector in device axes.
  public var device: Vector3

  /// The same vector in earth axes.
  public var earth: Vector3

  /// The weight of the pair, any positive number.
  ///
  /// Only ratios matter for the attitude. For the covariance, the weight is 1/σ², with σ the standard deviation, in
  /// radians, of the direction about either axis perpendicular to it.
  public var weight: Double

  /// Creates a pair, by default with weight 1.
  public init(device: Vector3, earth: Vector3, weight: Double = 1) {
    self.device = device
    self.earth = earth
    self.weight = weight
  }

  /// Returns the pair with both vectors normalised.
  func normalized(index: Int) throws(OneShotError) -> VectorPair {
    guard let device = device.direction, let earth = earth.direction else { throw .noDirection(pair: index) }
    return VectorPair(device: device, earth: earth, weight: weight)
  }

  /// Returns the pairs of an accelerometer and a magnetometer, up and field, in the NWU earth frame.
  ///
  /// Up is the negative acceleration, and Z in the earth frame. The field points along (cos dip, 0, −sin dip).
  ///
  /// - Parameters:
  ///   - acceleration: The acceleration, in g, with Core Motion's sign: (0, 0, −1) at rest face up.
  ///   - field: The magnetic field, in µT, in device axes.
  ///   - dip: The angle of the field below the horizontal, in radians, −π/2 to π/2, negative in the south. If it is
  ///     `nil`, it is computed from the two vectors: they then fit exactly, and the field determines only the heading.
  ///   - accelerationWeight: The weight of the first pair.
  ///   - fieldWeight: The weight of the second pair.
  /// - Throws: `noDirection` with the index of the vector (0 acceleration, 1 field or dip) that has no direction.
  public static func gravityAndField(
    acceleration: Vector3, field: Vector3, dip: Double? = nil, accelerationWeight: Double = 1, fieldWeight: Double = 1
  ) throws(OneShotError) -> (up: VectorPair, field: VectorPair) {
    guard let up = (-acceleration).direction else { throw .noDirection(pair: 0) }
    guard let north = field.direction else { throw .noDirection(pair: 1) }
    // The sine and cosine of the angle above the horizontal, u · m and |u × m|. The latter keeps its digits near ±90°.
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
  /// Returns Wahba's loss of an attitude, ½ Σ wᵢ |eᵢ − R dᵢ|², over the directions (Wahba 1965).
  ///
  /// It is summed pair by pair, so that a loss near zero keeps its digits.
  package func wahbaLoss(of attitude: Quaternion) throws(OneShotError) -> Double {
    var loss = 0.0
    for index in indices {
      let pair = try self[index].normalized(index: index)
      loss += pair.weight * (pair.earth - attitude.rotate(pair.device)).squaredNorm / 2
    }
    return loss
  }
}

/// The reasons why vector pairs do not determine an attitude.
public enum OneShotError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The method needs more pairs.
  case tooFewPairs(given: Int, needed: Int)
  /// The method does not accept as many pairs.
  case tooManyPairs(given: Int, taken: Int)
  /// A vector of the pair with this index (from 0) is zero, infinite or NaN.
  case noDirection(pair: Int)
  /// The weight of the pair with this index is not positive or not finite, or the sum of all weights is not finite.
  case invalidWeight(pair: Int)
  /// The directions leave a rotation undetermined: they are parallel, or contradict each other symmetrically.
  case undetermined
  /// The rate, the time step or the initial attitude of a step is not finite, or the attitude is zero.
  case invalidStep

  public var description: String {
    switch self {
    case .tooFewPairs(let given, let needed): "\(given) vector pairs are too few; use at least \(needed)"
    case .tooManyPairs(let given, let taken): "\(given) vector pairs are too many; use at most \(taken)"
    case .noDirection(let pair): "vector pair \(pair) has no direction: a vector is zero or not finite"
    case .invalidWeight(let pair): "the weight of vector pair \(pair) is not a positive finite number"
    case .undetermined: "the directions do not determine the attitude: they are parallel or contradict each other"
    case .invalidStep: "the rate, the time step or the previous attitude is not finite"
    }
  }
}
