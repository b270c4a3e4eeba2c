public import InertialNumerics
package import InertialSensors

/// An estimated calibration with its uncertainty.
public struct CalibratedModel: Sendable, Equatable {
  package var model = LinearModel()
  /// The reading of the sensor for a zero input, in its own unit.
  public var bias: Vector3 { model.bias }
  /// The matrix of scale, misalignment and soft iron: calibrated = matrix · (raw − bias).
  public var matrix: Matrix3 { model.matrix }
  /// The standard deviation of each component of the bias, in the unit of the sensor.
  public var biasSigma = Vector3.zero
  /// The standard deviation of each element of the matrix.
  public var matrixSigma = Matrix3.zero
  /// The parameters that the log does not determine, as sentences.
  public var unobservable: [String] = []
  /// The number of poses, rotations or samples in the fit.
  public var observations = 0
  /// The number of outliers among the observations.
  public var outliers = 0

  /// Creates a model without correction, and without observations.
  public init() {}
}
