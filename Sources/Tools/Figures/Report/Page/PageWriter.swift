internal import InertialEssentials
internal import InertialLogs
internal import InertialSystem

/// Writes a self-contained HTML file: style, script, facts as JSON and blocks of numbers.
///
/// Data from a log is in JSON, from which the script creates text nodes, or in the title, which is escaped. The page's
/// content security policy permits only its own script, identified by its hash, and no loading of resources.
struct PageWriter {
  var title: String
  var script: String
  /// The hash of the script, as a source of the policy.
  var scriptHash: String
  /// The JSON document that the script reads as `document`.
  var facts: String
  /// The blocks of numbers with their names, in order; the early ones are available when the script starts.
  var early: [(name: String, text: String)] = []
  var late: [(name: String, text: String)] = []
  /// The origins that the page may connect to, as sources of its policy; none by default.
  var connections: [String] = []
  var style = PageResources.style
  var styleHash = PageResources.styleHash

  /// The size of everything except the blocks, in bytes.
  var fixedSize: Int { head.utf8.count + middle.utf8.count + PageWriter.tail.utf8.count }

  func write(to file: AtomicFile) throws(OutputError) {
    try file.write(head)
    for block in early { try file.write(Self.block(block.name, block.text)) }
    try file.write(middle)
    for block in late { try file.write(Self.block(block.name, block.text)) }
    try file.write(Self.tail)
    try file.commit()
  }

  /// The page without blocks.
  var text: String { head + middle + Self.tail }

  private var head: String {
    let policy =
      "default-src 'none'; script-src '\(scriptHash)'; style-src '\(styleHash)'; "
      + "base-uri 'none'; form-action 'none'"
      + (connections.isEmpty ? "" : "; connect-src " + connections.joined(separator: " "))
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="\(Self.escaped("inertial"))">
      <title>\(Self.escaped(title))</title>
      <style>\(style)</style>
      </head>
      <body>
      <noscript><p>This page draws its plots with JavaScript, which is disabled in this browser.</p></noscript>
      <main id="page"></main>
      <script type="application/json" id="facts">\(Self.json(facts))</script>

      """
  }

  private var middle: String { "<script>\(script)</script>\n" }
  private static let tail = "</body>\n</html>\n"

  private static func block(_ name: String, _ text: String) -> String {
    "<script type=\"text/plain\" id=\"\(name)\">\(text)</script>\n"
  }

  /// Returns the data for the script as JSON.
  static func document(_ content: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A log may contain an infinite start time, which the page shows as a word.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let data = try? encoder.encode(content) else { preconditionFailure("a page's content can be JSON") }
    return String(decoding: data, as: UTF8.self)
  }

  /// Returns JSON that cannot end its element or begin a comment.
  static func json(_ text: String) -> String {
    text.replacing("<", with: "\\u003c").replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }
}
