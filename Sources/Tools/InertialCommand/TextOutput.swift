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

extension Page {
  /// Prints the path of a log, its duration in seconds and the source of its motion, then its warnings.
  func heading(_ log: LogSummary, _ source: MotionSource?, duration: Double) {
    line("\(log.description.path): \(fixed(duration, 1)) s, \(source?.meaning ?? "")")
    for warning in log.warnings { line("note: \(warning)", style: .yellow) }
    line("")
  }
}
