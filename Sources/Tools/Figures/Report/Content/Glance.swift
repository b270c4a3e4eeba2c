internal import InertialJobs

/// The small pictures of a recording in the overview of a folder.
struct Glance: Encodable, Sendable {
  /// The number of intervals of the acceleration.
  private static let intervalCount = 60
  /// The maximum number of points of the path.
  private static let maximumPointCount = 80

  /// The minimum and maximum of the size of the acceleration in each of equal intervals, in g, alternating; `nil`
  /// without rows.
  private(set) var acceleration: [Double?] = []
  /// The start, the end, as fractions of the duration, and the level of each interval with the same reliability.
  private(set) var trust: [[Double]] = []
  /// The alternating coordinates of the path, from 0 to 1, with equal scales; one list per part.
  private(set) var path: [[Double]] = []

  init() {}

  init(_ table: TraceTable, _ spans: [TrustCollector.Span], _ path: RecordingContent.Chart?) {
    guard let first = table.times.first, let last = table.times.last, last > first else { return }
    func fraction(_ time: Double) -> Double { Self.rounded((time - first) / (last - first), 1e4) }
    if let column = table.columns.firstIndex(where: { $0.name == RowCollector.accelerationSize }) {
      var extremes = [Double?](repeating: nil, count: 2 * Self.intervalCount)
      for (index, time) in table.times.enumerated() {
        let value = Self.rounded(table[column, index], 100)
        guard value.isFinite else { continue }
        let place = 2 * min(Int((time - first) / (last - first) * Double(Self.intervalCount)), Self.intervalCount - 1)
        extremes[place] = min(extremes[place] ?? value, value)
        extremes[place + 1] = max(extremes[place + 1] ?? value, value)
      }
      acceleration = extremes
    }
    for span in spans {
      let (from, to, level) = (fraction(span.start), fraction(span.end), Double(span.trust.level.rawValue))
      if let last = trust.last, last[2] == level {
        trust[trust.count - 1][1] = to
      } else {
        trust.append([from, to, level])
      }
    }
    guard let curves = path?.curves else { return }
    let (xs, ys) = (curves.flatMap(\.x), curves.flatMap(\.y))
    guard let left = xs.min(), let right = xs.max(), let bottom = ys.min(), let top = ys.max() else { return }
    let span = max(right - left, top - bottom, 1e-9)
    let step = xs.count / Self.maximumPointCount + 1
    self.path = curves.map { curve in
      let indices = stride(from: 0, to: curve.x.count, by: step) + (curve.x.isEmpty ? [] : [curve.x.count - 1])
      return indices.flatMap {
        [
          Self.rounded((curve.x[$0] - (left + right) / 2) / span + 0.5, 1000),
          Self.rounded(0.5 - (curve.y[$0] - (bottom + top) / 2) / span, 1000),
        ]
      }
    }
  }

  private static func rounded(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale }
}
