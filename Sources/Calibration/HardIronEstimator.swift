public import LinearAlgebra
public import Sensors

/// The device's own magnetic field, learned while the device turns.
///
/// The earth's field has one strength in every attitude, so raw samples lie on a sphere about the device's own field c:
/// |m|² = 2 mᵀc + (B² − |c|²), linear in c and the last bracket (Alonso and Shuster, "Complete linear attitude-independent
/// magnetometer calibration", J. Astronaut. Sci. 50 (2002), centred approximation). Recursive least squares with
/// forgetting, over samples that differ from the last one used, so that standing still teaches nothing.
/// The covariance of c in its worst direction decides the accuracy level.
public struct HardIronEstimator: Sendable, Codable, Equatable {
  public struct Parameters: Sendable, Codable, Equatable {
    /// Least change of the field, µT, for a sample to be used.
    public var step = 2.0
    /// Standard deviation of a sample's distance from the sphere, µT: noise, soft iron, the room's field.
    public var noise = 2.0
    /// Number of used samples after which an old one counts 1/e.
    public var memory = 400.0
    /// Worst-direction standard deviation of the offset, µT, below which the accuracy is low, medium, high.
    public var lowSigma = 12.0
    public var mediumSigma = 3.0
    public var highSigma = 0.8
    /// Strengths that can be the earth's (22 to 67 µT, with room for buildings), µT.
    public var strength = 15.0...90.0

    public init() {}
  }

  public let parameters: Parameters
  /// The device's own field, µT, device axes; zero until something is known.
  public private(set) var offset = Vector3.zero
  /// Strength of the field without the device's own, µT.
  public private(set) var fieldStrength = 0.0
  /// Standard deviation of `offset` in its worst direction, µT.
  public private(set) var sigma = Double.greatestFiniteMagnitude
  public private(set) var accuracy = MagneticFieldAccuracy.uncalibrated

  /// The sample about which all is linear: raw fields can be 100 times the earth's, and squares cancel badly.
  private var origin: Vector3?
  private var lastUsed = Vector3.zero
  /// Normal equations for (c − origin, k / 100 µT): 4 by 4 and 4, weighted by the noise.
  private var normalMatrix = Matrix(diagonal: [1e-6, 1e-6, 1e-6, 1e-9])
  private var normalVector = [0.0, 0.0, 0.0, 0.0]
  /// Scale of the fourth unknown, µT, so that all four are of one size.
  private static let radiusScale = 100.0

  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Takes a raw field, µT, device axes; not finite or zero fields are ignored.
  public mutating func add(_ field: Vector3) {
    guard SensorLimits.standard.allowsRawField(field) else { return }
    guard let origin else {
      origin = field
      lastUsed = field
      accumulate(.zero)
      return
    }
    guard (field - lastUsed).norm >= parameters.step else { return }
    lastUsed = field
    accumulate(field - origin)
    solve(about: origin)
  }

  /// A raw field without the device's own, µT.
  public func calibrated(_ field: Vector3) -> Vector3 { field - offset }

  private mutating func accumulate(_ m: Vector3) {
    let row = [2 * m.x, 2 * m.y, 2 * m.z, Self.radiusScale]
    // |m|² is off by 2 B times a distance error; B is the earth's, about 50 µT, until it is known.
    let radius = parameters.strength.contains(fieldStrength) ? fieldStrength : 50
    let weight = 1 / (4 * radius * radius * parameters.noise * parameters.noise)
    let keep = 1 - 1 / parameters.memory
    normalMatrix = normalMatrix * keep + Matrix(outer: row, row) * weight
    for index in 0..<4 {
      normalVector[index] = keep * normalVector[index] + weight * m.squaredNorm * row[index]
    }
  }

  private mutating func solve(about origin: Vector3) {
    guard let cholesky = try? Cholesky(normalMatrix) else { return }
    let solution = cholesky.solve(normalVector)
    let center = Vector3(solution[0], solution[1], solution[2])
    let squaredRadius = solution[3] * Self.radiusScale + center.squaredNorm
    guard let eigen = try? SymmetricEigen(cholesky.inverse.block(0, 0, rowCount: 3, columnCount: 3)),
      let largest = eigen.values.last, largest > 0
    else { return }
    sigma = largest.squareRoot()
    fieldStrength = max(0, squaredRadius).squareRoot()
    offset = origin + center
    accuracy = accuracyLevel
  }

  private var accuracyLevel: MagneticFieldAccuracy {
    guard parameters.strength.contains(fieldStrength) else { return .uncalibrated }
    if sigma <= parameters.highSigma { return .high }
    if sigma <= parameters.mediumSigma { return .medium }
    return sigma <= parameters.lowSigma ? .low : .uncalibrated
  }
}
