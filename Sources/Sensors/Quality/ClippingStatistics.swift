/// The largest values of an axis and their counts, which distinguish the end of a range from a peak.
///
/// Values beyond a sensor's range accumulate at its end. A motion that swings out to about the same peak each time,
/// quantized by a sensor, often has its largest value, too, but the values just below it are equally frequent: near a
/// smooth peak, the highest of four steps has at most as many samples as the three steps below it together.
struct ClippingStatistics: Sendable, Equatable {
  /// The four largest values in descending order, and their counts; −∞ for missing values.
  private var values = SIMD4<Double>(repeating: -.infinity)
  private var counts = SIMD4<Int>(repeating: 0)

  /// The largest value, or −∞ before the first.
  var limit: Double { values[0] }
  /// The second-largest value, or −∞ before it.
  var second: Double { values[1] }
  /// The limit below which a value is not one of the four largest.
  var floor: Double { values[3] }
  /// The count of the largest value.
  var count: Int { counts[0] }

  /// The largest number of consecutive samples with the largest value: the flat top of a motion that the range cut off.
  private(set) var maximumRunLength = 0
  private var run = 0
  private var lastIndex = -1

  /// Whether the largest value has at least five samples, and more than twice as many as the three below it together.
  var isPiledUp: Bool { count >= 5 && count > 2 * (counts[1] + counts[2] + counts[3]) }

  /// - Parameter index: The sample's index, which determines adjacent samples.
  @inline(__always)
  mutating func add(_ value: Double, at index: Int) {
    guard value >= values[3] else { return }
    insert(value)
    guard value == values[0] else { return }
    run = counts[0] > 1 && index == lastIndex + 1 ? run + 1 : 1
    maximumRunLength = counts[0] == 1 ? 1 : max(maximumRunLength, run)
    lastIndex = index
  }

  private mutating func insert(_ value: Double) {
    var position = 3
    while position > 0, values[position - 1] <= value { position -= 1 }
    guard values[position] != value else {
      counts[position] += 1
      return
    }
    for lower in stride(from: 3, to: position, by: -1) {
      (values[lower], counts[lower]) = (values[lower - 1], counts[lower - 1])
    }
    (values[position], counts[position]) = (value, 1)
  }
}
