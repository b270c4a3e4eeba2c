package import InertialSensors

/// A filter by name: what it is, its parameters, and how to make one. The list is `FilterKind.all`.
public struct FilterKind: Sendable {
  /// The word for `--filter`.
  public let name: String
  /// What it is, in a sentence.
  public let summary: String
  /// Where its mathematics is from.
  public let source: String
  /// What it takes and gives.
  public let traits: FilterTraits
  /// The parameters that may be set, with their defaults and ranges.
  public let parameters: [ParameterFacts]
  /// Names of the literature that may be set as well; each stands for one of the parameters.
  public let classicalNames: [ParameterFacts]

  private let filteredKinds: [MeasurementKind]
  private let smoothedKinds: [MeasurementKind]
  /// For every setting, the names of the parameters that it changes: itself, or what a classical name stands for.
  private let targets: [String: [String]]
  private let read: @Sendable ([String: Double], Bool) -> [String: Double]
  private let factory: @Sendable ([String: Double], HeadingReference) -> any AttitudeFilter
  private let smootherFactory: (@Sendable ([String: Double], HeadingReference) -> any AttitudeSmoother)?
  private let decoder: @Sendable (any Decoder) throws -> any AttitudeFilter

  /// A parameter as tables and files show it.
  public struct ParameterFacts: Sendable, Codable, Equatable {
    /// The word for `--set`.
    public let name: String
    /// The unit of its values.
    public let unit: String
    /// The value that it has unless it is set, in `unit`.
    public let defaultValue: Double
    /// The offline form's default; nil where there is no offline form.
    public let smoothingDefault: Double?
    /// The least value that is taken, in `unit`.
    public let minimum: Double
    /// The largest value that is taken, in `unit`.
    public let maximum: Double
    /// What it is, and what a bigger value does.
    public let meaning: String
    /// The words for the values 0, 1, ... of a choice, which `--set` takes; nil for a number.
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

    /// A value as a user writes it: the word of a choice, or a number.
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

  /// A filter by its type, also one of a script's own.
  public init<Filter: AttitudeFilter>(_ type: Filter.Type) {
    self.init(type, smoothing: nil, smoother: nil, smoothedKinds: [])
  }

  /// A filter by its type, with its offline form.
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

  /// A filter of this kind at its start.
  ///
  /// - `settings`: parameter values by name or classical name; what is not named keeps its default. Classical
  ///   names are set after the others.
  /// - Throws: `FilterSettingError` for an unknown name or a value out of range.
  public func make(
    _ settings: [String: Double] = [:], headingReference: HeadingReference = .magneticNorth
  ) throws(FilterSettingError) -> any AttitudeFilter {
    try check(settings)
    return factory(settings, headingReference)
  }

  /// The value of every parameter by its own name, as a filter made with the settings has it, or its offline form.
  public func values(_ settings: [String: Double] = [:], smoothing: Bool = false) -> [String: Double] {
    read(settings, smoothing)
  }

  /// The parameters that a setting changes: itself, or what a classical name stands for; empty for an unknown name.
  public func parameters(setBy name: String) -> [String] { targets[name] ?? [] }

  /// Whether the filter has an offline form.
  public var canSmooth: Bool { smootherFactory != nil }

  /// The kinds of measurements that the filter tells of, or its offline form; empty where it tells of none
  /// (`MeasurementReporting`).
  package func measurementKinds(smoothing: Bool) -> [MeasurementKind] { smoothing ? smoothedKinds : filteredKinds }

  /// The offline form of this kind at its start; nil where the filter has none.
  ///
  /// - `settings`: as of `make`.
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

  /// The words of a choice that some filter has under a name; nil where it is none.
  package static func words(of parameter: String) -> [String]? {
    for kind in all {
      if let words = kind.parameters.first(where: { $0.name == parameter })?.words { return words }
    }
    return nil
  }

  /// The value that such a word stands for; nil where it is none.
  package static func value(of word: String, in parameter: String) -> Double? {
    words(of: parameter)?.firstIndex(of: word).map(Double.init)
  }

  func decode(from decoder: any Decoder) throws -> any AttitudeFilter { try self.decoder(decoder) }

  /// Every filter, simplest first.
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

  /// The filter used where none is named.
  public static let standard = MotionPriorKalman.name

  /// The filter of a name of the list `all`; nil where there is none.
  public static func named(_ name: String) -> FilterKind? { all.first { $0.name == name } }
}

/// A setting that a filter does not take.
public enum FilterSettingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A filter has no parameter of the name; `known` are those that it has.
  case unknownParameter(String, filter: String, known: [String])
  /// A value that the parameter does not take.
  case outOfRange(FilterKind.ParameterFacts, Double)
  /// Two settings that change the same parameter.
  case sameParameter(String, String, String)

  public var description: String {
    switch self {
    case .unknownParameter(let name, let filter, let known):
      "the filter \(filter) has no parameter '\(name)'; it has \(known.joined(separator: ", "))"
    case .sameParameter(let first, let second, let parameter):
      "\(first) and \(second) both set \(parameter); give one of them"
    case .outOfRange(let facts, let value) where facts.words != nil:
      "\(facts.name) = \(value) is none of its words; it takes \((facts.words ?? []).joined(separator: " or "))"
    case .outOfRange(let facts, let value):
      "\(facts.name) = \(value) is out of range; it takes \(facts.minimum) to \(facts.maximum) \(facts.unit)"
    }
  }
}
