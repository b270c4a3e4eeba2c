// What Foundation has for texts and paths, where it is not wanted for that alone.

extension String {
  /// A text as C's `printf` makes it, by the rules of no country.
  package init(cFormat: String, _ arguments: any CVarArg...) {
    var bytes = [CChar](repeating: 0, count: 512)
    let count = withVaList(arguments) { vsnprintf(&bytes, 512, cFormat, $0) }
    let text = bytes.prefix(Swift.max(0, Swift.min(Int(count), 511)))
    self.init(decoding: text.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Without the characters at both ends that are meant.
  package func trimmed(where isMeant: (Character) -> Bool = \.isWhitespace) -> String {
    var rest = self[...].drop(while: isMeant)
    while let last = rest.last, isMeant(last) { rest.removeLast() }
    return String(rest)
  }

  // MARK: Paths

  /// The name of the file or folder that a path leads to; "/" of the root.
  package var lastPathPart: String {
    split(separator: "/").last.map(String.init) ?? (hasPrefix("/") ? "/" : "")
  }

  /// The folder of the file or folder that a path leads to; "" where the path is a name alone.
  package var pathOfFolder: String {
    let path = withoutSlashesAtEnd
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash]).withoutSlashesAtEnd
  }

  /// What is behind the last dot of the name; "" where there is none.
  package var pathEnding: String {
    let name = lastPathPart
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  /// A place in the folder that a path leads to.
  package func appendingPathPart(_ part: String) -> String {
    isEmpty ? part : hasSuffix("/") ? self + part : self + "/" + part
  }

  private var withoutSlashesAtEnd: String {
    var path = self[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}

extension String {
  /// For the text and the attributes of XML.
  package var xmlEscaped: String {
    var result = ""
    for character in unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // XML 1.0 has no other control characters.
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
