// Foundation's functions for strings and paths, for code that does not need Foundation otherwise.

extension String {
  /// Creates a string with C's `printf`, without localisation.
  package init(cFormat: String, _ arguments: any CVarArg...) {
    var bytes = [CChar](repeating: 0, count: 512)
    let count = withVaList(arguments) { vsnprintf(&bytes, 512, cFormat, $0) }
    let text = bytes.prefix(Swift.max(0, Swift.min(Int(count), 511)))
    self.init(decoding: text.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns the string without the matching characters at both ends.
  package func trimmed(where isMeant: (Character) -> Bool = \.isWhitespace) -> String {
    var rest = self[...].drop(while: isMeant)
    while let last = rest.last, isMeant(last) { rest.removeLast() }
    return String(rest)
  }

  /// The string as one word of a shell's command line.
  package var quotedForShell: String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=,:@%+".utf8)
    return !isEmpty && utf8.allSatisfy { $0 >= 0x80 || plain.contains($0) }
      ? self : "'" + replacing("'", with: "'\\''") + "'"
  }

  // MARK: Paths

  /// The name of the file or folder at the end of a path; "/" for the root.
  package var lastPathPart: String {
    split(separator: "/").last.map(String.init) ?? (hasPrefix("/") ? "/" : "")
  }

  /// The folder that contains the file or folder of a path; "" if the path is only a name.
  package var pathOfFolder: String {
    let path = withoutSlashesAtEnd
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash]).withoutSlashesAtEnd
  }

  /// The part of the name after the last dot; "" if there is no such part.
  package var pathEnding: String {
    let name = lastPathPart
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  /// Returns the path with a component appended.
  package func appendingPathPart(_ part: String) -> String {
    isEmpty ? part : hasSuffix("/") ? self + part : self + "/" + part
  }

  /// The path without slashes at its end; "/" for the root.
  package var withoutSlashesAtEnd: String {
    var path = self[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}

extension String {
  /// The string escaped for the text and the attributes of XML.
  package var xmlEscaped: String {
    var result = ""
    for character in unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // XML 1.0 permits no other control characters.
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}

extension String {
  /// Returns the string without control characters and direction marks: a log's names must not move the cursor or look
  /// like other names. Line breaks and tabs are kept.
  ///
  /// - Parameter substitute: A closure that returns the replacement of such a character.
  package func withoutControls(by substitute: (Unicode.Scalar) -> String = { _ in "?" }) -> String {
    guard unicodeScalars.contains(where: Self.isControl) else { return self }
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars {
      if Self.isControl(scalar) { scalars += substitute(scalar).unicodeScalars } else { scalars.append(scalar) }
    }
    return String(scalars)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xEF80...0xEFFF: true
    default: false
    }
  }
}
