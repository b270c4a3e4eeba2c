public import AttitudeFilters

/// Values for the parameters of one filter or several: some for every filter that has a parameter of the name, some
/// for one filter alone.
public struct FilterSettings: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// By parameter, for every filter that has it.
  public var common: [String: Double] = [:]
  /// By filter, then by parameter; these win over the common ones.
  public var own: [String: [String: Double]] = [:]

  public init() {}

  public init(dictionaryLiteral elements: (String, Double)...) {
    common = Dictionary(elements) { _, last in last }
  }

  /// The settings of words such as `motionWeight=0.1` and `mekf.motionWeight=0.1`.
  public init(words: [String]) throws(FusionError) {
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let value = Double(parts[1]) else {
        throw .usage("--set takes name=value or filter.name=value with a number, not '\(word)'")
      }
      let names = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let previous =
        names.count == 2
        ? own[names[0], default: [:]].updateValue(value, forKey: names[1])
        : common.updateValue(value, forKey: names[0])
      guard previous == nil else { throw .usage("--set \(parts[0]) is given twice") }
    }
  }

  /// The settings of each filter, in their order.
  ///
  /// - Throws: for a common name that none of the filters has, for a filter that is not among them, for a parameter
  ///   that a named filter lacks, and for a value out of range.
  public func resolved(for kinds: [FilterKind]) throws(FusionError) -> [[String: Double]] {
    for name in own.keys.sorted() where !kinds.contains(where: { $0.name == name }) {
      _ = try FilterKind.known(name)
      throw .usage("--set \(name).…: the filter \(name) is not used; used are \(Self.list(kinds.map(\.name)))")
    }
    for name in common.keys.sorted() where !kinds.contains(where: { $0.has(name) }) {
      guard kinds.count > 1 else { continue }  // The filter's own error names what it has.
      throw .usage(
        "none of the filters \(Self.list(kinds.map(\.name))) has a parameter '\(name)'; 'inertial filters' lists them")
    }
    var result: [[String: Double]] = []
    for kind in kinds {
      var settings = kinds.count > 1 ? common.filter { kind.has($0.key) } : common
      settings.merge(own[kind.name] ?? [:]) { _, own in own }
      do throws(FilterSettingError) {
        _ = try kind.make(settings)
      } catch {
        throw FusionError(error)
      }
      result.append(settings)
    }
    return result
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

extension FilterKind {
  fileprivate func has(_ parameter: String) -> Bool { (parameters + classicalNames).contains { $0.name == parameter } }
}
