public import InertialNumerics

/// What a study of consistency found at one time: the errors of all runs, normalised and as they are.
public struct ConsistencyResult: Sendable {
  /// Seconds from the start.
  public let time: Double
  /// Rotation vectors in earth axes, rad.
  public internal(set) var attitude = ErrorSample()
  /// Device axes, rad/s.
  public internal(set) var bias = ErrorSample()

  init(time: Double) { self.time = time }

  /// Errors of three components with the covariance that the filter had for each.
  public struct ErrorSample: Sendable {
    /// Runs.
    public private(set) var count = 0
    private var nees = 0.0
    private var squares = Vector3.zero
    private var variances = Vector3.zero

    mutating func add(_ error: Vector3, _ covariance: Matrix3) {
      count += 1
      nees += covariance.inverse.map { error.dot($0 * error) } ?? .infinity
      squares += Vector3(error.x * error.x, error.y * error.y, error.z * error.z)
      variances += Vector3(covariance.m11, covariance.m22, covariance.m33)
    }

    /// The mean normalised estimation error squared; 3 is right.
    public var meanNEES: Double { nees / Double(count) }
    /// Root mean square of the errors over the runs.
    public var monteCarloSigma: Vector3 { root(squares) }
    /// Root of the mean variance that the filter had.
    public var ownSigma: Vector3 { root(variances) }
    /// The errors' scatter over the filter's own sigma, by axis; 1 is right.
    public var sigmaRatio: Vector3 {
      let (found, own) = (monteCarloSigma, ownSigma)
      return Vector3(found.x / own.x, found.y / own.y, found.z / own.z)
    }

    /// Where the mean NEES of a consistent filter lies with a probability: χ² with 3 degrees of freedom a run.
    public func neesBand(_ probability: Double) -> ClosedRange<Double> {
      let runs = Double(count)
      let band = ChiSquare(degreesOfFreedom: 3 * runs).band(probability)
      return band.lowerBound / runs...band.upperBound / runs
    }

    /// Where a sigma ratio of a consistent filter lies with a probability.
    public func sigmaRatioBand(_ probability: Double) -> ClosedRange<Double> {
      let runs = Double(count)
      let band = ChiSquare(degreesOfFreedom: runs).band(probability)
      return (band.lowerBound / runs).squareRoot()...(band.upperBound / runs).squareRoot()
    }

    private func root(_ sum: Vector3) -> Vector3 {
      let n = Double(count)
      return Vector3((sum.x / n).squareRoot(), (sum.y / n).squareRoot(), (sum.z / n).squareRoot())
    }
  }
}
