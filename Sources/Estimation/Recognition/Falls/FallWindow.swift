internal import InertialNumerics
internal import InertialSensors

/// The cells of the last seconds, and the measurements of an impact in them. Indices are counted from the first cell
/// since the start or the last gap.
struct FallWindow: Sendable, Hashable, Codable {
  /// The minimum number of cells that are kept.
  private let kept: Int
  /// The index of the first cell that is kept.
  private var first = 0
  private var cells: [AccelerationBin] = []

  /// - Parameter maximumDelay: The maximum time from an impact to the end of its rest, in seconds.
  init(maximumDelay: Double) { kept = Self.count(3.5 + maximumDelay) + Self.count(0.5) }

  /// The index after the newest cell.
  var end: Int { first + cells.count }

  subscript(index: Int) -> AccelerationBin { cells[index - first] }

  mutating func append(_ cell: AccelerationBin) {
    cells.append(cell)
    guard cells.count >= 2 * kept else { return }
    first += cells.count - kept
    cells.removeFirst(cells.count - kept)
  }

  mutating func removeAll() {
    first = 0
    cells.removeAll(keepingCapacity: true)
  }

  /// Returns the number of cells in a duration in seconds.
  static func count(_ seconds: Double) -> Int { Int((seconds / AccelerationBins.period).rounded()) }

  /// Returns the part of a range that is still in the window.
  private func slice(_ range: Range<Int>) -> ArraySlice<AccelerationBin> {
    let clamped = range.clamped(to: first..<end)
    return cells[(clamped.lowerBound - first)..<(clamped.upperBound - first)]
  }

  /// Returns the mean acceleration over a range in the window, and the root mean square deviation from it, in g.
  func spread(_ range: Range<Int>) -> (mean: Vector3, deviation: Double) {
    let part = slice(range)
    guard !part.isEmpty else { return (.zero, .infinity) }
    let mean = part.reduce(Vector3.zero) { $0 + $1.mean } / Double(part.count)
    let power = part.reduce(0) { $0 + ($1.mean - mean).squaredNorm } / Double(part.count)
    return (mean, power.squareRoot())
  }

  /// Returns the measurements of an impact that was followed by a rest, or `nil` if there are too few cells before
  /// the impact.
  func reason(impact: Int, rest: Int, after: Vector3) -> FallReason? {
    guard let before = gravity(before: impact) else { return nil }
    let second = Self.count(1)
    let hit = max(first, impact - second)..<min(rest, impact + Self.count(1.5))
    let prior = slice((impact - Self.count(3.5))..<(impact - Self.count(1.2)))
    var reason = FallReason()
    reason.descent = speed(slice((impact - second)..<impact)) { 1 - $0 }
    reason.impulse = speed(slice(hit)) { $0 - 1 }
    if !prior.isEmpty {
      reason.priorImpulse = speed(prior) { $0 - 1 } * Double(hit.count) / Double(prior.count)
    }
    reason.peak = self[impact].peak
    reason.force = self[impact].force
    reason.priorForce = prior.reduce(1) { max($0, $1.force) }
    reason.orientationChange = before.angle(to: after)
    reason.restDelay = Double(rest - impact) * AccelerationBins.period
    reason.lowestAcceleration = lowest((impact - Self.count(1.5))..<impact)
    reason.weigh()
    return reason
  }

  /// Returns the mean acceleration from 3 to 1 s before an impact, or of all earlier cells if these span at least 0.4
  /// s.
  private func gravity(before impact: Int) -> Vector3? {
    let minimum = Self.count(0.4)
    let part = slice((impact - Self.count(3))..<(impact - Self.count(1)))
    if part.count >= minimum { return spread(part.startIndex + first..<part.endIndex + first).mean }
    let all = first..<max(first, impact - Self.count(0.3))
    return all.count >= minimum ? spread(all).mean : nil
  }

  /// Returns the integral of the positive part of a function of the norm, converted from g to m/s.
  private func speed(_ part: ArraySlice<AccelerationBin>, _ excess: (Double) -> Double) -> Double {
    part.reduce(0) { $0 + max(0, excess($1.norm)) } * AccelerationBins.period * standardGravity
  }

  /// Returns the lowest mean norm over 0.12 s.
  private func lowest(_ range: Range<Int>) -> Double {
    let (part, length) = (Array(slice(range)), 6)
    guard part.count >= length else { return 1 }
    return (length...part.count).reduce(Double.infinity) { lowest, end in
      min(lowest, part[(end - length)..<end].reduce(0) { $0 + $1.norm } / Double(length))
    }
  }

  /// Returns the first cell of the descent in the second before an impact, and the time below 0.6 g in that second.
  func descent(before impact: Int) -> (start: Int, freeFall: Double) {
    let part = slice((impact - Self.count(1))..<impact)
    let start = part.firstIndex { $0.norm < 0.8 }.map { $0 + first } ?? impact
    return (start, Double(part.count { $0.norm < 0.6 }) * AccelerationBins.period)
  }
}
