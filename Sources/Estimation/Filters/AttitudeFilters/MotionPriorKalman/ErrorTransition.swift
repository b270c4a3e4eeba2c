internal import InertialNumerics

/// The propagation of the errors over an epoch to attitude and velocity at its end. The inertial sensors' errors fade
/// by a factor; all others are unchanged.
///
///     θ ← θ − ∫R dt (I + S) b_g + ∫R S (gyr − b_g) dt
///     v ← v − [∫f dt]× θ − ∫R dt b_a
struct ErrorTransition: Sendable {
  /// The integral ∫R dt (I + S), in s.
  var biasIntegral: Matrix3
  /// The integrals ∫R d dt for each component d of the rate without its bias, in rad: one for each column of S.
  var rateIntegrals: (Matrix3, Matrix3, Matrix3)
  /// The integral ∫f dt of the specific force in earth axes, in m/s.
  var forceIntegral: Vector3
  /// The integral ∫R dt over the accelerometer's samples, in s.
  var forceRotationIntegral: Matrix3
  /// Whether there is a field, so that the heading is meaningful. Without a field, a rotation of everything about the
  /// vertical is unobservable, but a filter linearised about a changing velocity and force would treat the heading as
  /// observed. The velocity error is then expressed in axes that rotate with the heading error.
  var hasHeading: Bool
  /// The persistence of the errors of scale, misalignment and accelerometer bias, which return to zero with the
  /// sensors' memory.
  var persistence = 1.0

  /// Returns the changes of attitude and velocity due to the errors.
  ///
  /// - Parameter error: Returns the error at an index.
  @inline(__always)
  func change(_ error: (Int) -> Double) -> (attitude: Vector3, velocity: Vector3) {
    let (attitude, velocity) = changes(error)
    return (
      Vector3(attitude.x, attitude.y, attitude.z), Vector3(velocity.x, velocity.y, velocity.z)
    )
  }

  /// Returns the same changes for any number of sets of errors at once.
  @inline(__always)
  func changes<Value: ErrorValue>(_ error: (Int) -> Value) -> (attitude: Triple<Value>, velocity: Triple<Value>) {
    let scale = ErrorIndex.scale
    let bias = Triple(error, at: ErrorIndex.gyroscopeBias)
    let (first, second) = (Triple(error, at: scale), Triple(error, at: scale + 3))
    let third = Triple(error, at: scale + 6)
    let forceBias = Triple(error, at: ErrorIndex.accelerometerBias)
    let tilt = (x: error(0), y: error(1))
    let heading = hasHeading ? error(ErrorIndex.heading) : .zero
    let f = forceIntegral
    let attitude =
      (rateIntegrals.0 * first + rateIntegrals.1 * second) + (rateIntegrals.2 * third - biasIntegral * bias)
    let turned = Triple(
      f.z * tilt.y - f.y * heading, f.x * heading - f.z * tilt.x, f.y * tilt.x - f.x * tilt.y)
    return (attitude, turned - forceRotationIntegral * forceBias)
  }
}

/// Three components of one or more vectors.
struct Triple<Value: ErrorValue> {
  var x, y, z: Value

  @inline(__always)
  init(_ x: Value, _ y: Value, _ z: Value) { (self.x, self.y, self.z) = (x, y, z) }

  @inline(__always)
  init(_ error: (Int) -> Value, at start: Int) { self.init(error(start), error(start + 1), error(start + 2)) }

  @inline(__always)
  static func + (a: Triple, b: Triple) -> Triple { Triple(a.x + b.x, a.y + b.y, a.z + b.z) }
  @inline(__always)
  static func - (a: Triple, b: Triple) -> Triple { Triple(a.x - b.x, a.y - b.y, a.z - b.z) }
  @inline(__always)
  static func * (m: Matrix3, v: Triple) -> Triple {
    Triple(
      m.m11 * v.x + m.m12 * v.y + m.m13 * v.z, m.m21 * v.x + m.m22 * v.y + m.m23 * v.z,
      m.m31 * v.x + m.m32 * v.y + m.m33 * v.z)
  }
}
