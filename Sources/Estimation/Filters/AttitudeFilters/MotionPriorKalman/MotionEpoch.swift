internal import InertialNumerics

/// The sums of one epoch; vectors in earth axes, accelerations in m/s².
struct MotionEpoch: Sendable, Codable, Equatable {
  private(set) var duration = 0.0
  private var rotationIntegrals = RotationIntegrals()
  /// The integral ∫ |ω|² dt, in rad²/s.
  private(set) var squaredRateIntegral = 0.0
  /// The squared coning corrections, in rad².
  private(set) var coning = 0.0
  /// The integral ∫ω dt in earth axes, and of the measured rate with its bias in device axes, in rad.
  private(set) var turn = Vector3.zero
  private(set) var measuredTurn = Vector3.zero
  /// The duration for which each axis of the gyroscope was at its range, in seconds.
  private(set) var clippedTime = Vector3.zero

  private(set) var forceDuration = 0.0
  /// The integral ∫f dt, in m/s.
  private(set) var forceIntegral = Vector3.zero
  /// The integral ∫R dt over the accelerometer's samples, in s.
  private(set) var forceRotationIntegral = Matrix3.zero
  /// Whether the accelerometer was at its range.
  private(set) var forceIsClipped = false

  private var fieldSum = Vector3.zero
  private var fieldCount = 0
  private var fieldRotation = Matrix3.zero

  /// Adds one step of the gyroscope.
  ///
  /// - Parameters:
  ///   - rotations: The rotations before and after the step, device to earth.
  ///   - measured: The rate with bias.
  ///   - rate: The rate without bias, before scale and misalignment.
  ///   - turn: ω dt in earth axes.
  ///   - squaredRate: |ω|².
  @inline(__always)
  mutating func add(
    rotations: (Matrix3, Matrix3), measured: Vector3, rate: Vector3, turn: Vector3, squaredRate: Double,
    coning: Double, dt: Double
  ) {
    duration += dt
    let half = 0.5 * dt
    rotationIntegrals.add(rotations, Quad(half, half * rate.x, half * rate.y, half * rate.z))
    squaredRateIntegral += dt * squaredRate
    self.coning += coning
    self.turn += turn
    measuredTurn += dt * measured
  }

  @inline(__always)
  mutating func addClipping(of rate: Vector3, beyond limit: Double, dt: Double) {
    if abs(rate.x) > limit { clippedTime.x += dt }
    if abs(rate.y) > limit { clippedTime.y += dt }
    if abs(rate.z) > limit { clippedTime.z += dt }
  }

  @inline(__always)
  mutating func add(force: Vector3, rotation: Matrix3, isClipped: Bool, dt: Double) {
    forceDuration += dt
    forceIntegral += dt * force
    forceRotationIntegral.add(rotation, scaledBy: dt)
    if isClipped { forceIsClipped = true }
  }

  @inline(__always)
  mutating func add(field: Vector3, rotation: Matrix3) {
    fieldSum += field
    fieldRotation.add(rotation, scaledBy: 1)
    fieldCount += 1
  }

  var meanField: Vector3? { fieldCount > 0 ? fieldSum / Double(fieldCount) : nil }
  /// The mean rotation, device to earth, of the field's samples.
  var meanFieldRotation: Matrix3 { fieldRotation * (1 / Double(fieldCount)) }
  /// The mean rate in earth axes, in rad/s.
  var meanRate: Vector3 { turn / duration }
  /// The mean measured rate in device axes, bias included, in rad/s.
  var meanMeasuredRate: Vector3 { measuredTurn / duration }

  /// - Parameters:
  ///   - scale: The gyroscope's S.
  ///   - persistence: The remaining fraction of the sensors' errors.
  func transition(scale: Matrix3, hasHeading: Bool, persistence: Double) -> ErrorTransition {
    ErrorTransition(
      biasIntegral: rotationIntegrals.one + rotationIntegrals.one * scale,
      rateIntegrals: (rotationIntegrals.x, rotationIntegrals.y, rotationIntegrals.z), forceIntegral: forceIntegral,
      forceRotationIntegral: forceRotationIntegral, hasHeading: hasHeading,
      persistence: persistence)
  }
}

/// The integrals ∫R (1, d) dt for the rate d without its bias, four numbers for each element of R.
private struct RotationIntegrals: Sendable, Codable, Equatable {
  private var m11 = Quad.zero
  private var m12 = Quad.zero
  private var m13 = Quad.zero
  private var m21 = Quad.zero
  private var m22 = Quad.zero
  private var m23 = Quad.zero
  private var m31 = Quad.zero
  private var m32 = Quad.zero
  private var m33 = Quad.zero

  @inline(__always)
  mutating func add(_ rotations: (Matrix3, Matrix3), _ weights: Quad) {
    let (a, b) = rotations
    m11 = m11 + (a.m11 + b.m11) * weights
    m12 = m12 + (a.m12 + b.m12) * weights
    m13 = m13 + (a.m13 + b.m13) * weights
    m21 = m21 + (a.m21 + b.m21) * weights
    m22 = m22 + (a.m22 + b.m22) * weights
    m23 = m23 + (a.m23 + b.m23) * weights
    m31 = m31 + (a.m31 + b.m31) * weights
    m32 = m32 + (a.m32 + b.m32) * weights
    m33 = m33 + (a.m33 + b.m33) * weights
  }

  /// The integral ∫R dt, in s.
  var one: Matrix3 { matrix(\.a) }
  /// The integrals ∫R d dt by components of d, in rad.
  var x: Matrix3 { matrix(\.b) }
  var y: Matrix3 { matrix(\.c) }
  var z: Matrix3 { matrix(\.d) }

  @inline(__always)
  private func matrix(_ part: (Quad) -> Double) -> Matrix3 {
    Matrix3(
      rows: Vector3(part(m11), part(m12), part(m13)), Vector3(part(m21), part(m22), part(m23)),
      Vector3(part(m31), part(m32), part(m33)))
  }
}
