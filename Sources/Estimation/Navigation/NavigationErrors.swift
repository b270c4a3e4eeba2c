internal import InertialNumerics

/// The errors of a navigator, three components each.
///
/// The attitude error θ is a rotation vector in earth axes, q_true = exp(θ) ⊗ q: equation (1) of
/// docs/theory/error-state.md. All other errors are the true value minus the estimated one.
extension ErrorLayout.Block {
  /// The attitude in radians, earth axes.
  static let attitude = Self(start: 0, count: 3)
  /// The velocity in m/s, earth axes.
  static let velocity = Self(start: 3, count: 3)
  /// The position in metres, earth axes.
  static let position = Self(start: 6, count: 3)
  /// The gyroscope bias in rad/s, device axes.
  static let gyroscopeBias = Self(start: 9, count: 3)
  /// The accelerometer bias in m/s², device axes.
  static let accelerometerBias = Self(start: 12, count: 3)
  /// The slow part of the error of position fixes, in units of its standard deviation, earth axes; for vehicles only.
  static let fixError = Self(start: 15, count: 3)
  /// The height of the floor of the last step in metres, for feet only, which have no position fixes.
  static let floor = Self(start: 15, count: 1)
  /// The vehicle's axes in the device, in radians, device axes; for vehicles on wheels only.
  static let mounting = Self(start: 18, count: 3)
}

extension ErrorKalman {
  /// Creates the covariance of a navigator's 15 errors: 16 with a floor, 18 with the error of fixes, or 21 with the
  /// mounting as well.
  ///
  /// - Parameter keepsTrace: Whether to keep the data for smoothing velocity and position.
  static func navigation(
    hasFloor: Bool = false, hasFixes: Bool = false, hasMounting: Bool = false, keepsTrace: Bool
  ) -> ErrorKalman {
    var layout = ErrorLayout()
    for _ in 0..<(hasMounting ? 7 : hasFixes ? 6 : 5) { _ = layout.add() }
    if hasFloor { _ = layout.add(1) }
    var kalman = ErrorKalman(layout)
    if keepsTrace { kalman.trace = ErrorTrace(layout, keeping: [.velocity, .position]) }
    return kalman
  }

  /// Adds noise with independent components to a block.
  mutating func add(_ variances: Vector3, to block: ErrorLayout.Block) {
    add(Matrix3(diagonal: variances), to: block)
  }

  /// Adds the square of a standard deviation to the variances of a block.
  mutating func add(sigma: Double, to block: ErrorLayout.Block) { add(sigma * sigma, to: block) }
}
