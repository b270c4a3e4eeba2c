package import InertialFilters
internal import InertialNumerics
package import InertialSensors

/// The rule of React Native: eight excursions of an axis, with alternating sides.
///
/// It uses Android's units and sign: m/s², with 9.80665 subtracted from z. At each sample, the first axis of x, y, z
/// that exceeds the threshold, and is not on the side of its last excursion, counts one excursion. The count restarts
/// after three seconds without an excursion. Consecutive samples can count, so the rule depends on the sample rate.
package struct AxisExcursionsRule: ShakeRule {
  package static let name = "react-native"
  package let parameters: Parameters
  /// The value of each axis at its last excursion, in m/s²; 0 before the first one.
  private var excursion = Vector3.zero
  private var count = 0
  private var lastExcursion: Double?

  /// The parameters of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    /// The original ignores samples at a shorter interval.
    package var updateInterval = 0.02
    /// The acceleration above which an excursion counts, in m/s².
    package var threshold = 1.33 * standardGravity
    /// The time without an excursion after which the count restarts, in seconds.
    package var window = 3.0
    /// The number of excursions of a shake.
    package var excursions = 8.0

    package init() {}

    package static var descriptions: [ParameterDescription<Self>] {
      [
        updateIntervalDescription,
        .init("threshold", \.threshold, "m/s²", 0...1000, "Acceleration of an axis that is an excursion."),
        .init("window", \.window, "s", 0...60, "Longest time between two excursions."),
        .init("excursions", \.excursions, "1", 1...1000, "Excursions that are a shake."),
      ]
    }
  }

  package init(parameters: Parameters) { self.parameters = parameters }

  package mutating func update(_ sample: MotionSample) -> ShakeReading {
    guard let acceleration = sample.acceleration else { return ShakeReading() }
    // Core Motion's sign is the opposite of Android's.
    let felt = -standardGravity * acceleration - Vector3(0, 0, standardGravity)
    var reading = ShakeReading(acceleration, magnitude: felt.maximumMagnitude, above: parameters.threshold)
    if let axis = (0..<3).first(where: { abs(felt[$0]) > parameters.threshold && felt[$0] * excursion[$0] <= 0 }) {
      excursion[axis] = felt[axis]
      count += 1
      lastExcursion = sample.time
    }
    reading.score = Double(count) / parameters.excursions
    if Double(count) >= parameters.excursions {
      reading.isDetected = true
      reading.isActive = true
      begin()
    } else if let lastExcursion, Clock.isMore(sample.time - lastExcursion, than: parameters.window) {
      begin()
    }
    return reading
  }

  private mutating func begin() {
    excursion = .zero
    count = 0
    lastExcursion = nil
  }

  package mutating func forgetSamples() { begin() }
}
