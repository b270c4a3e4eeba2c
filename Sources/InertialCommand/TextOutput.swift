import Inertial

/// Writes a text to a file that appears under its name when it is whole.
func writeText(_ text: String, to path: String, force: Bool) throws(FusionError) {
  do throws(OutputError) {
    let file = try AtomicFile(path: path, force: force)
    try file.write(text)
    try file.commit()
  } catch {
    throw FusionError(error)
  }
}

/// Comma separated values on standard output.
enum CSVFields {
  static func print(_ fields: [String]) { Page.standard.line(fields.joined(separator: ",")) }

  /// Nothing for nil.
  static func optional<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "" }

  static func quoted(_ text: String) -> String {
    text.contains(where: { ",\"\n".contains($0) })
      ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }
}
