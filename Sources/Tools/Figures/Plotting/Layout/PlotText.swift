/// A text split into runs: exponents are raised and smaller, set in the glyphs of other digits.
struct PlotText {
  struct Run: Equatable {
    var text: String
    var isRaised: Bool
  }

  /// The size and the height above the baseline of a raised run, relative to the font size.
  static let raisedSize = 0.7
  static let raise = 0.36

  let runs: [Run]

  init(_ text: String) {
    var runs: [Run] = []
    for character in text.unicodeScalars {
      let plain = Self.raised[character]
      if let last = runs.indices.last, runs[last].isRaised == (plain != nil) {
        runs[last].text.unicodeScalars.append(plain ?? character)
      } else {
        runs.append(Run(text: String(plain ?? character), isRaised: plain != nil))
      }
    }
    self.runs = runs
  }

  /// Returns the width in the unit of `size`.
  func width(size: Double) -> Double {
    let font = PlotFont.standard
    return runs.reduce(0) { sum, run in
      let own = run.isRaised ? size * Self.raisedSize : size
      return sum + run.text.unicodeScalars.reduce(0) { $0 + font.advance(font.glyph($1)) } / font.unitsPerEm * own
    }
  }

  /// Returns a string without control characters, direction marks and characters that XML does not permit.
  static func cleaned(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var hasSpace = false
    for character in text.unicodeScalars {
      switch character.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        if !hasSpace { result.append(" ") }
        hasSpace = true
        continue
      case .format, .surrogate, .privateUse, .unassigned: continue
      default:
        result.append(character)
        hasSpace = character == " "
      }
    }
    return String(result)
  }

  /// Returns a string that fits a width, truncated with an ellipsis if needed.
  static func fitted(_ text: String, size: Double, width: Double) -> String {
    guard PlotText(text).width(size: size) > width else { return text }
    var text = text
    while !text.isEmpty, PlotText(text + "…").width(size: size) > width { text.removeLast() }
    return text + "…"
  }

  private static let raised: [Unicode.Scalar: Unicode.Scalar] = [
    "⁰": "0", "¹": "1", "²": "2", "³": "3", "⁴": "4", "⁵": "5", "⁶": "6", "⁷": "7", "⁸": "8", "⁹": "9", "⁻": "−",
    "⁺": "+",
  ]
}
