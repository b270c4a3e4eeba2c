internal import InertialLogs

/// Writes a drawing as PDF 1.4 (ISO 32000-1): a page of vector graphics with an embedded font, as journals require.
struct PDFWriter {
  private var bytes: [UInt8] = []
  private var places: [Int] = []

  static func bytes(of drawing: Drawing) -> [UInt8] {
    var writer = PDFWriter()
    writer.write(drawing)
    return writer.bytes
  }

  /// Writes the objects: 1 catalogue, 2 pages, 3 page, 4 contents, 5 to 8 the font, 9 its file, 10 its character map,
  /// 11 metadata, from 12 on opacities.
  private mutating func write(_ drawing: Drawing) {
    var content = PDFContent(height: drawing.height)
    content.write(drawing)
    bytes = Array("%PDF-1.4\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]

    add("<< /Type /Catalog /Pages 2 0 R >>")
    add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
    let states = content.opacities.enumerated().map { "/G\($0.offset) \(12 + $0.offset) 0 R" }.joined(separator: " ")
    add(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(short(drawing.width)) \(short(drawing.height))] /Contents 4 0 R "
        + "/Resources << /Font << /F 5 0 R >> /ExtGState << \(states) >> >> >>")
    add("", stream: Array(content.text.utf8))
    addFont()
    add("<< /Producer (inertial) /Title \(Self.hexText(drawing.title)) >>")
    for opacity in content.opacities { add("<< /Type /ExtGState /ca \(short(opacity, 3)) >>") }

    let start = bytes.count
    append("xref\n0 \(places.count + 1)\n0000000000 65535 f \n")
    for position in places {
      append(String(repeating: "0", count: 10 - String(position).count) + "\(position) 00000 n \n")
    }
    append("trailer\n<< /Size \(places.count + 1) /Root 1 0 R /Info 11 0 R >>\nstartxref\n\(start)\n%%EOF\n")
  }

  private mutating func addFont() {
    let font = PlotFont.standard
    func thousandths(_ value: Double) -> String { short(value / font.unitsPerEm * 1000, 0) }
    add(
      "<< /Type /Font /Subtype /Type0 /BaseFont /InertialPlot /Encoding /Identity-H /DescendantFonts [6 0 R] "
        + "/ToUnicode 10 0 R >>")
    let widths = (0..<font.glyphCount).map { thousandths(font.advance($0)) }.joined(separator: " ")
    add(
      "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /InertialPlot /CIDSystemInfo << /Registry (Adobe) "
        + "/Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R /W 8 0 R /CIDToGIDMap /Identity >>")
    add(
      "<< /Type /FontDescriptor /FontName /InertialPlot /Flags 4 /FontBBox [-200 -300 1300 1000] /ItalicAngle 0 "
        + "/Ascent \(thousandths(font.ascent)) /Descent \(thousandths(font.descent)) "
        + "/CapHeight \(thousandths(font.capHeight)) /StemV 80 /FontFile2 9 0 R >>")
    add("[0 [\(widths)]]")
    add("/Length1 \(font.bytes.count) ", stream: font.bytes)
    add("", stream: Array(Self.characterMap(font).utf8))
  }

  /// Returns the characters of the glyphs, so that text can be searched and copied.
  private static func characterMap(_ font: PlotFont) -> String {
    var seen: Set<Int> = []
    let lines = font.mapping.filter { seen.insert($0.glyph).inserted }.map { character, glyph in
      "<\(hex(glyph))> <\(hex(Int(character)))>"
    }
    var text = """
      /CIDInit /ProcSet findresource begin
      12 dict begin
      begincmap
      /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
      /CMapName /Adobe-Identity-UCS def
      /CMapType 2 def
      1 begincodespacerange
      <0000> <FFFF>
      endcodespacerange

      """
    // At most a hundred per block.
    for start in stride(from: 0, to: lines.count, by: 100) {
      let block = lines[start..<min(start + 100, lines.count)]
      text += "\(block.count) beginbfchar\n\(block.joined(separator: "\n"))\nendbfchar\n"
    }
    return text + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
  }

