/// How a filter starts, tells rest and treats gaps: what is the same question for every filter.
public struct HandlingParameters: ParameterGroup {
  /// Length of the start-up, seconds, in which tilt is the running mean of the acceleration.
  public var startUpDuration = 1.0
  /// Longest time between samples that is integrated over, seconds.
  public var gapThreshold = 0.5
  /// Largest deviation from steady of the rate at rest, rad/s.
  public var restRateThreshold = 0.035
  /// Largest deviation from steady of the acceleration at rest, g.
  public var restAccelerationThreshold = 0.05
  /// Seconds of steadiness before rest is declared.
  public var restDuration = 1.5
  /// Largest gyroscope bias about any axis, rad/s: no faster steady turn is taken for rest or for a bias.
  /// Default 0.2 rad/s (11 °/s), above that of any phone seen.
  public var biasBound = 0.2

  /// The defaults.
  public init() {}

  static let descriptions: [ParameterDescription<Self>] = [
    .init(
      "startUpDuration", \.startUpDuration, unit: "s", range: 0...60,
      "Length of the start-up, in which tilt is the mean of the acceleration."),
    .init(
      "gapThreshold", \.gapThreshold, unit: "s", range: 0.001...60,
      "Longest time between samples that is integrated over."),
    .init(
      "restRateThreshold", \.restRateThreshold, unit: "rad/s", range: 0...10,
      "Largest deviation from steady of the rate at rest; bigger finds rest more often."),
    .init(
      "restAccelerationThreshold", \.restAccelerationThreshold, unit: "g", range: 0...10,
      "Largest deviation from steady of the acceleration at rest; bigger finds rest more often."),
    .init(
      "restDuration", \.restDuration, unit: "s", range: 0.1...100,
      "Seconds of steadiness before rest is declared."),
    .init(
      "biasBound", \.biasBound, unit: "rad/s", range: 0...10,
      "Largest gyroscope bias about any axis; no faster steady turn is taken for rest or a bias."),
  ]

  var rest: RestDetector.Thresholds {
    RestDetector.Thresholds(
      rate: restRateThreshold, acceleration: restAccelerationThreshold, duration: restDuration,
      biasBound: biasBound)
  }
}
