package import InertialNumerics

/// A sensor's calibration: calibrated = matrix · (raw − bias), in the sensor's own unit and the device's axes.
package struct LinearModel: Sendable, Codable, Equatable {
  /// The reading of the sensor for a zero input.
  package var bias: Vector3
  /// The matrix of scale, misalignment and soft iron; the identity changes nothing.
  package var matrix: Matrix3

  package init(bias: Vector3 = .zero, matrix: Matrix3 = .identity) { (self.bias, self.matrix) = (bias, matrix) }

  package func calibrated(_ raw: Vector3) -> Vector3 { matrix * (raw - bias) }
}
