internal import InertialNumerics

/// The Rauch-Tung-Striebel smoother in the form without an inverse: the adjoint variables of Bierman, "Fixed interval
/// smoothing with discrete measurements", Int. J. Control 18 (1973), section 3 (the modified Bryson-Frazier smoother).
///
/// With λ and Λ from the measurements after an epoch, the errors at its end are −P λ, with covariance P − P Λ P.
/// Backward over a measurement, λ ← λ − h (k·λ + y/S) and Λ ← (I − h kᵀ) Λ (I − k hᵀ) + h hᵀ/S; backward over an epoch,
/// λ ← Fᵀ λ and Λ ← Fᵀ Λ F.
///
/// If the filter held errors back from a measurement (`ErrorCorrection.PartialUpdate`), k is still the optimal gain. For
/// errors that are not held, this is correct except for the information from the held ones. For a held error, −P λ is
/// correct with the gain that was used, and with the fraction of y/S and 1/S by which it was corrected. The heading
/// therefore has a separate pass.
struct BackwardPass: Sendable {
  /// Whether Λ, and with it the smoothed covariance, is computed from here on, with Λ = 0 before.
  var hasCovariance = false
  /// Whether this pass determines the heading, which motion corrects only partially.
  var isOfHeading = false
  private var adjoint = [Double](repeating: 0, count: ErrorIndex.count)
  /// The full symmetric matrix Λ.
  private var information = [Double](repeating: 0, count: ErrorIndex.count * ErrorIndex.count)
  private var product = [Double](repeating: 0, count: ErrorIndex.count)
  private var gain = [Double](repeating: 0, count: ErrorIndex.count)
  /// The dense equations on BLAS, if requested.
  private var reference: BrysonFrazierSmoother?

  init(on core: KalmanCore) {
    if core == .blas { reference = BrysonFrazierSmoother(stateCount: ErrorIndex.count) }
  }

  /// Runs the reference on λ and Λ and copies the results back.
  private mutating func withReference(_ body: (inout BrysonFrazierSmoother) -> Void) -> Bool {
    guard var smoother = reference else { return false }
    let count = ErrorIndex.count
    smoother.adjoint = adjoint
    smoother.information = Matrix(rowCount: count, columnCount: count) { information[$0 * count + $1] }
    body(&smoother)
    adjoint = smoother.adjoint
    if hasCovariance {
      for row in 0..<count {
        for column in 0..<count { information[row * count + column] = smoother.information[row, column] }
      }
    }
    reference = smoother
    return true
  }

  // MARK: Results

  /// Returns the three errors −P λ whose rows of the covariance begin at an index.
  func errors(_ rows: UnsafeBufferPointer<Float>, at first: Int) -> Vector3 {
    func error(_ row: Int) -> Double {
      var sum = 0.0
      for index in 0..<ErrorIndex.count { sum += Double(rows[row * ErrorIndex.count + index]) * adjoint[index] }
      return -sum
    }
    return Vector3(error(first), error(first + 1), error(first + 2))
  }

  /// Returns the covariance of the attitude errors, P − P Λ P, or the filter's own without Λ.
  func attitudeCovariance(_ rows: UnsafeBufferPointer<Float>) -> Matrix3 {
    let count = ErrorIndex.count
    func row(_ row: Int, _ column: Int) -> Double { Double(rows[row * count + column]) }
    var covariance = Matrix3(
      rows: Vector3(row(0, 0), row(0, 1), row(0, 2)), Vector3(row(1, 0), row(1, 1), row(1, 2)),
      Vector3(row(2, 0), row(2, 1), row(2, 2)))
    guard hasCovariance else { return covariance }
    var reduction = Matrix3.zero
    for column in 0..<count {
      // Three rows of one column of P Λ.
      var change = Vector3.zero
      for index in 0..<count {
        let value = information[column * count + index]
        change.x += row(0, index) * value
        change.y += row(1, index) * value
        change.z += row(2, index) * value
      }
      reduction.add(
        Matrix3(outer: change, Vector3(row(0, column), row(1, column), row(2, column))), scaledBy: 1)
    }
    covariance.add(reduction, scaledBy: -1)
    return covariance
  }

