internal import InertialFilters
internal import InertialNumerics

/// The ranges of rate and acceleration, to detect whether noise and a bias alone explain them.
struct StationaryDetector: Sendable, Codable {
  /// The maximum widths of the ranges at rest, in rad/s (4 °/s) and in g.
  private static let (rateWidth, accelerationWidth) = (0.07, 0.1)
  private var rates: Range?
  private var accelerations: Range?

  private struct Range: Sendable, Codable {
    var low: Vector3
    var high: Vector3

    /// Creates the range of a vector and those of an earlier range.
    init(_ v: Vector3, and earlier: Range?) {
      let (a, b) = (earlier?.low ?? v, earlier?.high ?? v)
      low = Vector3(min(a.x, v.x), min(a.y, v.y), min(a.z, v.z))
      high = Vector3(max(b.x, v.x), max(b.y, v.y), max(b.z, v.z))
    }

    var width: Double { (high - low).maximumMagnitude }
    var largest: Double { max(low.maximumMagnitude, high.maximumMagnitude) }
  }

  mutating func add(rate: Vector3) { rates = Range(rate, and: rates) }

  mutating func add(acceleration: Vector3) { accelerations = Range(acceleration, and: accelerations) }

  /// Whether both ranges are narrow, and the rate is at most the largest bias.
  var isStill: Bool {
    guard let rates, let accelerations else { return false }
    return rates.width < Self.rateWidth && rates.largest < HandlingParameters().biasBound
      && accelerations.width < Self.accelerationWidth
  }
}
