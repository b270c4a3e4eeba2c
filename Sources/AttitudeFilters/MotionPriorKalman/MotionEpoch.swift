internal import LinearAlgebra

/// The sums of one epoch; vectors in earth axes, accelerations in m/s².
struct MotionEpoch: Sendable, Codable, Equatable {
  private(set) var duration = 0.0
  /// ∫R dt, s.
  private(set) var rotationIntegral = Matrix3.zero
  /// ∫R d dt for each component d of the rate without its bias, rad.
  private(set) var rateIntegralX = Matrix3.zero
  private(set) var rateIntegralY = Matrix3.zero
  private(set) var rateIntegralZ = Matrix3.zero
  /// ∫ |ω|² dt, rad²/s.
  private(set) var squaredRateIntegral = 0.0
  /// Squared coning corrections, rad².
  private(set) var coning = 0.0
  /// ∫ω dt in earth axes, and of the measured rate with its bias in device axes, rad.
  private(set) var turn = Vector3.zero
  private(set) var measuredTurn = Vector3.zero
  /// Seconds that each axis of the gyroscope was at its range.
  private(set) var clippedTime = Vector3.zero

  private(set) var forceDuration = 0.0
  /// ∫f dt, m/s.
  private(set) var forceIntegral = Vector3.zero
  /// ∫R dt over the accelerometer's samples, s.
  private(set) var forceRotationIntegral = Matrix3.zero
  /// Whether the accelerometer was at its range.
  private(set) var forceIsClipped = false

  private var fieldSum = Vector3.zero
  private var fieldCount = 0

  /// One step of the gyroscope.
  ///
  /// - Parameters:
  ///   - rotation: the mean of the rotations before and after the step, device to earth.
  ///   - measured: rate with bias.
  ///   - rate: rate without bias, before scale and misalignment.
  ///   - turn: ω dt in earth axes.
  mutating func add(rotation: Matrix3, measured: Vector3, rate: Vector3, turn: Vector3, coning: Double, dt: Double) {
    duration += dt
    rotationIntegral.add(rotation, scaledBy: dt)
    rateIntegralX.add(rotation, scaledBy: dt * rate.x)
    rateIntegralY.add(rotation, scaledBy: dt * rate.y)
    rateIntegralZ.add(rotation, scaledBy: dt * rate.z)
    squaredRateIntegral += turn.squaredNorm / dt
    self.coning += coning
    self.turn += turn
    measuredTurn += dt * measured
  }

  mutating func addClipping(of rate: Vector3, beyond limit: Double, dt: Double) {
    if abs(rate.x) > limit { clippedTime.x += dt }
    if abs(rate.y) > limit { clippedTime.y += dt }
    if abs(rate.z) > limit { clippedTime.z += dt }
  }

  mutating func add(force: Vector3, rotation: Matrix3, isClipped: Bool, dt: Double) {
    forceDuration += dt
    forceIntegral += dt * force
    forceRotationIntegral.add(rotation, scaledBy: dt)
    if isClipped { forceIsClipped = true }
  }

  mutating func add(field: Vector3) {
    fieldSum += field
    fieldCount += 1
  }

  var meanField: Vector3? { fieldCount > 0 ? fieldSum / Double(fieldCount) : nil }
  /// Mean rate in earth axes, rad/s.
  var meanRate: Vector3 { turn / duration }
  /// Mean measured rate in device axes, bias included, rad/s.
  var meanMeasuredRate: Vector3 { measuredTurn / duration }

  /// - Parameter scale: S of the gyroscope.
  func transition(scale: Matrix3, hasHeading: Bool) -> ErrorTransition {
    ErrorTransition(
      biasIntegral: rotationIntegral + rotationIntegral * scale,
      rateIntegrals: (rateIntegralX, rateIntegralY, rateIntegralZ), forceIntegral: forceIntegral,
      forceRotationIntegral: forceRotationIntegral, hasHeading: hasHeading)
  }
}

extension Matrix3 {
  mutating func add(_ other: Matrix3, scaledBy s: Double) {
    m11 += s * other.m11
    m12 += s * other.m12
    m13 += s * other.m13
    m21 += s * other.m21
    m22 += s * other.m22
    m23 += s * other.m23
    m31 += s * other.m31
    m32 += s * other.m32
    m33 += s * other.m33
  }
}
