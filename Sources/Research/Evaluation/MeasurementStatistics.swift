internal import InertialNumerics
package import InertialSensors

/// The outcomes of all measurements of one kind in a filter: their verdicts, and the consistency of their innovations.
///
/// Consistency is measured by zᵀ S⁻¹ z, the normalised innovation squared (NIS; Bar-Shalom, Li and Kirubarajan,
/// "Estimation with applications to tracking and navigation" (2001), section 5.4). Divided by the number of components,
/// its mean is 1 if the filter is consistent: a larger mean shows that the filter assumes too little measurement noise,
/// a smaller one that it assumes too much. Measurements that the filter gave a weight below
/// `MeasurementOutcome.minimumWeight` are excluded; measurements beyond its gate are included.
package struct MeasurementStatistics: Sendable, Codable, Equatable {
  /// The kind of measurement.
  package let kind: MeasurementKind
  /// The number of measurements by verdict, indexed by the verdicts' raw values.
  package private(set) var verdicts = [Int](repeating: 0, count: MeasurementVerdict.allCases.count)
  /// The consistency of all innovations that count.
  package private(set) var consistency = Consistency()
  /// The consistency over time, in at most `maximumPartCount` segments of equal length.
  package private(set) var parts: [Part] = []
  /// The duration of a part, in seconds.
  package private(set) var partLength = 10.0

  package static let maximumPartCount = 20
  /// The probability of the bands.
  package static let probability = 0.95

  package struct Part: Sendable, Codable, Equatable {
    /// The start of the part, in seconds.
    package var start: Double
    package var consistency = Consistency()
  }

  /// The sums of normalised innovations.
  package struct Consistency: Sendable, Codable, Equatable {
    /// The number of innovations, and of all their components.
    package private(set) var count = 0
    package private(set) var components = 0
    private var squares = 0.0
    private var within = 0

    /// The figures, and the sums they are computed from.
    private enum CodingKeys: String, CodingKey {
      case count, components, squares, within, meanNIS, band
      case fractionWithin = "shareWithin"
    }

    package init() {}

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      count = try container.decode(Int.self, forKey: .count)
      components = try container.decode(Int.self, forKey: .components)
      squares = try container.decode(Double.self, forKey: .squares)
      within = try container.decode(Int.self, forKey: .within)
    }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(count, forKey: .count)
      try container.encode(components, forKey: .components)
      try container.encode(squares, forKey: .squares)
      try container.encode(within, forKey: .within)
      try container.encodeIfPresent(meanNIS, forKey: .meanNIS)
      try container.encodeIfPresent(band.map { [$0.lowerBound, $0.upperBound] }, forKey: .band)
      try container.encodeIfPresent(fractionWithin, forKey: .fractionWithin)
    }

    mutating func add(_ squared: Double, components count: Int) {
      self.count += 1
      components += count
      squares += squared
      if squared <= MeasurementStatistics.quantiles[count - 1] { within += 1 }
    }

    mutating func add(_ other: Consistency) {
      count += other.count
      components += other.components
      squares += other.squares
      within += other.within
    }

    /// The mean NIS per component, or `nil` without innovations; 1 is ideal.
    package var meanNIS: Double? { components > 0 ? squares / Double(components) : nil }
    /// The interval that contains `meanNIS` with `probability` in a consistent filter with independent innovations.
    package var band: ClosedRange<Double>? {
      guard components > 0 else { return nil }
      let band = ChiSquare(degreesOfFreedom: Double(components)).band(MeasurementStatistics.probability)
      return band.lowerBound / Double(components)...band.upperBound / Double(components)
    }
    /// The fraction of innovations whose NIS is below its `probability` quantile; `probability` is ideal.
    package var fractionWithin: Double? { count > 0 ? Double(within) / Double(count) : nil }
  }

  fileprivate static let quantiles = (1...3).map { ChiSquare(degreesOfFreedom: Double($0)).quantile(probability) }

  package init(_ kind: MeasurementKind) { self.kind = kind }

  /// The number of all measurements.
  package var count: Int { verdicts.reduce(0, +) }

  /// Returns the number of measurements with a verdict.
  package func count(_ verdict: MeasurementVerdict) -> Int { verdicts[verdict.rawValue] }

  /// Adds a measurement; times must not decrease.
  package mutating func add(_ outcome: MeasurementOutcome, at time: Double) {
    verdicts[outcome.verdict.rawValue] += 1
    guard let squared = outcome.normalizedSquared, squared.isFinite, outcome.count > 0,
      [.accepted, .beyondGate].contains(outcome.verdict)
    else { return }
    consistency.add(squared, components: outcome.count)
    let start = parts.first?.start ?? time
    while time - start >= Double(Self.maximumPartCount) * partLength { joinParts() }
    let position = Int((time - start) / partLength)
    while parts.count <= position { parts.append(Part(start: start + Double(parts.count) * partLength)) }
    parts[position].consistency.add(squared, components: outcome.count)
  }

  /// Adds the measurements of the same kind from another recording, and discards the parts.
  package mutating func add(_ other: MeasurementStatistics) {
    for index in verdicts.indices { verdicts[index] += other.verdicts[index] }
    consistency.add(other.consistency)
    parts = []
  }

  private mutating func joinParts() {
    for position in stride(from: 0, to: parts.count, by: 2) {
      var part = parts[position]
      if position + 1 < parts.count { part.consistency.add(parts[position + 1].consistency) }
      parts[position / 2] = part
    }
    parts.removeLast(parts.count / 2)
    partLength *= 2
  }
}

extension [MeasurementStatistics] {
  /// Adds measurements of any kind.
  package mutating func add(_ outcomes: [MeasurementOutcome]?, at time: Double) {
    for outcome in outcomes ?? [] { self[position(of: outcome.kind)].add(outcome, at: time) }
  }

  /// Adds the measurements of other recordings.
  package mutating func add(_ others: [MeasurementStatistics]) {
    for other in others { self[position(of: other.kind)].add(other) }
  }

  private mutating func position(of kind: MeasurementKind) -> Int {
    if let position = firstIndex(where: { $0.kind == kind }) { return position }
    let order = MeasurementKind.allCases
    let position = firstIndex { order.firstIndex(of: $0.kind)! > order.firstIndex(of: kind)! } ?? count
    insert(MeasurementStatistics(kind), at: position)
    return position
  }
}
