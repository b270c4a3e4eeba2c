internal import InertialNumerics

extension ErrorMeasurement {
  /// Returns a measured vector with its derivative H by a block of errors: by θ for a vector whose direction and length
  /// in earth axes are known, equations (7) to (9).
  ///
  /// - Parameters:
  ///   - residual: The measured minus the predicted vector.
  ///   - slope: H, in the axes of the residual.
  ///   - block: The block.
  ///   - variance: The variance of each component, in the vector's unit squared.
  static func vector(
    _ residual: Vector3, slope: Matrix3, of block: ErrorLayout.Block = EpochErrors.attitude, variance: Double
  ) -> ErrorMeasurement {
    var measurement = ErrorMeasurement()
    for axis in 0..<3 {
      var row = MeasurementRow(residual: residual[axis], variance: variance)
      row.add(slope.row(axis), of: block)
      measurement.append(row)
    }
    return measurement
  }
}
