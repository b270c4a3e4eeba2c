package import InertialFilters
internal import InertialNumerics
package import InertialSensors

/// A rule that detects any axis of the user acceleration above a threshold. Every sample above it is a detection.
package struct UserAxisRule: ShakeRule {
  package static let name = "user-axis"
  package let parameters: Parameters

  /// The parameters of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    package var updateInterval = 1.0 / 60
    /// The acceleration above which a shake is detected, in g.
    package var threshold = 0.30

    package init() {}

    package static var descriptions: [ParameterDescription<Self>] {
      [
        updateIntervalDescription,
        .init("threshold", \.threshold, "g", 0...100, "User acceleration of one axis that is a shake."),
      ]
    }
  }

  package init(parameters: Parameters) { self.parameters = parameters }

  package mutating func update(_ sample: MotionSample) -> ShakeReading {
    guard let acceleration = sample.userAcceleration else { return ShakeReading() }
    var reading = ShakeReading(acceleration, magnitude: acceleration.maximumMagnitude, above: parameters.threshold)
    reading.isDetected = reading.isActive
    return reading
  }

  package mutating func forgetSamples() {}
}
