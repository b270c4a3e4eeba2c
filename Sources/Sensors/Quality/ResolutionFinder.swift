/// The step of which a sensor's values are whole multiples, from how consecutive values differ.
///
/// The first four thousand values and their differences decide, in bounded memory: the smallest of the distances between
/// values next to each other in size is the step, where nearly all differences are multiples of it.
struct ResolutionFinder: Sendable, Equatable {
  private static let capacity = 4096
  private var last = Double.nan
  private var differences: [Double] = []
  private var values: [Double] = []

  mutating func add(_ value: Double) {
    defer { last = value }
    if values.count < Self.capacity, value.isFinite { values.append(value) }
    guard differences.count < Self.capacity else { return }
    let difference = abs(value - last)
    if difference > 0, difference.isFinite { differences.append(difference) }
  }

  /// nil where there is none, or too few values tell.
  var step: Double? {
    guard differences.count >= 64 else { return nil }
    let sorted = differences.sorted()
    // A step is met with often; the smallest of many, rounded to few decimals, may be a lone one.
    var step = min(sorted[sorted.count / 100], smallestDistance)
    // In rising order the multiples are small first, and each refines the step for the next.
    var (whole, products, squares) = (0, 0.0, 0.0)
    for difference in sorted {
      let multiple = (difference / step).rounded()
      // Beyond, an error of the step counts for more than the step itself.
      guard multiple < 1000 else { break }
      if multiple >= 1, abs(difference - multiple * step) < 0.1 * step {
        whole += 1
        products += multiple * difference
        squares += multiple * multiple
        step = products / squares
      }
    }
    let judged = sorted.prefix { $0 < 1000 * step }.count
    return judged >= 64 && 100 * whole >= 97 * judged ? step : nil
  }

  /// Among values next to each other in size, without those that only rounding keeps apart; infinite where all are equal.
  private var smallestDistance: Double {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return .infinity }
    let rounding = 1e-9 * max(abs(first), abs(last))
    let distances = zip(sorted.dropFirst(), sorted).map { $0 - $1 }.filter { $0 > rounding }.sorted()
    return distances.isEmpty ? .infinity : distances[distances.count / 100]
  }
}
