internal import CInertialResources

/// The font that figures are set in: widths for the layout, outlines for pixels, and the file for a PDF.
///
/// It is part of Liberation Sans, which has Helvetica's and Arial's widths, so that one layout serves a viewer with any of
/// the three. TrueType as of the OpenType specification 1.9 (tables cmap, glyf, head, hhea, hmtx, loca, maxp).
struct PlotFont: Sendable {
  static let standard = PlotFont()

  /// Of the em, in units of the font.
  let unitsPerEm: Double
  let ascent: Double
  let descent: Double
  let capHeight: Double
  let bytes: [UInt8]
  let glyphCount: Int
  private let glyphs: [UInt32: Int]
  private let advances: [Double]
  private let outlineStart: Int
  private let outlinePlaces: [Int]

  private init() {
    let file = embedded_plot_font()
    let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    func word(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
    func signed(_ place: Int) -> Int { Int(Int16(truncatingIfNeeded: word(place))) }
    func long(_ place: Int) -> Int { word(place) << 16 | word(place + 2) }
    var tables: [String: Int] = [:]
    for index in 0..<word(4) {
      let entry = 12 + 16 * index
      tables[String(decoding: bytes[entry..<entry + 4], as: UTF8.self)] = long(entry + 8)
    }
    func table(_ name: String) -> Int { tables[name]! }

    self.bytes = bytes
    unitsPerEm = Double(word(table("head") + 18))
    ascent = Double(signed(table("hhea") + 4))
    descent = Double(signed(table("hhea") + 6))
    capHeight = Double(signed(table("OS/2") + 88))
    glyphCount = word(table("maxp") + 4)
    let wide = word(table("hhea") + 34)
    advances = (0..<glyphCount).map { Double(word(table("hmtx") + 4 * min($0, wide - 1))) }
    let isLong = word(table("head") + 50) == 1
    outlineStart = table("glyf")
    outlinePlaces = (0...glyphCount).map {
      isLong ? long(table("loca") + 4 * $0) : 2 * word(table("loca") + 2 * $0)
    }

    // Format 4: segments of the characters' numbers.
    let map = table("cmap") + long(table("cmap") + 8)
    let segments = word(map + 6) / 2
    var glyphs: [UInt32: Int] = [:]
    for segment in 0..<segments {
      let last = word(map + 14 + 2 * segment)
      let first = word(map + 16 + 2 * (segments + segment))
      let delta = word(map + 16 + 2 * (2 * segments + segment))
      let place = map + 16 + 2 * (3 * segments + segment)
      let offset = word(place)
      guard first <= last, first != 0xFFFF else { continue }
      for character in first...last {
        var glyph = offset == 0 ? character : word(place + offset + 2 * (character - first))
        if offset == 0 || glyph != 0 { glyph = (glyph + delta) & 0xFFFF }
        glyphs[UInt32(character)] = glyph
      }
    }
    self.glyphs = glyphs
  }

  /// The characters that have glyphs, and these, in the order of the characters.
  var mapping: [(character: UInt32, glyph: Int)] {
    glyphs.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The glyph of a character; 0, an empty box, where the font has none.
  func glyph(_ character: Unicode.Scalar) -> Int { glyphs[character.value] ?? 0 }

  func has(_ character: Unicode.Scalar) -> Bool { glyphs[character.value] != nil }

  /// The way to the next glyph, in units of the font.
  func advance(_ glyph: Int) -> Double { advances[glyph] }

  /// A glyph's contours in units of the font, upwards; curves in short straight lines.
  func contours(of glyph: Int) -> [[Point]] {
    var result: [[Point]] = []
    addContours(of: glyph, dx: 0, dy: 0, depth: 0, to: &result)
    return result
  }

  private func word(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
  private func signed(_ place: Int) -> Int { Int(Int16(truncatingIfNeeded: word(place))) }

  private func addContours(of glyph: Int, dx: Double, dy: Double, depth: Int, to result: inout [[Point]]) {
    let (start, end) = (outlineStart + outlinePlaces[glyph], outlineStart + outlinePlaces[glyph + 1])
    guard end > start, depth < 4 else { return }
    let count = signed(start)
    guard count >= 0 else {
      addParts(at: start + 10, dx: dx, dy: dy, depth: depth, to: &result)
      return
    }
    let ends = (0..<count).map { word(start + 10 + 2 * $0) }
    let pointCount = (ends.last ?? -1) + 1
    var place = start + 10 + 2 * count
    place += 2 + word(place)  // past the hints
    var flags: [UInt8] = []
    while flags.count < pointCount {
      let flag = bytes[place]
      place += 1
      flags.append(flag)
      if flag & 8 != 0 {
        flags += Array(repeating: flag, count: Int(bytes[place]))
        place += 1
      }
    }
    func coordinates(short: UInt8, same: UInt8) -> [Double] {
      var value = 0
      return flags.map { flag in
        if flag & short != 0 {
          value += flag & same != 0 ? Int(bytes[place]) : -Int(bytes[place])
          place += 1
        } else if flag & same == 0 {
          value += signed(place)
          place += 2
        }
        return Double(value)
      }
    }
    let x = coordinates(short: 2, same: 16)
    let y = coordinates(short: 4, same: 32)
    var first = 0
    for last in ends {
      let points = (first...last).map { (Point(x[$0] + dx, y[$0] + dy), flags[$0] & 1 != 0) }
      result.append(Self.flattened(points))
      first = last + 1
    }
  }

  /// A glyph that is made of others, each moved.
  private func addParts(at start: Int, dx: Double, dy: Double, depth: Int, to result: inout [[Point]]) {
    var place = start
    while true {
      let flags = word(place)
      let part = word(place + 2)
      var offset = (Double(Int8(bitPattern: bytes[place + 4])), Double(Int8(bitPattern: bytes[place + 5])))
      place += 6
      if flags & 1 != 0 {
        offset = (Double(signed(place - 2)), Double(signed(place)))
        place += 2
      }
      // Scales, which no glyph of this font has, are passed over.
      place += flags & 8 != 0 ? 2 : flags & 0x40 != 0 ? 4 : flags & 0x80 != 0 ? 8 : 0
      addContours(of: part, dx: dx + offset.0, dy: dy + offset.1, depth: depth + 1, to: &result)
      if flags & 0x20 == 0 { return }
    }
  }

  /// Points on and beside the curve to points on it: between two beside it there is one on it.
  private static func flattened(_ points: [(point: Point, isOn: Bool)]) -> [Point] {
    guard points.count > 1 else { return points.map(\.point) }
    func middle(_ a: Point, _ b: Point) -> Point { Point((a.x + b.x) / 2, (a.y + b.y) / 2) }
    var result: [Point] = []
    let count = points.count
    let begin = points.firstIndex { $0.isOn }
    var current = begin.map { points[$0].point } ?? middle(points[0].point, points[count - 1].point)
    result.append(current)
    let offset = begin.map { $0 + 1 } ?? 0
    var control: Point?
    func add(to end: Point) {
      if let c = control {
        for step in 1...6 {
          let t = Double(step) / 6
          let (a, b, d) = ((1 - t) * (1 - t), 2 * t * (1 - t), t * t)
          result.append(Point(a * current.x + b * c.x + d * end.x, a * current.y + b * c.y + d * end.y))
        }
      } else {
        result.append(end)
      }
      (current, control) = (end, nil)
    }
    for index in 0..<(begin == nil ? count : count - 1) {
      let (point, isOn) = points[(offset + index) % count]
      if isOn {
        add(to: point)
      } else {
        if let c = control { add(to: middle(c, point)) }
        control = point
      }
    }
    add(to: result[0])
    return result
  }
}
