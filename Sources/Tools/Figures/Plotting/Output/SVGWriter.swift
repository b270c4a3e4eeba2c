internal import InertialSystem

/// Writes a drawing as SVG 1.1: compact, and with text that can be edited.
struct SVGWriter {
  private var text = ""

  static func text(of drawing: Drawing) -> String {
    var writer = SVGWriter()
    writer.write(drawing)
    return writer.text
  }

  private mutating func write(_ drawing: Drawing) {
    let (width, height) = (short(drawing.width), short(drawing.height))
    let millimetres = [drawing.width, drawing.height].map { short($0 / FigureLayout.pointsPerMillimetre, 3) }
    text += """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="\(millimetres[0])mm" height="\(millimetres[1])mm" \
      viewBox="0 0 \(width) \(height)" font-family="Helvetica, Arial, 'Liberation Sans', sans-serif" role="img">

      """
    if !drawing.title.isEmpty { text += "<title>\(drawing.title.xmlEscaped)</title>\n" }
    text += "<rect width=\"\(width)\" height=\"\(height)\" fill=\"#fff\"/>\n"
    for (index, group) in drawing.groups.enumerated() where !group.shapes.isEmpty {
      if let clip = group.clip {
        text += "<clipPath id=\"c\(index)\"><rect x=\"\(short(clip.left))\" y=\"\(short(clip.top))\" "
        text += "width=\"\(short(clip.width))\" height=\"\(short(clip.height))\"/></clipPath>\n"
        text += "<g clip-path=\"url(#c\(index))\">\n"
      } else {
        text += "<g>\n"
      }
      for shape in group.shapes { write(shape) }
      text += "</g>\n"
    }
    text += "</svg>\n"
  }

  private mutating func write(_ shape: Drawing.Shape) {
    switch shape {
    case .lines(let parts, let stroke):
      text += "<path d=\"\(Self.path(parts, closes: false))\" fill=\"none\" stroke=\"\(Self.hex(stroke.colour))\" "
      text += "stroke-width=\"\(short(stroke.width))\" stroke-linejoin=\"round\""
      if stroke.dash.isEmpty {
        text += " stroke-linecap=\"round\""
      } else {
        text += " stroke-dasharray=\"\(stroke.dash.map { short($0) }.joined(separator: " "))\""
      }
      text += "/>\n"
    case .areas(let parts, let fill):
      text += "<path d=\"\(Self.path(parts, closes: true))\" fill=\"\(Self.hex(fill.colour))\""
      if fill.opacity < 1 { text += " fill-opacity=\"\(short(fill.opacity))\"" }
      text += "/>\n"
    case .text(let label, let position, let size, let anchor, let isTurned, let colour):
      let (x, y) = (short(position.x), short(position.y))
      let where_ = isTurned ? "transform=\"translate(\(x) \(y)) rotate(-90)\"" : "x=\"\(x)\" y=\"\(y)\""
      let side = anchor == .start ? "" : anchor == .middle ? " text-anchor=\"middle\"" : " text-anchor=\"end\""
      let ink = colour == Colour(grey: 0) ? "" : " fill=\"\(Self.hex(colour))\""
      text += "<text \(where_) font-size=\"\(short(size))\"\(side)\(ink)>\(Self.runs(label, size: size))</text>\n"
    }
  }

  private static func runs(_ label: String, size: Double) -> String {
    var result = ""
    // The offset of a run also applies to the next one, until it is reverted.
    var isUp = false
    for run in PlotText(label).runs {
      let rise = short(size * PlotText.raise)
      if run.isRaised {
        result += "<tspan dy=\"\(isUp ? "0" : "-" + rise)\" font-size=\"\(short(size * PlotText.raisedSize))\">"
      } else if isUp {
        result += "<tspan dy=\"\(rise)\">"
      }
      result += run.text.xmlEscaped + (run.isRaised || isUp ? "</tspan>" : "")
      isUp = run.isRaised
    }
    return result
  }

  /// Returns each part as its first point followed by differences, which are shorter.
  private static func path(_ parts: [[Point]], closes: Bool) -> String {
    var path = ""
    for part in parts {
      guard let first = part.first else { continue }
      // In hundredths, so that the differences add up to the positions.
      var (x, y) = (hundredths(first.x), hundredths(first.y))
      path += "M\(short(first.x)) \(short(first.y))"
      var isLine = false
      for point in part.dropFirst() {
        let (nextX, nextY) = (hundredths(point.x), hundredths(point.y))
        let (dx, dy) = (Double(nextX - x) / 100, Double(nextY - y) / 100)
        // A dot is a line that ends at its start.
        if dx == 0, dy == 0, part.count > 2 { continue }
        let (a, b) = (short(dx), short(dy))
        path += (isLine ? (a.hasPrefix("-") ? "" : " ") : "l") + a + (b.hasPrefix("-") ? "" : " ") + b
        isLine = true
        (x, y) = (nextX, nextY)
      }
      if closes { path += "z" }
    }
    return path
  }

  private static func hundredths(_ value: Double) -> Int { Int((min(max(value, -1e7), 1e7) * 100).rounded()) }

  private static func hex(_ colour: Colour) -> String {
    let parts = [colour.red, colour.green, colour.blue].map { Int(($0 * 255).rounded()) }
    return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
