internal import InertialNumerics
internal import InertialSensors

/// The last seconds as cells, and what is measured about an impact in them. Indices are counted from the first cell
/// since the start or the last gap.
struct FallWindow: Sendable, Hashable, Codable {
  /// Cells that are kept at least.
  private let kept: Int
  /// Index of the first cell that is kept.
  private var first = 0
  private var cells: [AccelerationCell] = []

  /// - Parameter longestDelay: seconds from an impact to the end of its rest, at most.
  init(longestDelay: Double) { kept = Self.count(3.5 + longestDelay) + Self.count(0.5) }

  /// Index behind the newest cell.
  var end: Int { first + cells.count }

  subscript(index: Int) -> AccelerationCell { cells[index - first] }

  mutating func append(_ cell: AccelerationCell) {
    cells.append(cell)
    guard cells.count >= 2 * kept else { return }
    first += cells.count - kept
    cells.removeFirst(cells.count - kept)
  }

  mutating func removeAll() {
    first = 0
    cells.removeAll(keepingCapacity: true)
  }

  /// Cells of a time in seconds.
  static func count(_ seconds: Double) -> Int { Int((seconds / AccelerationCells.period).rounded()) }

  /// The part of a range that is kept.
  private func slice(_ range: Range<Int>) -> ArraySlice<AccelerationCell> {
    let clamped = range.clamped(to: first..<end)
    return cells[(clamped.lowerBound - first)..<(clamped.upperBound - first)]
  }

  /// Mean acceleration over a range that is kept, and the root mean square of what deviates from it, g.
  func spread(_ range: Range<Int>) -> (mean: Vector3, deviation: Double) {
    let part = slice(range)
    guard !part.isEmpty else { return (.zero, .infinity) }
    let mean = part.reduce(Vector3.zero) { $0 + $1.mean } / Double(part.count)
    let power = part.reduce(0) { $0 + ($1.mean - mean).squaredNorm } / Double(part.count)
    return (mean, power.squareRoot())
  }

  /// What was about an impact that rest has followed; nil where too little is known of what went before.
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
    reason.restDelay = Double(rest - impact) * AccelerationCells.period
    reason.lowestAcceleration = lowest((impact - Self.count(1.5))..<impact)
    reason.weigh()
    return reason
  }

  /// Mean acceleration from 3 to 1 s before an impact, or of what there is, if that is 0.4 s.
  private func gravity(before impact: Int) -> Vector3? {
    let least = Self.count(0.4)
    let part = slice((impact - Self.count(3))..<(impact - Self.count(1)))
    if part.count >= least { return spread(part.startIndex + first..<part.endIndex + first).mean }
    let all = first..<max(first, impact - Self.count(0.3))
    return all.count >= least ? spread(all).mean : nil
  }

  /// Integral of the positive part of what is made of the norm, g to m/s.
  private func speed(_ part: ArraySlice<AccelerationCell>, _ excess: (Double) -> Double) -> Double {
    part.reduce(0) { $0 + max(0, excess($1.norm)) } * AccelerationCells.period * standardGravity
  }

  /// The lowest mean norm of 0.12 s.
  private func lowest(_ range: Range<Int>) -> Double {
    let (part, length) = (Array(slice(range)), 6)
    guard part.count >= length else { return 1 }
    return (length...part.count).reduce(Double.infinity) { lowest, end in
      min(lowest, part[(end - length)..<end].reduce(0) { $0 + $1.norm } / Double(length))
    }
  }

  /// The first cell of the second before an impact in which the way down is seen, and the seconds of it below 0.6 g.
  func descent(before impact: Int) -> (start: Int, freeFall: Double) {
    let part = slice((impact - Self.count(1))..<impact)
    let start = part.firstIndex { $0.norm < 0.8 }.map { $0 + first } ?? impact
    return (start, Double(part.count { $0.norm < 0.6 }) * AccelerationCells.period)
  }
}
