/// A search for the smallest value of a function of several coordinates inside a box, without derivatives.
///
/// It asks for points and is told their values, so that the caller decides how they are computed: all at once, in
/// parallel, or one by one. A value that is not a number, or infinite, is worse than any other. The same answers lead
/// to the same questions.
public protocol Minimizer: Sendable {
  /// The points whose values are wanted next, inside the box; never empty.
  mutating func ask() -> [[Double]]
  /// The values of the points that were asked for, in their order.
  mutating func tell(_ values: [Double])
  /// The best point so far and its value; nil before the first value.
  var best: (point: [Double], value: Double)? { get }
  /// Whether further questions would bring nothing.
  var isConverged: Bool { get }
}

extension Minimizer {
  /// Searches until `budget` values were computed or the search has converged.
  ///
  /// The last batch is asked in full, so that a few values more than the budget may be computed.
  /// - Returns: how many values were computed.
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

/// The sides of the box that is searched: one range for each coordinate.
public struct SearchBox: Sendable, Equatable {
  /// The values that each coordinate may have.
  public let ranges: [ClosedRange<Double>]

  /// - Parameter ranges: at least one; infinite sides are allowed.
  public init(_ ranges: [ClosedRange<Double>]) {
    precondition(!ranges.isEmpty, "a search needs at least one coordinate")
    self.ranges = ranges
  }

  /// A box without sides.
  public static func unbounded(_ count: Int) -> SearchBox {
    SearchBox(Array(repeating: -Double.infinity...Double.infinity, count: count))
  }

  /// Coordinates.
  public var count: Int { ranges.count }

  /// The nearest point of the box.
  public func clamped(_ point: [Double]) -> [Double] {
    precondition(point.count == count, "a point of \(point.count) coordinates in a box of \(count)")
    return zip(point, ranges).map { min(max($0, $1.lowerBound), $1.upperBound) }
  }
}

extension SearchBox {
  /// The point of the box that a point outside is the image of, where every side is a mirror.
  func mirrored(_ point: [Double]) -> [Double] {
    zip(point, ranges).map { x, range in
      let (low, high) = (range.lowerBound, range.upperBound)
      let width = high - low
      if range.contains(x) { return x }
      guard width > 0 else { return low }
      guard width.isFinite else { return x < low ? 2 * low - x : 2 * high - x }
      // A wave of triangles with the period of two widths.
      let place = (x - low) - 2 * width * ((x - low) / (2 * width)).rounded(.down)
      return min(max(place <= width ? low + place : high - (place - width), low), high)
    }
  }
}

/// Values in which "not a number" is the worst.
func ranked(_ value: Double) -> Double { value.isNaN ? .infinity : value }
