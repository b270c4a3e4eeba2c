/// Finds the steps of a gait with a known period: the maxima of the filtered magnitude, one per period.
struct StepPeakDetector: Sendable, Codable, Equatable {
  /// The cell of the last step, or `nil` if the next step was missing.
  private(set) var last: Int?
  /// The next cell to examine.
  private var cursor: Int

  init(from cell: Int) { cursor = cell }

  /// The minimum height of a step, as a fraction of the amplitude.
  private static let height = 0.3
  /// The minimum height of a step without a preceding step. The weight shifts to one foot before the first step.
  private static let firstHeight = 0.5

  /// Returns the cell of the next step before `end`, or `nil` if there is no step yet.
  ///
  /// - Parameters:
  ///   - isLast: Whether cells from `end` on are never searched with this gait.
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
        // The gyroscope has confirmed a step without a beat of the acceleration.
        if !isLast, gait.isConfirmed { return take(last + max(3, Int(gait.period.rounded()))) }
        self.last = nil
        cursor = max(cursor, low)
      } else {
        var high = cursor + Int((0.6 * gait.period).rounded())
        if high > end {
          guard isLast else { return nil }
          high = end
        }
        if let step = first(before: high, in: window, above: Self.firstHeight * gait.amplitude) { return step }
        cursor += 1
      }
    }
    return nil
  }

  /// Returns the highest of the cells in which the next step is expected. Cells one period after the last step are
  /// preferred.
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

  /// Returns the highest cell of the next half period if a peak starts at the cursor.
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
