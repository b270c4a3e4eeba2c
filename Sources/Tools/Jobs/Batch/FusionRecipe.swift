internal import InertialEssentials
internal import InertialSystem

/// All that decides a dataset beside the log: two datasets of one log and one recipe are the same.
///
/// It is the options themselves, with every parameter of the filter and the version of the program.
package struct FusionRecipe: Sendable, Codable {
  /// `tool`, `parameters` and `options`.
  private let document: JSONFact

  package init(_ options: FusionOptions) {
    document = .object([
      "tool": .text("inertial \(ToolVersion.current)"),
      "parameters": .object(options.parameters.mapValues(JSONFact.number)),
      "options": JSONFact(encoding: options),
    ])
  }

  /// Also one of an earlier version, which then differs in what it says otherwise.
  package init(from decoder: any Decoder) throws { document = try JSONFact(from: decoder) }

  package func encode(to encoder: any Encoder) throws { try document.encode(to: encoder) }

  /// A fact that two recipes do not have in common.
  struct Difference: Sendable, Equatable, CustomStringConvertible {
    var name: String
    /// nil where the recipe does not say.
    var old: String?
    var new: String?

    var description: String {
      if let old, let new, old.contains(","), new.contains(",") {
        return "\(name) (\(Self.change(from: old, to: new)))"
      }
      return "\(name) (then \(old ?? "not given"), now \(new ?? "not given"))"
    }

    /// Of two lists, what only one of them has.
    private static func change(from old: String, to new: String) -> String {
      let (before, after) = (old.split(separator: ","), new.split(separator: ","))
      let parts = [
        ("no longer", before.filter { !after.contains($0) }), ("now also", after.filter { !before.contains($0) }),
      ].filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }
      return parts.isEmpty ? "in another order" : parts.joined(separator: ", ")
    }
  }

  /// What a later recipe has otherwise; empty where they are the same.
  ///
  /// Another filter, another form of it or another version has other parameters: then those are not named.
  func differences(from later: FusionRecipe) -> [Difference] {
    let (old, new) = (facts, later.facts)
    let all = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    let isOtherFilter = !Set(all).isDisjoint(with: ["filter", "smooths", "tool"])
    return all.filter { !(isOtherFilter && $0.hasPrefix(Self.parameterPrefix)) }
      .map { Difference(name: $0, old: old[$0], new: new[$0]) }
  }

  private static let parameterPrefix = "parameters."

  /// Every value by its place, the options' by their own names. As text, in which a value that is no number equals itself.
  private var facts: [String: String] {
    var facts: [String: String] = [:]
    for (place, value) in document.leaves() {
      facts[place.hasPrefix("options.") ? String(place.dropFirst("options.".count)) : place] = value
    }
    return facts
  }
}
