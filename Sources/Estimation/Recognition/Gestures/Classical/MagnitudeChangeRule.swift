package import InertialFilters
internal import InertialNumerics
package import InertialSensors

/// The rule of nisrulz/sensey: the leaky sum of the raw magnitude's changes, mₙ = 0.9 mₙ₋₁ + (|aₙ| − |aₙ₋₁|), above a
/// threshold.
///
/// A shake ends after a second below the threshold; the next sample above it is another shake. |a| starts at 1 g.
/// Each sample adds to the sum, so the rule depends on the sample rate.
package struct MagnitudeChangeRule: ShakeRule {
  package static let name = "sensey"
  package let parameters: Parameters
  private var magnitude = standardGravity
  private var change = 0.0
  private var lastShake: Double?

  /// The parameters of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    package var updateInterval = 0.0
    /// The sum above which a shake is detected, in m/s².
    package var threshold = 3.0
    /// The fraction of the sum that remains after a sample, 0...1.
    package var memory = 0.9
    /// The time below the threshold after which a shake ends, in seconds.
    package var quietTime = 1.0

    package init() {}

    package static var descriptions: [ParameterDescription<Self>] {
      [
        updateIntervalDescription,
        .init("threshold", \.threshold, "m/s²", 0...1000, "Sum of changes that is a shake."),
        .init("memory", \.memory, "1", 0...1, "Fraction of the sum that remains after a sample."),
        .init("quietTime", \.quietTime, "s", 0...60, "Time below the threshold that ends a shake."),
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
