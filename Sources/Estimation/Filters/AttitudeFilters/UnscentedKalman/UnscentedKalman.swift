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
/// so that measurements can be in any order. The covariance is updated by the points' own Joseph form, which stays
/// positive and is correct for any gain.
package struct UnscentedKalman: EpochAlgorithm {
  package typealias State = ErrorState

  package static let name = "ukf"
  package static let summary = "unscented Kalman filter on the rotation group: attitude, gyroscope bias, covariance"
  package static let source = "Crassidis and Markley 2003; Julier and Uhlmann 1997"
  package static let traits: FilterTraits = [
    .accelerometer, .magneticField, .gyroscopeBias, .restBias, .covariance, .magneticRejection,
  ]

  package let parameters: Parameters

  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  // MARK: Prediction

  /// Propagates every point by the gyroscope's rotation minus the point's bias; the bias is unchanged.
  package func predict(_ state: inout State, over step: EpochStep) {
    let points = SigmaPoints(state.covariance, parameters)
    let mean = (state.earthFromDevice * step.turn).normalized ?? state.earthFromDevice
    let inverse = mean.conjugate
    let turn = step.turn.rotationVector
    var (sum, moment, cross) = (Vector3.zero, Matrix3.zero, Matrix3.zero)
    for index in 0..<6 {
      let pair = points.pair(index)
      for half in 0..<2 {
        let sign = half == 0 ? 1.0 : -1.0
        let start = Quaternion(rodrigues: sign * pair.turn) * state.earthFromDevice
        let turned = start * Quaternion(rotationVector: turn - (sign * step.duration) * pair.bias)
        let error = (turned * inverse).rodrigues
        sum += points.weight * error
        moment = moment + Matrix3(outer: error, points.weight * error)
        cross = cross + Matrix3(outer: error, (sign * points.weight) * pair.bias)
      }
    }
    moment = moment + Matrix3(outer: sum, points.meanWeight * sum)
    state.setAttitudeCovariance(moment, cross: cross)
    for index in 0..<3 {
      state.covariance[index, index] += step.attitudeVariance
      state.covariance[index + 3, index + 3] += step.biasVariance
    }
    state.earthFromDevice = (Quaternion(rodrigues: sum) * mean).normalized ?? mean
  }

  // MARK: Measurements

  package func fuse(_ state: inout State, force: Vector3, variance: Double) -> MeasurementOutcome {
    fuse(&state, .gravity, force, reference: .unitZ, variance: variance)
  }

  package func fuse(
    _ state: inout State, field: Vector3, reference: Vector3, variance: Double
  ) -> MeasurementOutcome {
    fuse(&state, .magneticField, field, reference: reference, variance: variance)
  }

  /// Fuses a vector. A point with the error p predicts δq(p)⁻¹ r, in the earth axes of the estimate.
  private func fuse(
    _ state: inout State, _ kind: MeasurementKind, _ measured: Vector3, reference: Vector3, variance: Double
  ) -> MeasurementOutcome {
    let innovation = FixedVector<3>(state.earthFromDevice.rotate(measured) - reference)
    return fuse(&state, kind, innovation: innovation, variance: variance, gain: .full) { error in
      FixedVector<3>(error.rotateInverse(reference) - reference)
    }
  }

  /// Fuses an azimuth. A point with the error p has the field δq(p) f, whose azimuth depends on its heading and tilt;
  /// but the gain on the tilt is zero, so that a field never moves the tilt.
  package func fuse(
    _ state: inout State, field: Vector3, azimuth: Double, variance: Double
  ) -> MeasurementOutcome {
    let inEarth = state.earthFromDevice.rotate(field)
    let own = atan2(inEarth.y, inEarth.x)
    let innovation = FixedVector<1>(repeating: wrapped(own - azimuth))
    return fuse(&state, .heading, innovation: innovation, variance: variance, gain: .headingAndBias) { error in
      let turned = error.rotate(inEarth)
      return FixedVector<1>(repeating: -wrapped(atan2(turned.y, turned.x) - own))
    }
  }

  /// The gain of a measurement.
  private enum Gain {
    /// Kalman's gain.
    case full
    /// Kalman's gain, except for zero on the tilt.
    case headingAndBias
  }

  /// - Parameter deviation: Returns the deviation of a point's prediction from the estimate's, from the point's
  ///   rotation. Only attitudes are measured here, so the three pairs without a rotation have zero deviation.
  private func fuse<let Count: Int>(
    _ state: inout State, _ kind: MeasurementKind, innovation: FixedVector<Count>, variance: Double, gain: Gain,
    deviation: (Quaternion) -> FixedVector<Count>
  ) -> MeasurementOutcome {
    let points = SigmaPoints(state.covariance, parameters)
    let none = FixedVector<Count>()
    var plus = InlineArray<3, FixedVector<Count>>(repeating: none)
    var minus = plus
    var sum = none
    for index in 0..<3 {
      let turn = points.pair(index).turn
      plus[index] = deviation(Quaternion(rodrigues: turn))
      minus[index] = deviation(Quaternion(rodrigues: -turn))
      sum = sum.adding(plus[index] + minus[index], scaledBy: points.weight)
    }
    var innovationCovariance = FixedMatrix<Count, Count> { $0 == $1 ? variance : 0 }
      .addingOuter(sum, sum, scaledBy: points.meanWeight)
    var cross = FixedMatrix<6, Count>()
    for index in 0..<3 {
      innovationCovariance = innovationCovariance.addingOuter(
        plus[index], plus[index], scaledBy: points.weight
      ).addingOuter(minus[index], minus[index], scaledBy: points.weight)
      let row = points.deviations.row(index)
      cross = cross.addingOuter(row, plus[index] - minus[index], scaledBy: points.weight)
    }
    if gain == .headingAndBias {
      cross = FixedMatrix { row, column in row < 2 ? 0 : cross[row, column] }
    }
    do throws(LinearAlgebraError) {
      let factor = try FixedCholesky(innovationCovariance)
      let gain = factor.solveFromRight(cross)
      state.covariance = joseph(points, plus, minus, sum, gain: gain, variance: variance)
      let unexplained = innovation - sum
      state.applyRodrigues(gain * unexplained)
      let whitened = factor.whiten(unexplained)
      return MeasurementOutcome(
        kind, unexplained, covariance: innovationCovariance, squared: whitened.dot(whitened))
    } catch {
      // The variance is positive and the points' moments are not negative.
      assertionFailure("measurement update: \(error)")
      return MeasurementOutcome(kind, leftOut: .unusable)
    }
  }

  /// Returns the covariance of x − K y over the points, plus K R Kᵀ.
  private func joseph<let Count: Int>(
    _ points: SigmaPoints, _ plus: InlineArray<3, FixedVector<Count>>,
    _ minus: InlineArray<3, FixedVector<Count>>, _ sum: FixedVector<Count>, gain: FixedMatrix<6, Count>,
    variance: Double
  ) -> FixedMatrix<6, 6> {
    let mean = gain * sum
    var p = (variance * gain).timesTranspose(gain).addingOuter(mean, mean, scaledBy: points.meanWeight)
    for index in 0..<6 {
      let row = points.deviations.row(index)
      guard index < 3 else {
        p = p.addingOuter(row, row, scaledBy: 2 * points.weight)
        continue
      }
      let after = row - gain * plus[index]
      let before = row + gain * minus[index]
      p = p.addingOuter(after, after, scaledBy: points.weight).addingOuter(before, before, scaledBy: points.weight)
    }
    p.symmetrize()
    return p
  }

  /// Fuses the rate at rest as the bias. This measurement is linear, so the points give the same result as Kalman's
  /// equations.
  package func fuse(
    _ state: inout State, restRate: Vector3, variance: Double, gate: Double
  ) -> MeasurementOutcome {
    state.fuse(
      .restRate, innovation: FixedVector<3>(restRate - state.gyroscopeBias), observation: State.biasRows,
      variance: variance, gate: gate, on: parameters.core
    ) { $0.applyRodrigues($1) }
  }
}
