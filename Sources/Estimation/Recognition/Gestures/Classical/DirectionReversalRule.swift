internal import InertialNumerics
package import InertialSensors
internal import InertialSystem

/// A shake is a strong user acceleration followed within a time by one in the opposite direction.
///
/// Any two strong samples of the last seconds may be the pair. After a detection the search begins anew with the
/// next strong sample.
package struct DirectionReversalRule: ShakeRule {
  package static let name = "reversal"
  package let parameters: Parameters
  /// Strong samples, oldest first, from `oldest` on.
  private var strong: [Strong] = []
  private let cosine: Double
  /// Bounds the memory: 1.5 s at 400 Hz and some more. Beyond it the oldest are forgotten early.
  private static let capacity = 1024

  private struct Strong: Sendable, Codable {
    var time: Double
    var direction: Vector3
  }

  /// The numbers of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    package var updateInterval = 1.0 / 60
    /// g; strong is above it.
    package var threshold = 1.5
    /// Degrees; opposite is an angle of at least this.
    package var angle = 120.0
    /// Seconds; the second may follow at most so much later.
    package var window = 1.5

    package init() {}

    package static var descriptions: [ShakeParameter<Self>] {
      [
        updateIntervalDescription,
        .init("threshold", \.threshold, unit: "g", range: 0...100, "User acceleration that is strong."),
        .init("angle", \.angle, unit: "deg", range: 0...180, "Angle between the two from which they are opposite."),
        .init("window", \.window, unit: "s", range: 0...10, "Longest time from the first to the second."),
      ]
    }
  }

  package init(parameters: Parameters) {
    self.parameters = parameters
    cosine = cos(parameters.angle * .pi / 180)
    strong.reserveCapacity(Self.capacity)
  }

  package mutating func update(_ sample: MotionSample) -> ShakeReading {
    guard let acceleration = sample.userAcceleration else { return ShakeReading() }
    let magnitude = acceleration.norm
    var reading = ShakeReading(acceleration, magnitude: magnitude, above: parameters.threshold)
    guard reading.isActive, let direction = acceleration.normalized else { return reading }
    let window = parameters.window
    let expired = strong.prefix { Clock.isMore(sample.time - $0.time, than: window) }.count
    strong.removeFirst(max(expired, strong.count == Self.capacity ? 1 : 0))
    // As cosines, with the rounding of a cosine.
    if let first = strong.first(where: { $0.direction.dot(direction) <= cosine + 1e-12 }) {
      reading.isDetected = true
      reading.start = first.time
      strong.removeAll(keepingCapacity: true)
    } else {
      strong.append(Strong(time: sample.time, direction: direction))
    }
    return reading
  }

  package mutating func forgetSamples() { strong.removeAll(keepingCapacity: true) }
}
