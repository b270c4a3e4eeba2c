internal import InertialSystem

/// Rasterizes a drawing; each pixel is as dark as its covered fraction.
struct Rasterizer {
  struct Pixel {
    var red: UInt8 = 255
    var green: UInt8 = 255
    var blue: UInt8 = 255
  }

  struct Raster {
    var width: Int
    var height: Int
    /// The pixels row by row, from the top.
    var pixels: [Pixel]
  }

  private var raster: Raster
  private let scale: Double
  /// The signed areas to the right of edges; their running sums along a row are the covered fractions.
  private var cover: [Float]
  /// The rows and the first column in which `cover` is not zero.
  private var touched = (top: Int.max, bottom: Int.min, left: Int.max)

  static func raster(of drawing: Drawing, scale: Double) -> Raster {
    var rasterizer = Rasterizer(
      width: max(1, Int((drawing.width * scale).rounded())), height: max(1, Int((drawing.height * scale).rounded())),
      scale: scale)
    for group in drawing.groups {
      for shape in group.shapes { rasterizer.draw(shape, clip: group.clip) }
    }
    return rasterizer.raster
  }

  private init(width: Int, height: Int, scale: Double) {
    raster = Raster(width: width, height: height, pixels: Array(repeating: Pixel(), count: width * height))
    cover = Array(repeating: 0, count: (width + 2) * height)
    self.scale = scale
  }

  private mutating func draw(_ shape: Drawing.Shape, clip: Box?) {
    switch shape {
    case .areas(let parts, let fill):
      for part in parts { add(part.map { Point($0.x * scale, $0.y * scale) }) }
      paint(fill.colour, opacity: fill.opacity, clip: clip)
    case .lines(let parts, let stroke):
      let dash = stroke.dash.map { $0 * scale }
      for part in parts {
        let points = part.map { Point($0.x * scale, $0.y * scale) }
        for piece in dash.isEmpty ? [points] : Self.dashed(points, dash) {
          add(piece, width: max(stroke.width * scale, 0.7), isRound: dash.isEmpty)
        }
      }
      paint(stroke.colour, opacity: 1, clip: clip)
    case .text(let label, let position, let size, let anchor, let isTurned, let colour):
      add(PlotText(label), at: position, size: size, anchor: anchor, isTurned: isTurned)
      paint(colour, opacity: 1, clip: clip)
    }
  }

  // MARK: Text

  private mutating func add(
    _ label: PlotText, at position: Point, size: Double, anchor: Drawing.Anchor, isTurned: Bool
  ) {
    let font = PlotFont.standard
    let width = label.width(size: size)
    var x = anchor == .start ? 0 : anchor == .middle ? -width / 2 : -width
    for run in label.runs {
      let unit = (run.isRaised ? size * PlotText.raisedSize : size) / font.unitsPerEm
      let rise = run.isRaised ? size * PlotText.raise : 0
      for character in run.text.unicodeScalars {
        let glyph = font.glyph(character)
        for contour in font.contours(of: glyph) {
          addEdges(
            contour.map { point in
              let (across, up) = (x + point.x * unit, rise + point.y * unit)
              let (dx, dy) = isTurned ? (-up, -across) : (across, -up)
              return Point((position.x + dx) * scale, (position.y + dy) * scale)
            })
        }
        x += font.advance(glyph) * unit
      }
    }
  }

  // MARK: Lines

  /// Splits a line into dashes, by the lengths of dashes and gaps.
  private static func dashed(_ points: [Point], _ dash: [Double]) -> [[Point]] {
    var pieces: [[Point]] = []
    var (index, left) = (0, dash[0])
    var piece: [Point] = points.first.map { [$0] } ?? []
    for (a, b) in zip(points, points.dropFirst()) {
      let length = hypot(b.x - a.x, b.y - a.y)
      var done = 0.0
      while length - done > left {
        done += left
        let fraction = done / length
        let point = Point(a.x + fraction * (b.x - a.x), a.y + fraction * (b.y - a.y))
        if index % 2 == 0 {
          pieces.append(piece + [point])
          piece = []
        } else {
          piece = [point]
        }
        index = (index + 1) % dash.count
        left = dash[index]
        // In a very long line the dashes are invisible.
        if pieces.count > 20_000 { return [points] }
      }
      left -= length - done
      if index % 2 == 0 { piece.append(b) }
    }
    if piece.count > 1 { pieces.append(piece) }
    return pieces
  }

