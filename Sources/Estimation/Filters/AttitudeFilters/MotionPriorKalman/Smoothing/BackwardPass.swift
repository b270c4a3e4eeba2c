internal import InertialNumerics

/// The Rauch-Tung-Striebel smoother in the form that needs no inverse: the adjoint variables of Bierman, "Fixed
/// interval smoothing with discrete measurements", Int. J. Control 18 (1973), section 3 (the modified Bryson-Frazier
/// smoother).
///
/// With λ and Λ from the measurements after an epoch, the errors at its end are −P λ, with covariance P − P Λ P.
/// Backward over a measurement, λ ← λ − h (k·λ + y/S) and Λ ← (I − h kᵀ) Λ (I − k hᵀ) + h hᵀ/S; backward over an
/// epoch, λ ← Fᵀ λ and Λ ← Fᵀ Λ F.
///
/// Where the filter held errors back from a measurement (`ErrorCorrection.HeldErrors`), k is still the optimal gain: for
/// errors that are not held, that is right but for what the held ones teach them. For a held error −P λ is right with
/// the gain that was used, and with no more of y/S and 1/S than the share that it was corrected by. The heading
/// therefore has a pass of its own.
struct BackwardPass: Sendable {
  /// Whether Λ, and with it the smoothed covariance, is worked out from here on, with Λ = 0 before.
  var hasCovariance = false
  /// Whether the heading is to be taken from it where motion was kept from correcting the heading.
  var isOfHeading = false
  private var adjoint = [Double](repeating: 0, count: ErrorIndex.count)
  /// Λ, symmetric, all of it.
  private var information = [Double](repeating: 0, count: ErrorIndex.count * ErrorIndex.count)
  private var product = [Double](repeating: 0, count: ErrorIndex.count)
  private var gain = [Double](repeating: 0, count: ErrorIndex.count)
  /// The dense equations on BLAS, where they are asked for.
  private var reference: BrysonFrazierSmoother?

  init(on core: KalmanCore) {
    if core == .blas { reference = BrysonFrazierSmoother(stateCount: ErrorIndex.count) }
  }

  /// Runs the reference on λ and Λ, and gives it back.
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

  // MARK: What is known

  /// The three errors whose rows of the covariance begin at a place, −P λ.
  func errors(_ rows: UnsafeBufferPointer<Float>, at first: Int) -> Vector3 {
    func error(_ row: Int) -> Double {
      var sum = 0.0
      for index in 0..<ErrorIndex.count { sum += Double(rows[row * ErrorIndex.count + index]) * adjoint[index] }
      return -sum
    }
    return Vector3(error(first), error(first + 1), error(first + 2))
  }

  /// The covariance of the attitude's errors, P − P Λ P; the filter's own without Λ.
  func attitudeCovariance(_ rows: UnsafeBufferPointer<Float>) -> Matrix3 {
    let count = ErrorIndex.count
    func row(_ row: Int, _ column: Int) -> Double { Double(rows[row * count + column]) }
    var covariance = Matrix3(
      rows: Vector3(row(0, 0), row(0, 1), row(0, 2)), Vector3(row(1, 0), row(1, 1), row(1, 2)),
      Vector3(row(2, 0), row(2, 1), row(2, 2)))
    guard hasCovariance else { return covariance }
    var reduction = Matrix3.zero
    for column in 0..<count {
      // One column of P Λ, three rows of it.
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

  /// Over a measurement.
  mutating func measure(_ update: SmoothingTrace.Update, gain: UnsafeBufferPointer<Float>) {
    for index in 0..<ErrorIndex.count { self.gain[index] = Double(gain[index]) }
    var share = 1.0
    if isOfHeading, let held = update.held {
      share = 1 - held.headingShare
      self.gain.withUnsafeMutableBufferPointer { gain in
        let vector = ErrorVector(gain)
        vector.subtract(held.leftOut(of: vector), scaledBy: 1)
      }
    }
    let (weightedInnovation, information) = (share * update.weightedInnovation, share * update.information)
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

  /// Over the motion of an epoch.
  mutating func propagate(by transition: ErrorTransition) {
    guard !withReference({ $0.propagate(by: transition.matrix) }) else { return }
    adjoint.withUnsafeMutableBufferPointer { transition.addAdjoint(of: $0) }
    guard hasCovariance else { return }
    let count = ErrorIndex.count
    information.withUnsafeMutableBufferPointer { information in
      // Λ F row by row, then Fᵀ of that column by column.
      for row in 0..<count { transition.addAdjoint(of: information, from: row * count) }
      for column in 0..<count { transition.addAdjoint(of: information, from: column, stride: count) }
    }
  }

  /// Over a forgetting of tilt, heading and velocity: what comes after says nothing about them before.
  mutating func forgetMotion() {
    for index in 0..<3 { forget(ErrorIndex.attitude + index) }
    for index in 0..<3 { forget(ErrorIndex.velocity + index) }
  }

  /// Over the meeting of a field: it was not known before, and earth axes were others.
  ///
  /// - Parameters:
  ///   - turn: of the earth frame at the meeting, about the vertical.
  ///   - withHeading: whether heading was learned anew as well, as another field had shown a wrong one.
  mutating func forgetField(_ turn: Matrix3, withHeading: Bool) {
    if withHeading { forget(ErrorIndex.heading) }
    for index in ErrorIndex.fieldHorizontal..<ErrorIndex.count { forget(index) }
    for start in [ErrorIndex.attitude, ErrorIndex.velocity] { turnAxes(at: start, by: turn.transpose) }
  }

  /// Sets what is known of the heading from what came after: before a field was met the gyroscope alone carried it,
  /// and the covariance there is of a heading that nobody knew.
  ///
  /// - Parameters:
  ///   - rows: of the covariance before the meeting.
  ///   - error: of the heading there, rad.
  ///   - variance: of it, rad².
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
  /// Calls with the place of each error that is measured, and the measurement's derivative by it.
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
  /// λ ← Fᵀ λ for values that are a stride apart.
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
  /// Mᵀ v.
  @inline(__always)
  fileprivate func transposed(times v: Vector3) -> Vector3 {
    Vector3(
      m11 * v.x + m21 * v.y + m31 * v.z, m12 * v.x + m22 * v.y + m32 * v.z, m13 * v.x + m23 * v.y + m33 * v.z)
  }
}
