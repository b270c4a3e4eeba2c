package import InertialSensors

/// A filter by name, with its description, parameters and factory. `FilterKind.all` lists all of them.
public struct FilterKind: Sendable {
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

  private let filteredKinds: [MeasurementKind]
  private let smoothedKinds: [MeasurementKind]
  /// The parameters that each setting changes: itself, or the parameter of a classical name.
  private let targets: [String: [String]]
  private let read: @Sendable ([String: Double], Bool) -> [String: Double]
  private let factory: @Sendable ([String: Double], HeadingReference) -> any AttitudeFilter
  private let smootherFactory: (@Sendable ([String: Double], HeadingReference) -> any AttitudeSmoother)?
  private let decoder: @Sendable (any Decoder) throws -> any AttitudeFilter

  /// A parameter as shown in tables and files.
  public struct ParameterFacts: Sendable, Codable, Equatable {
    /// The name for `--set`.
    public let name: String
    /// The unit of the values.
    public let unit: String
    /// The default value, in `unit`.
    public let defaultValue: Double
    /// The offline form's default, or `nil` if the filter has no offline form.
    public let smoothingDefault: Double?
    /// The minimum value, in `unit`.
    public let minimum: Double
    /// The maximum value, in `unit`.
    public let maximum: Double
    /// The meaning of the parameter, and the effect of a larger value.
    public let meaning: String
    /// The words for the values 0, 1, ... of a choice, for use with `--set`; `nil` for a number.
    package let words: [String]?

    package init(
      name: String, unit: String, defaultValue: Double, smoothingDefault: Double? = nil, minimum: Double,
      maximum: Double, meaning: String, words: [String]? = nil
    ) {
      self.name = name
      self.unit = unit
      self.defaultValue = defaultValue
      self.smoothingDefault = smoothingDefault
      self.minimum = minimum
      self.maximum = maximum
      self.meaning = meaning
      self.words = words
    }

    /// Returns a value in the notation of users: the word of a choice, or a number.
    package func text(_ value: Double, number: (Double) -> String) -> String {
      words.map { $0[Int(value)] } ?? number(value)
    }

    init<Parameters: FilterParameters>(_ description: ParameterDescription<Parameters>, smoothing: Parameters?) {
      name = description.name
      unit = description.unit
      defaultValue = description.value(in: Parameters())
      smoothingDefault = smoothing.map { description.value(in: $0) }
      minimum = description.range.lowerBound
      maximum = description.range.upperBound
      meaning = description.meaning
      words = description.words.isEmpty ? nil : description.words
    }
  }

  /// Creates a kind from a filter's type, including types defined in scripts.
  public init<Filter: AttitudeFilter>(_ type: Filter.Type) {
    self.init(type, smoothing: nil, smoother: nil, smoothedKinds: [])
  }

  /// Creates a kind from the type of a filter with an offline form.
  public init<Filter: SmoothableFilter>(_ type: Filter.Type) {
    self.init(
      type, smoothing: Filter.smoothingParameters, smoother: { Filter.smoother(parameters: $0) },
      smoothedKinds: Self.measurementKinds(of: Filter.Smoother.self))
  }

  private init<Filter: AttitudeFilter>(
    _ type: Filter.Type, smoothing: Filter.Parameters?,
    smoother: (@Sendable (Filter.Parameters) -> any AttitudeSmoother)?, smoothedKinds: [MeasurementKind]
  ) {
    name = Filter.name
    summary = Filter.summary
    source = Filter.source
    traits = Filter.traits
    parameters = Filter.Parameters.descriptions.map { ParameterFacts($0, smoothing: smoothing) }
    classicalNames = Filter.Parameters.classicalNames.map { ParameterFacts($0, smoothing: smoothing) }
    (filteredKinds, self.smoothedKinds) = (Self.measurementKinds(of: type), smoothedKinds)
    targets = Self.targets(of: Filter.Parameters.self)
    read = { settings, isOffline in
      let defaults = isOffline ? smoothing ?? Filter.Parameters() : Filter.Parameters()
      let values = Self.parameters(defaults, settings, .magneticNorth)
      return Dictionary(uniqueKeysWithValues: Filter.Parameters.descriptions.map { ($0.name, $0.value(in: values)) })
    }
    factory = { Filter(parameters: Self.parameters(Filter.Parameters(), $0, $1)) }
    if let smoothing, let smoother {
      smootherFactory = { smoother(Self.parameters(smoothing, $0, $1)) }
    } else {
      smootherFactory = nil
    }
    decoder = { try AnyAttitudeFilter.decode(Filter.self, from: $0) }
  }

  private static func measurementKinds(of type: Any.Type) -> [MeasurementKind] {
    (type as? any MeasurementReporting.Type)?.measurementKinds ?? []
  }

  private static func targets<Parameters: FilterParameters>(of type: Parameters.Type) -> [String: [String]] {
    let defaults = Parameters()
    var result: [String: [String]] = [:]
    for description in Parameters.descriptions { result[description.name] = [description.name] }
    for name in Parameters.classicalNames {
      var changed = defaults
      let value = name.value(in: defaults)
      let other = value == name.range.lowerBound ? name.range.upperBound : 0.5 * (value + name.range.lowerBound)
      name.set(other, in: &changed)
      result[name.name] = Parameters.descriptions.filter { $0.value(in: changed) != $0.value(in: defaults) }
        .map(\.name)
    }
    return result
  }

