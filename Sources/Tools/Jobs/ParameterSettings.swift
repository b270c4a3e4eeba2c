internal import InertialCalibration
public import InertialFilters
public import InertialRecognition
package import InertialSensors

/// A kind of object with parameters for `--set name=value`: a filter or a shake detector.
package protocol ParameterKind: RegisteredKind {
  /// The command that lists all objects of the kind with their parameters.
  static var listing: String { get }
  /// The names of the parameters that can be set.
  var settableNames: [String] { get }
  /// - Throws: `SettingError` if a parameter is unknown or its value is out of range.
  func check(_ settings: [String: Double]) throws(SettingError)
}

extension FilterKind: ParameterKind {
  package static var listing: String { "inertial filters" }
  package var settableNames: [String] { (parameters + classicalNames).map(\.name) }
}

extension ShakeDetectorKind: ParameterKind {
  package static var listing: String { "inertial shake --rules" }
  package var settableNames: [String] { parameters.map(\.name) }
}

/// The parameter values for one or more filters or detectors: common values, and values of single filters or detectors.
public struct ParameterSettings: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// The values by parameter, for all objects that have the parameter.
  public var common: [String: Double] = [:]
  /// The values by filter or detector, then by parameter. They take precedence over `common`.
  public var own: [String: [String: Double]] = [:]
  /// The values by parameter, derived from a device's noise. They apply if the other values do not contain the
  /// parameter.
  package private(set) var expected: [String: Double] = [:]
  /// The file with the noise, or `nil` without such a file.
  package private(set) var noisePath: String?

  /// Creates empty settings, with which every parameter keeps its default.
  public init() {}

  public init(dictionaryLiteral elements: (String, Double)...) {
    common = Dictionary(elements) { _, last in last }
  }

  /// Parses settings such as `motionWeight=0.1` and `mekf.motionWeight=0.1`.
  ///
  /// - Parameters:
  ///   - words: The settings.
  ///   - noise: The path of a file of `inertial allan` with the sensors' noise, or `nil` without such a file.
  ///   - filters: The filters whose choices the values can name.
  /// - Throws: ``FusionError`` if a setting is no assignment or is repeated, or the file cannot be read.
  public init(
    words: [String], noise: String? = nil, filters: Registry<FilterKind> = FilterKind.all
  ) throws(FusionError) {
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = Self.parts(of: parts[0]).last ?? ""
      guard parts.count == 2, let value = Self.value(String(parts[1]), of: name, filters) else {
        if parts.count == 2, let words = filters.words(of: name) {
          throw .usage("--set \(name) takes \(words.joined(separator: " or ")), not '\(parts[1])'")
        }
        throw .usage(
          "--set takes name=value with a number, or filter.name=value for one of several filters, not '\(word)'")
      }
      guard set(parts[0], value) == nil else { throw .usage("--set \(parts[0]) is given twice") }
    }
    try read(noise: noise)
  }

  /// Creates the settings of a request: the object `settings`, whose members are numbers or words by `name` or
  /// `filter.name`, and `noise`, the path of a file of `inertial allan`.
  ///
  /// - Throws: ``FusionError`` if a value is invalid, or the file cannot be read.
  init(_ request: inout RequestObject) throws(FusionError) {
    let filters = FilterKind.all
    let settings = try request.object("settings")
    for (name, value) in settings?.members ?? [:] {
      let parameter = Self.parts(of: name[...]).last ?? ""
      switch value {
      case .number(let number): _ = set(name[...], number)
      case .text(let word):
        guard let number = Self.value(word, of: parameter, filters) else { fallthrough }
        _ = set(name[...], number)
      default:
        let expected = filters.words(of: parameter)?.joined(separator: " or ") ?? "a number"
        throw (settings ?? request).invalid(name, takes: expected)
      }
    }
    try read(noise: request.text("noise"))
  }

  private mutating func read(noise path: String?) throws(FusionError) {
    guard let path else { return }
    expected = try NoiseProfile(path: path).filterSettings
    noisePath = path
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
  /// - Parameter registry: The objects that can be named.
  /// - Throws: ``FusionError`` if no object has a common parameter, a named object is not among `kinds` or lacks a
  ///   parameter, or a value is out of range.
  package func resolved<Kind: ParameterKind>(
    for kinds: [Kind], of registry: Registry<Kind>
  ) throws(FusionError) -> [[String: Double]] {
    for name in own.keys.sorted() where !kinds.contains(where: { $0.name == name }) {
      _ = try registry.requested(name)
      throw .usage("--set \(name).…: the \(Kind.noun) \(name) is not used; in use: \(Self.list(kinds.map(\.name)))")
    }
    for name in common.keys.sorted() where !kinds.contains(where: { $0.settableNames.contains(name) }) {
      guard kinds.count > 1 else { continue }  // The check of a single kind finds the nearest name.
      let near = name.nearest(of: kinds.flatMap(\.settableNames)).map { "use \($0)" }
      throw .usage(
        "none of the \(Kind.noun)s \(Self.list(kinds.map(\.name))) has a parameter '\(name)'; "
          + (near ?? "'\(Kind.listing)' lists them"))
    }
    var result: [[String: Double]] = []
    for kind in kinds {
      var settings = kinds.count > 1 ? common.filter { kind.settableNames.contains($0.key) } : common
      settings.merge(own[kind.name] ?? [:]) { _, own in own }
      settings.merge(expected.filter { kind.settableNames.contains($0.key) }) { said, _ in said }
      do throws(SettingError) { try kind.check(settings) } catch { throw FusionError(error) }
      result.append(settings)
    }
    return result
  }

  private static func value(_ text: String, of parameter: String, _ filters: Registry<FilterKind>) -> Double? {
    Double(text) ?? filters.value(of: text, in: parameter)
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
