package import InertialNumerics
package import InertialRotations
package import InertialSensors

/// The mathematics of a Kalman filter of attitude and gyroscope bias, in steps of one epoch: a prediction, then the
/// measurements of the epoch.
///
/// It can be called directly; `EpochFilter` turns it into a filter for real logs. Measured vectors are means over the
/// epoch, in device axes at its end, with independent errors of equal variance about all axes.
package protocol EpochAlgorithm: Sendable {
  /// The settings for users: in physical units, independent of the sample rate.
  associatedtype Parameters: EpochParameters
  /// The complete state that changes from epoch to epoch.
  associatedtype State: EpochState

  /// The filter's name in commands, tables and saved states.
  static var name: String { get }
  /// A description in one sentence, for tables.
  static var summary: String { get }
  /// The publication of the filter's mathematics.
  static var source: String { get }
  /// The inputs and outputs of the filter.
  static var traits: FilterTraits { get }

  /// Creates an algorithm with these parameters; the caller keeps its state.
  init(parameters: Parameters)
  /// The parameters of the algorithm.
  var parameters: Parameters { get }

  /// Propagates the state and the covariance over an epoch.
  func predict(_ state: inout State, over step: EpochStep)
  /// Fuses a mean specific force, in g, that points up except for its error (variance in g²).
  @discardableResult
  func fuse(_ state: inout State, force: Vector3, variance: Double) -> MeasurementOutcome
  /// Fuses a mean field, in µT, whose direction and strength in earth axes are known except for its error (variance in
  /// µT²).
  @discardableResult
  func fuse(_ state: inout State, field: Vector3, reference: Vector3, variance: Double) -> MeasurementOutcome
  /// Fuses only the azimuth of a mean field, in µT (variance in rad²), which may correct heading and bias but not tilt.
  ///
  /// - Parameter azimuth: The expected azimuth of the field, in radians counter-clockwise from the earth's X.
  @discardableResult
  func fuse(_ state: inout State, field: Vector3, azimuth: Double, variance: Double) -> MeasurementOutcome
  /// Fuses the rate at rest, in rad/s, as the bias (variance in rad²/s²), unless its normalised squared innovation
  /// exceeds the gate.
  @discardableResult
  func fuse(_ state: inout State, restRate: Vector3, variance: Double, gate: Double) -> MeasurementOutcome
}

/// The interval of a prediction.
package struct EpochStep: Sendable, Equatable {
  /// The rotation over the epoch as measured by the gyroscope, without the estimated bias: q_end = q_start ⊗ turn.
  package var turn: Quaternion
  /// The duration, in seconds.
  package var duration: Double
  /// The variance that the gyroscope's noise adds to the attitude about every axis, in rad².
  package var attitudeVariance: Double
  /// The variance that the gyroscope's random walk adds to the bias, in rad²/s².
  package var biasVariance: Double

  package init(turn: Quaternion, duration: Double, attitudeVariance: Double, biasVariance: Double) {
    self.turn = turn
    self.duration = duration
    self.attitudeVariance = attitudeVariance
    self.biasVariance = biasVariance
  }

  /// The mean rotation from the device's axes during the epoch to those at its end: J(φ) ≈ I − ½ [φ]× + ⅙ [φ]×² for the
  /// epoch's rotation vector φ.
  package var meanRotation: Matrix3 {
    let skew = Matrix3(skew: turn.rotationVector)
    return .identity - 0.5 * skew + (1.0 / 6) * (skew * skew)
  }

  /// The process noise Q of the attitude and bias errors, equal about all axes and therefore the same in any axes.
  var processNoise: FixedMatrix<6, 6> {
    FixedMatrix { row, column in row == column ? (row < 3 ? attitudeVariance : biasVariance) : 0 }
  }
}

/// The state of an epoch algorithm.
package protocol EpochState: Sendable, Codable, Equatable, CovarianceReporting {
  /// Creates an initial state with the covariance of its errors.
  init(errorCovariance: FixedMatrix<6, 6>)
  /// The unit quaternion, device to earth.
  var earthFromDevice: Quaternion { get }
  /// The gyroscope bias, in rad/s, in device axes.
  var gyroscopeBias: Vector3 { get }
  /// The covariance of the errors of attitude (rotation vector in earth axes) and bias (device axes).
  var errorCovariance: FixedMatrix<6, 6> { get }

  /// Sets the attitude and the covariance after the start-up, a gap, or the first field; the bias is kept.
  mutating func restart(at attitude: Quaternion, errorCovariance: FixedMatrix<6, 6>)
}

/// The parameters of an epoch algorithm: its own numbers, the sensors' noise, and the handling of the start, rest and
/// gaps.
package protocol EpochParameters: FilterParameters {
  /// The densities and deviations of the sensors' noise.
  var noise: KalmanNoise { get set }
  /// The handling of the start, rest, gaps and invalid samples.
  var handling: HandlingParameters { get set }
  /// The implementation of the covariance calculations.
  var core: KalmanCore { get set }
}

extension EpochParameters {
  package static var descriptions: [ParameterDescription<Self>] {
    KalmanNoise.descriptions(at: \.noise) + HandlingParameters.descriptions(at: \.handling)
      + [KalmanCore.description(of: \.core)]
  }
}
