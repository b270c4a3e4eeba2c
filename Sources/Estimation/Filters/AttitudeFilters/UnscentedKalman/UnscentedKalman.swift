package import InertialNumerics
internal import InertialRotations
package import InertialSensors
internal import InertialSystem

/// An unscented Kalman filter on the rotation group: attitude error and gyroscope bias, six states, no derivatives.
///
/// Crassidis and Markley, "Unscented filtering for spacecraft attitude estimation", J. Guidance 26 (2003): the sigma
/// points are errors of attitude and bias; an attitude error becomes a rotation by generalised Rodrigues parameters and
/// is applied to the quaternion, and every point is propagated and measured separately. Here the error is in the earth
/// frame, q_true = δq(p) ⊗ q, so that heading is one of its components; and points are generated for each measurement,
/// so that measurements can be in any order.
package struct UnscentedKalman: EpochAlgorithm {
  package static let name = "ukf"
  package static let summary = "unscented Kalman filter on the rotation group: attitude, gyroscope bias, covariance"
  package static let source = "Crassidis and Markley 2003; Julier and Uhlmann 1997"
  package static let traits: FilterTraits = [
    .accelerometer, .magneticField, .gyroscopeBias, .restBias, .covariance, .magneticRejection,
  ]

  package let parameters: Parameters

  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  // MARK: Prediction

  /// Propagates every point by the gyroscope's rotation minus the point's bias, equation (18); the bias is unchanged.
  package func predict(_ state: inout EpochState, over step: EpochStep) {
    let points = SigmaPoints(state.kalman, parameters)
    let mean = (state.earthFromDevice * step.turn).normalized ?? state.earthFromDevice
    let inverse = mean.conjugate
    let turn = step.turn.rotationVector
    var (sum, moment, cross) = (Vector3.zero, Matrix3.zero, Matrix3.zero)
    for index in 0..<6 {
      let pair = points.pair(index)
      for half in 0..<2 {
        let sign = half == 0 ? 1.0 : -1.0
        // The last three pairs have no rotation.
        let start = index < 3 ? Quaternion(rodrigues: sign * pair.turn) * state.earthFromDevice : state.earthFromDevice
        let turned = start * Quaternion(stepBy: turn - (sign * step.duration) * pair.bias)
        let error = (turned * inverse).rodrigues
        sum += points.weight * error
        moment.add(Matrix3(outer: error, error), scaledBy: points.weight)
        cross.add(Matrix3(outer: error, pair.bias), scaledBy: sign * points.weight)
      }
    }
    moment.add(Matrix3(outer: sum, sum), scaledBy: points.meanWeight)
    state.kalman[EpochErrors.attitude, EpochErrors.attitude] = 0.5 * (moment + moment.transpose)
    state.kalman[EpochErrors.attitude, EpochErrors.bias] = cross
    state.addNoise(of: step)
    state.earthFromDevice = (Quaternion(rodrigues: sum) * mean).normalized ?? mean
  }

  // MARK: Measurements

  package func fuse(_ state: inout EpochState, force: Vector3, variance: Double) -> MeasurementOutcome {
    fuse(&state, .gravity, force, reference: .unitZ, variance: variance)
  }

  package func fuse(
    _ state: inout EpochState, field: Vector3, reference: Vector3, variance: Double
  ) -> MeasurementOutcome {
    fuse(&state, .magneticField, field, reference: reference, variance: variance)
  }

  /// Fuses a vector. A point with the error p predicts δq(p)⁻¹ r, in the earth axes of the estimate.
  private func fuse(
    _ state: inout EpochState, _ kind: MeasurementKind, _ measured: Vector3, reference: Vector3, variance: Double
  ) -> MeasurementOutcome {
    let innovation = state.earthFromDevice.rotate(measured) - reference
    return fuse(&state, kind, innovation, count: 3, variance: variance) { $0.rotateInverse(reference) - reference }
  }

  /// Fuses an azimuth. A point with the error p has the field δq(p) f, whose azimuth depends on its heading and tilt;
  /// but the gain on the tilt is zero, so that a field never moves the tilt.
  package func fuse(
    _ state: inout EpochState, field: Vector3, azimuth: Double, variance: Double
  ) -> MeasurementOutcome {
    let inEarth = state.earthFromDevice.rotate(field)
    let own = atan2(inEarth.y, inEarth.x)
    let innovation = Vector3(wrapped(own - azimuth), 0, 0)
    return fuse(&state, .heading, innovation, count: 1, variance: variance, holding: .tilt) { error in
      let turned = error.rotate(inEarth)
      return Vector3(-wrapped(atan2(turned.y, turned.x) - own), 0, 0)
    }
  }

  /// Fuses a measurement of attitude: equations (19) and (20). Its components are taken one after another, each with the
  /// part that the previous ones do not explain.
  ///
  /// - Parameter deviation: Returns the deviation of a point's prediction from the estimate's, from the point's
  ///   rotation. The three pairs without a rotation have zero deviation.
  private func fuse(
    _ state: inout EpochState, _ kind: MeasurementKind, _ innovation: Vector3, count: Int, variance: Double,
    holding: PartialGain? = nil, deviation: (Quaternion) -> Vector3
  ) -> MeasurementOutcome {
    let points = SigmaPoints(state.kalman, onlyTurns: true, parameters)
    var moments = MeasuredMoments(variance: variance)
    for index in 0..<3 {
      let pair = points.pair(index)
      moments.add(
        pair, deviation(Quaternion(rodrigues: pair.turn)), deviation(Quaternion(rodrigues: -pair.turn)),
        weight: points.weight)
    }
    moments.addMean(weight: points.meanWeight)
    let unexplained = innovation - moments.mean
    let s = moments.covariance
    var (squared, isUsable) = (0.0, true)
    moments.decorrelate(unexplained, count: count) { c, y, s in
      isUsable = state.kalman.take(covariance: c, innovation: y, variance: s, holding: holding) && isUsable
      squared += y * y / s
    }
    Self.correct(&state, by: state.kalman.close())
    guard isUsable else { return MeasurementOutcome(kind, leftOut: .unusable) }
    let axes = count == 1 ? Vector3(1, 0, 0) : Vector3(1, 1, 1)
    return MeasurementOutcome(
      kind, count: count, innovation: unexplained,
      variance: Vector3(s.m11 * axes.x, s.m22 * axes.y, s.m33 * axes.z), normalizedSquared: squared)
  }

  /// Applies generalised Rodrigues parameters to the attitude, and the bias: equation (16).
  package static func correct(_ state: inout EpochState, by correction: ErrorValues) {
    state.turn(by: Quaternion(rodrigues: correction[EpochErrors.attitude]))
    state.gyroscopeBias += correction[EpochErrors.bias]
  }
}
