public import InertialNumerics

/// How often errors are inside the standard deviation that a filter states, by component.
///
/// Of normal errors with exactly that deviation 68.3 % are inside one sigma and 95.4 % inside two.
public struct SigmaCoverage: Sendable, Equatable, Codable {
  /// The errors of one kind.
  public struct Component: Sendable, Equatable, Codable {
    /// Errors that were counted.
    public private(set) var count = 0
    /// Errors inside one sigma.
    public private(set) var insideOne = 0
    /// Errors inside two sigmas.
    public private(set) var insideTwo = 0
    private var squares = 0.0

    mutating func add(_ error: Double, _ sigma: Double) {
      let normalised = abs(error) / sigma
      count += 1
      if normalised <= 1 { insideOne += 1 }
      if normalised <= 2 { insideTwo += 1 }
      squares += normalised * normalised
    }

    mutating func add(_ other: Component) {
      count += other.count
      insideOne += other.insideOne
      insideTwo += other.insideTwo
      squares += other.squares
    }

    /// Share of the errors inside one sigma, 0 to 1; NaN of none.
    public var shareInsideOne: Double { Double(insideOne) / Double(count) }
    /// Share of the errors inside two sigmas, 0 to 1; NaN of none.
    public var shareInsideTwo: Double { Double(insideTwo) / Double(count) }
    /// Root mean square of error over sigma; 1 is right, more is too sure.
    public var normalisedRMS: Double { (squares / Double(count)).squareRoot() }
  }

  /// About the earth's X and Y.
  public private(set) var tilt = Component()
  /// About the vertical.
  public private(set) var heading = Component()

  /// Of no errors.
  public init() {}

  /// - Parameters:
  ///   - error: rotation vector of the true attitude against the estimated one, earth axes, rad.
  ///   - sigma: standard deviation of each of its components, rad; more than 0.
  public mutating func add(_ error: Vector3, _ sigma: Vector3) {
    tilt.add(error.x, sigma.x)
    tilt.add(error.y, sigma.y)
    heading.add(error.z, sigma.z)
  }

  /// Adds what another run found.
  public mutating func add(_ other: SigmaCoverage) {
    tilt.add(other.tilt)
    heading.add(other.heading)
  }
}
