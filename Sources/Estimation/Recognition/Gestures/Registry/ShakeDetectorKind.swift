public import InertialFilters

/// A kind of shake detector: its description, its parameters, and a factory. All kinds are listed in
/// `ShakeDetectorKind.all`.
public struct ShakeDetectorKind: RegisteredKind {
  public static let noun = "detector"

  /// The value of the option `--detector`.
  public let name: String
  /// A description in one sentence.
  public let summary: String
  /// The origin of the rule.
  public let source: String
  /// The parameters that can be set, with their defaults and ranges.
  public let parameters: [ParameterFacts]
  /// Whether the original implementation stops at the first detection.
  public let isOneShot: Bool
  private let factory: @Sendable ([String: Double], GestureOptions) -> any GestureDetector

  /// The name of the parameter of every detector for the minimum interval between two shakes.
  static let intervalName = "interval"

  /// The interval parameter of detectors whose rule has no own interval.
  private static let followingInterval = ParameterFacts(
    name: intervalName, unit: "s", defaultValue: GestureOptions().minimumInterval, minimum: 0, maximum: 3600,
    meaning: "Minimum time from the end of a shake to the next.")

  /// Creates a kind from the type of a rule, including types defined in scripts.
  public init<Rule: ShakeRule>(_ type: Rule.Type, summary: String, source: String) {
    name = Rule.name
    self.summary = summary
    self.source = source
    isOneShot = Rule.Parameters.isOneShot
    let defaults = Rule.Parameters()
    let own = Rule.Parameters.descriptions.map { ParameterFacts($0, defaults: defaults) }
    let hasInterval = own.contains { $0.name == Self.intervalName }
    parameters = hasInterval ? own : own + [Self.followingInterval]
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

  /// Whether the detector has a sensitivity parameter, 0...1.
  public var hasSensitivity: Bool { parameters.contains { $0.name == "sensitivity" } }

  /// Creates a detector of this kind.
  ///
  /// - Parameter settings: The parameter values by name; other parameters have their defaults.
  /// - Parameter options: The intervals and counts that make up a shake.
  /// - Throws: `SettingError` if a name is unknown or a value is out of range.
  public func make(
    _ settings: [String: Double] = [:], options: GestureOptions = GestureOptions()
  ) throws(SettingError) -> any GestureDetector {
    try check(settings)
    return factory(settings, options)
  }

  /// - Throws: `SettingError` if a name is unknown or a value is out of range.
  package func check(_ settings: [String: Double]) throws(SettingError) {
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
      guard let facts = parameters.first(where: { $0.name == name }) else {
        throw .unknownParameter(name, owner: "detector \(self.name)", known: parameters.map(\.name))
      }
      try facts.check(value)
    }
  }

  /// The built-in detectors, the default first.
  public static let all = Registry<ShakeDetectorKind>([
    standard,
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
      StrongFractionRule.self, summary: "three quarters of the samples of half a second above 13 m/s²",
      source: "square/seismic"),
    ShakeDetectorKind(
      AxisExcursionsRule.self, summary: "eight excursions of an axis above 13 m/s², each to the other side",
      source: "React Native"),
    ShakeDetectorKind(
      MagnitudeChangeRule.self, summary: "leaky sum of the magnitude's changes above 3 m/s²", source: "nisrulz/sensey"),
    ShakeDetectorKind(
      ForceCountRule.self, summary: "magnitude of the raw acceleration above 2.7 g, at most twice a second",
      source: "the widespread 2.7 g recipe"),
  ])

  /// The default detector.
  public static let standard = ShakeDetectorKind(
    ReferenceRule.self,
    summary: "fast, strong, reversing motion along one axis, in place, with the wrist; any orientation and rate",
    source: "our own")
}
