package import InertialNumerics
package import InertialRotations
package import InertialSensors

/// The mathematics of a Kalman filter of attitude and gyroscope bias, in steps of one epoch: a prediction, then the
/// measurements of the epoch.
///
/// A researcher can call it as it is; `EpochFilter` makes of it a filter for real logs. Vectors that are measured are
/// means over the epoch, in device axes at its end, with independent errors of equal variance about all axes.
package protocol EpochAlgorithm: Sendable {
  /// What a user sets: physical units, independent of the sample rate.
  associatedtype Parameters: EpochParameters
  /// Everything that changes from moment to moment.
  associatedtype State: EpochState

  /// The filter's name in commands, tables and saved states.
  static var name: String { get }
  /// What it is, in a sentence, for tables.
  static var summary: String { get }
  /// Where its mathematics is from.
  static var source: String { get }
  /// What it takes and gives.
  static var traits: FilterTraits { get }

  /// An algorithm with these parameters; its state is kept beside it.
  init(parameters: Parameters)
  /// The parameters that it runs with.
  var parameters: Parameters { get }

  /// Carries state and covariance over an epoch.
  func predict(_ state: inout State, over step: EpochStep)
  /// Takes a mean specific force, g, that points up but for its error (variance in g²).
  @discardableResult
  func fuse(_ state: inout State, force: Vector3, variance: Double) -> MeasurementOutcome
  /// Takes a mean field, µT, whose direction and strength in earth axes are known but for its error (variance in µT²).
  @discardableResult
  func fuse(_ state: inout State, field: Vector3, reference: Vector3, variance: Double) -> MeasurementOutcome
  /// Takes a mean field, µT, for its azimuth alone (variance in rad²), which may correct heading and bias but no tilt.
  ///
  /// - `azimuth`: radians counter-clockwise from the earth's X, what the field's should be.
  @discardableResult
  func fuse(_ state: inout State, field: Vector3, azimuth: Double, variance: Double) -> MeasurementOutcome
  /// Takes the rate at rest, rad/s, for the bias (variance in rad²/s²), unless its normalised squared innovation is
  /// beyond the gate.
  @discardableResult
  func fuse(_ state: inout State, restRate: Vector3, variance: Double, gate: Double) -> MeasurementOutcome
}

/// What a prediction goes over.
package struct EpochStep: Sendable, Equatable {
  /// The rotation of the epoch as the gyroscope tells it, less the estimated bias: q_end = q_start ⊗ turn.
  package var turn: Quaternion
  /// Seconds.
  package var duration: Double
  /// What the gyroscope's noise adds to the variance of the attitude about every axis, rad².
  package var attitudeVariance: Double
  /// What its random walk adds to the variance of the bias, rad²/s².
  package var biasVariance: Double

  package init(turn: Quaternion, duration: Double, attitudeVariance: Double, biasVariance: Double) {
    self.turn = turn
    self.duration = duration
    self.attitudeVariance = attitudeVariance
    self.biasVariance = biasVariance
  }

  /// The mean of the rotations of the epoch from the device's axes to those at its end: J(φ) ≈ I − ½ [φ]× + ⅙ [φ]×² for
  /// the epoch's rotation vector φ.
  package var meanRotation: Matrix3 {
    let skew = Matrix3(skew: turn.rotationVector)
    return .identity - 0.5 * skew + (1.0 / 6) * (skew * skew)
  }

  /// Q of an attitude's and a bias's error, which is the same about all axes and so in all axes.
  var processNoise: FixedMatrix<6, 6> {
    FixedMatrix { row, column in row == column ? (row < 3 ? attitudeVariance : biasVariance) : 0 }
  }
}

/// What such an algorithm remembers.
package protocol EpochState: Sendable, Codable, Equatable, CovarianceReporting {
  /// The state of which nothing is known but how large a bias may be.
  init(errorCovariance: FixedMatrix<6, 6>)
  /// Unit quaternion, device to earth.
  var earthFromDevice: Quaternion { get }
  /// rad/s, device axes.
  var gyroscopeBias: Vector3 { get }
  /// Covariance of the errors of attitude (rotation vector in earth axes) and bias (device axes).
  var errorCovariance: FixedMatrix<6, 6> { get }

  /// Takes attitude and covariance from outside, after the start-up, a gap, or the first field; the bias is kept.
  mutating func restart(at attitude: Quaternion, errorCovariance: FixedMatrix<6, 6>)
}

/// The parameters of such an algorithm: its own numbers, the sensors' noise, and how it starts, rests and treats gaps.
package protocol EpochParameters: FilterParameters {
  /// Densities and deviations of the sensors' noise.
  var noise: KalmanNoise { get set }
  /// How start, rest, gaps and bad samples are handled.
  var handling: HandlingParameters { get set }
  /// What the covariance is calculated with.
  var core: KalmanCore { get set }
}

extension EpochParameters {
  package static var descriptions: [ParameterDescription<Self>] {
    KalmanNoise.descriptions(at: \.noise) + HandlingParameters.descriptions(at: \.handling)
      + [KalmanCore.description(of: \.core)]
  }
}
