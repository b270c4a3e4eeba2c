package import InertialNumerics
internal import InertialRotations
package import InertialSensors
internal import InertialSystem

/// A state whose error is six numbers: a small rotation in the earth frame, q_true = exp(θ) ⊗ q, and the bias error.
package protocol CorrectedState: EpochState {
  /// The covariance of the six errors.
  var covariance: FixedMatrix<6, 6> { get set }
  /// Applies a correction of the six errors.
  mutating func apply(_ correction: FixedVector<6>)
}

extension CorrectedState {
  /// The observation matrix of a measurement of the bias itself.
  static var biasRows: FixedMatrix<3, 6> { FixedMatrix { row, column in column == row + 3 ? 1 : 0 } }

  /// Fuses a measurement whose components have independent errors of equal variance.
  ///
  /// - Parameter apply: Applies the correction to the state.
  @discardableResult
  mutating func fuse<let Count: Int>(
    _ kind: MeasurementKind, innovation: FixedVector<Count>, observation: FixedMatrix<Count, 6>, variance: Double,
    gate: Double = .infinity, on core: KalmanCore,
    apply: (inout Self, FixedVector<6>) -> Void = { $0.apply($1) }
  ) -> MeasurementOutcome {
    let noise = FixedMatrix<Count, Count> { row, column in row == column ? variance : 0 }
    do throws(LinearAlgebraError) {
      let update = try FixedKalman.update(
        &covariance, innovation: innovation, observation: observation, noise: noise, gate: gate, on: core)
      apply(&self, update.correction)
      return MeasurementOutcome(kind, innovation, update, gate: gate)
    } catch {
      // R > 0, and Joseph's form keeps P symmetric and positive, so S is positive definite.
      assertionFailure("measurement update: \(error)")
      return MeasurementOutcome(kind, leftOut: .unusable)
    }
  }
}

// The common part of these filters; they differ in the errors and in how a correction is applied.
extension EpochAlgorithm where State: CorrectedState, Parameters == MEKF.Parameters {
  /// Fuses a force that should point up: f = z + z × θ, so its level part (−θy, θx) measures the tilt error. Its
  /// vertical part measures its magnitude and not the attitude.
  ///
  /// This is C⁰ of `EqF`. In its C*, with ½ (d + R̂ y) for z, the device's acceleration counts as much as a tilt, the
  /// level part would measure a heading that no force can observe, and its magnitude would depend on motion.
  package func fuse(_ state: inout State, force: Vector3, variance: Double) -> MeasurementOutcome {
    let measured = state.earthFromDevice.rotate(force)
    let slope = Matrix3(skew: .unitZ)
    let observation = FixedMatrix<2, 6> { row, column in column < 3 ? slope[row, column] : 0 }
    // Without an array literal, which would allocate in each epoch.
    var innovation = FixedVector<2>()
    (innovation[0], innovation[1]) = (measured.x, measured.y)
    return state.fuse(
      .gravity, innovation: innovation, observation: observation, variance: variance, on: parameters.core)
  }

  /// Fuses an azimuth, whose error is (fz / |fh|²) (fx θx + fy θy) − θz: the heading error, and the effect of the tilt
  /// error on a field that is not horizontal.
  ///
  /// The model includes both, but the gain on the tilt is zero: a field never moves the tilt. Joseph's form is also
  /// correct for such a gain. With the tilt's contribution treated as white noise, the heading's sigma would be too
  /// small by 6 to 19 %, because a tilt error lasts for many epochs, and BROAD's mean total error would be 1.94°
  /// instead of 1.88°.
  package func fuse(
    _ state: inout State, field: Vector3, azimuth: Double, variance: Double
  ) -> MeasurementOutcome {
    let inEarth = state.earthFromDevice.rotate(field)
    let slope = inEarth.z / (inEarth.x * inEarth.x + inEarth.y * inEarth.y)
    var observation = FixedVector<6>()
    (observation[0], observation[1], observation[2]) = (slope * inEarth.x, slope * inEarth.y, -1)
    let innovation = wrapped(atan2(inEarth.y, inEarth.x) - azimuth)
    do throws(LinearAlgebraError) {
      let update = try FixedKalman.update(
        &state.covariance, innovation: innovation, observation: observation, variance: variance,
        gainFactors: withoutTilt, on: parameters.core)
      state.apply(update.correction)
      return MeasurementOutcome(.heading, FixedVector(repeating: innovation), update)
    } catch {
      assertionFailure("heading update: \(error)")
      return MeasurementOutcome(.heading, leftOut: .unusable)
    }
  }
}

extension MeasurementOutcome {
  /// Creates the outcome of an update of a Kalman filter.
  init<let States: Int, let Count: Int>(
    _ kind: MeasurementKind, _ innovation: FixedVector<Count>, _ update: FixedKalmanUpdate<States, Count>,
    gate: Double = .infinity
  ) {
    self.init(
      kind, innovation, covariance: update.innovationCovariance, squared: update.normalizedInnovationSquared,
      gate: gate)
  }

  /// - Parameter covariance: The innovation covariance S.
  init<let Count: Int>(
    _ kind: MeasurementKind, _ innovation: FixedVector<Count>, covariance: FixedMatrix<Count, Count>, squared: Double,
    gate: Double = .infinity
  ) {
    var (offset, variance) = (Vector3.zero, Vector3.zero)
    for index in 0..<Count { (offset[index], variance[index]) = (innovation[index], covariance[index, index]) }
    self.init(
      kind, count: Count, innovation: offset, variance: variance, normalizedSquared: squared, gate: gate)
  }
}

/// Gain factors of a measurement that does not move the tilt. Created once, because an array literal allocates memory.
private let withoutTilt: [Double] = [0, 0, 1, 1, 1, 1]
