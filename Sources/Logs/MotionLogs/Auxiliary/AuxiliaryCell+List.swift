internal import InertialSystem

extension AuxiliaryCell {
  /// Returns the names in a cell that contains a list, such as the devices or networks that a collector detects.
  ///
  /// The list is an array in JSON or Swift notation (`["A", "B"]`), or `A;B`, `A|B` or `A, B`. Outside arrays, the
  /// separator is the semicolon if there is one, else the vertical bar, else the comma. Quotes around names are removed,
  /// and empty names are skipped.
  static func listedNames(_ text: String) -> [String] {
    var body = text.trimmed()[...]
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
    return names.map { $0.trimmed() }.filter { !$0.isEmpty }
  }
}
