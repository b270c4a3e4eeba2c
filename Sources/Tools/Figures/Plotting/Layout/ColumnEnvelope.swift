/// Reduces the points of a line on paper: of consecutive points in a narrow column, only the first, last, lowest and
/// highest point are kept, which look the same.
enum ColumnEnvelope {
  /// The width of a column: a pixel at 300 per inch.
  static let column = 72.0 / 300

  /// Returns the parts of a line, between breaks. A part with a single point is a dot: that point twice.
  ///
  /// - Parameters:
  ///   - count: The number of points.
  ///   - isBroken: Whether there is a break between a point and the previous one.
  ///   - place: The position of a point on paper, or `nil` for a break.
  ///   - visible: The visible horizontal range; of points further outside, only the adjacent ones are kept.
  static func parts(
    count: Int, visible: ClosedRange<Double>, isBroken: (Int) -> Bool, place: (Int) -> Point?
  ) -> [[Point]] {
    var parts: [[Point]] = []
    var part: [Point] = []
    // The points of the current column, and their order.
    var number = 0
    var (first, lowest, highest, last) = (Point(0, 0), Point(0, 0), Point(0, 0), Point(0, 0))
    var (lowestOrder, highestOrder, held) = (0, 0, 0)

    func closeColumn() {
      guard held > 0 else { return }
      part.append(first)
      let middle = lowestOrder < highestOrder ? [lowest, highest] : [highest, lowest]
      for point in middle where point != part.last { part.append(point) }
      if held > 1, last != part.last { part.append(last) }
      held = 0
    }
    func closePart() {
      closeColumn()
      if part.count == 1 { part.append(part[0]) }
      if !part.isEmpty { parts.append(part) }
      part.removeAll(keepingCapacity: true)
    }

    for index in 0..<count {
      guard let point = place(index) else {
        closePart()
        continue
      }
      if index > 0, isBroken(index) { closePart() }
      // The regions outside the picture are one column on its left and one on its right.
      let inside = min(max(point.x, visible.lowerBound - column), visible.upperBound + column)
      let own = Int((inside / column).rounded(.down))
      if held > 0, own == number {
        if point.y < lowest.y { (lowest, lowestOrder) = (point, held) }
        if point.y > highest.y { (highest, highestOrder) = (point, held) }
        last = point
        held += 1
      } else {
        closeColumn()
        number = own
        (first, lowest, highest, last) = (point, point, point, point)
        (lowestOrder, highestOrder, held) = (0, 0, 1)
      }
    }
    closePart()
    return parts
  }

  /// Returns the vertical path length per horizontal distance, which determines whether a dashed line is legible.
  static func restlessness(_ parts: [[Point]]) -> Double {
    var (ways, widths) = (0.0, 0.0)
    for part in parts {
      for (a, b) in zip(part, part.dropFirst()) {
        ways += abs(b.y - a.y)
        widths += abs(b.x - a.x)
      }
    }
    return widths > 0 ? ways / widths : 0
  }
}
