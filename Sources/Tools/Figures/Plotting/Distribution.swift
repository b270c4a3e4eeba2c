internal import InertialSystem

extension Figure.Line {
  /// The share of values that are at most x, against x: the distribution of errors, for one.
  ///
  /// - Parameters:
  ///   - name: of the line in the legend.
  ///   - values: those that are not finite are left out.
  ///   - look: the place of its colour and strokes; nil = the line's own place.
  public static func cumulative(_ name: String, of values: [Double], look: Int? = nil) -> Figure.Line {
    let sorted = values.filter(\.isFinite).sorted()
    let count = Double(sorted.count)
    var (x, y): ([Double], [Double]) = ([], [])
    for (index, value) in sorted.enumerated() {
      // Of equal values the last one tells.
      if index + 1 < sorted.count, sorted[index + 1] == value { continue }
      x.append(value)
      y.append(Double(index + 1) / count)
    }
    if let first = sorted.first {
      x.insert(first, at: 0)
      y.insert(0, at: 0)
    }
    return Figure.Line(name, x: x, y: y, look: look)
  }

  /// How many of the values are in each of equal bins, as a line that goes up and down in steps.
  ///
  /// - Parameters:
  ///   - name: of the line in the legend.
  ///   - values: those that are not finite are left out.
  ///   - bins: how many; nil = by the rule of Freedman and Diaconis (1981), 200 at most.
  ///   - range: what the bins divide, so that several lines have the same; nil = that of the values.
  ///   - isDensity: whether the area below the line is 1 instead.
  ///   - look: the place of its colour and strokes; nil = the line's own place.
  public static func histogram(
    _ name: String, of values: [Double], bins: Int? = nil, range: ClosedRange<Double>? = nil,
    isDensity: Bool = false, look: Int? = nil
  ) -> Figure.Line {
    let sorted = values.filter(\.isFinite).sorted()
    guard let least = sorted.first, let most = sorted.last else { return Figure.Line(name, x: [], y: [], look: look) }
    var range = range ?? least...most
    if range.upperBound <= range.lowerBound { range = (least - 0.5)...(least + 0.5) }
    let span = range.upperBound - range.lowerBound
    let count = max(1, bins ?? Self.bins(sorted, span: span))
    var counts = [Double](repeating: 0, count: count)
    for value in sorted where range.contains(value) {
      counts[min(count - 1, Int((value - range.lowerBound) / span * Double(count)))] += 1
    }
    let all = counts.reduce(0, +) * span / Double(count)
    var (x, y) = ([range.lowerBound], [0.0])
    for (index, number) in counts.enumerated() {
      let height = isDensity ? number / all : number
      x += [
        range.lowerBound + span * Double(index) / Double(count),
        range.lowerBound + span * Double(index + 1) / Double(count),
      ]
      y += [height, height]
    }
    x.append(range.upperBound)
    y.append(0)
    return Figure.Line(name, x: x, y: y, look: look)
  }

  /// Freedman and Diaconis: twice the width of the middle half of the values, over the cube root of their count.
  private static func bins(_ sorted: [Double], span: Double) -> Int {
    let middle = sorted[3 * (sorted.count - 1) / 4] - sorted[(sorted.count - 1) / 4]
    let width = 2 * middle / cbrt(Double(sorted.count))
    guard width > 0, (span / width).isFinite else { return 20 }
    return Int(min(200, max(5, (span / width).rounded(.up))))
  }
}