  // MARK: Backward in time

  /// Propagates backward over a measurement.
  mutating func measure(_ update: SmoothingTrace.Update, gain: UnsafeBufferPointer<Float>) {
    for index in 0..<ErrorIndex.count { self.gain[index] = Double(gain[index]) }
    var fraction = 1.0
    if isOfHeading, let held = update.held {
      fraction = 1 - held.headingFraction
      self.gain.withUnsafeMutableBufferPointer { gain in
        let vector = ErrorVector(gain)
        vector.subtract(held.leftOut(of: vector), scaledBy: 1)
      }
    }
    let (weightedInnovation, information) = (fraction * update.weightedInnovation, fraction * update.information)
    guard reference == nil else {
      let gain = self.gain
      _ = withReference {
        $0.measure(
          observation: update.errors.row, gain: gain,
          innovation: update.weightedInnovation / update.information, variance: 1 / information)
      }
      return
    }
    var projected = 0.0
    for index in 0..<ErrorIndex.count { projected += self.gain[index] * adjoint[index] }
    let change = -projected - weightedInnovation
    update.errors.forEach { index, derivative in adjoint[index] += derivative * change }
    guard hasCovariance else { return }
    let count = ErrorIndex.count
    var quadratic = information
    self.information.withUnsafeMutableBufferPointer { information in
      product.withUnsafeMutableBufferPointer { product in
        for row in 0..<count { product[row] = 0 }
        for column in 0..<count {
          let k = self.gain[column]
          for row in 0..<count { product[row] += k * information[column * count + row] }
        }
        for index in 0..<count { quadratic += self.gain[index] * product[index] }
        update.errors.forEach { row, derivative in
          for column in 0..<count { information[row * count + column] -= derivative * product[column] }
        }
        update.errors.forEach { column, derivative in
          for row in 0..<count { information[row * count + column] -= derivative * product[row] }
        }
        update.errors.forEach { row, first in
          update.errors.forEach { column, second in
            information[row * count + column] += first * second * quadratic
          }
        }
      }
    }
  }

  /// Propagates backward over the motion of an epoch.
  mutating func propagate(by transition: ErrorTransition) {
    guard !withReference({ $0.propagate(by: transition.matrix) }) else { return }
    adjoint.withUnsafeMutableBufferPointer { transition.addAdjoint(of: $0) }
    guard hasCovariance else { return }
    let count = ErrorIndex.count
    information.withUnsafeMutableBufferPointer { information in
      // Λ F row by row, then Fᵀ times the result column by column.
      for row in 0..<count { transition.addAdjoint(of: information, from: row * count) }
      for column in 0..<count { transition.addAdjoint(of: information, from: column, stride: count) }
    }
  }

  /// Propagates backward over a reset of tilt, heading and velocity: later samples contain no information about them.
  mutating func forgetMotion() {
    for index in 0..<3 { forget(ErrorIndex.attitude + index) }
    for index in 0..<3 { forget(ErrorIndex.velocity + index) }
  }

  /// Propagates backward over the first use of a field, which was unknown before, in other earth axes.
  ///
  /// - Parameters:
  ///   - turn: The rotation of the earth frame at that time, about the vertical.
  ///   - withHeading: Whether the heading was also learned again, because another field had shown a wrong one.
  mutating func forgetField(_ turn: Matrix3, withHeading: Bool) {
    if withHeading { forget(ErrorIndex.heading) }
    for index in ErrorIndex.fieldHorizontal..<ErrorIndex.count { forget(index) }
    for start in [ErrorIndex.attitude, ErrorIndex.velocity] { turnAxes(at: start, by: turn.transpose) }
  }

