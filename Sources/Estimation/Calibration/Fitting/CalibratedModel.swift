public import InertialNumerics
package import InertialSensors

/// A calibration that was found, and how well.
public struct CalibratedModel: Sendable, Equatable {
  package var model = LinearModel()
  /// What the sensor says of nothing, in its own unit.
  public var bias: Vector3 { model.bias }
  /// Scale, misalignment and soft iron: calibrated = matrix · (raw − bias).
  public var matrix: Matrix3 { model.matrix }
  /// Standard deviation of each component of the bias.
  public var biasSigma = Vector3.zero
  /// Standard deviation of each element of the matrix.
  public var matrixSigma = Matrix3.zero
  /// What the log cannot tell of it, a sentence each.
  public var unobservable: [String] = []
  /// Poses, turns or samples that it is based on.
  public var observations = 0
  /// Of these, those that did not belong and had no say.
  public var outliers = 0

  /// Nothing is corrected, and nothing known.
  public init() {}
}
