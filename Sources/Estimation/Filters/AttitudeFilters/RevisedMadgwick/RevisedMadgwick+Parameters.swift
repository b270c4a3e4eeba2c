extension RevisedMadgwick {
  /// Time constants and periods in seconds, angles in radians, valid for every sample rate.
  ///
  /// The original's settings are a gain of 0.5 and thresholds of 10° for both sensors. The defaults here trust the
  /// field less and reject fewer accelerations: on recordings of handheld devices and phones, the errors are half as
  /// large (BROAD 4.9° instead of 11.8°, a set of phones 9.7° instead of 21.9°).
  package struct Parameters: SteppedParameters {
    package var timeConstant = 2.0
    package var magneticWeight = 0.1
    package var accelerationRejection = 0.8
    package var magneticRejection = 0.25
    package var recoveryTriggerPeriod = 5.0
    package var gyroscopeRange = 0.0
    package var stationaryThreshold = 0.052
    package var stationaryPeriod = 3.0
    package var stationaryTimeConstant = 8.0
    package var integrationOrder = 3.0
    /// The handling of the start, rest, gaps and invalid samples.
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}

    /// The gain of the documentation, in 1/s.
    package var gain: Double {
      get { 1 / timeConstant }
      set { timeConstant = 1 / newValue }
    }

    package static var descriptions: [ParameterDescription<Self>] {
      [
        .init(
          "timeConstant", \.timeConstant, "s", 0.001...1e6,
          "Time constant of the correction; bigger trusts the gyroscope longer."
        )
        .published("gain", \.gain, "1/s", 1e-6...1000, "Gain of the correction: 1 / timeConstant."),
        .init(
          "magneticWeight", \.magneticWeight, "1", 0...100,
          "Weight of the field's correction against gravity's; 0 leaves heading to the gyroscope."),
        .init(
          "accelerationRejection", \.accelerationRejection, "rad", 0...1.57,
          "Largest error of inclination at which the accelerometer is used; 0 uses it always."),
        .init(
          "magneticRejection", \.magneticRejection, "rad", 0...1.57,
          "Largest error of heading at which the field is used; 0 uses it always."),
        .init(
          "recoveryTriggerPeriod", \.recoveryTriggerPeriod, "s", 0...1e6,
          "Seconds after which samples are used even if all are rejected; 0 rejects none."),
        .init(
          "gyroscopeRange", \.gyroscopeRange, "rad/s", 0...1000,
          "Largest rate that the gyroscope measures about an axis; 0 = unknown."),
        .init(
          "stationaryThreshold", \.stationaryThreshold, "rad/s", 0...10,
          "Largest constant rate that counts as a bias; 0 learns none."),
        .init(
          "stationaryPeriod", \.stationaryPeriod, "s", 0...1e6,
          "Seconds below the threshold before a rate counts as a bias."),
        .init(
          "stationaryTimeConstant", \.stationaryTimeConstant, "s", 0.01...1e9,
          "Time constant of the bias, seconds of rest; bigger is slower and steadier."),
        .init(
          "integrationOrder", \.integrationOrder, "1", 1...3,
          "1 integrates as the original does, q + q' dt; 3 uses three terms of the exponential."),
      ] + HandlingParameters.descriptions(at: \.handling)
    }
  }
}

/// Madgwick's revised filter for real logs.
package typealias RevisedMadgwickFilter = SteppedFilter<RevisedMadgwick>
