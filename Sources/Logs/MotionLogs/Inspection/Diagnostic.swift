/// A problem of a log with its remedy, in one sentence.
package struct Diagnostic: Sendable, Equatable, Encodable {
  package var text: String
  /// Whether the evidence excludes any known correct log and any motion. `fuse` also reports such findings.
  package var isCertain: Bool
  /// The option that corrects it, if the data determine one.
  package var answer: LogAnswer?

  static func certain(_ text: String, _ answer: LogAnswer? = nil) -> Diagnostic {
    Diagnostic(text: text, isCertain: true, answer: answer)
  }
  /// Returns a finding that also occurs in correct logs, such as a slight or unavoidable fault.
  static func likely(_ text: String, _ answer: LogAnswer? = nil) -> Diagnostic {
    Diagnostic(text: text, isCertain: false, answer: answer)
  }

  /// Encodes the text alone.
  package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
