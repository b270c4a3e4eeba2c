internal import InertialNumerics

/// The last 0.8 s in cells, and what a shake shows in them.
struct MotionWindow: Sendable {
  /// Cells of the whole window, and of the shortest that is looked at.
  static let capacity = 20
  static let minimum = 12

  private(set) var count = 0
  /// Cells of the window since the last without a rotation rate.
  private var rotationCount = 0
  /// Rows of x, y and z of the acceleration and then of the rotation rate, oldest first. A row is longer than the
  /// window, so that the window is moved to its beginning only now and then.
  private var rows = [Double](repeating: 0, count: 6 * Self.rowLength)
  /// Behind the window, within a row. Places of the window that no cell has filled yet are 0.
  private var end = Self.capacity
  private static let rowLength = 160

  mutating func append(_ cell: MotionCell) {
    let isFull = end == Self.rowLength
    let place = isFull ? Self.capacity - 1 : end
    let values = (cell.acceleration, cell.rotationRate)
    rows.withUnsafeMutableBufferPointer { rows in
      guard let base = rows.baseAddress else { return }
      if isFull {
        for row in 0..<6 {
          let start = base + row * Self.rowLength
          start.update(from: start + (Self.rowLength - place), count: place)
        }
      }
      var target = base + place
      for vector in [values.0, values.1] {
        target.pointee = vector.x
        (target + Self.rowLength).pointee = vector.y
        (target + 2 * Self.rowLength).pointee = vector.z
        target += 3 * Self.rowLength
      }
    }
    end = place + 1
    count = min(count + 1, Self.capacity)
    rotationCount = cell.hasRotationRate ? min(rotationCount + 1, Self.capacity) : 0
  }

  mutating func removeAll() {
    for index in rows.indices { rows[index] = 0 }
    (end, count, rotationCount) = (Self.capacity, 0, 0)
  }

  /// What the window shows, and its dominant axis; nil while it is too short.
  ///
  /// What excludes a shake ends the search: what would have been looked at later keeps its default.
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
    reason.recentShare = moments.recent.squareRoot() / (whole + 1e-9)
    reason.exclusion = ShakeScore.exclusion(energy: reason.energy, recentShare: reason.recentShare)
    guard reason.exclusion == nil else { return (reason, .zero) }
    let axis = DominantAxis(
      xx: moments.xx, xy: moments.xy, xz: moments.xz, yy: moments.yy, yz: moments.yz, zz: moments.zz)
    reason.axisShare = axis.eigenvalue / axis.trace
    withUnsafeTemporaryAllocation(of: Double.self, capacity: WindowProjection.scratchCount) { scratch in
      let projection = WindowProjection(acceleration, about: moments.mean, along: axis.direction, scratch)
      reason.reversals = projection.reversals(above: 0.7 * (axis.eigenvalue / n).squareRoot())
      if let period = projection.period() {
        reason.frequency = 1 / (period.cells * MotionCells.period)
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
      for place in 0..<Self.capacity { rows[row * Self.rowLength + place] = cells[row * Self.capacity + place] }
    }
  }
}
