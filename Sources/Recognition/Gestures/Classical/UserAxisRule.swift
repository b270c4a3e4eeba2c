internal import LinearAlgebra
public import Sensors

/// A shake is any axis of the user acceleration above a threshold; every sample above it is a detection.
public struct UserAxisRule: ShakeRule {
  public static let name = "user-axis"
  public let parameters: Parameters

  /// The numbers of the rule, with the published or customary values as defaults.
  public struct Parameters: ShakeParameters {
    public var updateInterval = 1.0 / 60
    /// g; detected above it.
    public var threshold = 0.30

    public init() {}

    public static var descriptions: [ShakeParameter<Self>] {
      [
        updateIntervalDescription,
        .init("threshold", \.threshold, unit: "g", range: 0...100, "User acceleration of one axis that is a shake."),
      ]
    }
  }

  public init(parameters: Parameters) { self.parameters = parameters }

  public mutating func update(_ sample: MotionSample) -> ShakeReading {
    guard let acceleration = sample.userAcceleration else { return ShakeReading() }
    var reading = ShakeReading(acceleration, magnitude: acceleration.maximumMagnitude, above: parameters.threshold)
    reading.isDetected = reading.isActive
    return reading
  }

  public mutating func forgetSamples() {}
}
