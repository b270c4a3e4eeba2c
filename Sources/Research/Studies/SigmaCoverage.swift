public import InertialNumerics

/// The fraction of errors inside the standard deviation stated by a filter, by component.
///
/// For normal errors with exactly that deviation, 68.3 % are inside one sigma and 95.4 % inside two.
public struct SigmaCoverage: Sendable, Equatable, Codable {
  /// The errors of one kind.
  public struct Component: Sendable, Equatable, Codable {
    /// The number of errors.
    public private(set) var count = 0
    /// The number of errors inside one sigma.
    public private(set) var insideOne = 0
    /// The number of errors inside two sigmas.
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

    /// The fraction of errors inside one sigma, 0...1, or `NaN` without errors.
    public var fractionInsideOne: Double { Double(insideOne) / Double(count) }
    /// The fraction of errors inside two sigmas, 0...1, or `NaN` without errors.
    public var fractionInsideTwo: Double { Double(insideTwo) / Double(count) }
    /// The root mean square of error over sigma; 1 is ideal, above 1 the sigmas are too small.
    public var normalisedRMS: Double { (squares / Double(count)).squareRoot() }
  }

  /// The coverage about the earth's X and Y.
  public private(set) var tilt = Component()
  /// The coverage about the vertical.
  public private(set) var heading = Component()

  /// Creates a coverage without errors.
  public init() {}

  /// Adds the errors and standard deviations of a recording.
  ///
  /// - Parameters:
  ///   - error: The rotation vector of the true attitude relative to the estimated one, in earth axes, in rad.
  ///   - sigma: The standard deviation of each component, in rad; more than 0.
  public mutating func add(_ error: Vector3, _ sigma: Vector3) {
    tilt.add(error.x, sigma.x)
    tilt.add(error.y, sigma.y)
    heading.add(error.z, sigma.z)
  }

  /// Adds the errors of another run.
  public mutating func add(_ other: SigmaCoverage) {
    tilt.add(other.tilt)
    heading.add(other.heading)
  }
}
