internal import InertialNumerics
package import InertialSensors

/// The widespread recipe of 2.7 g: a sample above it counts, at most one in half a second.
///
/// Three seconds without one begin the count anew. A detection is every count from `count` on. The first may come at
/// once.
package struct ForceCountRule: ShakeRule {
  package static let name = "force"
  package let parameters: Parameters
  private var last: Double?
  private var count = 0

  /// The numbers of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    package var updateInterval = 0.0
    /// g with gravity; counted above it.
    package var threshold = 2.7
    /// Seconds; a sample sooner after the last counted one is not counted.
    package var minimumInterval = 0.5
    /// Seconds; after more the count begins anew.
    package var resetTime = 3.0
    /// The count from which it is a shake.
    package var count = 1.0

    package init() {}

    package static var descriptions: [ShakeParameter<Self>] {
      [
        updateIntervalDescription,
        .init("threshold", \.threshold, unit: "g", range: 0...100, "Magnitude that counts; rest reads 1."),
        intervalDescription(\.minimumInterval, "Least time between two counts."),
        .init("resetTime", \.resetTime, unit: "s", range: 0...3600, "Time after which the count begins anew."),
        .init("count", \.count, unit: "1", range: 1...1000, "The count from which it is a shake."),
      ]
    }
  }

  package init(parameters: Parameters) { self.parameters = parameters }

  package mutating func update(_ sample: MotionSample) -> ShakeReading {
    guard let acceleration = sample.acceleration else { return ShakeReading() }
    var reading = ShakeReading(acceleration, magnitude: acceleration.norm, above: parameters.threshold)
    guard reading.isActive else { return reading }
    if let last {
      guard Clock.isAtLeast(sample.time - last, parameters.minimumInterval) else { return reading }
      if Clock.isMore(sample.time - last, than: parameters.resetTime) { count = 0 }
    }
    last = sample.time
    count += 1
    reading.isDetected = Double(count) >= parameters.count
    return reading
  }

  package mutating func forgetSamples() { count = 0 }
}
