/// The handling of the start, rest and gaps, common to all filters.
public struct HandlingParameters: ParameterGroup {
  /// The length of the start-up, in seconds. During it, the tilt is the running mean of the acceleration.
  public var startUpDuration = 1.0
  /// The longest time between samples that is integrated over, in seconds.
  public var gapThreshold = 0.5
  /// The largest deviation of the rate from a constant at rest, in rad/s.
  public var restRateThreshold = 0.035
  /// The largest deviation of the acceleration from a constant at rest, in g.
  public var restAccelerationThreshold = 0.05
  /// The duration of steadiness before rest is detected, in seconds.
  public var restDuration = 1.5
  /// The largest gyroscope bias about any axis, in rad/s. No faster constant rotation counts as rest or as a bias.
  /// Default: 0.2 rad/s (11 °/s), above the bias of all phones observed.
  public var biasBound = 0.2

  /// Creates parameters with the defaults.
  public init() {}

  public static let descriptions: [ParameterDescription<Self>] = [
    .init(
      "startUpDuration", \.startUpDuration, "s", 0...60,
      "Duration of the start-up, in which tilt is the mean of the acceleration."),
    .init("gapThreshold", \.gapThreshold, "s", 0.001...60, "Longest time between samples that is integrated over."),
    .init(
      "restRateThreshold", \.restRateThreshold, "rad/s", 0...10,
      "Largest deviation of the rate from a constant at rest; bigger finds rest more often."),
    .init(
      "restAccelerationThreshold", \.restAccelerationThreshold, "g", 0...10,
      "Largest deviation of the acceleration from a constant at rest; bigger finds rest more often."),
    .init("restDuration", \.restDuration, "s", 0.1...100, "Seconds of constant input before rest is detected."),
    .init(
      "biasBound", \.biasBound, "rad/s", 0...10,
      "Largest gyroscope bias about any axis; a faster constant rate counts neither as rest nor as a bias."),
  ]

  var rest: RestDetector.Thresholds {
    RestDetector.Thresholds(
      rate: restRateThreshold, acceleration: restAccelerationThreshold, duration: restDuration,
      biasBound: biasBound)
  }
}
