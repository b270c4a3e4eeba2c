/// The names in a cell that holds a list, as collectors write those of devices and networks that they see.
///
/// `["A", "B"]` as JSON or as Swift prints an array, `A;B`, `A|B`, or `A, B`: parted at semicolons where there are any,
/// else at upright strokes, else at commas. Quotes around a name are left out, and so are names without a letter.
enum AuxiliaryList {
  static func names(_ text: String) -> [String] {
    var body = text.drop(while: \.isWhitespace)
    while let last = body.last, last.isWhitespace { body.removeLast() }
    let isArray = body.first == "[" && body.last == "]"
    if isArray { body = body.dropFirst().dropLast() }
    var names: [String] = []
    var name = ""
    var isQuoted = false
    let separator: Character = isArray ? "," : [";", "|"].first(where: body.contains) ?? ","
    for character in body {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == separator, !isQuoted {
        names.append(name)
        name = ""
      } else {
        name.append(character)
      }
    }
    names.append(name)
    return names.map { name in
      var name = name.drop(while: \.isWhitespace)
      while let last = name.last, last.isWhitespace { name.removeLast() }
      return String(name)
    }.filter { !$0.isEmpty }
  }
}