  static func hex(_ number: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Returns UTF-16 with a byte order mark.
  private static func hexText(_ text: String) -> String {
    "<FEFF" + text.utf16.map { hex(Int($0)) }.joined() + ">"
  }

  private mutating func append(_ text: String) { bytes += Array(text.utf8) }

  private mutating func add(_ text: String) {
    places.append(bytes.count)
    append("\(places.count) 0 obj\n\(text)\nendobj\n")
  }

  private mutating func add(_ entries: String, stream: [UInt8]) {
    let packed = ZlibStream.deflated(stream, .zlib)
    places.append(bytes.count)
    append("\(places.count) 0 obj\n<< \(entries)/Length \(packed.count) /Filter /FlateDecode >>\nstream\n")
    bytes += packed
    append("\nendstream\nendobj\n")
  }
}

/// The page's operators.
private struct PDFContent {
  private(set) var text = "1 J 1 j\n"
  /// The opacities by index, named /G0, /G1 ...
  private(set) var opacities: [Double] = []
  /// The page height, as y increases upwards in PDF.
  private let height: Double

  init(height: Double) { self.height = height }

  mutating func write(_ drawing: Drawing) {
    for group in drawing.groups where !group.shapes.isEmpty {
      text += "q\n"
      if let clip = group.clip {
        text +=
          "\(short(clip.left)) \(short(height - clip.bottom)) \(short(clip.width)) \(short(clip.height)) re W n\n"
      }
      for shape in group.shapes { write(shape) }
      text += "Q\n"
    }
  }

  private mutating func write(_ shape: Drawing.Shape) {
    switch shape {
    case .lines(let parts, let stroke):
      text += "\(Self.colour(stroke.colour)) RG \(short(stroke.width)) w "
      // Round caps would close the gaps of short dashes.
      text +=
        stroke.dash.isEmpty ? "1 J [] 0 d\n" : "0 J [\(stroke.dash.map { short($0) }.joined(separator: " "))] 0 d\n"
      path(parts, closes: false)
      text += "S\n"
    case .areas(let parts, let fill):
      if fill.opacity < 1 { text += "q /G\(state(fill.opacity)) gs\n" }
      text += "\(Self.colour(fill.colour)) rg\n"
      path(parts, closes: true)
      text += fill.opacity < 1 ? "f\nQ\n" : "f\n"
    case .text(let label, let position, let size, let anchor, let isTurned, let colour):
      let label = PlotText(label)
      let width = label.width(size: size)
      let back = anchor == .start ? 0 : anchor == .middle ? width / 2 : width
      let (x, y) = isTurned ? (position.x, height - position.y - back) : (position.x - back, height - position.y)
      let turn = isTurned ? "0 1 -1 0" : "1 0 0 1"
      text += "BT \(Self.colour(colour)) rg \(turn) \(short(x)) \(short(y)) Tm\n"
      let font = PlotFont.standard
      for run in label.runs {
        let own = run.isRaised ? size * PlotText.raisedSize : size
        let glyphs = run.text.unicodeScalars.map { PDFWriter.hex(font.glyph($0)) }.joined()
        text += "/F \(short(own)) Tf \(run.isRaised ? short(size * PlotText.raise) : "0") Ts <\(glyphs)> Tj\n"
      }
      text += "ET\n"
    }
  }

  private mutating func path(_ parts: [[Point]], closes: Bool) {
    for part in parts {
      for (index, point) in part.enumerated() {
        text += "\(short(point.x)) \(short(height - point.y)) \(index == 0 ? "m" : "l")\n"
      }
      if closes { text += "h\n" }
    }
  }

  private mutating func state(_ opacity: Double) -> Int {
    if let index = opacities.firstIndex(of: opacity) { return index }
    opacities.append(opacity)
    return opacities.count - 1
  }

  private static func colour(_ colour: Colour) -> String {
    [colour.red, colour.green, colour.blue].map { short($0, 3) }.joined(separator: " ")
  }
}
