internal import InertialNumerics
package import InertialSensors

/// What a filter made of all measurements of one kind: how many it took, and whether they were as far off as it expected.
///
/// Innovations are judged by zᵀ S⁻¹ z, the normalised innovation squared (NIS; Bar-Shalom, Li and Kirubarajan, "Estimation
/// with applications to tracking and navigation" (2001), section 5.4). Divided by the number of components its mean is 1
/// where the filter is consistent: more says that the filter takes its measurements for better than they are, less that it
/// takes them for worse. Measurements that the filter itself gave less than `MeasurementOutcome.leastWeight` do not count, and
/// those beyond its gate do.
package struct MeasurementTally: Sendable, Codable, Equatable {
  /// What was measured.
  package let kind: MeasurementKind
  /// How many measurements met each verdict, by the verdicts' numbers.
  package private(set) var verdicts = [Int](repeating: 0, count: MeasurementVerdict.allCases.count)
  /// All innovations that count.
  package private(set) var consistency = Consistency()
  /// The same over time, in at most `mostParts` stretches of equal length.
  package private(set) var parts: [Part] = []
  /// Of a part, seconds.
  package private(set) var partLength = 10.0

  package static let mostParts = 20
  /// The probability of the bands.
  package static let probability = 0.95

  package struct Part: Sendable, Codable, Equatable {
    /// Seconds.
    package var start: Double
    package var consistency = Consistency()
  }

  /// Sums of normalised innovations.
  package struct Consistency: Sendable, Codable, Equatable {
    /// Innovations, and all their components.
    package private(set) var count = 0
    package private(set) var components = 0
    private var squares = 0.0
    private var within = 0

    /// The figures, and the sums that they are of.
    private enum CodingKeys: CodingKey { case count, components, squares, within, meanNIS, band, shareWithin }

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
      try container.encodeIfPresent(shareWithin, forKey: .shareWithin)
    }

    mutating func add(_ squared: Double, components count: Int) {
      self.count += 1
      components += count
      squares += squared
      if squared <= MeasurementTally.quantiles[count - 1] { within += 1 }
    }

    mutating func add(_ other: Consistency) {
      count += other.count
      components += other.components
      squares += other.squares
      within += other.within
    }

    /// The mean NIS of a component; 1 is right. nil without innovations.
    package var meanNIS: Double? { components > 0 ? squares / Double(components) : nil }
    /// Where it lies with `probability` in a consistent filter whose innovations are independent.
    package var band: ClosedRange<Double>? {
      guard components > 0 else { return nil }
      let band = ChiSquare(degreesOfFreedom: Double(components)).band(MeasurementTally.probability)
      return band.lowerBound / Double(components)...band.upperBound / Double(components)
    }
    /// The share of innovations whose NIS is one that `probability` of them have; that is right.
    package var shareWithin: Double? { count > 0 ? Double(within) / Double(count) : nil }
  }

  fileprivate static let quantiles = (1...3).map { ChiSquare(degreesOfFreedom: Double($0)).quantile(probability) }

  package init(_ kind: MeasurementKind) { self.kind = kind }

  /// Measurements in all.
  package var count: Int { verdicts.reduce(0, +) }

  /// How many met a verdict.
  package func count(_ verdict: MeasurementVerdict) -> Int { verdicts[verdict.rawValue] }

  /// The share that was accepted, 0 to 1; nil without a measurement.
  package var acceptedShare: Double? { count > 0 ? Double(count(.accepted)) / Double(count) : nil }

  /// Takes a measurement; times do not fall.
  package mutating func add(_ outcome: MeasurementOutcome, at time: Double) {
    verdicts[outcome.verdict.rawValue] += 1
    guard let squared = outcome.normalizedSquared, squared.isFinite, outcome.count > 0,
      [.accepted, .beyondGate].contains(outcome.verdict)
    else { return }
    consistency.add(squared, components: outcome.count)
    let start = parts.first?.start ?? time
    while time - start >= Double(Self.mostParts) * partLength { joinParts() }
    let place = Int((time - start) / partLength)
    while parts.count <= place { parts.append(Part(start: start + Double(parts.count) * partLength)) }
    parts[place].consistency.add(squared, components: outcome.count)
  }

  /// Takes what another recording told of the same kind; parts of it are left out.
  package mutating func add(_ other: MeasurementTally) {
    for index in verdicts.indices { verdicts[index] += other.verdicts[index] }
    consistency.add(other.consistency)
    parts = []
  }

  private mutating func joinParts() {
    for place in stride(from: 0, to: parts.count, by: 2) {
      var part = parts[place]
      if place + 1 < parts.count { part.consistency.add(parts[place + 1].consistency) }
      parts[place / 2] = part
    }
    parts.removeLast(parts.count / 2)
    partLength *= 2
  }
}

extension [MeasurementTally] {
  /// Takes measurements of any kind.
  package mutating func add(_ outcomes: [MeasurementOutcome]?, at time: Double) {
    for outcome in outcomes ?? [] { self[place(of: outcome.kind)].add(outcome, at: time) }
  }

  /// Takes what other recordings told.
  package mutating func add(_ others: [MeasurementTally]) {
    for other in others { self[place(of: other.kind)].add(other) }
  }

  private mutating func place(of kind: MeasurementKind) -> Int {
    if let place = firstIndex(where: { $0.kind == kind }) { return place }
    let order = MeasurementKind.allCases
    let place = firstIndex { order.firstIndex(of: $0.kind)! > order.firstIndex(of: kind)! } ?? count
    insert(MeasurementTally(kind), at: place)
    return place
  }
}
