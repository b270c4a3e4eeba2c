/// A position in a drawing, in points (1/72 inch) from the left and from the top.
package struct Point: Equatable, Sendable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
}

/// A rectangle in a drawing, in points.
package struct Box: Equatable, Sendable {
  package var left: Double
  package var top: Double
  package var right: Double
  package var bottom: Double

  package var width: Double { right - left }
  package var height: Double { bottom - top }

  func overlaps(_ other: Box) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  func contains(_ point: Point) -> Bool {
    left <= point.x && point.x <= right && top <= point.y && point.y <= bottom
  }

  func contains(_ other: Box) -> Bool {
    left <= other.left && other.right <= right && top <= other.top && other.bottom <= bottom
  }
}

/// Red, green and blue, 0 to 1.
package struct Colour: Equatable, Sendable {
  package var red: Double
  package var green: Double
  package var blue: Double

  package init(_ red: Double, _ green: Double, _ blue: Double) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }
  package init(grey: Double) { self.init(grey, grey, grey) }

  /// The lightness in a greyscale print, 0 to 1 (ITU-R BT.601).
  package var luma: Double { 0.299 * red + 0.587 * green + 0.114 * blue }
}

/// Lines, areas and text in drawing order: the common model of all formats.
package struct Drawing: Sendable {
  package enum Anchor: Sendable { case start, middle, end }

  package struct Stroke: Equatable, Sendable {
    var width: Double
    var colour: Colour
    /// The lengths of dashes and gaps, alternately; empty for a solid line.
    var dash: [Double] = []
  }

  package struct Fill: Equatable, Sendable {
    var colour: Colour
    var opacity = 1.0
  }

  package enum Shape: Sendable {
    /// The parts of a path, each a polyline.
    case lines([[Point]], Stroke)
    case areas([[Point]], Fill)
    /// Text on a baseline, optionally rotated by a quarter turn to the left.
    case text(String, at: Point, size: Double, anchor: Anchor, isTurned: Bool, Colour)
  }

  /// Shapes that are clipped to a box, or not clipped if `nil`.
  package struct Group: Sendable {
    package var clip: Box?
    package var shapes: [Shape] = []
    /// The name for users who edit the file.
    var name: String
  }

  package var width: Double
  package var height: Double
  package var groups: [Group] = []
  /// The title for screen readers.
  package var title = ""
}

/// Returns a number with at most the given number of decimals, without trailing zeros.
func short(_ value: Double, _ decimals: Int = 2) -> String {
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  guard value.isFinite, abs(value) < 1e12 else { return value > 0 ? "1000000" : value < 0 ? "-1000000" : "0" }
  let whole = Int((value * scale).rounded())
  guard whole != 0 else { return "0" }
  var digits = String(abs(whole))
  if digits.count <= decimals { digits = String(repeating: "0", count: decimals + 1 - digits.count) + digits }
  var fraction = digits.suffix(decimals)
  while fraction.last == "0" { fraction.removeLast() }
  let front = digits.dropLast(decimals)
  return (whole < 0 ? "-" : "") + front + (fraction.isEmpty ? "" : "." + fraction)
}
