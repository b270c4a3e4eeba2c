/// A derivative-free search for the minimum of a function of several coordinates inside a box.
///
/// The search returns points and receives their values, so the caller decides how to compute them: all at once, in
/// parallel, or one by one. A value that is NaN or infinite is worse than any other. The search is deterministic: the
/// same values lead to the same points.
public protocol Minimizer: Sendable {
  /// Returns the points that are evaluated next, inside the box; never empty.
  mutating func ask() -> [[Double]]
  /// Passes the values of the points from `ask()`, in their order.
  mutating func tell(_ values: [Double])
  /// The best point so far and its value, or `nil` before the first value.
  var best: (point: [Double], value: Double)? { get }
  /// Whether further evaluations would bring no improvement.
  var isConverged: Bool { get }
}

extension Minimizer {
  /// Searches until `budget` values are computed or the search has converged.
  ///
  /// The last batch is computed completely, so the count may exceed the budget by a few.
  /// - Returns: The number of computed values.
  @discardableResult
  public mutating func minimize(budget: Int, _ objective: ([Double]) -> Double) -> Int {
    var count = 0
    while count < budget, !isConverged {
      let points = ask()
      tell(points.map(objective))
      count += points.count
    }
    return count
  }
}

/// The box that is searched: one range per coordinate.
public struct SearchBox: Sendable, Equatable {
  /// The range of each coordinate.
  public let ranges: [ClosedRange<Double>]

  /// Creates a box of ranges.
  ///
  /// - Parameter ranges: The ranges, at least one; infinite bounds are allowed.
  public init(_ ranges: [ClosedRange<Double>]) {
    precondition(!ranges.isEmpty, "a search needs at least one coordinate")
    self.ranges = ranges
  }

  /// Returns a box without bounds.
  public static func unbounded(_ count: Int) -> SearchBox {
    SearchBox(Array(repeating: -Double.infinity...Double.infinity, count: count))
  }

  /// The number of coordinates.
  public var count: Int { ranges.count }

  /// Returns the nearest point of the box.
  public func clamped(_ point: [Double]) -> [Double] {
    precondition(point.count == count, "a point of \(point.count) coordinates in a box of \(count)")
    return zip(point, ranges).map { min(max($0, $1.lowerBound), $1.upperBound) }
  }
}

extension SearchBox {
  /// Returns the point in the box whose mirror image at the box's sides is a given point.
  func mirrored(_ point: [Double]) -> [Double] {
    zip(point, ranges).map { x, range in
      let (low, high) = (range.lowerBound, range.upperBound)
      let width = high - low
      if range.contains(x) { return x }
      guard width > 0 else { return low }
      guard width.isFinite else { return x < low ? 2 * low - x : 2 * high - x }
      // A triangle wave with a period of two widths.
      let position = (x - low) - 2 * width * ((x - low) / (2 * width)).rounded(.down)
      return min(max(position <= width ? low + position : high - (position - width), low), high)
    }
  }
}

/// Returns the value, or infinity for NaN, which is the worst.
func ranked(_ value: Double) -> Double { value.isNaN ? .infinity : value }
