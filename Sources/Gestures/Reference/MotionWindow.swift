internal import LinearAlgebra

/// The last 0.8 s in cells, and what a shake shows in them.
struct MotionWindow: Sendable {
  /// Cells of the whole window, and of the shortest that is looked at.
  static let capacity = 20
  static let minimum = 12
  /// Cells of the most recent part, and of the part that a shake fills when it is found soon after its start.
  private static let recent = 8
  private static let onset = 12
  /// Periods that are looked for, in cells, with one more on either side.
  private static let lags = 2..<14

  /// Oldest first: a ring would spare a copy of twenty cells every 40 ms and cost the order.
  private var accelerations: [Vector3] = []
  private var rotationRates: [Vector3] = []
  /// Cells of the window since the last without a rotation rate.
  private var rotationCount = 0
  // Scratch of an evaluation.
  private var projection: [Double]
  private var integral: [Double]
  private var correlations: [Double]

  init() {
    accelerations.reserveCapacity(Self.capacity)
    rotationRates.reserveCapacity(Self.capacity)
    projection = Array(repeating: 0, count: Self.capacity)
    integral = Array(repeating: 0, count: Self.capacity)
    correlations = Array(repeating: -1, count: Self.lags.count)
  }

  var count: Int { accelerations.count }

  mutating func append(_ cell: MotionCell) {
    if count == Self.capacity {
      accelerations.removeFirst()
      rotationRates.removeFirst()
    }
    accelerations.append(cell.acceleration)
    rotationRates.append(cell.rotationRate ?? .zero)
    rotationCount = cell.rotationRate == nil ? 0 : min(rotationCount + 1, Self.capacity)
  }

  mutating func removeAll() {
    accelerations.removeAll(keepingCapacity: true)
    rotationRates.removeAll(keepingCapacity: true)
    rotationCount = 0
  }

  /// What the window shows, and its dominant axis; nil while it is too short.
  mutating func evaluate() -> (reason: ShakeReason, axis: Vector3)? {
    guard count >= Self.minimum else { return nil }
    var reason = ShakeReason()
    let n = Double(count)
    let mean = accelerations.reduce(Vector3.zero, +) / n
    var (xx, xy, xz, yy, yz, zz) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    var (recentSum, onsetSum) = (0.0, 0.0)
    for index in 0..<count {
      let c = accelerations[index] - mean
      xx += c.x * c.x
      xy += c.x * c.y
      xz += c.x * c.z
      yy += c.y * c.y
      yz += c.y * c.z
      zz += c.z * c.z
      if index >= count - Self.recent { recentSum += c.squaredNorm }
      if index >= count - Self.onset { onsetSum += c.squaredNorm }
    }
    let whole = ((xx + yy + zz) / n).squareRoot()
    reason.energy = max(whole, (onsetSum / Double(Self.onset)).squareRoot())
    reason.recentShare = (recentSum / Double(Self.recent)).squareRoot() / (whole + 1e-9)
    guard reason.energy > 0.5 else {
      reason.exclusion = .energy
      return (reason, .zero)
    }
    let axis = DominantAxis(xx: xx, xy: xy, xz: xz, yy: yy, yz: yz, zz: zz)
    reason.axisShare = axis.eigenvalue / axis.trace
    for index in 0..<count { projection[index] = (accelerations[index] - mean).dot(axis.direction) }
    reason.reversals = reversals(above: 0.7 * (axis.eigenvalue / n).squareRoot())
    if let period = period() {
      reason.frequency = 1 / (period.cells * MotionCells.period)
      reason.periodicity = period.correlation
      if rotationCount >= count { reason.rotationPeriodicity = rotationCorrelation(lag: period.lag) }
    }
    reason.displacement = displacement()
    reason.exclusion = ShakeScore.exclusion(reason)
    reason.evidence = ShakeScore.evidence(reason)
    return (reason, axis.direction)
  }

  /// Changes from above the level to below its negative and back.
  private func reversals(above level: Double) -> Int {
    var (side, count) = (0, 0)
    for index in 0..<self.count {
      let now = projection[index] > level ? 1 : projection[index] < -level ? -1 : 0
      guard now != 0 else { continue }
      if now == -side { count += 1 }
      side = now
    }
    return count
  }

  /// The first peak of the autocorrelation that is nearly the highest: a later one is a multiple of the period.
  ///
  /// Each lag is normalised by the energies of its own two parts, so the rest before a shake's start does not weigh.
  private mutating func period() -> (lag: Int, cells: Double, correlation: Double)? {
    for (index, lag) in Self.lags.enumerated() {
      correlations[index] = count - lag < 3 ? -1 : correlation(lag: lag)
    }
    func isPeak(_ i: Int) -> Bool {
      correlations[i] >= correlations[i - 1] && correlations[i] > correlations[i + 1] && correlations[i] > 0
    }
    let inner = 1..<(Self.lags.count - 1)
    var highest = 0.0
    for i in inner where isPeak(i) { highest = max(highest, correlations[i]) }
    guard highest > 0, let i = inner.first(where: { isPeak($0) && correlations[$0] >= 0.8 * highest }) else {
      return nil
    }
    let lag = Self.lags.lowerBound + i
    // The parabola through the peak and its neighbours.
    let curvature = correlations[i - 1] - 2 * correlations[i] + correlations[i + 1]
    let offset = curvature < 0 ? 0.5 * (correlations[i - 1] - correlations[i + 1]) / curvature : 0
    return (lag, Double(lag) + offset, correlations[i])
  }

  private func correlation(lag: Int) -> Double {
    var (product, early, late) = (0.0, 0.0, 0.0)
    for index in lag..<count {
      let (x, y) = (projection[index], projection[index - lag])
      product += x * y
      late += x * x
      early += y * y
    }
    return product / (late * early + 1e-12).squareRoot()
  }

  private func rotationCorrelation(lag: Int) -> Double {
    let mean = rotationRates.reduce(Vector3.zero, +) / Double(count)
    var (product, early, late) = (0.0, 0.0, 0.0)
    for index in lag..<count {
      let (x, y) = (rotationRates[index] - mean, rotationRates[index - lag] - mean)
      product += x.dot(y)
      late += x.squaredNorm
      early += y.squaredNorm
    }
    return product / (late * early + 1e-9).squareRoot()
  }

  /// Root mean square of the twice integrated projection, m; after each integration the straight line is taken off.
  private mutating func displacement() -> Double {
    for index in 0..<count { integral[index] = projection[index] }
    for _ in 0..<2 {
      var (sum, last) = (0.0, integral[0])
      integral[0] = 0
      for index in 1..<count {
        let value = integral[index]
        sum += (last + value) / 2 * MotionCells.period
        (integral[index], last) = (sum, value)
      }
      removeLine()
    }
    var squares = 0.0
    for index in 0..<count { squares += integral[index] * integral[index] }
    return standardGravity * (squares / Double(count)).squareRoot()
  }

  /// Takes the straight line of least squares off the integral.
  private mutating func removeLine() {
    let middle = Double(count - 1) / 2
    var (sum, moment, inertia) = (0.0, 0.0, 0.0)
    for index in 0..<count {
      let x = Double(index) - middle
      sum += integral[index]
      moment += integral[index] * x
      inertia += x * x
    }
    for index in 0..<count {
      integral[index] -= sum / Double(count) + moment / inertia * (Double(index) - middle)
    }
  }
}
