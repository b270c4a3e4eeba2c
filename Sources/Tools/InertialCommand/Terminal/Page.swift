import InertialEssentials
import InertialSystem

/// The output device for human-readable results: a terminal with a width and optional colours, or plain text for a
/// pipe.
package struct Page: Equatable {
  package enum Style: String {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case green = "32"
    case yellow = "33"
    case blue = "34"
  }

  /// Whether the output is a terminal: tables are as wide as their contents, and pictures as wide as the terminal.
  var isTerminal = false
  /// The number of characters per line.
  var width = Self.plainWidth
  var hasColour = false
  /// Whether the output has only ASCII characters, for the locales C and POSIX.
  var isASCII = false

  /// A width that fits every terminal and report.
  static let plainWidth = 100
  /// The width of strips and profiles in plain text.
  static let plainPicture = 64

  /// Standard output in its current state.
  package static var standard: Page {
    of(
      environment: ProcessInfo.processInfo.environment, isTerminal: isatty(STDOUT_FILENO) == 1,
      columns: columns(of: STDOUT_FILENO))
  }

  /// Returns the page for an output.
  ///
  /// - Parameters:
  ///   - environment: The environment; TERM=dumb selects plain text, and NO_COLOR with any value disables colours
  ///     (no-color.org).
  ///   - columns: The width that the terminal reports, or `nil` to use COLUMNS or 80.
  static func of(environment: [String: String], isTerminal: Bool, columns: Int?) -> Page {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let isASCII = locale == "C" || locale == "POSIX"
    guard isTerminal, environment["TERM"] != "dumb" else { return Page(isASCII: isASCII) }
    let specified = columns ?? environment["COLUMNS"].flatMap(Int.init) ?? 0
    return Page(
      isTerminal: true, width: specified > 0 ? max(specified, 20) : 80,
      hasColour: environment["NO_COLOR", default: ""].isEmpty, isASCII: isASCII)
  }

  /// Returns the width of a terminal, or `nil` if the descriptor is not a terminal.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  /// Returns the width of a picture with the given number of characters next to it.
  func picture(beside characters: Int) -> Int { isTerminal ? max(16, min(200, width - characters)) : Self.plainPicture }

  /// Prints parts separated by blanks, like `print`, without terminal control characters. All of the command's output
  /// to standard output is printed here.
  package func line(_ parts: String..., style: Style = .plain) {
    let text = parts.joined(separator: " ")
    // Empty lines may surround it; any other line break belongs to a name.
    let before = text.prefix { $0 == "\n" }
    let rest = text.dropFirst(before.count)
    let behind = rest.reversed().prefix { $0 == "\n" }.count
    let line = shown(Self.oneLine(String(rest.dropLast(behind))))
    print(before + styled(line, style) + String(repeating: "\n", count: behind))
  }

  /// Prints several lines.
  func text(_ text: String) { print(shown(text.withoutControls())) }

  /// Returns a string with the page's characters: in ASCII, the command's own symbols have substitutes of the same
  /// width if possible; other characters, such as those of file names, are unchanged.
  func shown(_ text: String) -> String {
    guard isASCII, text.utf8.contains(where: { $0 > 127 }) else { return text }
    return text.reduce(into: "") { $0 += Self.substitutes[$1] ?? String($1) }
  }

  /// The substitutes of the command's symbols in ASCII.
  private static let substitutes: [Character: String] = [
    "█": "#", "▉": "#", "▊": "#", "▋": "#", "▌": "#", "▍": "|", "▎": "|", "▏": "|", "░": ".", "·": ".", "▁": "_",
    "▂": "_", "▃": ".", "▄": "-", "▅": "=", "▆": "+", "▇": "*", "°": "deg", "µ": "u", "±": "+-", "²": "2", "³": "3",
    "×": "x", "−": "-", "–": "-", "…": "...", "≥": ">=", "≤": "<=", "→": "->", "σ": "sigma", "√": "sqrt ", "Δ": "d",
  ]

  /// Returns a string without control characters, line breaks and tabs.
  static func oneLine(_ text: String) -> String {
    let plain = text.withoutControls()
    guard plain.utf8.contains(where: { $0 == 0x0A || $0 == 0x09 }) else { return plain }
    return plain.replacing("\n", with: "?").replacing("\t", with: "?")
  }

  func styled(_ text: String, _ style: Style) -> String {
    hasColour && style != .plain ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
