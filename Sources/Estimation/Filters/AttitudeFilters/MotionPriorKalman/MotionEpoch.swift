internal import InertialNumerics

/// The sums of one epoch, equations (3) to (6) of docs/theory/flagship.md; vectors in earth axes, accelerations in m/s².
struct MotionEpoch: Sendable, Codable, Equatable {
  /// T, in seconds.
  private(set) var duration = 0.0
  private var rotationIntegrals = RotationIntegrals()
  /// ∫ω dt in earth axes, and of the measured rate with its bias in device axes, in rad.
  private var turn = Vector3.zero
  private var measuredTurn = Vector3.zero
  /// The duration for which each axis of the gyroscope was at its range, in seconds.
  private(set) var clippedTime = Vector3.zero

  /// The duration of the accelerometer's samples, in seconds.
  private(set) var forceDuration = 0.0
  /// A = ∫f dt, in m/s.
  private var forceIntegral = Vector3.zero
  /// R_a = ∫R dt over the accelerometer's samples, in s.
  private var forceRotationIntegral = Matrix3.zero
  /// Whether the accelerometer was at its range.
  private(set) var forceIsClipped = false

  private var fieldSum = Vector3.zero
  private var fieldCount = 0

  /// Adds one step of the gyroscope: equation (3).
  ///
  /// - Parameters:
  ///   - rotation: The rotation in the middle of the step, device to earth.
  ///   - measured: The rate with bias, in rad/s.
  ///   - unbiased: The rate without bias, before scale and misalignment, in rad/s.
  ///   - turn: ω dt in earth axes, in rad.
  @inline(__always)
  mutating func add(
    rotation: Matrix3, measured: Vector3, unbiased: Vector3, turn: Vector3, dt: Double
  ) {
    duration += dt
    rotationIntegrals.add(rotation, SIMD4(dt, dt * unbiased.x, dt * unbiased.y, dt * unbiased.z))
    self.turn += turn
    measuredTurn += dt * measured
  }

  @inline(__always)
  mutating func addClipping(of rate: Vector3, beyond limit: Double, dt: Double) {
    if abs(rate.x) > limit { clippedTime.x += dt }
    if abs(rate.y) > limit { clippedTime.y += dt }
    if abs(rate.z) > limit { clippedTime.z += dt }
  }

  /// Adds one step of the accelerometer: equation (4).
  @inline(__always)
  mutating func add(force: Vector3, rotation: Matrix3, isClipped: Bool, dt: Double) {
    forceDuration += dt
    forceIntegral += dt * force
    forceRotationIntegral.add(rotation, scaledBy: dt)
    if isClipped { forceIsClipped = true }
  }

  /// Adds a field in earth axes, in µT: equation (5).
  @inline(__always)
  mutating func add(field: Vector3) {
    fieldSum += field
    fieldCount += 1
  }

  /// f_B, the mean field in earth axes, in µT.
  var meanField: Vector3? { fieldCount > 0 ? fieldSum / Double(fieldCount) : nil }
  /// w = U/T, the mean rate in earth axes, in rad/s.
  var meanRate: Vector3 { turn / duration }
  /// w_m, the mean measured rate in device axes, bias included, in rad/s.
  var meanMeasuredRate: Vector3 { measuredTurn / duration }

  /// Returns the transition of the errors over the epoch: equation (6).
  ///
  /// - Parameter scale: The gyroscope's S.
  func transition(scale: Matrix3) -> ErrorTransition {
    let r = rotationIntegrals
    let (attitude, velocity) = (MotionErrors.attitude, MotionErrors.velocity)
    var transition = ErrorTransition()
    transition.add(-1 * (r.one + r.one * scale), of: MotionErrors.gyroscopeBias, to: attitude)
    transition.add(r.x, of: MotionErrors.scale[0..<3], to: attitude)
    transition.add(r.y, of: MotionErrors.scale[3..<6], to: attitude)
    transition.add(r.z, of: MotionErrors.scale[6..<9], to: attitude)
    transition.add(Matrix3(skew: -forceIntegral), of: attitude, to: velocity)
    transition.add(-1 * forceRotationIntegral, of: MotionErrors.accelerometerBias, to: velocity)
    return transition
  }
}

/// The integrals ∫R (1, d) dt for the rate d without its bias, four numbers for each element of R.
private struct RotationIntegrals: Sendable, Codable, Equatable {
  private var m11 = SIMD4<Double>.zero
  private var m12 = SIMD4<Double>.zero
  private var m13 = SIMD4<Double>.zero
  private var m21 = SIMD4<Double>.zero
  private var m22 = SIMD4<Double>.zero
  private var m23 = SIMD4<Double>.zero
  private var m31 = SIMD4<Double>.zero
  private var m32 = SIMD4<Double>.zero
  private var m33 = SIMD4<Double>.zero

  @inline(__always)
  mutating func add(_ rotation: Matrix3, _ weights: SIMD4<Double>) {
    m11 += rotation.m11 * weights
    m12 += rotation.m12 * weights
    m13 += rotation.m13 * weights
    m21 += rotation.m21 * weights
    m22 += rotation.m22 * weights
    m23 += rotation.m23 * weights
    m31 += rotation.m31 * weights
    m32 += rotation.m32 * weights
    m33 += rotation.m33 * weights
  }

  /// ∫R dt, in s.
  var one: Matrix3 { matrix { $0.x } }
  /// ∫R d dt by components of d, in rad.
  var x: Matrix3 { matrix { $0.y } }
  var y: Matrix3 { matrix { $0.z } }
  var z: Matrix3 { matrix { $0.w } }

  @inline(__always)
  private func matrix(_ part: (SIMD4<Double>) -> Double) -> Matrix3 {
    Matrix3(
      rows: Vector3(part(m11), part(m12), part(m13)), Vector3(part(m21), part(m22), part(m23)),
      Vector3(part(m31), part(m32), part(m33)))
  }
}
