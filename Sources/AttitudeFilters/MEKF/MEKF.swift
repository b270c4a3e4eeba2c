package import LinearAlgebra
internal import Rotations
internal import SystemLibrary

/// A multiplicative error-state Kalman filter: attitude and gyroscope bias, six states, with a covariance.
///
/// The attitude is a unit quaternion and its error a small rotation (Lefferts, Markley and Shuster, "Kalman filtering
/// for spacecraft attitude estimation", J. Guidance 5 (1982); Markley, "Attitude error representations for Kalman
/// filtering", J. Guidance 26 (2003)), here in the EARTH frame: q_true = exp(θ) ⊗ q, so that heading is exactly one
/// error component and the field can be kept from moving gravity.
package struct MEKF: EpochAlgorithm {
  package typealias State = ErrorState

  package static let name = "mekf"
  package static let traits: FilterTraits = [
    .accelerometer, .magneticField, .gyroscopeBias, .restBias, .covariance, .separatesHeading, .magneticRejection,
  ]

  private static let headingFactors = [0.0, 0, 1, 1, 1, 1]

  package let parameters: Parameters

  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  // MARK: Prediction

  /// P ← F P Fᵀ + Q over the epoch: θ' = θ − (∫R dt) δb, the bias stays.
  package func predict(_ state: inout State, over step: EpochStep) {
    let turned = (state.earthFromDevice * step.turn).normalized ?? state.earthFromDevice
    let rotationIntegral = step.duration * (turned.matrix * step.meanRotation)
    let transition = FixedMatrix<6, 6> { row, column in
      row < 3 && column >= 3 ? -rotationIntegral[row, column - 3] : (row == column ? 1 : 0)
    }
    let noise = FixedMatrix<6, 6> { row, column in
      row == column ? (row < 3 ? step.attitudeVariance : step.biasVariance) : 0
    }
    FixedKalman.predict(
      &state.covariance, transition: transition, processNoise: noise, on: parameters.core)
    state.earthFromDevice = turned
  }

  // MARK: Measurements

  /// The force should point up: f = z − θ × z, so its horizontal part (−θy, θx) measures the tilt error.
  package func fuse(_ state: inout State, force: Vector3, variance: Double) {
    let inEarth = state.earthFromDevice.rotate(force)
    // What is measured, with its sign turned: z − h(0) = −f with h = H θ.
    let observation = FixedMatrix<2, 6> { row, column in
      row == 0 && column == 1 ? 1 : (row == 1 && column == 0 ? -1 : 0)
    }
    fuse(
      &state, innovation: FixedVector<2>([-inEarth.x, -inEarth.y]), observation: observation, variance: variance)
  }

  /// R m = r − θ × r for a field m whose direction and strength in earth axes are r.
  package func fuse(_ state: inout State, field: Vector3, reference: Vector3, variance: Double) {
    let slope = Matrix3(skew: reference)
    let observation = FixedMatrix<3, 6> { row, column in column < 3 ? slope[row, column] : 0 }
    fuse(
      &state, innovation: FixedVector<3>(state.earthFromDevice.rotate(field) - reference), observation: observation,
      variance: variance)
  }

  private func fuse<let Count: Int>(
    _ state: inout State, innovation: FixedVector<Count>, observation: FixedMatrix<Count, 6>, variance: Double
  ) {
    let noise = FixedMatrix<Count, Count> { row, column in row == column ? variance : 0 }
    do throws(LinearAlgebraError) {
      let update = try FixedKalman.update(
        &state.covariance, innovation: innovation, observation: observation, noise: noise, on: parameters.core)
      state.apply(update.correction)
    } catch {
      // R > 0 and P is kept symmetric and positive by Joseph's form, so S is positive definite.
      assertionFailure("measurement update: \(error)")
    }
  }

  /// The azimuth is short of what it should be by θz − (fz / |fh|²) (fx θx + fy θy): the heading's error, and what the
  /// tilt's does to a field that is not horizontal.
  ///
  /// All of it is in the model, but the gain on the tilt is none: a field never moves the tilt. Joseph's form is right
  /// for such a gain as well. Were the tilt's part taken for white noise, the heading's sigma would be too small by 6 to
  /// 19 %, for a tilt error lasts for many epochs, and BROAD's mean total error 1.94° instead of 1.88°.
  package func fuse(_ state: inout State, field: Vector3, azimuth: Double, variance: Double) {
    let inEarth = state.earthFromDevice.rotate(field)
    let slope = -inEarth.z / (inEarth.x * inEarth.x + inEarth.y * inEarth.y)
    var observation = FixedVector<6>()
    (observation[0], observation[1], observation[2]) = (slope * inEarth.x, slope * inEarth.y, 1)
    do throws(LinearAlgebraError) {
      let update = try FixedKalman.update(
        &state.covariance, innovation: -wrapped(atan2(inEarth.y, inEarth.x) - azimuth), observation: observation,
        variance: variance, gainFactors: MEKF.headingFactors, on: parameters.core)
      state.apply(update.correction)
    } catch {
      assertionFailure("heading update: \(error)")
    }
  }

  package func fuse(_ state: inout State, restRate: Vector3, variance: Double, gate: Double) {
    let turn = state.fuse(restRate: restRate, variance: variance, gate: gate, on: parameters.core)
    state.turn(by: Quaternion(rotationVector: turn))
  }
}

extension ErrorState {
  /// A rotation vector for the attitude, rad, and the bias.
  fileprivate mutating func apply(_ correction: FixedVector<6>) {
    turn(by: Quaternion(rotationVector: correctBias(correction)))
  }
}
