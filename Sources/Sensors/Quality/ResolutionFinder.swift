/// The step of which a sensor's values are whole multiples, from how consecutive values differ.
///
/// The first four thousand differences decide, in bounded memory: the smallest is the step where nearly all others are
/// multiples of it.
struct ResolutionFinder: Sendable, Equatable {
  private static let capacity = 4096
  private var last = Double.nan
  private var differences: [Double] = []

  mutating func add(_ value: Double) {
    defer { last = value }
    guard differences.count < Self.capacity else { return }
    let difference = abs(value - last)
    if difference > 0, difference.isFinite { differences.append(difference) }
  }

  /// nil where there is none, or too few values tell.
  var step: Double? {
    guard differences.count >= 64 else { return nil }
    let sorted = differences.sorted()
    // A step is met with often; the smallest of many, rounded to few decimals, may be a lone one.
    var step = sorted[sorted.count / 100]
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
}
