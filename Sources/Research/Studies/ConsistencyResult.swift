public import InertialNumerics

/// The errors of all runs at one time, normalised and absolute.
public struct ConsistencyResult: Sendable {
  /// The time from the start, in seconds.
  public let time: Double
  /// The attitude errors: rotation vectors in earth axes, in rad.
  public internal(set) var attitude = ErrorSample()
  /// The bias errors in device axes, in rad/s.
  public internal(set) var bias = ErrorSample()

  init(time: Double) { self.time = time }

  /// The errors of three components with the filter's covariance for each.
  public struct ErrorSample: Sendable {
    /// The number of runs.
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

    /// The mean normalised estimation error squared; 3 is ideal.
    public var meanNEES: Double { nees / Double(count) }
    /// The root mean square of the errors over the runs.
    public var monteCarloSigma: Vector3 { root(squares) }
    /// The root of the filter's mean variance.
    public var ownSigma: Vector3 { root(variances) }
    /// The ratio of the errors' spread to the filter's own sigma, by axis; 1 is ideal.
    public var sigmaRatio: Vector3 {
      let (found, own) = (monteCarloSigma, ownSigma)
      return Vector3(found.x / own.x, found.y / own.y, found.z / own.z)
    }

    /// Returns the interval that contains the mean NEES of a consistent filter with a probability: χ² with 3 degrees of
    /// freedom per run.
    public func neesBand(_ probability: Double) -> ClosedRange<Double> {
      let runs = Double(count)
      let band = ChiSquare(degreesOfFreedom: 3 * runs).band(probability)
      return band.lowerBound / runs...band.upperBound / runs
    }

    /// Returns the interval that contains a sigma ratio of a consistent filter with a probability.
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
