package import InertialSensors

/// A filter by name, with its description, parameters and factory. `FilterKind.all` lists all of them.
public struct FilterKind: RegisteredKind {
  public static let noun = "filter"

  /// The name for `--filter`.
  public let name: String
  /// A description in one sentence.
  public let summary: String
  /// The publication of the filter's mathematics.
  public let source: String
  /// The inputs and outputs of the filter.
  public let traits: FilterTraits
  /// The parameters that can be set, with their defaults and ranges.
  public let parameters: [ParameterFacts]
  /// The settable names from the literature; each one stands for one of the parameters.
  public let classicalNames: [ParameterFacts]

  /// The parameter that each setting changes: itself, or the parameter of a classical name.
  private let targets: [String: String]
  private let filter: any AttitudeFilter.Type

  /// Creates a kind from a filter's type, including types defined in scripts.
  public init<Filter: AttitudeFilter>(_ type: Filter.Type) {
    filter = type
    (name, summary, source, traits) = (Filter.name, Filter.summary, Filter.source, Filter.traits)
    let defaults = Filter.Parameters()
    let descriptions = Filter.Parameters.descriptions
    func facts(_ description: ParameterDescription<Filter.Parameters>) -> ParameterFacts {
      ParameterFacts(description, defaults: defaults)
    }
    parameters = descriptions.map(facts)
    classicalNames = descriptions.flatMap(\.published).map(facts)
    targets = descriptions.reduce(into: [:]) { result, description in
      for name in [description.name] + description.published.map(\.name) { result[name] = description.name }
    }
  }

  // MARK: Filters

  /// Returns a filter of this kind at its start.
  ///
  /// - Parameter settings: The parameter values by name or classical name; other parameters keep their defaults.
  ///   Classical names are set after the others.
  /// - Parameter headingReference: The north that the filter's heading refers to.
  /// - Throws: `SettingError` for an unknown name or a value out of range.
  public func make(
    _ settings: [String: Double] = [:], headingReference: HeadingReference = .magneticNorth
  ) throws(SettingError) -> any AttitudeFilter {
    func make<Filter: AttitudeFilter>(_ type: Filter.Type) -> any AttitudeFilter {
      Filter(parameters: Self.parameters(settings, headingReference))
    }
    try check(settings)
    return make(filter)
  }

  /// Returns the offline form of this kind at its start, or `nil` if the filter has no offline form.
  ///
  /// - Parameter settings: The parameter values, as for `make`.
  /// - Parameter headingReference: The north that the filter's heading refers to.
  /// - Throws: `SettingError` for an unknown name or a value out of range.
  public func makeSmoother(
    _ settings: [String: Double] = [:], headingReference: HeadingReference = .magneticNorth
  ) throws(SettingError) -> (any AttitudeSmoother)? {
    func make<Filter: SmoothableFilter>(_ type: Filter.Type) -> any AttitudeSmoother {
      Filter.smoother(parameters: Self.parameters(settings, headingReference))
    }
    try check(settings)
    return (filter as? any SmoothableFilter.Type).map { make($0) }
  }

  /// Whether the filter has an offline form.
  public var canSmooth: Bool { filter is any SmoothableFilter.Type }

  /// Returns the kinds of measurements that the filter or its offline form reports; empty if it does not report any
  /// (`MeasurementReporting`).
  package func measurementKinds(smoothing: Bool) -> [MeasurementKind] {
    func smoother<Filter: SmoothableFilter>(of type: Filter.Type) -> Any.Type { Filter.Smoother.self }
    let type: Any.Type? = smoothing ? (filter as? any SmoothableFilter.Type).map { smoother(of: $0) } : filter
    return (type as? any MeasurementReporting.Type)?.measurementKinds ?? []
  }

  /// Decodes a filter of this kind.
  func decode(from decoder: any Decoder) throws -> any AttitudeFilter {
    func decode<Filter: AttitudeFilter>(_ type: Filter.Type) throws -> any AttitudeFilter {
      try AnyAttitudeFilter.decode(type, from: decoder)
    }
    return try decode(filter)
  }

  // MARK: Parameters

  /// Returns the value of every parameter by its own name, for a filter created with the settings.
  ///
  /// - Throws: `SettingError` for an unknown name or a value out of range.
  public func values(_ settings: [String: Double] = [:]) throws(SettingError) -> [String: Double] {
    func values<Filter: AttitudeFilter>(_ type: Filter.Type) -> [String: Double] {
      let parameters: Filter.Parameters = Self.parameters(settings, .magneticNorth)
      let pairs = Filter.Parameters.descriptions.map { ($0.name, $0.value(in: parameters)) }
      return Dictionary(uniqueKeysWithValues: pairs)
    }
    try check(settings)
    return values(filter)
  }

  /// Returns the parameter that a setting changes: itself, or the parameter of a classical name; `nil` for an unknown
  /// name.
  public func parameter(setBy name: String) -> String? { targets[name] }

  private static func parameters<Parameters: FilterParameters>(
    _ settings: [String: Double], _ headingReference: HeadingReference
  ) -> Parameters {
    var parameters = Parameters()
    parameters.headingReference = headingReference
    parameters.set(settings)
    return parameters
  }

  /// - Throws: `SettingError` for an unknown name, a value out of range, or two settings of one parameter.
  package func check(_ settings: [String: Double]) throws(SettingError) {
    let known = parameters + classicalNames
    var setters: [String: String] = [:]
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
      guard let facts = known.first(where: { $0.name == name }), let target = targets[name] else {
        throw .unknownParameter(name, owner: "filter \(self.name)", known: known.map(\.name))
      }
      try facts.check(value)
      if let other = setters.updateValue(name, forKey: target) { throw .sameParameter(other, name, target) }
    }
  }
}

extension Registry<FilterKind> {
  /// Returns the registry with a filter added, or replaced if its name is present.
  public func adding(_ type: any AttitudeFilter.Type) -> Self {
    func kind<Filter: AttitudeFilter>(_ type: Filter.Type) -> FilterKind { FilterKind(type) }
    return adding(kind(type))
  }

  /// Returns the words of a choice that some filter has under a name, or `nil` if there is no such choice.
  package func words(of parameter: String) -> [String]? {
    for kind in self {
      if let words = kind.parameters.first(where: { $0.name == parameter })?.words { return words }
    }
    return nil
  }

  /// Returns the value of such a word, or `nil` for an unknown word.
  package func value(of word: String, in parameter: String) -> Double? {
    words(of: parameter)?.firstIndex(of: word).map(Double.init)
  }
}

extension FilterKind {
  /// The built-in filters, simplest first.
  public static let all = Registry<FilterKind>([
    FilterKind(AngularRateFilter.self),
    FilterKind(ComplementaryFilter.self),
    FilterKind(MahonyFilter.self),
    FilterKind(MadgwickFilter.self),
    FilterKind(RevisedMadgwickFilter.self),
    FilterKind(AQUAFilter.self),
    FilterKind(FouratiFilter.self),
    FilterKind(ROLEQFilter.self),
    FilterKind(BasicVQF.self),
    FilterKind(VQF.self),
    FilterKind(MEKFFilter.self),
    FilterKind(QuaternionEKFFilter.self),
    FilterKind(UnscentedKalmanFilter.self),
    FilterKind(EquivariantFilter.self),
    standard,
  ])

  /// The default filter.
  public static let standard = FilterKind(MotionPriorKalman.self)
}
