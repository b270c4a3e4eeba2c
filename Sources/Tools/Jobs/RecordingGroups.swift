internal import InertialSystem

/// Which recordings belong together, such as those of a person or of a kind of motion.
package struct RecordingGroups: Sendable {
  /// What makes a group.
  package enum Rule: String, Sendable, CaseIterable {
    /// The folder, where the recordings lie in several folders and one of them has more than one; otherwise none.
    case automatic
    /// The folder that a recording lies in.
    case folder
    case none
  }

  /// The group of each recording, in their order; nil where there are none.
  package let groups: [String?]
  /// A short name for each recording: its path without the folders that all have in common.
  package let names: [String]

  package init(_ paths: [String], by rule: Rule = .automatic) {
    names = Self.shortened(paths)
    let folders = Self.shortened(paths, isFolder: true)
    let counts = Dictionary(folders.map { ($0, 1) }, uniquingKeysWith: +)
    let isWorthIt = counts.count > 1 && counts.values.contains { $0 > 1 }
    let byFolder = rule == .folder || (rule == .automatic && isWorthIt)
    groups = byFolder ? folders : paths.map { _ in nil }
  }

  /// Groups from a table: in each line a pattern, a comma and the group's name. The first pattern that matches a
  /// recording's path, the end of its path, or its name without extension, decides. In a pattern `*` stands for any
  /// characters and `?` for one; empty lines and those that begin with `#` are skipped.
  /// - `path`: the table's, for messages.
  /// - Throws: for a line without a comma, and for a recording that no pattern matches.
  package init(_ paths: [String], table: String, path: String) throws(FusionError) {
    names = Self.shortened(paths)
    var rules: [(pattern: String, group: String)] = []
    for (index, line) in table.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let text = trimmed(line)
      if text.isEmpty || text.hasPrefix("#") { continue }
      guard let comma = text.lastIndex(of: ",") else {
        throw .badData("\(path):\(index + 1): there is no comma; a line is 'pattern,group', such as 'personA_*,A'")
      }
      let (pattern, group) = (trimmed(text[..<comma]), trimmed(text[text.index(after: comma)...]))
      guard !pattern.isEmpty, !group.isEmpty else {
        throw .badData(
          "\(path):\(index + 1): pattern or group is empty; a line is 'pattern,group', such as 'personA_*,A'")
      }
      rules.append((pattern, group))
    }
    var groups: [String?] = []
    for recording in paths {
      guard let rule = rules.first(where: { Self.matches($0.pattern, recording) }) else {
        throw .badData("\(path): no pattern matches \(recording); '*,rest' as the last line matches whatever is left")
      }
      groups.append(rule.group)
    }
    self.groups = groups
  }

  /// The group of each recording by its path; without those that have none.
  ///
  /// - Parameter paths: those that the groups were made for.
  package func byPath(_ paths: [String]) -> [String: String] {
    Dictionary(
      zip(paths, groups).compactMap { path, group in group.map { (path, $0) } }, uniquingKeysWith: { first, _ in first }
    )
  }

  private static func matches(_ pattern: String, _ path: String) -> Bool {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    let candidates: [String] = [path, name, stem]
    return candidates.contains { fnmatch(pattern, $0, 0) == 0 } || fnmatch("*/" + pattern, path, 0) == 0
  }

  /// Paths, or the folders they lie in, without the folders that all paths have in common.
  private static func shortened(_ paths: [String], isFolder: Bool = false) -> [String] {
    let parts: [[String]] = paths.map { $0.split(separator: "/").map(String.init) }
    // The last part is never common: it is the name.
    let shortest = parts.map { max(0, $0.count - 1) }.min() ?? 0
    var common = 0
    while common < shortest, Set(parts.map { $0[common] }).count == 1 { common += 1 }
    return parts.map { part in
      let kept = Array((isFolder ? part.dropLast() : part[...]).dropFirst(common))
      return kept.isEmpty ? "." : kept.joined(separator: "/")
    }
  }
}

private func trimmed(_ text: some StringProtocol) -> String {
  var text = Substring(text)
  while let first = text.first, first.isWhitespace { text.removeFirst() }
  while let last = text.last, last.isWhitespace { text.removeLast() }
  return String(text)
}
