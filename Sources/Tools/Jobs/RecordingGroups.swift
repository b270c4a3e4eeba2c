internal import InertialSystem

/// A grouping of recordings, for example by participant or by kind of motion.
package struct RecordingGroups: Sendable {
  /// The criterion for groups.
  package enum Rule: String, Sendable, CaseIterable {
    /// Groups by folder if there are several folders and one of them has several recordings; otherwise no groups.
    case automatic
    /// Groups by the folder that contains the recording.
    case folder
    case none
  }

  /// The group of each recording, in the order of the recordings, or `nil` for a recording without a group.
  package let groups: [String?]
  /// A short name for each recording: its path without the folders common to all recordings.
  package let names: [String]

  package init(_ paths: [String], by rule: Rule = .automatic) {
    names = Self.shortened(paths)
    let folders = Self.shortened(paths, isFolder: true)
    let counts = Dictionary(folders.map { ($0, 1) }, uniquingKeysWith: +)
    let isWorthIt = counts.count > 1 && counts.values.contains { $0 > 1 }
    let byFolder = rule == .folder || (rule == .automatic && isWorthIt)
    groups = byFolder ? folders : paths.map { _ in nil }
  }

  /// Creates groups from a table with one pattern and one group name per line, separated by a comma. A pattern matches
  /// a recording's path, the end of the path, or the name without extension. The first match determines the group. In a
  /// pattern `*` matches any characters and `?` one character. Empty lines and lines that begin with `#` are skipped.
  /// - Parameter path: The path of the table, for messages.
  /// - Throws: ``FusionError`` if a line has no comma or no pattern matches a recording.
  package init(_ paths: [String], table: String, path: String) throws(FusionError) {
    names = Self.shortened(paths)
    var rules: [(pattern: String, group: String)] = []
    for (index, line) in table.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let text = String(line).trimmed()
      if text.isEmpty || text.hasPrefix("#") { continue }
      guard let comma = text.lastIndex(of: ",") else {
        throw .badData("\(path):\(index + 1): the line has no comma; use 'pattern,group', such as 'personA_*,A'")
      }
      let (pattern, group) = (
        String(text[..<comma]).trimmed(), String(text[text.index(after: comma)...]).trimmed()
      )
      guard !pattern.isEmpty, !group.isEmpty else {
        throw .badData(
          "\(path):\(index + 1): the pattern or the group is empty; use 'pattern,group', such as 'personA_*,A'")
      }
      rules.append((pattern, group))
    }
    var groups: [String?] = []
    for recording in paths {
      guard let rule = rules.first(where: { Self.matches($0.pattern, recording) }) else {
        throw .badData(
          "\(path): no pattern matches \(recording); add '*,rest' as the last line for all other recordings")
      }
      groups.append(rule.group)
    }
    self.groups = groups
  }

  /// Returns the group of each recording by path, without the recordings that have no group.
  ///
  /// - Parameter paths: The paths that the groups were created for.
  package func byPath(_ paths: [String]) -> [String: String] {
    Dictionary(
      zip(paths, groups).compactMap { path, group in group.map { (path, $0) } }, uniquingKeysWith: { first, _ in first }
    )
  }

  private static func matches(_ pattern: String, _ path: String) -> Bool {
    let path = path.withoutSlashesAtEnd
    let name = path.lastPathPart
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    let candidates: [String] = [path, name, stem]
    return candidates.contains { fnmatch(pattern, $0, 0) == 0 } || fnmatch("*/" + pattern, path, 0) == 0
  }

  /// Returns the paths, or the paths of their folders, without the folders common to all paths.
  private static func shortened(_ paths: [String], isFolder: Bool = false) -> [String] {
    let parts: [[String]] = paths.map { $0.split(separator: "/").map(String.init) }
    // The last component is the name, which is never removed.
    let minimum = parts.map { max(0, $0.count - 1) }.min() ?? 0
    var common = 0
    while common < minimum, Set(parts.map { $0[common] }).count == 1 { common += 1 }
    return parts.map { part in
      let kept = Array((isFolder ? part.dropLast() : part[...]).dropFirst(common))
      return kept.isEmpty ? "." : kept.joined(separator: "/")
    }
  }
}
