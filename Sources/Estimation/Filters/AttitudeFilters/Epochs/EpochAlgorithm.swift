package import InertialNumerics
package import InertialRotations
package import InertialSensors

/// The mathematics of a Kalman filter of attitude and gyroscope bias, in steps of one epoch: a prediction, then the
/// measurements of the epoch. docs/theory/epoch-filters.md contains its equations.
///
/// It can be called directly; `EpochFilter` turns it into a filter for real logs. Measured vectors are means over the
/// epoch, in device axes at its end, with independent errors of equal variance about all axes. The default
/// implementations are linear in the errors and shared by mekf, eqf and ekf.
package protocol EpochAlgorithm: Sendable {
  /// The settings for users: in physical units, independent of the sample rate.
  associatedtype Parameters: EpochParameters

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
  func predict(_ state: inout EpochState, over step: EpochStep)
  /// Fuses a mean specific force, in g, that points up except for its error (variance in g²).
  @discardableResult
  func fuse(_ state: inout EpochState, force: Vector3, variance: Double) -> MeasurementOutcome
  /// Fuses a mean field, in µT, whose direction and strength in earth axes are known except for its error (variance in
  /// µT²).
  @discardableResult
  func fuse(_ state: inout EpochState, field: Vector3, reference: Vector3, variance: Double) -> MeasurementOutcome
  /// Fuses only the azimuth of a mean field, in µT (variance in rad²), which may correct heading and bias but not tilt.
  ///
  /// - Parameter azimuth: The expected azimuth of the field, in radians counter-clockwise from the earth's X.
  @discardableResult
  func fuse(_ state: inout EpochState, field: Vector3, azimuth: Double, variance: Double) -> MeasurementOutcome
  /// Fuses the rate at rest, in rad/s, as the bias (variance in rad²/s²), unless its normalised squared innovation
  /// exceeds the gate.
  @discardableResult
  func fuse(_ state: inout EpochState, restRate: Vector3, variance: Double, gate: Double) -> MeasurementOutcome
  /// Applies a correction of the errors to attitude and bias: the chart of the filter's errors.
  static func correct(_ state: inout EpochState, by correction: ErrorValues)
}

extension EpochAlgorithm {
  package func predict(_ state: inout EpochState, over step: EpochStep) { state.predict(over: step) }

  package func fuse(_ state: inout EpochState, force: Vector3, variance: Double) -> MeasurementOutcome {
    take(.gravity, .gravity(state.earthFromDevice.rotate(force), variance: variance), in: &state)
  }

  package func fuse(
    _ state: inout EpochState, field: Vector3, azimuth: Double, variance: Double
  ) -> MeasurementOutcome {
    take(.heading, .azimuth(of: state.earthFromDevice.rotate(field), azimuth, variance: variance), in: &state)
  }

  package func fuse(
    _ state: inout EpochState, restRate: Vector3, variance: Double, gate: Double
  ) -> MeasurementOutcome {
    let measurement = ErrorMeasurement.restRate(restRate - state.gyroscopeBias, variance: variance)
    return take(.restRate, measurement, gate: gate, in: &state)
  }

  /// Takes a measurement and corrects the state, so that the next one is linearised at the corrected state.
  func take(
    _ kind: MeasurementKind, _ measurement: ErrorMeasurement, gate: Double = .infinity, in state: inout EpochState
  ) -> MeasurementOutcome {
    var measurement = measurement
    if gate < .infinity { measurement.gate = .reject(above: gate) }
    let innovation = state.kalman.take(measurement)
    Self.correct(&state, by: state.kalman.close())
    return MeasurementOutcome(kind, innovation, gate: gate)
  }
}

extension MeasurementOutcome {
  /// Creates the outcome of a measurement by the Kalman engine.
  ///
  /// - Parameter gate: The limit of the normalised squared innovation, if the measurement has one.
  init(_ kind: MeasurementKind, _ innovation: ErrorInnovation, gate: Double) {
    guard innovation.outcome != .unusable else {
      self.init(kind, leftOut: .unusable)
      return
    }
    self.init(
      kind, count: innovation.count, innovation: innovation.residual, variance: innovation.residualVariance,
      normalizedSquared: innovation.normalizedSquared, gate: gate)
  }
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
  /// epoch's rotation vector φ, equation (3).
  package var meanRotation: Matrix3 {
    let skew = Matrix3(skew: turn.rotationVector)
    return .identity - 0.5 * skew + (1.0 / 6) * (skew * skew)
  }
}

/// The parameters of an epoch algorithm: its own numbers, the sensors' noise, and the handling of the start, rest and
/// gaps.
package protocol EpochParameters: FilterParameters {
  /// The densities and deviations of the sensors' noise.
  var noise: KalmanNoise { get set }
  /// The handling of the start, rest, gaps and invalid samples.
  var handling: HandlingParameters { get set }
}

extension EpochParameters {
  package static var descriptions: [ParameterDescription<Self>] {
    KalmanNoise.descriptions(at: \.noise) + HandlingParameters.descriptions(at: \.handling)
  }
}