  private static func parameters<Parameters: FilterParameters>(
    _ defaults: Parameters, _ settings: [String: Double], _ headingReference: HeadingReference
  ) -> Parameters {
    var parameters = defaults
    parameters.headingReference = headingReference
    for description in Parameters.descriptions + Parameters.classicalNames {
      if let value = settings[description.name] { description.set(value, in: &parameters) }
    }
    return parameters
  }

  /// Returns a filter of this kind at its start.
  ///
  /// - Parameter settings: The parameter values by name or classical name; other parameters keep their defaults.
  ///   Classical names are set after the others.
  /// - Parameter headingReference: The north that the filter's heading refers to.
  /// - Throws: `FilterSettingError` for an unknown name or a value out of range.
  public func make(
    _ settings: [String: Double] = [:], headingReference: HeadingReference = .magneticNorth
  ) throws(FilterSettingError) -> any AttitudeFilter {
    try check(settings)
    return factory(settings, headingReference)
  }

  /// Returns the value of every parameter by its own name, for a filter created with the settings or for its offline
  /// form.
  public func values(_ settings: [String: Double] = [:], smoothing: Bool = false) -> [String: Double] {
    read(settings, smoothing)
  }

  /// Returns the parameters that a setting changes: itself, or the parameter of a classical name; empty for an unknown
  /// name.
  public func parameters(setBy name: String) -> [String] { targets[name] ?? [] }

  /// Whether the filter has an offline form.
  public var canSmooth: Bool { smootherFactory != nil }

  /// Returns the kinds of measurements that the filter or its offline form reports; empty if it does not report any
  /// (`MeasurementReporting`).
  package func measurementKinds(smoothing: Bool) -> [MeasurementKind] { smoothing ? smoothedKinds : filteredKinds }

  /// Returns the offline form of this kind at its start, or `nil` if the filter has no offline form.
  ///
  /// - Parameter settings: The parameter values, as for `make`.
  /// - Parameter headingReference: The north that the filter's heading refers to.
  /// - Throws: `FilterSettingError` for an unknown name or a value out of range.
  public func makeSmoother(
    _ settings: [String: Double] = [:], headingReference: HeadingReference = .magneticNorth
  ) throws(FilterSettingError) -> (any AttitudeSmoother)? {
    try check(settings)
    return smootherFactory?(settings, headingReference)
  }

  private func check(_ settings: [String: Double]) throws(FilterSettingError) {
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
      guard let facts = (parameters + classicalNames).first(where: { $0.name == name }) else {
        throw .unknownParameter(name, filter: self.name, known: (parameters + classicalNames).map(\.name))
      }
      // Written so that NaN fails.
      guard value >= facts.minimum, value <= facts.maximum, facts.words == nil || value == value.rounded() else {
        throw .outOfRange(facts, value)
      }
    }
    var setters: [String: String] = [:]
    for name in settings.keys.sorted() {
      for target in targets[name] ?? [] {
        if let other = setters.updateValue(name, forKey: target) { throw .sameParameter(other, name, target) }
      }
    }
  }

  /// Returns the words of a choice that some filter has under a name, or `nil` if there is no such choice.
  package static func words(of parameter: String) -> [String]? {
    for kind in all {
      if let words = kind.parameters.first(where: { $0.name == parameter })?.words { return words }
    }
    return nil
  }

  /// Returns the value of such a word, or `nil` for an unknown word.
  package static func value(of word: String, in parameter: String) -> Double? {
    words(of: parameter)?.firstIndex(of: word).map(Double.init)
  }

  func decode(from decoder: any Decoder) throws -> any AttitudeFilter { try self.decoder(decoder) }

  /// All filters, simplest first.
  public static let all: [FilterKind] = [
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
    FilterKind(MotionPriorKalman.self),
  ]

  /// The default filter.
  public static let standard = MotionPriorKalman.name

  /// Returns the filter with a name from the list `all`, or `nil` if there is no such filter.
  public static func named(_ name: String) -> FilterKind? { all.first { $0.name == name } }
}

/// The reasons why a filter rejects a setting.
public enum FilterSettingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The filter has no parameter of the name; `known` contains its parameters.
  case unknownParameter(String, filter: String, known: [String])
  /// The value is not valid for the parameter.
  case outOfRange(FilterKind.ParameterFacts, Double)
  /// Two settings change the same parameter.
  case sameParameter(String, String, String)

  public var description: String {
    switch self {
    case .unknownParameter(let name, let filter, let known):
      "the filter \(filter) has no parameter '\(name)'; it has \(known.joined(separator: ", "))"
    case .sameParameter(let first, let second, let parameter):
      "\(first) and \(second) both set \(parameter); use one of them"
    case .outOfRange(let facts, let value) where facts.words != nil:
      "\(facts.name) = \(value) is not one of its values; use \((facts.words ?? []).joined(separator: " or "))"
    case .outOfRange(let facts, let value):
      "\(facts.name) = \(value) is out of range; use \(facts.minimum) to \(facts.maximum) \(facts.unit)"
    }
  }
}
