/// Finds the steps of a gait whose period is known: the highest points of the filtered magnitude, one a period.
struct StepPicker: Sendable, Codable, Equatable {
  /// The last step's cell, unless the next one did not come.
  private(set) var last: Int?
  /// The next cell that is looked at.
  private var cursor: Int

  init(from cell: Int) { cursor = cell }

  /// Of the amplitude: a step's height at least.
  private static let height = 0.3

  /// The next step's cell before `end`; nil where there is none, or not yet.
  ///
  /// - Parameters:
  ///   - isLast: whether no cell from `end` on will be asked for with this gait.
  mutating func next(in window: GaitWindow, until end: Int, isLast: Bool, gait: GaitMeasure) -> Int? {
    cursor = max(cursor, window.count - GaitWindow.reach + 1, 1)
    if let last, last < window.count - GaitWindow.reach { self.last = nil }
    let level = Self.height * gait.amplitude
    while cursor < end {
      if let last {
        let low = last + max(3, Int((0.6 * gait.period).rounded()))
        var high = last + Int((1.45 * gait.period).rounded()) + 1
        if high > end {
          guard isLast else { return nil }
          high = end
        }
        guard low < high else { return nil }
        if let step = following(last, low..<high, in: window, period: gait.period, above: level) { return step }
        self.last = nil
        cursor = max(cursor, low)
      } else {
        var high = cursor + Int((0.6 * gait.period).rounded())
        if high > end {
          guard isLast else { return nil }
          high = end
        }
        if let step = first(before: high, in: window, above: level) { return step }
        cursor += 1
      }
    }
    return nil
  }

  /// The highest of the cells where the next step is expected; those a period after the last step are preferred.
  private mutating func following(
    _ last: Int, _ cells: Range<Int>, in window: GaitWindow, period: Double, above level: Double
  ) -> Int? {
    var (best, score) = (cells.lowerBound, -Double.infinity)
    for cell in cells {
      let deviation = (Double(cell - last) - period) / period
      let value = window[cell] * (1 - deviation * deviation)
      if value > score { (best, score) = (cell, value) }
    }
    return window[best] > level ? take(best) : nil
  }

  /// The highest cell of the next half period, if a peak begins here.
  private mutating func first(before end: Int, in window: GaitWindow, above level: Double) -> Int? {
    let value = window[cursor]
    guard value > level, value >= window[cursor - 1], cursor + 1 < window.count, value > window[cursor + 1] else {
      return nil
    }
    var best = cursor
    for cell in cursor..<max(end, cursor + 1) where window[cell] > window[best] { best = cell }
    return take(best)
  }

  private mutating func take(_ cell: Int) -> Int {
    last = cell
    cursor = cell + 1
    return cell
  }
}
