internal import InertialNumerics

/// The cells of the last 0.8 s, and the measurements of a shake in them.
struct MotionWindow: Sendable {
  /// The number of cells of a full window, and of the shortest window that is evaluated.
  static let capacity = 20
  static let minimum = 12

  private(set) var count = 0
  /// The number of cells in the window since the last cell without a rotation rate.
  private var rotationCount = 0
  /// The rows of x, y and z of the acceleration, then of the rotation rate, the oldest first. A row is longer than
  /// the window, so the window is rarely moved to its start.
  private var rows = [Double](repeating: 0, count: 6 * Self.rowLength)
  /// The index after the window within a row. Cells of the window that are not filled yet are 0.
  private var end = Self.capacity
  private static let rowLength = 160

  mutating func append(_ cell: MotionBin) {
    let isFull = end == Self.rowLength
    let position = isFull ? Self.capacity - 1 : end
    let values = (cell.acceleration, cell.rotationRate)
    rows.withUnsafeMutableBufferPointer { rows in
      guard let base = rows.baseAddress else { return }
      if isFull {
        for row in 0..<6 {
          let start = base + row * Self.rowLength
          start.update(from: start + (Self.rowLength - position), count: position)
        }
      }
      var target = base + position
      for vector in [values.0, values.1] {
        target.pointee = vector.x
        (target + Self.rowLength).pointee = vector.y
        (target + 2 * Self.rowLength).pointee = vector.z
        target += 3 * Self.rowLength
      }
    }
    end = position + 1
    count = min(count + 1, Self.capacity)
    rotationCount = cell.hasRotationRate ? min(rotationCount + 1, Self.capacity) : 0
  }

  mutating func removeAll() {
    for index in rows.indices { rows[index] = 0 }
    (end, count, rotationCount) = (Self.capacity, 0, 0)
  }

  /// Returns the measurements of the window and its dominant axis, or `nil` if the window is too short.
  ///
  /// The evaluation stops at the first exclusion; the remaining measurements keep their defaults.
  func evaluate() -> (reason: ShakeReason, axis: Vector3)? {
    guard count >= Self.minimum else { return nil }
    return rows.withUnsafeBufferPointer { rows in
      let acceleration = WindowRows(rows, at: end - Self.capacity, rowLength: Self.rowLength, count: count)
      let rotation = WindowRows(
        rows, at: 3 * Self.rowLength + end - Self.capacity, rowLength: Self.rowLength, count: count)
      return Self.evaluate(acceleration, rotationCount >= count ? rotation : nil)
    }
  }

  private static func evaluate(
    _ acceleration: WindowRows, _ rotation: WindowRows?
  ) -> (reason: ShakeReason, axis: Vector3) {
    var reason = ShakeReason()
    let n = Double(acceleration.count)
    let moments = acceleration.moments()
    let whole = ((moments.xx + moments.yy + moments.zz) / n).squareRoot()
    reason.energy = max(whole, moments.onset.squareRoot())
    reason.recentFraction = moments.recent.squareRoot() / (whole + 1e-9)
    reason.exclusion = ShakeScore.exclusion(energy: reason.energy, recentFraction: reason.recentFraction)
    guard reason.exclusion == nil else { return (reason, .zero) }
    let axis = DominantAxis(
      xx: moments.xx, xy: moments.xy, xz: moments.xz, yy: moments.yy, yz: moments.yz, zz: moments.zz)
    reason.axisFraction = axis.eigenvalue / axis.trace
    withUnsafeTemporaryAllocation(of: Double.self, capacity: WindowProjection.scratchCount) { scratch in
      let projection = WindowProjection(acceleration, about: moments.mean, along: axis.direction, scratch)
      reason.reversals = projection.reversals(above: 0.7 * (axis.eigenvalue / n).squareRoot())
      if let period = projection.period() {
        reason.frequency = 1 / (period.cells * MotionBins.period)
        reason.periodicity = period.correlation
        reason.rotationPeriodicity = rotation?.correlation(lag: period.lag)
      }
      reason.displacement = projection.displacement()
    }
    reason.exclusion = ShakeScore.exclusion(reason)
    reason.evidence = ShakeScore.evidence(reason)
    return (reason, axis.direction)
  }
}

extension MotionWindow: Codable {
  private enum CodingKeys: CodingKey { case count, rotationCount, cells }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(count, forKey: .count)
    try container.encode(rotationCount, forKey: .rotationCount)
    let cells = (0..<6).flatMap { row -> ArraySlice<Double> in
      let last = row * Self.rowLength + end
      return rows[(last - Self.capacity)..<last]
    }
    try container.encode(cells, forKey: .cells)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    count = try container.decode(Int.self, forKey: .count)
    rotationCount = try container.decode(Int.self, forKey: .rotationCount)
    let cells = try container.decode([Double].self, forKey: .cells)
    guard cells.count == 6 * Self.capacity, (0...Self.capacity).contains(count), (0...count).contains(rotationCount)
    else {
      throw DecodingError.dataCorruptedError(forKey: .cells, in: container, debugDescription: "no window of 20 cells")
    }
    for row in 0..<6 {
      for position in 0..<Self.capacity {
        rows[row * Self.rowLength + position] = cells[row * Self.capacity + position]
      }
    }
  }
}
