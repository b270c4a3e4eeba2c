internal import InertialEssentials
internal import InertialSystem

/// A recipe: the inputs of a dataset except for the log. Datasets of the same log and the same recipe are equal.
///
/// A recipe contains the options, every parameter of the filter and the version of the program.
extension JSONValue {
  /// Creates the recipe of datasets with these options: `tool`, `parameters` and `options`.
  init(recipe options: FusionOptions) {
    self = .object([
      "tool": .text("inertial \(ToolVersion.current)"),
      "parameters": .object(options.parameters.mapValues(JSONValue.number)), "options": JSONValue(encoding: options),
    ])
  }

  /// Returns the differences of this recipe from a later one, each with its name and both values; empty if they are
  /// equal. A recipe of an earlier version differs in the changed facts.
  ///
  /// Parameters are omitted if the filter, its form or the version differs, as they differ as well.
  func differences(from later: JSONValue) -> [String] {
    let (old, new) = (facts, later.facts)
    let all = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    let isOtherFilter = !Set(all).isDisjoint(with: ["filter", "smooths", "tool"])
    return all.filter { !(isOtherFilter && $0.hasPrefix("parameters.")) }.map { name in
      if let old = old[name], let new = new[name], old.contains(","), new.contains(",") {
        return "\(name) (\(Self.change(from: old, to: new)))"
      }
      return "\(name) (then \(old[name] ?? "not given"), now \(new[name] ?? "not given"))"
    }
  }

  /// Returns the elements that only one of two lists contains.
  private static func change(from old: String, to new: String) -> String {
    let (before, after) = (old.split(separator: ","), new.split(separator: ","))
    let parts = [
      ("no longer", before.filter { !after.contains($0) }), ("now also", after.filter { !before.contains($0) }),
    ].filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }
    return parts.isEmpty ? "in another order" : parts.joined(separator: ", ")
  }

  /// All values as text, by path, with options by their own names. As text, NaN equals itself.
  private var facts: [String: String] {
    var facts: [String: String] = [:]
    for (path, value) in leaves() {
      facts[path.hasPrefix("options.") ? String(path.dropFirst("options.".count)) : path] = value
    }
    return facts
  }
}
