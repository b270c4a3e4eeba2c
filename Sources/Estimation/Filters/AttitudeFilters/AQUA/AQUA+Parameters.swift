internal import InertialNumerics
internal import InertialSystem

extension AQUA {
  /// Time constants in seconds, valid for every sample rate.
  package struct Parameters: SteppedParameters {
    package var accelerationTimeConstant = 3.0
    package var magneticTimeConstant = 10.0
    /// The paper's t₁.
    package var fullTrustError = 0.1
    /// The paper's t₂.
    package var noTrustError = 0.2
    /// The paper's ε; its 0.9 is 52°.
    package var slerpThreshold = 0.9
    package var biasTimeConstant = 10.0
    package var biasStep = 0.004
    /// The handling of the start, rest, gaps and invalid samples.
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}

    /// The sampling interval for which the paper's gains are given, in seconds.
    private static let classicalPeriod = 0.01

    /// The paper's α: the fraction of the tilt correction applied per sample, at 100 Hz.
    package var alpha: Double {
      get { Self.gain(accelerationTimeConstant) }
      set { accelerationTimeConstant = Self.timeConstant(newValue) }
    }

    /// The paper's β: the fraction of the heading correction applied per sample, at 100 Hz.
    package var beta: Double {
      get { Self.gain(magneticTimeConstant) }
      set { magneticTimeConstant = Self.timeConstant(newValue) }
    }

    private static func gain(_ timeConstant: Double) -> Double {
      ExponentialLowPass.gain(after: classicalPeriod, timeConstant: timeConstant)
    }
    private static func timeConstant(_ gain: Double) -> Double { -classicalPeriod / log1p(-gain) }

    package static var descriptions: [ParameterDescription<Self>] {
      [
        .init(
          "accelerationTimeConstant", \.accelerationTimeConstant, "s", 0.001...1e6,
          "Time constant of the tilt correction; bigger trusts the gyroscope longer."
        )
        .published(
          "alpha", \.alpha, "1", 1e-8...0.99,
          "Fraction of the tilt correction per sample at 100 Hz: 1 - exp(-0.01 s / accelerationTimeConstant)."),
        .init(
          "magneticTimeConstant", \.magneticTimeConstant, "s", 0.001...1e6,
          "Time constant of the heading correction; bigger trusts the gyroscope longer."
        )
        .published(
          "beta", \.beta, "1", 1e-8...0.99,
          "Fraction of the heading correction per sample at 100 Hz: 1 - exp(-0.01 s / magneticTimeConstant)."),
        .init(
          "fullTrustError", \.fullTrustError, "g", 0...100,
          "Difference of the acceleration's magnitude from 1 g up to which it corrects in full (t1)."),
        .init(
          "noTrustError", \.noTrustError, "g", 0...100,
          "Difference of the acceleration's magnitude from 1 g beyond which it does not correct (t2)."),
        .init(
          "slerpThreshold", \.slerpThreshold, "1", -1...1,
          "Cosine of half the angle beyond which a correction is interpolated on the arc."),
        .init(
          "biasTimeConstant", \.biasTimeConstant, "s", 0.01...1e9,
          "Time constant of bias learning at rest; bigger is slower and steadier."),
        .init(
          "biasStep", \.biasStep, "rad/s", 0...10,
          "Largest difference of a steady rate from a known bias that is still learned at rest."),
      ] + HandlingParameters.descriptions(at: \.handling)
    }
  }
}

/// The algebraic quaternion algorithm's filter for real logs.
package typealias AQUAFilter = SteppedFilter<AQUA>
