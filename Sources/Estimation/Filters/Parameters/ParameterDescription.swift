/// A parameter by name, for `--set`, tables, saved states and searches.
public struct ParameterDescription<Parameters>: Sendable {
  /// The name for `--set` and in saved states.
  public let name: String
  /// The unit of the values, or "word" for a choice.
  public let unit: String
  /// The range of valid values, in `unit`.
  public let range: ClosedRange<Double>
  /// The meaning of the parameter and the effect of a larger value, in one or two sentences.
  public let meaning: String
  /// The range of published or customary values, or `nil` if there are no such values.
  package let customary: ClosedRange<Double>?
  /// The words for the values 0, 1, ... of a choice; empty for a number.
  package let words: [String]
  /// The same parameter by its names in the literature.
  package private(set) var published: [Self] = []
  private let get: @Sendable (Parameters) -> Double
  private let put: @Sendable (inout Parameters, Double) -> Void

  private init(
    name: String, unit: String, range: ClosedRange<Double>, customary: ClosedRange<Double>? = nil, meaning: String,
    words: [String] = [], get: @escaping @Sendable (Parameters) -> Double,
    put: @escaping @Sendable (inout Parameters, Double) -> Void
  ) {
    (self.name, self.unit, self.range, self.customary, self.meaning) = (name, unit, range, customary, meaning)
    (self.words, self.get, self.put) = (words, get, put)
  }

  /// Creates a description of a number from its name, key path, unit, range, customary range and meaning.
  public init(
    _ name: String, _ path: any WritableKeyPath<Parameters, Double> & Sendable, _ unit: String,
    _ range: ClosedRange<Double>, customary: ClosedRange<Double>? = nil, _ meaning: String
  ) {
    self.init(
      name: name, unit: unit, range: range, customary: customary, meaning: meaning, get: { $0[keyPath: path] },
      put: { $0[keyPath: path] = $1 })
  }

  /// Creates a description of a choice: its values are 0, 1, ... in the order of its cases, and its words are their raw
  /// values.
  public init<Choice: CaseIterable & RawRepresentable<String> & Equatable & Sendable>(
    _ name: String, _ path: any WritableKeyPath<Parameters, Choice> & Sendable, _ meaning: String
  ) where Choice.AllCases == [Choice] {
    self.init(
      name: name, unit: "word", range: 0...Double(Choice.allCases.count - 1), meaning: meaning,
      words: Choice.allCases.map(\.rawValue),
      get: { Double(Choice.allCases.firstIndex(of: $0[keyPath: path]) ?? 0) },
      put: { $0[keyPath: path] = Choice.allCases[Int($1.rounded())] })
  }

  /// Creates a description of a number in a group of parameters that several filters share.
  public init<Group>(
    _ member: ParameterDescription<Group>, of group: any WritableKeyPath<Parameters, Group> & Sendable
  ) {
    self.init(
      name: member.name, unit: member.unit, range: member.range, customary: member.customary, meaning: member.meaning,
      words: member.words, get: { member.value(in: $0[keyPath: group]) },
      put: { member.set($1, in: &$0[keyPath: group]) })
    published = member.published.map { ParameterDescription($0, of: group) }
  }

  /// Returns the same parameter with a name in the literature.
  ///
  /// - Parameters:
  ///   - unit: The literature's unit, or `nil` for the parameter's unit.
  ///   - scale: The size of the literature's unit in the parameter's unit.
  package func published(_ name: String, unit: String? = nil, scale: Double = 1) -> Self {
    let unit = unit ?? self.unit
    let alias = Self(
      name: name, unit: unit, range: range.lowerBound / scale...range.upperBound / scale,
      meaning: "\(self.name) by its published name\(unit == self.unit ? "" : " and unit").",
      get: { [get] in get($0) / scale }, put: { [put] in put(&$0, $1 * scale) })
    return adding(alias)
  }

  /// Returns the same parameter with a name in the literature for a function of the parameter.
  ///
  /// - Parameters:
  ///   - name: The name for `--set`.
  ///   - path: The function. Setting it must change only this parameter.
  ///   - unit: The unit.
  ///   - range: The valid values.
  ///   - meaning: The meaning.
  public func published(
    _ name: String, _ path: any WritableKeyPath<Parameters, Double> & Sendable, _ unit: String,
    _ range: ClosedRange<Double>, _ meaning: String
  ) -> Self {
    adding(Self(name, path, unit, range, meaning))
  }

  private func adding(_ alias: Self) -> Self {
    var description = self
    description.published.append(alias)
    return description
  }

  /// Returns the parameter's value, in `unit`; for a choice, the index of its word.
  public func value(in parameters: Parameters) -> Double { get(parameters) }
  /// Sets the parameter. The value must be in `range`, which is not checked.
  public func set(_ value: Double, in parameters: inout Parameters) { put(&parameters, value) }
}

/// A parameter as shown in tables and files.
public struct ParameterFacts: Sendable, Codable, Equatable {
  /// The name for `--set`.
  public let name: String
  /// The unit of the values.
  public let unit: String
  /// The default value, in `unit`.
  public let defaultValue: Double
  /// The minimum value, in `unit`.
  public let minimum: Double
  /// The maximum value, in `unit`.
  public let maximum: Double
  /// The meaning of the parameter, and the effect of a larger value.
  public let meaning: String
  /// The words for the values 0, 1, ... of a choice, for use with `--set`; `nil` for a number.
  package let words: [String]?
  /// The minimum of published or customary values, or `nil` if there are no such values.
  package let customaryMinimum: Double?
  /// The maximum of published or customary values, or `nil` if there are no such values.
  package let customaryMaximum: Double?

  package init(
    name: String, unit: String, defaultValue: Double, minimum: Double, maximum: Double, meaning: String,
    words: [String]? = nil
  ) {
    (self.name, self.unit, self.defaultValue) = (name, unit, defaultValue)
    (self.minimum, self.maximum, self.meaning, self.words) = (minimum, maximum, meaning, words)
    (customaryMinimum, customaryMaximum) = (nil, nil)
  }

  /// Creates the facts of a parameter from its description and the values that hold the defaults.
  package init<Parameters>(_ description: ParameterDescription<Parameters>, defaults: Parameters) {
    (name, unit, meaning) = (description.name, description.unit, description.meaning)
    defaultValue = description.value(in: defaults)
    (minimum, maximum) = (description.range.lowerBound, description.range.upperBound)
    words = description.words.isEmpty ? nil : description.words
    (customaryMinimum, customaryMaximum) = (description.customary?.lowerBound, description.customary?.upperBound)
  }

  /// Returns a value in the notation of users: the word of a choice, or a number.
  package func text(_ value: Double, number: (Double) -> String) -> String {
    words.map { $0[Int(value)] } ?? number(value)
  }

  /// - Throws: `SettingError` if the value is outside the range or not the index of a word.
  package func check(_ value: Double) throws(SettingError) {
    // Written so that NaN fails.
    guard value >= minimum, value <= maximum, words == nil || value == value.rounded() else {
      throw .outOfRange(self, value)
    }
  }
}
