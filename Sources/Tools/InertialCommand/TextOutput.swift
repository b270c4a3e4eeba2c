import Inertial

extension Page {
  /// Prints comma-separated values. A string is quoted if it contains a comma, a quote or a line break; `nil` is an
  /// empty field.
  func csv(_ fields: [(any CustomStringConvertible)?]) {
    let texts = fields.map { field in
      let text = field?.description ?? ""
      return text.contains(where: { ",\"\n".contains($0) }) ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
    }
    line(texts.joined(separator: ","))
  }

  /// Prints the path of a log, its duration in seconds and the source of its motion, then its warnings.
  func heading(_ log: LogSummary, _ source: MotionSource?, duration: Double) {
    line("\(log.description.path): \(fixed(duration, 1)) s, \(source?.meaning ?? "")")
    for warning in log.warnings { line("note: \(warning)", style: .yellow) }
    line("")
  }
}
