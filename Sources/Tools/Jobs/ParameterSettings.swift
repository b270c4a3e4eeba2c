public import InertialFilters
public import InertialRecognition
package import InertialSensors

/// A kind of object with parameters for `--set name=value`: a filter or a shake detector.
package protocol ParameterKind: Sendable {
  /// The noun for the kind in messages: "filter" or "detector".
  static var noun: String { get }
  /// The command that lists all objects of the kind with their parameters.
  static var listing: String { get }
  /// The name that selects the object.
  var name: String { get }
  /// The names of the parameters that can be set.
  var settableNames: [String] { get }
  /// - Throws: ``FusionError`` if the name is unknown.
  static func known(_ name: String) throws(FusionError) -> Self
  /// - Throws: ``FusionError`` if a parameter is unknown or its value is out of range.
  func check(_ settings: [String: Double]) throws(FusionError)
}

extension FilterKind: ParameterKind {
  package static var noun: String { "filter" }
  package static var listing: String { "inertial filters" }
  package var settableNames: [String] { (parameters + classicalNames).map(\.name) }

  package func check(_ settings: [String: Double]) throws(FusionError) {
    do throws(FilterSettingError) { _ = try make(settings) } catch { throw FusionError(error) }
  }
}

extension ShakeDetectorKind: ParameterKind {
  package static var noun: String { "detector" }
  package static var listing: String { "inertial shake --rules" }
  package var settableNames: [String] { parameters.map(\.name) }

  package func check(_ settings: [String: Double]) throws(FusionError) { _ = try detector(settings) }
}

/// The parameter values for one or more filters or detectors: common values, and values of single filters or detectors.
public struct ParameterSettings: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// The values by parameter, for all objects that have the parameter.
  public var common: [String: Double] = [:]
  /// The values by filter or detector, then by parameter. They take precedence over `common`.
  public var own: [String: [String: Double]] = [:]
  /// The values by parameter, derived from a device's noise. They apply if the other values do not contain the
  /// parameter.
  package var expected: [String: Double] = [:]

  /// Creates empty settings, with which every parameter keeps its default.
  public init() {}

  public init(dictionaryLiteral elements: (String, Double)...) {
    common = Dictionary(elements) { _, last in last }
  }

  /// Parses settings such as `motionWeight=0.1` and `mekf.motionWeight=0.1`.
  public init(words: [String]) throws(FusionError) {
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = Self.parts(of: parts[0]).last ?? ""
      guard parts.count == 2, let value = Self.value(String(parts[1]), of: name) else {
        if parts.count == 2, let words = FilterKind.words(of: name) {
          throw .usage("--set \(name) takes \(words.joined(separator: " or ")), not '\(parts[1])'")
        }
        throw .usage(
          "--set takes name=value with a number, or filter.name=value for one of several filters, not '\(word)'")
      }
      guard set(parts[0], value) == nil else { throw .usage("--set \(parts[0]) is given twice") }
    }
  }

  /// Creates the settings of a request's object, whose members are numbers or words by `name` or `filter.name`.
  ///
  /// - Throws: ``FusionError`` if a value is invalid.
  init(_ request: RequestObject?) throws(FusionError) {
    guard let request else { return }
    for (name, value) in request.members {
      let parameter = Self.parts(of: name[...]).last ?? ""
      switch value {
      case .number(let number): _ = set(name[...], number)
      case .text(let word):
        guard let number = Self.value(word, of: parameter) else { fallthrough }
        _ = set(name[...], number)
      default:
        throw request.invalid(name, takes: FilterKind.words(of: parameter)?.joined(separator: " or ") ?? "a number")
      }
    }
  }

  private static func parts(of name: Substring) -> [String] {
    name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  }

  /// Sets a parameter by `name` or `filter.name`, and returns its previous value.
  private mutating func set(_ name: Substring, _ value: Double) -> Double? {
    let parts = Self.parts(of: name)
    return parts.count == 2
      ? own[parts[0], default: [:]].updateValue(value, forKey: parts[1]) : common.updateValue(value, forKey: parts[0])
  }

  /// Returns the settings, completed by those of a device's calibration.
  package func expecting(_ calibration: SensorCalibration?) -> Self {
    var settings = self
    settings.expected.merge(calibration?.filterSettings ?? [:]) { said, _ in said }
    return settings
  }

  /// Returns the settings of each object, in order.
  ///
  /// - Throws: ``FusionError`` if no object has a common parameter, a named object is not among `kinds` or lacks a
  ///   parameter, or a value is out of range.
  package func resolved<Kind: ParameterKind>(for kinds: [Kind]) throws(FusionError) -> [[String: Double]] {
    for name in own.keys.sorted() where !kinds.contains(where: { $0.name == name }) {
      _ = try Kind.known(name)
      throw .usage("--set \(name).…: the \(Kind.noun) \(name) is not used; in use: \(Self.list(kinds.map(\.name)))")
    }
    for name in common.keys.sorted() where !kinds.contains(where: { $0.settableNames.contains(name) }) {
      guard kinds.count > 1 else { continue }  // The check of a single kind lists its parameters.
      throw .usage(
        "none of the \(Kind.noun)s \(Self.list(kinds.map(\.name))) has a parameter '\(name)'; '\(Kind.listing)' lists them"
      )
    }
    var result: [[String: Double]] = []
    for kind in kinds {
      var settings = kinds.count > 1 ? common.filter { kind.settableNames.contains($0.key) } : common
      settings.merge(own[kind.name] ?? [:]) { _, own in own }
      settings.merge(expected.filter { kind.settableNames.contains($0.key) }) { said, _ in said }
      try kind.check(settings)
      result.append(settings)
    }
    return result
  }

  private static func value(_ text: String, of parameter: String) -> Double? {
    Double(text) ?? FilterKind.value(of: text, in: parameter)
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
