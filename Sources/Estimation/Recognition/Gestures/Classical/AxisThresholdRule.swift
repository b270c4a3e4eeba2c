package import InertialFilters
internal import InertialNumerics
package import InertialSensors

/// A rule that detects any axis of the raw acceleration above a threshold, with a minimum interval between
/// detections.
///
/// The interval counts from the first sample, so nothing is detected in the first second.
package struct AxisThresholdRule: ShakeRule {
  package static let name = "axis"
  package let parameters: Parameters
  private var last: Double?

  /// The parameters of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    package var updateInterval = 0.2
    /// The acceleration above which a shake is detected, in g, including gravity. 1 to 2 is ordinary, 0.5 to 1
    /// sensitive, 2 to 3 insensitive.
    package var threshold = 2.45
    /// The minimum interval between two detections, in seconds.
    package var minimumInterval = 1.0

    package init() {}

    package static var descriptions: [ParameterDescription<Self>] {
      [
        updateIntervalDescription,
        .init(
          "threshold", \.threshold, "g", 0...100, customary: 0.5...3,
          "Acceleration of one axis that is a shake: 0.5 to 1 sensitive, 1 to 2 ordinary, 2 to 3 hard shakes only."),
        intervalDescription(\.minimumInterval),
      ]
    }
  }

  package init(parameters: Parameters) { self.parameters = parameters }

  package mutating func update(_ sample: MotionSample) -> ShakeReading {
    guard let acceleration = sample.acceleration else { return ShakeReading() }
    let last = self.last ?? sample.time
    self.last = last
    var reading = ShakeReading(acceleration, magnitude: acceleration.maximumMagnitude, above: parameters.threshold)
    reading.isDetected = reading.isActive && Clock.isAtLeast(sample.time - last, parameters.minimumInterval)
    if reading.isDetected { self.last = sample.time }
    return reading
  }

  package mutating func forgetSamples() {}
}

extension ShakeReading {
  /// Creates a reading that is active if the magnitude exceeds the threshold.
  init(_ vector: Vector3, magnitude: Double, above threshold: Double) {
    isActive = magnitude > threshold
    score = threshold > 0 ? magnitude / threshold : magnitude
    if isActive { axis = vector.normalized ?? .zero }
  }
}
