internal import CInertialResources

/// The font of figures: widths for the layout, outlines for pixels, and the file for a PDF.
///
/// It is a subset of Liberation Sans, which has the widths of Helvetica and Arial, so that the layout is right in a
/// viewer with any of the three. TrueType, according to the OpenType specification 1.9 (tables cmap, glyf, head, hhea, hmtx,
/// loca, maxp).
struct PlotFont: Sendable {
  static let standard = PlotFont()

  /// The font metrics, in font units.
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
    func word(_ position: Int) -> Int { Int(bytes[position]) << 8 | Int(bytes[position + 1]) }
    func signed(_ position: Int) -> Int { Int(Int16(truncatingIfNeeded: word(position))) }
    func long(_ position: Int) -> Int { word(position) << 16 | word(position + 2) }
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

    // Format 4: segments of character codes.
    let map = table("cmap") + long(table("cmap") + 8)
    let segments = word(map + 6) / 2
    var glyphs: [UInt32: Int] = [:]
    for segment in 0..<segments {
      let last = word(map + 14 + 2 * segment)
      let first = word(map + 16 + 2 * (segments + segment))
      let delta = word(map + 16 + 2 * (2 * segments + segment))
      let position = map + 16 + 2 * (3 * segments + segment)
      let offset = word(position)
      guard first <= last, first != 0xFFFF else { continue }
      for character in first...last {
        var glyph = offset == 0 ? character : word(position + offset + 2 * (character - first))
        if offset == 0 || glyph != 0 { glyph = (glyph + delta) & 0xFFFF }
        glyphs[UInt32(character)] = glyph
      }
    }
    self.glyphs = glyphs
  }

  /// The characters with their glyphs, in the order of the characters.
  var mapping: [(character: UInt32, glyph: Int)] {
    glyphs.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns the glyph of a character, or 0, an empty box, if the font does not contain it.
  func glyph(_ character: Unicode.Scalar) -> Int { glyphs[character.value] ?? 0 }

  func has(_ character: Unicode.Scalar) -> Bool { glyphs[character.value] != nil }

  /// Returns the distance to the next glyph, in font units.
  func advance(_ glyph: Int) -> Double { advances[glyph] }

  /// Returns a glyph's contours in font units, with y upwards and curves flattened to short lines.
  func contours(of glyph: Int) -> [[Point]] {
    var result: [[Point]] = []
    addContours(of: glyph, dx: 0, dy: 0, depth: 0, to: &result)
    return result
  }

  private func word(_ position: Int) -> Int { Int(bytes[position]) << 8 | Int(bytes[position + 1]) }
  private func signed(_ position: Int) -> Int { Int(Int16(truncatingIfNeeded: word(position))) }

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
    var position = start + 10 + 2 * count
    position += 2 + word(position)  // skips the hinting instructions
    var flags: [UInt8] = []
    while flags.count < pointCount {
      let flag = bytes[position]
      position += 1
      flags.append(flag)
      if flag & 8 != 0 {
        flags += Array(repeating: flag, count: Int(bytes[position]))
        position += 1
      }
    }
    func coordinates(short: UInt8, same: UInt8) -> [Double] {
      var value = 0
      return flags.map { flag in
        if flag & short != 0 {
          value += flag & same != 0 ? Int(bytes[position]) : -Int(bytes[position])
          position += 1
        } else if flag & same == 0 {
          value += signed(position)
          position += 2
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

  /// Adds the parts of a composite glyph, each with its offset.
  private func addParts(at start: Int, dx: Double, dy: Double, depth: Int, to result: inout [[Point]]) {
    var position = start
    while true {
      let flags = word(position)
      let part = word(position + 2)
      var offset = (Double(Int8(bitPattern: bytes[position + 4])), Double(Int8(bitPattern: bytes[position + 5])))
      position += 6
      if flags & 1 != 0 {
        offset = (Double(signed(position - 2)), Double(signed(position)))
        position += 2
      }
      // Skips scales, which no glyph of this font has.
      position += flags & 8 != 0 ? 2 : flags & 0x40 != 0 ? 4 : flags & 0x80 != 0 ? 8 : 0
      addContours(of: part, dx: dx + offset.0, dy: dy + offset.1, depth: depth + 1, to: &result)
      if flags & 0x20 == 0 { return }
    }
  }

  /// Converts on-curve and off-curve points to points on the curve: between two off-curve points there is an implied
  /// on-curve point.
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
