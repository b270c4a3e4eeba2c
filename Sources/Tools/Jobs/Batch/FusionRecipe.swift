internal import InertialEssentials
internal import InertialSystem

/// The inputs of a dataset except for the log: datasets of the same log and the same recipe are equal.
///
/// A recipe contains the options, every parameter of the filter and the version of the program.
package struct FusionRecipe: Sendable, Codable {
  /// `tool`, `parameters` and `options`.
  private let document: JSONValue

  package init(_ options: FusionOptions) {
    document = .object([
      "tool": .text("inertial \(ToolVersion.current)"),
      "parameters": .object(options.parameters.mapValues(JSONValue.number)), "options": JSONValue(encoding: options),
    ])
  }

  /// Decodes a recipe, which may be from an earlier version. It then differs in the changed facts.
  package init(from decoder: any Decoder) throws { document = try JSONValue(from: decoder) }

  package func encode(to encoder: any Encoder) throws { try document.encode(to: encoder) }

  /// Returns the differences from a later recipe, each with its name and both values; empty if the recipes are equal.
  ///
  /// Parameters are omitted if the filter, its form or the version differs, as they differ as well.
  func differences(from later: FusionRecipe) -> [String] {
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
    for (path, value) in document.leaves() {
      facts[path.hasPrefix("options.") ? String(path.dropFirst("options.".count)) : path] = value
    }
    return facts
  }
}
