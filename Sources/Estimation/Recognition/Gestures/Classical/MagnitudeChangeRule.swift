internal import InertialNumerics
package import InertialSensors

/// The rule of nisrulz/sensey: the leaky sum of the raw magnitude's changes, m = 0.9 m + (|a| − |a| before), above a
/// threshold.
///
/// A shake has stopped after a second without; the next sample above is another. |a| starts at 1 g.
/// It sums sample by sample, so it depends on the sample rate.
package struct MagnitudeChangeRule: ShakeRule {
  package static let name = "sensey"
  package let parameters: Parameters
  private var magnitude = standardGravity
  private var change = 0.0
  private var lastShake: Double?

  /// The numbers of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    package var updateInterval = 0.0
    /// m/s²; shaking is above it.
    package var threshold = 3.0
    /// Share of the sum that remains after a sample, 0 to 1.
    package var memory = 0.9
    /// Seconds; a shake has stopped after more without.
    package var quietTime = 1.0

    package init() {}

    package static var descriptions: [ShakeParameter<Self>] {
      [
        updateIntervalDescription,
        .init("threshold", \.threshold, unit: "m/s²", range: 0...1000, "Sum of changes that is a shake."),
        .init("memory", \.memory, unit: "1", range: 0...1, "Share of the sum that remains after a sample."),
        .init("quietTime", \.quietTime, unit: "s", range: 0...60, "Time without after which a shake has stopped."),
      ]
    }
  }

  package init(parameters: Parameters) { self.parameters = parameters }

  package mutating func update(_ sample: MotionSample) -> ShakeReading {
    guard let acceleration = sample.acceleration else { return ShakeReading() }
    let before = magnitude
    magnitude = standardGravity * acceleration.norm
    change = parameters.memory * change + (magnitude - before)
    var reading = ShakeReading(acceleration, magnitude: change, above: parameters.threshold)
    if reading.isActive {
      reading.isDetected = lastShake == nil
      lastShake = sample.time
    } else if let lastShake, Clock.isMore(sample.time - lastShake, than: parameters.quietTime) {
      self.lastShake = nil
    }
    return reading
  }

  package mutating func forgetSamples() {
    magnitude = standardGravity
    change = 0
    lastShake = nil
  }
}
