/// A log's time from left to right, with marks.
struct TimeStrip {
  private let start: Double
  private let span: Double
  private var marks: [Character]

  init(from start: Double, to end: Double, width: Int) {
    (self.start, span) = (start, max(end - start, .leastNonzeroMagnitude))
    marks = Array(repeating: "·", count: max(1, width))
  }

  private func column(_ time: Double) -> Int {
    let share = (time - start) / span
    return share.isFinite ? min(marks.count - 1, max(0, Int(share * Double(marks.count)))) : 0
  }

  mutating func mark(from: Double, to: Double, _ mark: Character = "█") {
    let (first, last) = (column(from), column(to))
    guard first <= last else { return }
    for index in first...last { marks[index] = mark }
  }

  mutating func mark(_ time: Double, _ mark: Character = "█") { self.mark(from: time, to: time, mark) }

  var text: String { String(marks) }
}

/// Numbers as eighths of a character's height.
enum Sparkline {
  private static let levels = Array("▁▂▃▄▅▆▇█")

  /// The largest of the numbers of each of so many parts; a blank where a part has none.
  ///
  /// - Parameter least: what the lowest level stands for; nil = the least of the numbers.
  static func text(_ values: [Double], width: Int, least: Double? = nil) -> String {
    let known = values.filter(\.isFinite)
    guard width > 0, let low = least ?? known.min(), let high = known.max() else { return "" }
    let count = min(width, values.count)
    let characters = (0..<count).map { part -> Character in
      let range = part * values.count / count..<max(part * values.count / count + 1, (part + 1) * values.count / count)
      guard let value = values[range].filter(\.isFinite).max() else { return " " }
      // Halves, as the difference of the largest numbers is none.
      let share = high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0
      return levels[min(7, max(0, Int((share * 7).rounded())))]
    }
    return String(characters)
  }
}

/// A number as a bar, to an eighth of a character.
enum Bar {
  private static let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  static func text(_ value: Double, of most: Double, width: Int) -> String {
    guard value.isFinite, value > 0, most > 0, width > 0 else { return "" }
    let eighths = Int((min(1, value / most) * Double(width) * 8).rounded())
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }
}
