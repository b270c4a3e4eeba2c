internal import InertialNumerics

extension ErrorMeasurement {
  /// Returns the rate at rest, which is the bias: equation (12).
  ///
  /// - Parameters:
  ///   - residual: The rate minus the estimated bias, in rad/s, device axes.
  ///   - axes: The rotation from device axes to those of the components, if they differ.
  ///   - variance: The variance of each component, in rad²/s².
  static func restRate(_ residual: Vector3, in axes: Matrix3 = .identity, variance: Double) -> ErrorMeasurement {
    vector(axes * residual, slope: axes, of: EpochErrors.bias, variance: variance)
  }
}