  /// Sets the heading from later samples: before the first field, only the gyroscope propagated it, and the covariance
  /// there is of an unknown heading.
  ///
  /// - Parameters:
  ///   - rows: The covariance rows before the first field.
  ///   - error: The heading error there, in rad.
  ///   - variance: The variance of the error, in rad².
  mutating func tieHeading(_ rows: UnsafeBufferPointer<Float>, error: Double, variance: Double) {
    let heading = ErrorIndex.heading
    forget(heading)
    let own = Double(rows[heading * ErrorIndex.count + heading])
    guard own > 0 else { return }
    adjoint[heading] = (errors(rows, at: ErrorIndex.attitude).z - error) / own
    guard hasCovariance else { return }
    let reduction = own - attitudeCovariance(rows).m33
    information[heading * ErrorIndex.count + heading] = max(0, own - variance - reduction) / (own * own)
  }

  private mutating func forget(_ index: Int) {
    adjoint[index] = 0
    guard hasCovariance else { return }
    for other in 0..<ErrorIndex.count {
      information[index * ErrorIndex.count + other] = 0
      information[other * ErrorIndex.count + index] = 0
    }
  }

  private mutating func turnAxes(at start: Int, by rotation: Matrix3) {
    func turn(_ values: inout [Double], _ first: Int, _ stride: Int) {
      let turned = rotation * Vector3(values[first], values[first + stride], values[first + 2 * stride])
      values[first] = turned.x
      values[first + stride] = turned.y
      values[first + 2 * stride] = turned.z
    }
    turn(&adjoint, start, 1)
    guard hasCovariance else { return }
    for other in 0..<ErrorIndex.count {
      turn(&information, start * ErrorIndex.count + other, ErrorIndex.count)
    }
    for other in 0..<ErrorIndex.count { turn(&information, other * ErrorIndex.count + start, 1) }
  }
}

extension MeasuredErrors {
  /// Calls a function with the index of each measured error and the measurement's derivative by it.
  @inline(__always)
  func forEach(_ body: (Int, Double) -> Void) {
    switch self {
    case .single(let index): body(index, 1)
    case .field(let row):
      body(ErrorIndex.attitude, row.attitude.x)
      body(ErrorIndex.attitude + 1, row.attitude.y)
      body(ErrorIndex.attitude + 2, row.attitude.z)
      for axis in 0..<3 { body(ErrorIndex.magnetometerBias + axis, row.bias[axis]) }
      body(ErrorIndex.fieldHorizontal, row.horizontal)
      body(ErrorIndex.fieldDown, row.down)
      body(ErrorIndex.fieldDelay, row.delay)
    }
  }
}

extension ErrorTransition {
  /// Computes λ ← Fᵀ λ for values that are a stride apart.
  @inline(__always)
  func addAdjoint(of values: UnsafeMutableBufferPointer<Double>, from base: Int = 0, stride: Int = 1) {
    @inline(__always) func three(_ start: Int) -> Vector3 {
      let first = base + start * stride
      return Vector3(values[first], values[first + stride], values[first + 2 * stride])
    }
    @inline(__always) func add(_ change: Vector3, _ start: Int) {
      let first = base + start * stride
      values[first] += change.x
      values[first + stride] += change.y
      values[first + 2 * stride] += change.z
    }
    if persistence != 1 {
      for index in ErrorIndex.fading { values[base + index * stride] *= persistence }
    }
    let (attitude, velocity) = (three(ErrorIndex.attitude), three(ErrorIndex.velocity))
    add(-biasIntegral.transposed(times: attitude), ErrorIndex.gyroscopeBias)
    add(rateIntegrals.0.transposed(times: attitude), ErrorIndex.scale)
    add(rateIntegrals.1.transposed(times: attitude), ErrorIndex.scale + 3)
    add(rateIntegrals.2.transposed(times: attitude), ErrorIndex.scale + 6)
    add(-forceRotationIntegral.transposed(times: velocity), ErrorIndex.accelerometerBias)
    var tilt = forceIntegral.cross(velocity)
    if !hasHeading { tilt.z = 0 }
    add(tilt, ErrorIndex.attitude)
  }
}

extension Matrix3 {
  /// Returns Mᵀ v.
  @inline(__always)
  fileprivate func transposed(times v: Vector3) -> Vector3 {
    Vector3(
      m11 * v.x + m21 * v.y + m31 * v.z, m12 * v.x + m22 * v.y + m32 * v.z, m13 * v.x + m23 * v.y + m33 * v.z)
  }
}
