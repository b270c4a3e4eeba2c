/// The appearance of the series of a panel: colour, lightness, and stroke or marker.
enum SeriesStyle {
  /// The colours of the pages' lines: X red-orange, Y green and Z blue, from Okabe and Ito, "Color universal design"
  /// (2008), darkened so that neighbours differ in lightness, and others. All differ by at least 13 (CIEDE2000), also for
  /// readers without red or green cones.
  private static let colours = [
    Colour(0.835, 0.369, 0), Colour(0, 0.573, 0.412), Colour(0, 0.396, 0.612), Colour(0.075, 0, 0.188),
    Colour(0.188, 0, 0.69), Colour(0.251, 0.624, 0.624), Colour(0.502, 0.2, 0),
  ]
  /// The index of the colour of a line that belongs to no axis.
  static let neutral = 3

  /// Returns the index of the colour of the axis to which a column belongs, or `nil`. Roll is about Y, pitch about X, and
  /// yaw and heading are about Z.
  static func axis(of column: String) -> Int? {
    let angles = ["pitch": 0, "roll": 1, "yaw": 2, "heading": 2]
    return angles[column] ?? (column.count > 2 ? ["X", "Y", "Z", "W"].firstIndex(of: String(column.suffix(1))) : nil)
  }

  private static let greys = [0, 0.5, 0.25, 0.65, 0.12, 0.4, 0.58].map { Colour(grey: $0) }
  /// The dash patterns, in multiples of the line width.
  private static let dashes: [[Double]] = [
    [], [5, 2], [1.2, 1.6], [7, 2, 1.2, 2], [3, 1.6], [9, 2, 1.2, 2, 1.2, 2], [2, 4],
  ]

  static func colour(_ index: Int, isGrey: Bool) -> Colour {
    isGrey ? greys[index % greys.count] : colours[index % colours.count]
  }

  /// Ordered colours from dark to light: night blue, blue, violet, red, orange. Each is lighter than the previous one,
  /// so that colour-blind readers see the order as well; the last has a contrast of 3 on white.
  private static let tones = [
    Colour(0.08, 0.08, 0.25), Colour(0, 0.27, 0.68), Colour(0.55, 0.15, 0.62), Colour(0.85, 0.22, 0.32),
    Colour(0.87, 0.47, 0.05),
  ]

  /// Returns the colour of a value between 0, dark, and 1, light.
  static func tone(_ fraction: Double, isGrey: Bool) -> Colour {
    let fraction = fraction.isFinite ? min(max(fraction, 0), 1) : 0
    if isGrey { return Colour(grey: 0.65 * fraction) }
    let position = fraction * Double(tones.count - 1)
    let first = min(Int(position), tones.count - 2)
    let (a, b, part) = (tones[first], tones[first + 1], position - Double(first))
    return Colour(
      a.red + (b.red - a.red) * part, a.green + (b.green - a.green) * part, a.blue + (b.blue - a.blue) * part)
  }

  static func dash(_ index: Int, width: Double) -> [Double] { dashes[index % dashes.count].map { $0 * width } }

  /// Returns a marker at a position: circle, square, triangle, diamond, inverted triangle, cross.
  static func mark(_ index: Int, at position: Point, size: Double) -> [[Point]] {
    let r = size / 2
    func polygon(_ points: [(Double, Double)], _ scale: Double) -> [[Point]] {
      [points.map { Point(position.x + $0.0 * r * scale, position.y + $0.1 * r * scale) }]
    }
    switch index % 6 {
    case 0: return [circle(position, r)]
    case 1: return polygon([(-1, -1), (1, -1), (1, 1), (-1, 1)], 0.9)
    case 2: return polygon([(0, -1.1), (1.1, 0.9), (-1.1, 0.9)], 1)
    case 3: return polygon([(0, -1), (1, 0), (0, 1), (-1, 0)], 1.25)
    case 4: return polygon([(0, 1.1), (1.1, -0.9), (-1.1, -0.9)], 1)
    default:
      let (a, b) = (0.35, 1.05)
      return polygon(
        [(-a, -b), (a, -b), (a, -a), (b, -a), (b, a), (a, a), (a, b), (-a, b), (-a, a), (-b, a), (-b, -a), (-a, -a)], 1)
    }
  }

  /// Returns a dot on a line; its size is relative to the font size.
  static func dot(at position: Point, size: Double) -> [[Point]] { [circle(position, 0.09 * size)] }

  static func dotFill(_ index: Int, isFaint: Bool, isGrey: Bool) -> Drawing.Fill {
    Drawing.Fill(colour: colour(index, isGrey: isGrey), opacity: isFaint ? 0.4 : 1)
  }

  /// Returns the corners of a circle: 16, by halving right angles, so that the result does not depend on a platform's
  /// sine.
  private static func circle(_ centre: Point, _ radius: Double) -> [Point] {
    let quarter = [(1.0, 0.0), (0.92388, 0.382683), (0.707107, 0.707107), (0.382683, 0.92388)]
    let all = (0..<4).flatMap { turn in
      quarter.map { x, y in
        switch turn {
        case 0: (x, y)
        case 1: (-y, x)
        case 2: (-x, -y)
        default: (y, -x)
        }
      }
    }
    return all.map { Point(centre.x + radius * $0.0, centre.y + radius * $0.1) }
  }

  /// Returns the pattern of a shade in a box: solid grey, or rising, falling or crossed lines, so that six shades can be
  /// distinguished.
  static func shade(_ index: Int, in box: Box) -> [Drawing.Shape] {
    let corners = [
      Point(box.left, box.top), Point(box.right, box.top), Point(box.right, box.bottom), Point(box.left, box.bottom),
    ]
    switch index % 6 {
    case 0: return [.areas([corners], Drawing.Fill(colour: Colour(grey: 0.88)))]
    case 1: return hatch(box, rises: true, step: 4)
    case 2: return hatch(box, rises: false, step: 4)
    case 3: return [.areas([corners], Drawing.Fill(colour: Colour(grey: 0.76)))]
    case 4: return hatch(box, rises: true, step: 6) + hatch(box, rises: false, step: 6)
    default: return [.areas([corners], Drawing.Fill(colour: Colour(grey: 0.64)))]
    }
  }

  /// Returns slanted lines on a lattice of the page, so that adjacent boxes match.
  private static func hatch(_ box: Box, rises: Bool, step: Double) -> [Drawing.Shape] {
    var lines: [[Point]] = []
    // On a line, x + y (rising) or x − y (falling) is constant.
    let (low, high) =
      rises
      ? (box.left + box.top, box.right + box.bottom) : (box.left - box.bottom, box.right - box.top)
    var sum = (low / step).rounded(.up) * step
    while sum <= high {
      func y(_ x: Double) -> Double { rises ? sum - x : x - sum }
      // The points where the line enters and leaves the box.
      let xs = rises ? (sum - box.bottom, sum - box.top) : (sum + box.top, sum + box.bottom)
      let (from, to) = (max(box.left, xs.0), min(box.right, xs.1))
      if to > from { lines.append([Point(from, y(from)), Point(to, y(to))]) }
      sum += step
    }
    let frame = [
      [Point(box.left, box.top), Point(box.left, box.bottom)],
      [Point(box.right, box.top), Point(box.right, box.bottom)],
    ]
    let stroke = Drawing.Stroke(width: 0.4, colour: Colour(grey: 0.6))
    return [.lines(lines + frame, stroke)]
  }
}
