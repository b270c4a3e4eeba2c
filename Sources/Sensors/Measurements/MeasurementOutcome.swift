public import InertialNumerics

/// The outcome of one measurement in a filter: its innovation, the expected variance, and whether it was accepted.
///
/// The values are the same for every kind and filter, as in the logs of PX4's EKF2 for each of its aid sources. If a
/// filter uses the components one after another, each innovation is the one that remains after the previous components.
public struct MeasurementOutcome: Sendable, Codable, Equatable {
  /// The kind of measurement.
  public var kind: MeasurementKind
  /// The number of components of the innovation, 0 to 3; 0 if no innovation was computed.
  public var count: Int
  /// The measured value minus the predicted one, in `kind.unit`; components beyond `count` are 0.
  public var innovation: Vector3
  /// The innovation's variance by component, the diagonal of S = H P Hᵀ + R, or `nil` if the filter has no covariance.
  public var variance: Vector3?
  /// The normalized squared innovation zᵀ S⁻¹ z, or `nil` if the filter has no variance. It is χ² distributed with
  /// `count` degrees of freedom if filter and sensor match their models.
  public var normalizedSquared: Double?
  /// The largest accepted `normalizedSquared`: the filter's own gate, or `usualGate` if it has no gate.
  public var gate: Double
  /// The applied fraction of the weight that follows from the sensor's noise alone, 0...1: 0 for a measurement that was
  /// not used, less than 1 for a reduced weight, as for a disturbed field or the force of a moving device.
  public var weight: Double
  /// Whether the measurement was accepted, or the reason it was not.
  public var verdict: MeasurementVerdict

  /// The ratio of `normalizedSquared` to the gate, or `nil` without a variance. Above 1, chance does not explain it.
  public var testRatio: Double? { normalizedSquared.map { $0 / gate } }

  /// Creates the outcome of a measurement with an innovation.
  ///
  /// The verdict is derived: a measurement beyond the gate is not used; with a weight below `minimumWeight` it counts as
  /// rejected.
  /// - Parameters:
  ///   - kind: The kind of measurement.
  ///   - count: The number of components, 1 to 3.
  ///   - innovation: The measured value minus the predicted one, in `kind.unit`.
  ///   - variance: The variance of each component of the innovation, or `nil` for a filter without a covariance.
  ///   - normalizedSquared: The squared innovation over its covariance, or `nil` without a variance.
  ///   - gate: The filter's gate, infinite if it has no gate.
  ///   - weight: The fraction of the weight, see the property; it becomes 0 beyond the gate.
  ///   - reason: The verdict for a small weight.
  public init(
    _ kind: MeasurementKind, count: Int, innovation: Vector3, variance: Vector3?, normalizedSquared: Double?,
    gate: Double = .infinity, weight: Double = 1, reason: MeasurementVerdict = .accepted
  ) {
    self.kind = kind
    self.count = count
    self.innovation = innovation
    self.variance = variance
    self.normalizedSquared = normalizedSquared
    self.gate = gate.isFinite ? gate : Self.usualGate(count)
    let isBeyond = normalizedSquared.map { $0 > gate } ?? false
    self.weight = isBeyond ? 0 : weight
    verdict = isBeyond ? .beyondGate : weight < Self.minimumWeight ? reason : .accepted
  }

  /// Creates the outcome of a measurement that was rejected before its innovation was computed.
  public init(_ kind: MeasurementKind, leftOut reason: MeasurementVerdict) {
    self.init(kind, count: 0, innovation: .zero, variance: nil, normalizedSquared: nil, weight: 0, reason: reason)
  }

  /// Returns the same measurement with a fraction of the weight and the reason.
  package func weighted(_ fraction: Double, _ reason: MeasurementVerdict) -> MeasurementOutcome {
    guard verdict == .accepted else { return self }
    var outcome = self
    outcome.weight = fraction
    if fraction < Self.minimumWeight { outcome.verdict = reason }
    return outcome
  }

  /// The fraction of the weight, 0.1, below which a measurement is reported as rejected. It makes the reports of
  /// filters that weight and filters that select measurements comparable.
  public static let minimumWeight = 0.1

  /// Returns the χ² that 99.73 % of consistent innovations stay below, as within three standard deviations, by the
  /// number of components: 9, 11.83 or 14.16.
  public static func usualGate(_ count: Int) -> Double {
    switch count {
    case ...1: 9
    case 2: 11.829
    default: 14.156
    }
  }
}

/// Whether a measurement was accepted, or the reason it was not.
public enum MeasurementVerdict: Int, Sendable, Codable, CaseIterable {
  /// The measurement was used.
  case accepted = 0
  /// The innovation is beyond the filter's gate, and the measurement was not used.
  case beyondGate = 1
  /// The field differs from the learned field, as near iron or a magnet.
  case disturbedField = 2
  /// The device accelerates, so the specific force does not show gravity.
  case motion = 3
  /// The sensor was at the end of its range.
  case clipped = 4
  /// The measurement has no usable value: no horizontal field for a heading, a number that is not finite, no position
  /// of the satellites.
  case unusable = 5

  /// The verdict's name in tables and documents.
  package var name: String { "\(self)" }
}
