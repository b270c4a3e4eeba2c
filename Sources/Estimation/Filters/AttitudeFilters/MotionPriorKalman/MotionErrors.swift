internal import InertialNumerics

/// The 24 errors of `MotionPriorKalman`: docs/theory/flagship.md, section 2.
///
/// The attitude error θ is a rotation vector in earth axes, q_true = exp(θ) ⊗ q. All other errors are the true value
/// minus the estimated one.
enum MotionErrors {
  /// The attitude in radians, earth axes: X, Y (tilt), Z (heading).
  static let attitude = ErrorLayout.Block(start: 0, count: 3)
  /// The gyroscope bias in rad/s, device axes.
  static let gyroscopeBias = ErrorLayout.Block(start: 3, count: 3)
  /// The velocity in m/s, earth axes.
  static let velocity = ErrorLayout.Block(start: 6, count: 3)
  /// The gyroscope's scale and misalignment, column by column.
  static let scale = ErrorLayout.Block(start: 9, count: 9)
  /// The accelerometer bias in m/s², device axes.
  static let accelerometerBias = ErrorLayout.Block(start: 18, count: 3)
  /// The field's parts along magnetic north and down, in µT.
  static let field = ErrorLayout.Block(start: 21, count: 2)
  /// The same and the magnetometer's delay.
  static let fieldAndDelay = ErrorLayout.Block(start: 21, count: 3)
  /// The magnetometer's delay in seconds.
  static let fieldDelay = ErrorLayout.Block(start: 23, count: 1)

  /// The indices of the errors of tilt and of heading.
  static let tilt = 0..<2
  static let heading = 2

  /// The blocks in earth axes, which rotate with the earth frame.
  static let inEarthAxes = [attitude, velocity]

  /// The layout of all errors.
  static let layout: ErrorLayout = {
    var layout = ErrorLayout()
    for count in [3, 3, 3, 9, 3, 2, 1] { _ = layout.add(count) }
    return layout
  }()
}
