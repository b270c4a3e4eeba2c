/// An estimator of the step of which a sensor's values are whole multiples, from the differences of consecutive values.
///
/// It uses the first 4096 values and their differences, in bounded memory: the step is the smallest distance between
/// values adjacent in size, if nearly all differences are multiples of it.
struct ResolutionEstimator: Sendable, Equatable {
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

  /// The step, or `nil` if it is not found or the values are too few.
  var step: Double? {
    guard differences.count >= 64 else { return nil }
    let sorted = differences.sorted()
    // A true step is frequent; the smallest of many values, rounded to few decimals, may be a single one.
    var step = min(sorted[sorted.count / 100], smallestDistance)
    // In ascending order, the small multiples come first, and each refines the step for the next.
    var (whole, products, squares) = (0, 0.0, 0.0)
    for difference in sorted {
      let multiple = (difference / step).rounded()
      // Beyond this multiple, an error of the step exceeds the step itself.
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

  /// The smallest distance between values adjacent in size, without rounding differences, or infinite if all values are
  /// equal.
  private var smallestDistance: Double {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return .infinity }
    let rounding = 1e-9 * max(abs(first), abs(last))
    let distances = zip(sorted.dropFirst(), sorted).map { $0 - $1 }.filter { $0 > rounding }.sorted()
    return distances.isEmpty ? .infinity : distances[distances.count / 100]
  }
}
