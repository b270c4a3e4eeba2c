internal import LinearAlgebra

/// How the errors at the start of an epoch change attitude and velocity by its end; all others stay.
///
///     δθ = −∫R dt (I + S) δb + ∫R δS (gyr − b) dt
///     δv = −[∫f dt]× θ − ∫R dt δb_a
struct ErrorTransition: Sendable {
  /// The errors that change, in the order of the change's components.
  static let rows = [0, 1, 2, 6, 7, 8]

  /// ∫R dt (I + S), s.
  var biasIntegral: Matrix3
  /// ∫R d dt for each component d of the rate without its bias, rad: one for each column of S.
  var rateIntegrals: (Matrix3, Matrix3, Matrix3)
  /// ∫f dt, the specific force in earth axes, m/s.
  var forceIntegral: Vector3
  /// ∫R dt over the accelerometer's samples, s.
  var forceRotationIntegral: Matrix3
  /// Whether there is a field, so that heading has a meaning. Without one nothing changes when everything is turned about
  /// the vertical, and a filter that is linearised about a velocity and a force which change must be kept from taking
  /// heading for observed: velocity is then one in axes that turn with the heading's error.
  var hasHeading: Bool

  @inline(__always) var rows: [Int] { Self.rows }

  /// What errors with these values change attitude and velocity by.
  ///
  /// - Parameter error: the error at an index.
  @inline(__always)
  func change(_ error: (Int) -> Double) -> (attitude: Vector3, velocity: Vector3) {
    @inline(__always) func three(_ start: Int) -> Vector3 {
      Vector3(error(start), error(start + 1), error(start + 2))
    }
    let scale = ErrorIndex.scale
    var attitude = rateIntegrals.0 * three(scale)
    attitude += rateIntegrals.1 * three(scale + 3)
    attitude += rateIntegrals.2 * three(scale + 6)
    attitude -= biasIntegral * three(ErrorIndex.gyroscopeBias)
    let velocity =
      Vector3(error(0), error(1), hasHeading ? error(2) : 0).cross(forceIntegral)
      - forceRotationIntegral * three(ErrorIndex.accelerometerBias)
    return (attitude, velocity)
  }
}
