package import InertialFilters
internal import InertialNumerics
package import InertialSensors

/// The common rule of 2.7 g: a sample above the threshold counts, at most once in half a second.
///
/// The count restarts after three seconds without such a sample. Every count from `count` on is a detection. The
/// first sample can already count.
package struct ForceCountRule: ShakeRule {
  package static let name = "force"
  package let parameters: Parameters
  private var last: Double?
  private var count = 0

  /// The parameters of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    package var updateInterval = 0.0
    /// The acceleration with gravity above which a sample counts, in g.
    package var threshold = 2.7
    /// The minimum interval between counted samples, in seconds.
    package var minimumInterval = 0.5
    /// The time without counted samples after which the count restarts, in seconds.
    package var resetTime = 3.0
    /// The minimum count of a shake.
    package var count = 1.0

    package init() {}

    package static var descriptions: [ParameterDescription<Self>] {
      [
        updateIntervalDescription,
        .init("threshold", \.threshold, "g", 0...100, "Magnitude that counts; rest reads 1."),
        intervalDescription(\.minimumInterval, "Minimum time between two counts."),
        .init("resetTime", \.resetTime, "s", 0...3600, "Time after which the count restarts."),
        .init("count", \.count, "1", 1...1000, "The count from which it is a shake."),
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
