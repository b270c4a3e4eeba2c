/// The reasons why a name or a setting is rejected, each in one line.
public enum SettingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// No object of a kind has the name, such as a filter; `known` contains the names that exist.
  case unknownName(String, kind: String, known: [String])
  /// The owner, such as a filter, has no parameter of the name; `known` contains its parameters.
  case unknownParameter(String, owner: String, known: [String])
  /// The value is not valid for the parameter.
  case outOfRange(ParameterFacts, Double)
  /// Two settings change the same parameter.
  case sameParameter(String, String, String)

  public var description: String {
    switch self {
    case .unknownName(let name, let kind, let known):
      "there is no \(kind) '\(name)'; \(Self.remedy(name, known))"
    case .unknownParameter(let name, let owner, let known):
      "the \(owner) has no parameter '\(name)'; \(Self.remedy(name, known))"
    case .sameParameter(let first, let second, let parameter):
      "\(first) and \(second) both set \(parameter); use one of them"
    case .outOfRange(let facts, let value) where facts.words != nil:
      "\(facts.name) = \(value) is not one of its values; use \((facts.words ?? []).joined(separator: " or "))"
    case .outOfRange(let facts, let value):
      "\(facts.name) = \(value) is out of range; use \(facts.minimum) to \(facts.maximum) \(facts.unit)"
    }
  }

  /// Returns the proposal of the nearest name, or of all names if none is near.
  private static func remedy(_ name: String, _ known: [String]) -> String {
    if let near = name.nearest(of: known) { return "use \(near)" }
    return known.isEmpty ? "use none" : "use one of \(known.joined(separator: ", "))"
  }
}

extension String {
  /// Returns the name that a user probably meant, or `nil` if no name is near: it begins with this one, or differs by at
  /// most a third of its letters. Case does not count.
  package func nearest(of names: [String]) -> String? {
    let own = Array(lowercased())
    guard own.count > 1 else { return nil }
    let distances = names.map { Self.editDistance(own, Array($0.lowercased())) }
    let best = zip(names, distances).min { $0.1 < $1.1 }
    if let best, best.1 <= max(1, own.count / 3) { return best.0 }
    return names.first { $0.lowercased().hasPrefix(lowercased()) }
  }

  /// Returns the number of letters to insert, delete or replace, and of adjacent letters to exchange, which turn one
  /// word into the other (the restricted Damerau-Levenshtein distance).
  private static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    var (beforeLast, last) = ([Int](), Array(0...b.count))
    for (i, letter) in a.enumerated() {
      var row = [i + 1]
      for (j, other) in b.enumerated() {
        var cost = Swift.min(row[j] + 1, last[j + 1] + 1, last[j] + (letter == other ? 0 : 1))
        if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other { cost = Swift.min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
