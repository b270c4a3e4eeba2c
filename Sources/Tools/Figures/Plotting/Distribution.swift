internal import InertialSystem

extension Figure.Line {
  /// Returns the cumulative distribution of values: the fraction of values that are at most x, against x.
  ///
  /// - Parameters:
  ///   - name: The name of the line in the legend.
  ///   - values: The values; non-finite ones are ignored.
  ///   - styleIndex: The index of its colour and stroke, or `nil` for the line's own index.
  public static func cumulative(_ name: String, of values: [Double], styleIndex: Int? = nil) -> Figure.Line {
    let sorted = values.filter(\.isFinite).sorted()
    let count = Double(sorted.count)
    var (x, y): ([Double], [Double]) = ([], [])
    for (index, value) in sorted.enumerated() {
      // Of equal values, only the last one counts.
      if index + 1 < sorted.count, sorted[index + 1] == value { continue }
      x.append(value)
      y.append(Double(index + 1) / count)
    }
    if let first = sorted.first {
      x.insert(first, at: 0)
      y.insert(0, at: 0)
    }
    return Figure.Line(name, x: x, y: y, styleIndex: styleIndex)
  }

  /// Returns a histogram with bins of equal width, as a stepped line.
  ///
  /// - Parameters:
  ///   - name: The name of the line in the legend.
  ///   - values: The values; non-finite ones are ignored.
  ///   - bins: The number of bins, or `nil` for the rule of Freedman and Diaconis (1981), at most 200.
  ///   - range: The range of the bins, to share it among several lines, or `nil` for the range of the values.
  ///   - isDensity: Whether to normalise the area below the line to 1.
  ///   - styleIndex: The index of its colour and stroke, or `nil` for the line's own index.
  public static func histogram(
    _ name: String, of values: [Double], bins: Int? = nil, range: ClosedRange<Double>? = nil,
    isDensity: Bool = false, styleIndex: Int? = nil
  ) -> Figure.Line {
    let sorted = values.filter(\.isFinite).sorted()
    guard let minimum = sorted.first, let maximum = sorted.last else {
      return Figure.Line(name, x: [], y: [], styleIndex: styleIndex)
    }
    var range = range ?? minimum...maximum
    if range.upperBound <= range.lowerBound { range = (minimum - 0.5)...(minimum + 0.5) }
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
    return Figure.Line(name, x: x, y: y, styleIndex: styleIndex)
  }

  /// Returns the number of bins by Freedman and Diaconis: their width is twice the interquartile range divided by the
  /// cube root of the count.
  private static func bins(_ sorted: [Double], span: Double) -> Int {
    let middle = sorted[3 * (sorted.count - 1) / 4] - sorted[(sorted.count - 1) / 4]
    let width = 2 * middle / cbrt(Double(sorted.count))
    guard width > 0, (span / width).isFinite else { return 20 }
    return Int(min(200, max(5, (span / width).rounded(.up))))
  }
}
