public import LinearAlgebra

/// A sensor's calibration: calibrated = matrix · (raw − bias), in the sensor's own unit and the device's axes.
public struct LinearModel: Sendable, Codable, Equatable {
  /// What the sensor says of nothing.
  public var bias: Vector3
  /// Scale, misalignment, and soft iron; the identity changes nothing.
  public var matrix: Matrix3

  public init(bias: Vector3 = .zero, matrix: Matrix3 = .identity) { (self.bias, self.matrix) = (bias, matrix) }

  public func calibrated(_ raw: Vector3) -> Vector3 { matrix * (raw - bias) }
}
