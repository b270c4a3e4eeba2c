public import InertialNumerics

/// What a filter made of one measurement: how far it was off, how far it was expected to be, and whether it was believed.
///
/// The same value for every kind and every filter, as PX4's EKF2 logs of each of its aid sources. Where a filter takes
/// the components one after another, each innovation is what those before it have left.
public struct MeasurementOutcome: Sendable, Codable, Equatable {
  /// What was measured.
  public var kind: MeasurementKind
  /// How many of the innovation's components count, from the first on: 0 to 3; 0 where none was worked out.
  public var count: Int
  /// The measured value less the predicted one, in `kind.unit`; components beyond `count` are 0.
  public var innovation: Vector3
  /// The innovation's variance by component, the diagonal of S = H P Hᵀ + R; nil where the filter has none.
  public var variance: Vector3?
  /// zᵀ S⁻¹ z, which is χ² distributed with `count` degrees of freedom where filter and sensor are what they claim to be;
  /// nil where the filter has no variance.
  public var normalizedSquared: Double?
  /// The largest `normalizedSquared` that is believed: the filter's own, or `usualGate` where it has none.
  public var gate: Double
  /// The share that was left of the weight which the sensor's noise alone would give, 0 to 1: 0 for a measurement that was
  /// not used, less than 1 for one that counted less, as a disturbed field or the force of a moving device.
  public var weight: Double
  /// Whether it was accepted, or why not.
  public var verdict: MeasurementVerdict

  /// `normalizedSquared` over the gate: above 1 is beyond what chance explains; nil where there is no variance.
  public var testRatio: Double? { normalizedSquared.map { $0 / gate } }

  /// A measurement with an innovation that was compared with what was expected.
  ///
  /// The verdict follows: beyond the gate it was not used; with less than `leastWeight` it counts as rejected.
  /// - Parameters:
  ///   - kind: the measurement.
  ///   - count: components, 1 to 3.
  ///   - innovation: the measured value less the predicted one, in `kind.unit`.
  ///   - variance: of each component of the innovation; nil for a filter without a covariance.
  ///   - normalizedSquared: the squared innovation over its covariance; nil without a variance.
  ///   - gate: the filter's own; infinite where it has none.
  ///   - weight: see the property; of a measurement beyond the gate it is 0.
  ///   - reason: why a measurement with a small weight has it.
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
    verdict = isBeyond ? .beyondGate : weight < Self.leastWeight ? reason : .accepted
  }

  /// A measurement that was left out before there was an innovation.
  public init(_ kind: MeasurementKind, leftOut reason: MeasurementVerdict) {
    self.init(kind, count: 0, innovation: .zero, variance: nil, normalizedSquared: nil, weight: 0, reason: reason)
  }

  /// The same measurement, of whose weight a share was left, and why.
  package func weighted(_ share: Double, _ reason: MeasurementVerdict) -> MeasurementOutcome {
    guard verdict == .accepted else { return self }
    var outcome = self
    outcome.weight = share
    if share < Self.leastWeight { outcome.verdict = reason }
    return outcome
  }

  /// With less than this share of its weight a measurement is told as rejected: filters that weigh and filters that
  /// choose are then told alike. 0.1.
  public static let leastWeight = 0.1

  /// The χ² that 99.73 % of consistent innovations stay below, as many as within three standard deviations, by the number
  /// of components: 9, 11.83 or 14.16.
  public static func usualGate(_ count: Int) -> Double {
    switch count {
    case ...1: 9
    case 2: 11.829
    default: 14.156
    }
  }
}

/// Whether a measurement was accepted, or why not.
public enum MeasurementVerdict: Int, Sendable, Codable, CaseIterable {
  /// It was used.
  case accepted = 0
  /// Its innovation is beyond the filter's gate, and it was not used.
  case beyondGate = 1
  /// The field is not the one that was learned: beside iron, or a magnet.
  case disturbedField = 2
  /// The device accelerates, so that the force does not show gravity.
  case motion = 3
  /// A sensor was at the end of its range.
  case clipped = 4
  /// There was nothing to compare: no horizontal field to point with, a number that is not finite, no position of the
  /// satellites.
  case unusable = 5

  /// The word in tables and documents.
  package var name: String { "\(self)" }
}