  /// Adds a line of a given width: a rectangle per segment, and a disc at each joint.
  private mutating func add(_ points: [Point], width: Double, isRound: Bool) {
    let half = width / 2
    for (index, (a, b)) in zip(points, points.dropFirst()).enumerated() {
      let length = hypot(b.x - a.x, b.y - a.y)
      if length > 0 {
        let (dx, dy) = ((b.x - a.x) / length * half, (b.y - a.y) / length * half)
        add([
          Point(a.x - dy, a.y + dx), Point(a.x + dy, a.y - dx), Point(b.x + dy, b.y - dx), Point(b.x - dy, b.y + dx),
        ])
      }
      if index > 0 || isRound { add(SeriesStyle.mark(0, at: a, size: width)[0]) }
    }
    if isRound, let last = points.last { add(SeriesStyle.mark(0, at: last, size: width)[0]) }
  }

  // MARK: Areas

  /// Adds an area with corners in either orientation.
  private mutating func add(_ corners: [Point]) {
    var area = 0.0
    for (index, a) in corners.enumerated() {
      let b = corners[(index + 1) % corners.count]
      area += a.x * b.y - b.x * a.y
    }
    addEdges(area >= 0 ? corners : corners.reversed())
  }

  private mutating func addEdges(_ corners: [Point]) {
    guard var last = corners.last else { return }
    for corner in corners {
      addEdge(last, corner)
      last = corner
    }
  }

  /// Adds the fraction of the pixels to the right of an edge, for each row that the edge crosses.
  private mutating func addEdge(_ a: Point, _ b: Point) {
    guard a.y != b.y, a.x.isFinite, a.y.isFinite, b.x.isFinite, b.y.isFinite else { return }
    let sign: Float = a.y < b.y ? 1 : -1
    let (from, to) = a.y < b.y ? (a, b) : (b, a)
    let top = max(0, from.y)
    let bottom = min(Double(raster.height), to.y)
    guard top < bottom else { return }
    let slope = (to.x - from.x) / (to.y - from.y)
    let stride = raster.width + 2
    let limit = Double(raster.width)
    var y = top
    touched.top = min(touched.top, Int(top))
    while y < bottom {
      let row = Int(y)
      let end = min(Double(row + 1), bottom)
      let height = Float(end - y)
      // Parts outside the picture are moved to its edge.
      let x0 = min(max(from.x + (y - from.y) * slope, 0), limit)
      let x1 = min(max(from.x + (end - from.y) * slope, 0), limit)
      let (left, right) = (min(x0, x1), max(x0, x1))
      let first = Int(left)
      touched.left = min(touched.left, first)
      touched.bottom = max(touched.bottom, row)
      let base = row * stride
      if right <= Double(first + 1) {
        let middle = Float((left + right) / 2 - Double(first))
        cover[base + first] += sign * height * (1 - middle)
        cover[base + first + 1] += sign * height * middle
      } else {
        // The edge crosses several pixels: each receives its fraction of the area to the right.
        let perColumn = height / Float(right - left)
        var x = left
        var before: Float = 0
        var column = first
        while x < right {
          let next = min(Double(column + 1), right)
          let part = perColumn * Float(next - x)
          let middle = Float((x + next) / 2 - Double(column))
          let here = part * (1 - middle)
          cover[base + column] += sign * (here + before)
          before = part * middle
          x = next
          column += 1
        }
        cover[base + column] += sign * before
      }
      y = end
    }
  }

  private mutating func paint(_ colour: Colour, opacity: Double, clip: Box?) {
    defer { touched = (.max, .min, .max) }
    guard touched.top <= touched.bottom else { return }
    let stride = raster.width + 2
    let box = clip.map {
      (
        left: Int(($0.left * scale).rounded()), right: Int(($0.right * scale).rounded()),
        top: Int(($0.top * scale).rounded()), bottom: Int(($0.bottom * scale).rounded())
      )
    }
    let parts = [colour.red, colour.green, colour.blue].map { Float($0 * 255) }
    for row in touched.top...min(touched.bottom, raster.height - 1) {
      var sum: Float = 0
      let isRowSeen = box.map { row >= $0.top && row < $0.bottom } ?? true
      for column in touched.left..<stride {
        let position = row * stride + column
        let change = cover[position]
        cover[position] = 0
        sum += change
        guard column < raster.width, isRowSeen, box.map({ column >= $0.left && column < $0.right }) ?? true else {
          continue
        }
        let fraction = min(abs(sum), 1) * Float(opacity)
        guard fraction > 0.002 else { continue }
        let index = row * raster.width + column
        func mix(_ old: UInt8, _ new: Float) -> UInt8 {
          UInt8(min(max((Float(old) + (new - Float(old)) * fraction).rounded(), 0), 255))
        }
        let old = raster.pixels[index]
        raster.pixels[index] = Pixel(
          red: mix(old.red, parts[0]), green: mix(old.green, parts[1]), blue: mix(old.blue, parts[2]))
      }
    }
  }
}
