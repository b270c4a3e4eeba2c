/// What looks wrong with a log, in one sentence with what mends it.
package struct Finding: Sendable, Equatable {
  package var text: String
  /// Whether the evidence is such that no right log is known, nor any motion, that looks so: what `fuse` warns of as well.
  package var isCertain: Bool
  /// The option that corrects it, if the data determine one.
  package var answer: LogAnswer?

  static func certain(_ text: String, _ answer: LogAnswer? = nil) -> Finding {
    Finding(text: text, isCertain: true, answer: answer)
  }
  /// Worth knowing, but right logs look so too: what is slightly out of order, or hard to avoid.
  static func likely(_ text: String, _ answer: LogAnswer? = nil) -> Finding {
    Finding(text: text, isCertain: false, answer: answer)
  }
}
