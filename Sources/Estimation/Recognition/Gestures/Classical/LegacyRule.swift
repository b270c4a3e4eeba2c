package import InertialFilters
internal import InertialNumerics
package import InertialSensors
internal import InertialSystem

/// The rule of the first accelerometer interface: a strong sample in x or y while the low-passed x and y point along
/// the long side of the device.
///
/// Every sample enters the low-pass. If raw |x| or |y| reaches the threshold and the time since the last detection
/// exceeds the interval, the sample enters the low-pass once more, and |atan2(y, x)| of the low-pass above 70° is a
/// detection. The first sample can already be a detection.
package struct LegacyRule: ShakeRule {
  package static let name = "legacy"
  package let parameters: Parameters
  private var last: Double?
  private var x = 0.0
  private var y = 0.0

  /// The parameters of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    package var updateInterval = 0.1
    /// The minimum acceleration of a strong sample, in g. 2.45 and the interval of 1 s are the published values, as
    /// for `axis`.
    package var threshold = 2.45
    /// The weight of the new sample in the low-pass, 0...1.
    package var gain = 0.1
    /// The angle above which a shake is detected, in degrees.
    package var angle = 70.0
    /// The time since the last detection that must be exceeded, in seconds.
    package var minimumInterval = 1.0

    package init() {}

    package static var descriptions: [ParameterDescription<Self>] {
      [
        updateIntervalDescription,
        .init(
          "threshold", \.threshold, "g", 0...100, customary: 0.5...3,
          "Raw |x| or |y| from which the angle is checked."),
        .init("gain", \.gain, "1", 0...1, "Fraction of the new sample in the low-pass."),
        .init("angle", \.angle, "deg", 0...180, "Direction of the low-passed x and y that is a shake."),
        intervalDescription(\.minimumInterval, "Time since the last detection that must be exceeded."),
      ]
    }
  }

  package init(parameters: Parameters) { self.parameters = parameters }

  package mutating func update(_ sample: MotionSample) -> ShakeReading {
    guard let acceleration = sample.acceleration else { return ShakeReading() }
    enter(acceleration)
    let magnitude = max(abs(acceleration.x), abs(acceleration.y))
    var reading = ShakeReading(
      Vector3(acceleration.x, acceleration.y, 0), magnitude: magnitude, above: parameters.threshold)
    reading.isActive = magnitude >= parameters.threshold
    if let last, !Clock.isMore(sample.time - last, than: parameters.minimumInterval) { return reading }
    guard reading.isActive else { return reading }
    enter(acceleration)
    reading.isDetected = abs(atan2(y, x)) * 180 / .pi > parameters.angle
    if reading.isDetected { last = sample.time }
    return reading
  }

  private mutating func enter(_ acceleration: Vector3) {
    x = parameters.gain * acceleration.x + (1 - parameters.gain) * x
    y = parameters.gain * acceleration.y + (1 - parameters.gain) * y
  }

  package mutating func forgetSamples() { (x, y) = (0, 0) }
}
