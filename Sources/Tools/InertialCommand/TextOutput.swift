import Inertial

/// Prints comma-separated values on standard output.
enum CSVFields {
  static func print(_ fields: [String]) { Page.standard.line(fields.joined(separator: ",")) }

  /// Returns the value as text, or an empty string for `nil`.
  static func optional<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "" }

  static func quoted(_ text: String) -> String {
    text.contains(where: { ",\"\n".contains($0) })
      ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }
}
