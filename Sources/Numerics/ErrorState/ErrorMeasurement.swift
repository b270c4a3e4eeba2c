internal import InertialSystem

/// A measurement of up to three scalars with independent errors, taken or refused together.
public struct ErrorMeasurement: Sendable {
  private(set) var rows = InlineArray<3, MeasurementRow>(repeating: MeasurementRow(residual: 0, variance: 0))
  private(set) var components = InlineArray<3, Int>(repeating: 0)
  /// The number of rows.
  public private(set) var count = 0
  /// The test of the innovation.
  public var gate = Gate.none
  /// The errors that the measurement corrects only in part, or `nil` for the optimal gain.
  public var holding: PartialGain?

  /// The test of a measurement's innovation y with variance s.
  public enum Gate: Sendable {
    /// No test.
    case none
    /// Refuses the measurement if Σ y²/s exceeds the limit: equation (15).
    case reject(above: Double)
    /// Multiplies the noise by the ratio of Σ y²/s to the limit if the ratio exceeds 1: equation (15). Such a
    /// measurement has less weight but is not lost, so a diverged state converges again.
    case weaken(above: Double)
    /// Adds `weight` times the excess of y² over four times the variance that the errors explain to the noise of each
    /// row (a redescending weight): equation (16). A disturbance has a weight of 1/y², an undisturbed measurement its
    /// full weight, in any order.
    case redescend(weight: Double)
  }

  /// Creates a measurement without rows.
  public init() {}

  /// Appends a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - component: The component of the innovation's report, 0, 1 or 2; by default the number of previous rows.
  public mutating func append(_ row: MeasurementRow, as component: Int? = nil) {
    rows[count] = row
    components[count] = component ?? count
    count += 1
  }

  /// Creates a measurement of the first components of a block.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - components: The number of measured components, 1 to 3.
  ///   - residual: The measured minus the predicted values.
  ///   - variance: The variances of the noise.
  public init(_ block: ErrorLayout.Block, components: Int = 3, residual: Vector3, variance: Vector3) {
    precondition(components <= block.count, "\(components) of \(block.count) components")
    for axis in 0..<components {
      var row = MeasurementRow(residual: residual[axis], variance: variance[axis])
      row.add(1, at: block.start + axis)
      append(row)
    }
  }
}

/// The innovation of a measurement, by component.
public struct ErrorInnovation: Sendable {
  /// The number of components.
  public internal(set) var count = 0
  /// The innovations z from the state before the measurement.
  public internal(set) var residual = Vector3.zero
  /// The variances of `residual`: the diagonal of S = H P Hᵀ + R.
  public internal(set) var residualVariance = Vector3.zero
  /// The innovations y of the rows, each given the previous rows.
  public internal(set) var value = Vector3.zero
  /// The variances s of `value`.
  public internal(set) var variance = Vector3.zero
  /// The variances of the noise, as used.
  public internal(set) var noise = Vector3.zero
  /// The normalised innovation squared, Σ y²/s = zᵀ S⁻¹ z; the gate's limit for a weakened measurement.
  public internal(set) var normalizedSquared = 0.0
  /// The determinant Π s of S.
  public internal(set) var determinant = 1.0
  /// The use of the measurement.
  public internal(set) var outcome = Outcome.taken

  /// The use of a measurement.
  public enum Outcome: Sendable {
    /// All rows corrected the errors.
    case taken
    /// All rows corrected the errors, with enlarged noise.
    case weakened
    /// The innovation exceeded the gate; nothing was corrected.
    case rejected
    /// The innovation of a row, or its variance, was not finite or did not have the sign of the noise; that row corrected
    /// nothing.
    case unusable
  }

  /// The logarithm of the likelihood, up to a constant: equation (17).
  public var logLikelihood: Double { -0.5 * (normalizedSquared + log(determinant)) }
}
