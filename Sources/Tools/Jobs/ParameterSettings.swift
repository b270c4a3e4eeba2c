public import InertialFilters
public import InertialRecognition
package import InertialSensors

/// What `--set name=value` can be said of: a filter, or a detector of shakes.
package protocol ParameterKind: Sendable {
  /// The word for one of its kind in messages: "filter" or "detector".
  static var noun: String { get }
  /// The command that lists all of its kind with their parameters.
  static var listing: String { get }
  /// The word that chooses it.
  var name: String { get }
  /// Names that may be set.
  var settableNames: [String] { get }
  /// - Throws: where there is none of the name.
  static func known(_ name: String) throws(FusionError) -> Self
  /// - Throws: for a name that it does not have, and for a value out of range.
  func check(_ settings: [String: Double]) throws(FusionError)
}

extension FilterKind: ParameterKind {
  package static var noun: String { "filter" }
  package static var listing: String { "inertial filters" }
  package var settableNames: [String] { (parameters + classicalNames).map(\.name) }

  package func check(_ settings: [String: Double]) throws(FusionError) {
    do throws(FilterSettingError) {
      _ = try make(settings)
    } catch {
      throw FusionError(error)
    }
  }
}

extension ShakeDetectorKind: ParameterKind {
  package static var noun: String { "detector" }
  package static var listing: String { "inertial shake --rules" }
  package var settableNames: [String] { parameters.map(\.name) }

  package func check(_ settings: [String: Double]) throws(FusionError) {
    _ = try detector(settings)
  }
}

/// Values for the parameters of one filter or detector, or of several: some for every one that has a parameter of the
/// name, some for one alone.
public struct ParameterSettings: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// By parameter, for all that have it.
  public var common: [String: Double] = [:]
  /// By filter or detector, then by parameter; these win over the common ones.
  public var own: [String: [String: Double]] = [:]
  /// By parameter, for those that have it, where neither of the others says anything: what a device's noise asks for.
  package var expected: [String: Double] = [:]

  /// No settings: every parameter keeps its default.
  public init() {}

  public init(dictionaryLiteral elements: (String, Double)...) {
    common = Dictionary(elements) { _, last in last }
  }

  /// The settings of words such as `motionWeight=0.1` and `mekf.motionWeight=0.1`.
  public init(words: [String]) throws(FusionError) {
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let names = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = names.last ?? ""
      guard parts.count == 2, let value = Self.value(String(parts[1]), of: name) else {
        if parts.count == 2, let words = FilterKind.words(of: name) {
          throw .usage("--set \(name) takes \(words.joined(separator: " or ")), not '\(parts[1])'")
        }
        throw .usage("--set takes name=value with a number, or filter.name=value for one of several, not '\(word)'")
      }
      let previous =
        names.count == 2
        ? own[names[0], default: [:]].updateValue(value, forKey: names[1])
        : common.updateValue(value, forKey: names[0])
      guard previous == nil else { throw .usage("--set \(parts[0]) is given twice") }
    }
  }

  /// These, and what a device's calibration asks for where they say nothing.
  package func expecting(_ calibration: SensorCalibration?) -> Self {
    var settings = self
    settings.expected.merge(calibration?.filterSettings ?? [:]) { said, _ in said }
    return settings
  }

  /// The settings of each, in their order.
  ///
  /// - Throws: for a common name that none of them has, for one that is named and not among them, for a parameter that a
  ///   named one lacks, and for a value out of range.
  package func resolved<Kind: ParameterKind>(for kinds: [Kind]) throws(FusionError) -> [[String: Double]] {
    for name in own.keys.sorted() where !kinds.contains(where: { $0.name == name }) {
      _ = try Kind.known(name)
      throw .usage(
        "--set \(name).…: the \(Kind.noun) \(name) is not used; used are \(Self.list(kinds.map(\.name)))")
    }
    for name in common.keys.sorted() where !kinds.contains(where: { $0.settableNames.contains(name) }) {
      guard kinds.count > 1 else { continue }  // Its own error names what it has.
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
