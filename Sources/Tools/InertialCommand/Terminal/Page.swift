import InertialEssentials
import InertialSystem

/// What results for people are printed on: a terminal of a width, with or without colours, or plain text for a pipe.
struct Page: Equatable {
  enum Style: String {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case green = "32"
    case yellow = "33"
    case blue = "34"
  }

  /// Whether a person looks at it: tables are as wide as what is in them, and pictures as wide as the terminal.
  var isTerminal = false
  /// Characters in a line.
  var width = Self.plainWidth
  var hasColour = false

  /// A width that fits every terminal and report.
  static let plainWidth = 100
  /// The width of strips and profiles in plain text.
  static let plainPicture = 64

  /// Standard output, as it is now.
  static var standard: Page {
    of(
      environment: ProcessInfo.processInfo.environment, isTerminal: isatty(STDOUT_FILENO) == 1,
      columns: columns(of: STDOUT_FILENO))
  }

  /// - Parameters:
  ///   - environment: TERM=dumb is plain text; NO_COLOR with any value is without colours (no-color.org).
  ///   - columns: what the terminal says of its width; nil = nothing, and COLUMNS or 80 count.
  static func of(environment: [String: String], isTerminal: Bool, columns: Int?) -> Page {
    guard isTerminal, environment["TERM"] != "dumb" else { return Page() }
    let told = columns ?? environment["COLUMNS"].flatMap(Int.init) ?? 0
    return Page(
      isTerminal: true, width: told > 0 ? max(told, 20) : 80, hasColour: environment["NO_COLOR", default: ""].isEmpty)
  }

  /// The width of a terminal; nil where there is none.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  /// Width for a picture of which so many characters stand before and behind.
  func picture(beside words: Int) -> Int {
    isTerminal ? max(16, min(200, width - words)) : Self.plainPicture
  }

  /// Prints parts with blanks between them, as `print` does, without what a terminal would obey: the one way to standard
  /// output for every text of the command.
  func line(_ parts: String..., style: Style = .plain) {
    let text = parts.joined(separator: " ")
    // Empty lines may surround it; any other line end belongs to a name.
    let before = text.prefix { $0 == "\n" }
    let rest = text.dropFirst(before.count)
    let behind = rest.reversed().prefix { $0 == "\n" }.count
    print(before + styled(Self.oneLine(String(rest.dropLast(behind))), style) + String(repeating: "\n", count: behind))
  }

  /// Prints several lines.
  func text(_ text: String) { print(Self.cleaned(text)) }

  /// A text without control characters, line ends and tabs.
  static func oneLine(_ text: String) -> String {
    let plain = cleaned(text)
    guard plain.utf8.contains(where: { $0 == 0x0A || $0 == 0x09 }) else { return plain }
    return plain.replacing("\n", with: "?").replacing("\t", with: "?")
  }

  func styled(_ text: String, _ style: Style) -> String {
    hasColour && style != .plain ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// A text without control characters, and without those that turn the direction of what follows: a log's names must not
  /// move the cursor, and must not look like others. Ends of lines and tabs stay.
  ///
  /// - Parameter substitute: what stands in the place of such a character.
  static func cleaned(_ text: String, by substitute: (Unicode.Scalar) -> String = { _ in "?" }) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isControl(scalar) { scalars += substitute(scalar).unicodeScalars } else { scalars.append(scalar) }
    }
    return String(scalars)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xEF80...0xEFFF: true
    default: false
    }
  }
}
