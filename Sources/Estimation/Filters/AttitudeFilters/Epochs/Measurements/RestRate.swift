internal import InertialNumerics

extension ErrorMeasurement {
  /// Returns the rate at rest, which is the bias: equation (12).
  ///
  /// - Parameters:
  ///   - residual: The rate minus the estimated bias, in rad/s, device axes.
  ///   - axes: The rotation from device axes to those of the components, if they differ.
  ///   - variance: The variance of each component, in rad²/s².
  static func restRate(_ residual: Vector3, in axes: Matrix3 = .identity, variance: Double) -> ErrorMeasurement {
    let residual = axes * residual
    var measurement = ErrorMeasurement()
    for axis in 0..<3 {
      var row = MeasurementRow(residual: residual[axis], variance: variance)
      row.add(axes.row(axis), of: EpochErrors.bias)
      measurement.append(row)
    }
    return measurement
  }
}
