/// What looks wrong with a log, in one sentence with what mends it.
struct Finding: Equatable {
  var text: String
  /// Whether the evidence is such that no right log is known, nor any motion, that looks so: what `fuse` warns of as well.
  var isCertain: Bool

  static func certain(_ text: String) -> Finding { Finding(text: text, isCertain: true) }
  /// Worth knowing, but right logs look so too: what is slightly out of order, or hard to avoid.
  static func likely(_ text: String) -> Finding { Finding(text: text, isCertain: false) }
}
