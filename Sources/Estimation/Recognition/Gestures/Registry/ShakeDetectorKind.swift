/// A shake detector by name: what it is, its parameters, and how to make one. The list is `ShakeDetectorKind.all`.
public struct ShakeDetectorKind: Sendable {
  /// The word for `--detector`.
  public let name: String
  /// What it is, in a sentence.
  public let summary: String
  /// Where the rule is from.
  public let source: String
  /// The parameters that may be set, with their defaults and ranges.
  public let parameters: [ParameterFacts]
  /// Whether the original stops at the first detection.
  public let isOneShot: Bool
  private let factory: @Sendable ([String: Double], GestureOptions) -> any GestureDetector
  private let type: any GestureDetector.Type

  /// A parameter as tables show it.
  public struct ParameterFacts: Sendable, Codable, Equatable {
    /// The word for `--set`.
    public let name: String
    /// The unit of its values.
    public let unit: String
    /// The value that it has unless it is set, in `unit`.
    public let defaultValue: Double
    /// The least value that is taken, in `unit`.
    public let minimum: Double
    /// The largest value that is taken, in `unit`.
    public let maximum: Double
    /// What it is, and what a bigger value does.
    public let meaning: String
    /// The values that are published or customary lie between these; nil where nothing is told.
    package let customaryMinimum: Double?
    package let customaryMaximum: Double?
  }

  /// The name of the least time between two shakes, which every detector has.
  static let intervalName = "interval"

  /// Of a detector whose rule has no interval of its own.
  private static let followingInterval = ParameterFacts(
    name: intervalName, unit: "s", defaultValue: GestureOptions().minimumInterval, minimum: 0, maximum: 3600,
    meaning: "Least time from the end of a shake to the next.", customaryMinimum: nil, customaryMaximum: nil)

  init<Rule: ShakeRule>(_ type: Rule.Type, summary: String, source: String) {
    name = Rule.name
    self.summary = summary
    self.source = source
    isOneShot = Rule.Parameters.isOneShot
    let defaults = Rule.Parameters()
    let own = Rule.Parameters.descriptions.map {
      ParameterFacts(
        name: $0.name, unit: $0.unit, defaultValue: $0.value(in: defaults), minimum: $0.range.lowerBound,
        maximum: $0.range.upperBound, meaning: $0.meaning, customaryMinimum: $0.band?.lowerBound,
        customaryMaximum: $0.band?.upperBound)
    }
    let hasInterval = own.contains { $0.name == Self.intervalName }
    parameters = hasInterval ? own : own + [Self.followingInterval]
    self.type = ShakeDetector<Rule>.self
    factory = { settings, options in
      var parameters = Rule.Parameters()
      for description in Rule.Parameters.descriptions {
        if let value = settings[description.name] { description.set(value, in: &parameters) }
      }
      var options = options
      if !hasInterval, let interval = settings[Self.intervalName] { options.minimumInterval = interval }
      return ShakeDetector<Rule>(parameters: parameters, options: options)
    }
  }

  /// Whether the detector can be made more or less sensitive by a number from 0 to 1.
  public var hasSensitivity: Bool { parameters.contains { $0.name == "sensitivity" } }

  /// A detector of this kind at its start.
  ///
  /// - `settings`: parameter values by name; what is not named keeps its default.
  /// - Throws: `ShakeSettingError` for an unknown name or a value out of range.
  public func make(
    _ settings: [String: Double] = [:], options: GestureOptions = GestureOptions()
  ) throws(ShakeSettingError) -> any GestureDetector {
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
      guard let facts = parameters.first(where: { $0.name == name }) else {
        throw .unknownParameter(name, detector: self.name, known: parameters.map(\.name))
      }
      // Written so that NaN fails.
      guard value >= facts.minimum, value <= facts.maximum else { throw .outOfRange(facts, value) }
    }
    return factory(settings, options)
  }

  /// A detector of this kind as it was encoded.
  package func decode(from decoder: any Decoder) throws -> any GestureDetector { try type.init(from: decoder) }

  /// Every detector, the default first.
  public static let all: [ShakeDetectorKind] = [
    ShakeDetectorKind(
      ReferenceRule.self,
      summary: "fast, strong, reversing motion along one axis, in place, with the wrist; any orientation and rate",
      source: "our own"),
    ShakeDetectorKind(
      AxisThresholdRule.self, summary: "any axis of the raw acceleration above 2.45 g, at most once a second",
      source: "classical, 0.2 s"),
    ShakeDetectorKind(
      LowPassDifferenceRule.self,
      summary: "step of the low-passed raw acceleration above 0.38 g, at most once a second",
      source: "classical, 0.2 s"),
    ShakeDetectorKind(
      MagnitudeRule<SlowMagnitude>.self, summary: "magnitude of the raw acceleration above 2 g, once",
      source: "classical, 0.2 s"),
    ShakeDetectorKind(
      MagnitudeRule<FastMagnitude>.self, summary: "magnitude of the raw acceleration above 2.3 g, once",
      source: "classical, 0.1 s"),
    ShakeDetectorKind(
      MagnitudeRule<CountingMagnitude>.self, summary: "magnitude of the raw acceleration above 1.6 g, every sample",
      source: "classical, counting"),
    ShakeDetectorKind(
      UserAxisRule.self, summary: "any axis of the user acceleration above 0.30 g, every sample",
      source: "classical, 1/60 s"),
    ShakeDetectorKind(
      LegacyRule.self, summary: "raw x or y at 2.45 g while the low-passed x and y point along the long side",
      source: "classical, the first accelerometer interface, 0.1 s"),
    ShakeDetectorKind(
      DirectionReversalRule.self, summary: "user acceleration above 1.5 g, and within 1.5 s another the opposite way",
      source: "classical"),
    ShakeDetectorKind(
      DisplacementGateRule.self, summary: "user acceleration that moves the device by 5 cm when integrated twice",
      source: "classical"),
    ShakeDetectorKind(
      StrongShareRule.self, summary: "three quarters of the samples of half a second above 13 m/s²",
      source: "square/seismic"),
    ShakeDetectorKind(
      AxisExcursionsRule.self, summary: "eight excursions of an axis above 13 m/s², each to the other side",
      source: "React Native"),
    ShakeDetectorKind(
      MagnitudeChangeRule.self, summary: "leaky sum of the magnitude's changes above 3 m/s²", source: "nisrulz/sensey"),
    ShakeDetectorKind(
      ForceCountRule.self, summary: "magnitude of the raw acceleration above 2.7 g, at most twice a second",
      source: "the widespread 2.7 g recipe"),
  ]

  /// The detector used where none is named.
  public static let standard = ReferenceRule.name

  /// The detector of a name of the list `all`; nil where there is none.
  public static func named(_ name: String) -> ShakeDetectorKind? { all.first { $0.name == name } }
}

/// A setting that a detector does not take.
public enum ShakeSettingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A detector has no parameter of the name; `known` are those that it has.
  case unknownParameter(String, detector: String, known: [String])
  /// A value that the parameter does not take.
  case outOfRange(ShakeDetectorKind.ParameterFacts, Double)

  public var description: String {
    switch self {
    case .unknownParameter(let name, let detector, let known):
      "the detector \(detector) has no parameter '\(name)'; it has \(known.joined(separator: ", "))"
    case .outOfRange(let facts, let value):
      "\(facts.name) = \(value) is out of range; it takes \(facts.minimum) to \(facts.maximum) \(facts.unit)"
    }
  }
}
