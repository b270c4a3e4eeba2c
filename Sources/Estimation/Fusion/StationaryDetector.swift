internal import InertialNumerics

/// The ranges of rate and acceleration, to detect whether noise and a bias alone explain them.
struct StationaryDetector: Sendable, Codable {
  private var rates: Range?
  private var accelerations: Range?

  private struct Range: Sendable, Codable {
    var low: Vector3
    var high: Vector3

    init(_ v: Vector3) { (low, high) = (v, v) }

    mutating func include(_ v: Vector3) {
      low = Vector3(min(low.x, v.x), min(low.y, v.y), min(low.z, v.z))
      high = Vector3(max(high.x, v.x), max(high.y, v.y), max(high.z, v.z))
    }

    var width: Double { (high - low).maximumMagnitude }
    var largest: Double { max(low.maximumMagnitude, high.maximumMagnitude) }
  }

  mutating func add(rate: Vector3) {
    if rates == nil { rates = Range(rate) } else { rates!.include(rate) }
  }

  mutating func add(acceleration: Vector3) {
    if accelerations == nil {
      accelerations = Range(acceleration)
    } else {
      accelerations!.include(acceleration)
    }
  }

  /// Whether both ranges are below 4 °/s and 0.1 g, and the rate is at most the largest bias (11 °/s).
  var isStill: Bool {
    guard let rates, let accelerations else { return false }
    return rates.width < 0.07 && rates.largest < 0.2 && accelerations.width < 0.1
  }
}
