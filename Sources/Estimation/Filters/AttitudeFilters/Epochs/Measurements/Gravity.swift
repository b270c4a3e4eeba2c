internal import InertialNumerics

extension ErrorMeasurement {
  /// Returns a force that should point up, f = z + z × θ: equation (6).
  ///
  /// Its level part (−θ_y, θ_x) measures the tilt error; its vertical part measures its magnitude and not the attitude.
  /// With the mean direction ½ (z + f) instead of z, as C* of the equivariant filter, the device's acceleration would
  /// count as much as a tilt, and the level part would measure a heading that no force can observe.
  ///
  /// - Parameters:
  ///   - force: The mean force in g, earth axes of the estimate.
  ///   - variance: The variance of each component, in g².
  static func gravity(_ force: Vector3, variance: Double) -> ErrorMeasurement {
    var (x, y) = (
      MeasurementRow(residual: force.x, variance: variance), MeasurementRow(residual: force.y, variance: variance)
    )
    x.add(-1, at: EpochErrors.attitude.start + 1)
    y.add(1, at: EpochErrors.attitude.start)
    var measurement = ErrorMeasurement()
    measurement.append(x)
    measurement.append(y)
    return measurement
  }
}
