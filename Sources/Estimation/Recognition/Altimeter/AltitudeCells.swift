/// Barometric altitudes as means of about a second, the newest ones kept, whatever the barometer's rate.
struct AltitudeCells: Sendable {
  struct Cell: Sendable {
    /// Seconds, of its middle.
    var time: Double
    /// m, by the barometer.
    var altitude: Double
    /// m, as far as it is known better.
    var filtered: Double
  }

  /// Seconds: just less than the spacing of a slow barometer, so that its samples stay apart.
  private static let length = 0.9
  /// Seconds that a slope is taken over.
  private static let slopeSpan = 3.5
  /// Seconds without altitude from which what was before is forgotten.
  private static let gap = 15.0
  /// m/s.
  private static let weather = 0.02
  /// Cells kept, to look for where a way began.
  private static let memory = 24

  /// Never empty after the first whole cell; the newest last.
  private(set) var cells: [Cell] = []
  /// Whether there was a gap before the newest cell; the older ones are still there until the next.
  private(set) var hasGap = false

  private var start: Double?
  private var sums = (time: 0.0, altitude: 0.0, filtered: 0.0)
  private var count = 0

  /// Takes an altitude; true where it has completed a cell, one of the altitudes before it.
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

  /// Completes the cell that is open; false where there is none.
  mutating func finish() -> Bool {
    guard count > 0 else { return false }
    let number = Double(count)
    let cell = Cell(time: sums.time / number, altitude: sums.altitude / number, filtered: sums.filtered / number)
    (start, sums, count) = (nil, (0, 0, 0), 0)
    if hasGap { cells.removeFirst(cells.count - 1) }
    hasGap = cells.last.map { cell.time - $0.time > Self.gap } ?? false
    if cells.count == Self.memory { cells.removeFirst() }
    cells.append(cell)
    return true
  }

  /// m/s over the newest seconds, by least squares; nil before there are three cells.
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

  /// Where the way to the newest cell has begun: back as long as the altitude was lower (higher, for a sign of −1) the
  /// earlier it was, by more than the weather makes it.
  func turningPoint(before newest: Cell, sign: Double) -> Cell {
    var point = newest
    for cell in cells.reversed() {
      guard sign * (point.altitude - cell.altitude) >= Self.weather * (point.time - cell.time) else { break }
      point = cell
    }
    return point
  }

  /// The better altitude at a time within the cells, linear between them.
  func filtered(at time: Double) -> Double {
    guard let after = cells.firstIndex(where: { $0.time >= time }) else { return cells.last?.filtered ?? 0 }
    guard after > 0 else { return cells[0].filtered }
    let (a, b) = (cells[after - 1], cells[after])
    return a.filtered + (time - a.time) / (b.time - a.time) * (b.filtered - a.filtered)
  }

  /// Seconds: up to when the better altitude has stayed near one, from a time on; nil where it is not known so far back.
  func lastTime(from time: Double, near altitude: Double, within tolerance: Double) -> Double? {
    guard let first = cells.first, first.time <= time else { return nil }
    return cells.drop { $0.time < time }.prefix { abs($0.filtered - altitude) <= tolerance }.last?.time
  }

  /// Seconds: since when the better altitude has stayed near one, up to a time; nil where it has not.
  func firstTime(upTo time: Double, near altitude: Double, within tolerance: Double) -> Double? {
    cells.reversed().drop { $0.time > time }.prefix { abs($0.filtered - altitude) <= tolerance }.last?.time
  }
}
