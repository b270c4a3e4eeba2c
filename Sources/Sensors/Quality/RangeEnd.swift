/// The largest values of an axis and how often each came, which tells the end of a range from a peak.
///
/// What a sensor's range cuts off piles up at its end. A motion that swings out to about the same peak each time, told in
/// the steps of a sensor, meets its largest value often too, but the values just below it no less: near a smooth peak the
/// highest of four steps has at most as many samples as the three below it together.
struct RangeEnd: Sendable, Equatable {
  /// The four largest values in falling order, and how often they came; −∞ where there were fewer.
  private var values = SIMD4<Double>(repeating: -.infinity)
  private var counts = SIMD4<Int>(repeating: 0)

  /// The largest value; −∞ before the first.
  var limit: Double { values[0] }
  /// The largest but one; −∞ before it.
  var second: Double { values[1] }
  /// Below it a value is none of the four.
  var floor: Double { values[3] }
  /// How often it came.
  var count: Int { counts[0] }

  /// The most samples in a row that had the largest value: the flat top of a motion that the range cut off.
  private(set) var longestRun = 0
  private var run = 0
  private var lastIndex = -1

  /// Whether the largest value came at least five times, and more than twice as often as the three below it together.
  var isPiledUp: Bool { count >= 5 && count > 2 * (counts[1] + counts[2] + counts[3]) }

  /// - Parameter index: the sample's number, by which neighbours are known.
  @inline(__always)
  mutating func add(_ value: Double, at index: Int) {
    guard value >= values[3] else { return }
    insert(value)
    guard value == values[0] else { return }
    run = counts[0] > 1 && index == lastIndex + 1 ? run + 1 : 1
    longestRun = counts[0] == 1 ? 1 : max(longestRun, run)
    lastIndex = index
  }

  private mutating func insert(_ value: Double) {
    var place = 3
    while place > 0, values[place - 1] <= value { place -= 1 }
    guard values[place] != value else {
      counts[place] += 1
      return
    }
    for lower in stride(from: 3, to: place, by: -1) {
      (values[lower], counts[lower]) = (values[lower - 1], counts[lower - 1])
    }
    (values[place], counts[place]) = (value, 1)
  }
}
