internal import InertialNumerics
package import InertialSensors

/// The rule of React Native: eight excursions of an axis, each to the other side than the one before.
///
/// In Android's units and sign, m/s² with 9.80665 taken from z; the first axis of x, y, z that is above the threshold
/// and not on the side of its last excursion counts one. Three seconds without one begin the count anew. It counts
/// excursions a sample apart, so it depends on the sample rate.
package struct AxisExcursionsRule: ShakeRule {
  package static let name = "react-native"
  package let parameters: Parameters
  /// Where each axis was at its last excursion, m/s²; 0: nowhere yet.
  private var excursion = Vector3.zero
  private var count = 0
  private var lastExcursion: Double?

  /// The numbers of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    /// The original takes no two samples that are closer.
    package var updateInterval = 0.02
    /// m/s²; an excursion is above it.
    package var threshold = 1.33 * standardGravity
    /// Seconds; more without an excursion begin the count anew.
    package var window = 3.0
    /// Excursions that are a shake.
    package var excursions = 8.0

    package init() {}

    package static var descriptions: [ShakeParameter<Self>] {
      [
        updateIntervalDescription,
        .init("threshold", \.threshold, unit: "m/s²", range: 0...1000, "Acceleration of an axis that is an excursion."),
        .init("window", \.window, unit: "s", range: 0...60, "Longest time between two excursions."),
        .init("excursions", \.excursions, unit: "1", range: 1...1000, "Excursions that are a shake."),
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
