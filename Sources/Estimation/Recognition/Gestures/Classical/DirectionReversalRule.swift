package import InertialFilters
internal import InertialNumerics
package import InertialSensors
internal import InertialSystem

/// A rule that detects a strong user acceleration followed within a limited time by one in the opposite direction.
///
/// The pair can be any two strong samples within the time limit. After a detection the search restarts with the next
/// strong sample.
package struct DirectionReversalRule: ShakeRule {
  package static let name = "reversal"
  package let parameters: Parameters
  /// The strong samples, the oldest first.
  private var strong: [Strong] = []
  private let cosine: Double
  /// The maximum number of strong samples, which limits the memory: more than 1.5 s at 400 Hz. Above it the oldest
  /// samples are dropped early.
  private static let capacity = 1024

  private struct Strong: Sendable, Codable {
    var time: Double
    var direction: Vector3
  }

  /// The parameters of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    package var updateInterval = 1.0 / 60
    /// The acceleration above which a sample is strong, in g.
    package var threshold = 1.5
    /// The minimum angle between opposite directions, in degrees.
    package var angle = 120.0
    /// The maximum time from the first to the second sample, in seconds.
    package var window = 1.5

    package init() {}

    package static var descriptions: [ParameterDescription<Self>] {
      [
        updateIntervalDescription,
        .init("threshold", \.threshold, "g", 0...100, "User acceleration that is strong."),
        .init("angle", \.angle, "deg", 0...180, "Angle between the two from which they are opposite."),
        .init("window", \.window, "s", 0...10, "Longest time from the first to the second."),
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
    // The angles are compared as cosines, with a tolerance for rounding.
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
