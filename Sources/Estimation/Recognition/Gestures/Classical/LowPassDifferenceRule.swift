package import InertialFilters
internal import InertialNumerics
package import InertialSensors

/// A rule that detects a step of the low-passed raw acceleration: yₙ = 0.1 xₙ + 0.9 yₙ₋₁, from y = 0.
package struct LowPassDifferenceRule: ShakeRule {
  package static let name = "low-pass"
  package let parameters: Parameters
  private var last: Double?
  private var filtered = Vector3.zero

  /// The parameters of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    package var updateInterval = 0.2
    /// The step above which a shake is detected, in g. Useful values are 0.33 to 0.88.
    package var threshold = 0.38
    /// The weight of the new sample in the low-pass, 0...1.
    package var gain = 0.1
    /// The minimum interval between two detections, in seconds, counted from the first sample.
    package var minimumInterval = 1.0

    package init() {}

    package static var descriptions: [ParameterDescription<Self>] {
      [
        updateIntervalDescription,
        .init(
          "threshold", \.threshold, "g", 0...100, customary: 0.33...0.88,
          "Step of one low-passed axis that is a shake."),
        .init("gain", \.gain, "1", 0...1, "Fraction of the new sample in the low-pass."),
        intervalDescription(\.minimumInterval),
      ]
    }
  }

  package init(parameters: Parameters) { self.parameters = parameters }

  package mutating func update(_ sample: MotionSample) -> ShakeReading {
    guard let acceleration = sample.acceleration else { return ShakeReading() }
    let last = self.last ?? sample.time
    self.last = last
    let before = filtered
    filtered = parameters.gain * acceleration + (1 - parameters.gain) * before
    let step = filtered - before
    var reading = ShakeReading(step, magnitude: step.maximumMagnitude, above: parameters.threshold)
    reading.isDetected = reading.isActive && Clock.isAtLeast(sample.time - last, parameters.minimumInterval)
    if reading.isDetected { self.last = sample.time }
    return reading
  }

  package mutating func forgetSamples() { filtered = .zero }
}
