/// The recent barometric altitudes, as means over about a second regardless of the barometer's rate.
struct AltitudeBins: Sendable, Codable {
  struct Bin: Sendable, Codable {
    /// The time of the middle, in seconds.
    var time: Double
    /// The barometric altitude, in m.
    var altitude: Double
    /// The filtered altitude, in m.
    var filtered: Double
  }

  /// The duration of a cell, in seconds: just below the sample interval of a slow barometer, so that its samples stay
  /// separate.
  private static let length = 0.9
  /// The duration over which a slope is computed, in seconds.
  private static let slopeSpan = 3.5
  /// The duration without altitude after which earlier cells are dropped, in seconds.
  private static let gap = 15.0
  /// The maximum rate of change caused by the weather, in m/s.
  private static let weather = 0.02
  /// The number of cells kept to find the start of a floor change.
  private static let memory = 24

  /// The cells, the newest last; never empty after the first complete cell.
  private(set) var cells: [Bin] = []
  /// Whether there was a gap before the newest cell. The older cells are kept until the next one.
  private(set) var hasGap = false

  private var start: Double?
  private var sums = Bin(time: 0, altitude: 0, filtered: 0)
  private var count = 0

  /// Adds an altitude. Returns `true` if this completed a cell of earlier altitudes.
  mutating func append(altitude: Double, filtered: Double, at time: Double) -> Bool {
    var isComplete = false
    if let start, time - start >= Self.length { isComplete = finish() }
    if start == nil { start = time }
    sums.time += time
    sums.altitude += altitude
    sums.filtered += filtered
    count += 1
    return isComplete
  }

  /// Completes the open cell. Returns `false` if no cell is open.
  mutating func finish() -> Bool {
    guard count > 0 else { return false }
    let number = Double(count)
    let cell = Bin(time: sums.time / number, altitude: sums.altitude / number, filtered: sums.filtered / number)
    (start, sums, count) = (nil, Bin(time: 0, altitude: 0, filtered: 0), 0)
    if hasGap { cells.removeFirst(cells.count - 1) }
    hasGap = cells.last.map { cell.time - $0.time > Self.gap } ?? false
    if cells.count == Self.memory { cells.removeFirst() }
    cells.append(cell)
    return true
  }

  /// The least-squares slope over the newest seconds, in m/s, or `nil` if there are fewer than three cells.
  var slope: Double? {
    guard let newest = cells.last, cells.count >= 3 else { return nil }
    let inside = max(3, cells.reversed().prefix { newest.time - $0.time <= Self.slopeSpan }.count)
    let points = cells.suffix(inside)
    let time = points.reduce(0) { $0 + $1.time } / Double(inside)
    let altitude = points.reduce(0) { $0 + $1.altitude } / Double(inside)
    var (product, square) = (0.0, 0.0)
    for point in points {
      product += (point.time - time) * (point.altitude - altitude)
      square += (point.time - time) * (point.time - time)
    }
    return square > 0 ? product / square : nil
  }

  /// Returns the start of the altitude change that leads to the newest cell: the earliest cell from which the
  /// altitude rose (fell, for a sign of −1) by more than the weather explains.
  func turningPoint(before newest: Bin, sign: Double) -> Bin {
    var point = newest
    for cell in cells.reversed() {
      guard sign * (point.altitude - cell.altitude) >= Self.weather * (point.time - cell.time) else { break }
      point = cell
    }
    return point
  }

  /// Returns the filtered altitude at a time within the cells, interpolated linearly.
  func filtered(at time: Double) -> Double {
    guard let after = cells.firstIndex(where: { $0.time >= time }) else { return cells.last?.filtered ?? 0 }
    guard after > 0 else { return cells[0].filtered }
    let (a, b) = (cells[after - 1], cells[after])
    return a.filtered + (time - a.time) / (b.time - a.time) * (b.filtered - a.filtered)
  }

  /// Returns the time, in seconds, until which the filtered altitude stayed near a value, starting at a time, or
  /// `nil` if the cells do not reach back that far.
  func lastTime(from time: Double, near altitude: Double, within tolerance: Double) -> Double? {
    guard let first = cells.first, first.time <= time else { return nil }
    return cells.drop { $0.time < time }.prefix { abs($0.filtered - altitude) <= tolerance }.last?.time
  }

  /// Returns the time, in seconds, since which the filtered altitude stayed near a value, up to a time, or `nil` if
  /// it did not.
  func firstTime(upTo time: Double, near altitude: Double, within tolerance: Double) -> Double? {
    cells.reversed().drop { $0.time > time }.prefix { abs($0.filtered - altitude) <= tolerance }.last?.time
  }
}
