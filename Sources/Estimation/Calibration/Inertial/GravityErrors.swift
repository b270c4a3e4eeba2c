internal import InertialNumerics
internal import InertialSensors

/// The errors of gravity's direction that remain after an accelerometer's calibration. They are the same in every
/// attitude, so derived quantities have correlated errors.
package struct GravityErrors: Sendable, Equatable {
  /// The root of the parameters' covariance, root · rootᵀ: xx, yy, zz, xy, xz, yz of the matrix, bias in g.
  private let root: Matrix
  /// The independent error of a pose, in rad.
  let poseSigma: Double
  /// Whether the errors are from data sheets, without measurements.
  private(set) var isGuess = false

  /// The errors of an uncalibrated accelerometer.
  ///
  /// Data sheets: zero-g ±40 mg (Bosch BMI160, ST LSM6DS3) to ±80 mg (InvenSense MPU-9250), scale ±3 %, axes to 2 %.
  package static let uncalibrated = {
    let sigmas = [2e-2, 2e-2, 2e-2, 1e-2, 1e-2, 1e-2, 4e-2, 4e-2, 4e-2]
    var errors = GravityErrors(Matrix(diagonal: sigmas.map { $0 * $0 }), poseSigma: 0)
    errors.isGuess = true
    return errors
  }()

  /// The errors of an exact calibration.
  package static let none = GravityErrors(Matrix(rowCount: 9, columnCount: 9) { _, _ in 0 }, poseSigma: 0)

  /// - Parameters:
  ///   - covariance: The covariance of the nine parameters.
  ///   - poseSigma: The deviation of a pose beyond noise, in g.
  init(_ covariance: Matrix, poseSigma: Double) {
    self.poseSigma = poseSigma
    guard let eigen = try? SymmetricEigen(covariance) else {
      root = covariance
      return
    }
    root = eigen.eigenvectors * Matrix(diagonal: eigen.eigenvalues.map { max(0, $0).squareRoot() })
  }

  /// The number of independent errors, each with deviation 1.
  static let count = 9

  /// Returns the model with given errors, in units of their deviations.
  func moved(_ model: LinearModel, by errors: [Double]) -> LinearModel {
    let p = (0..<9).map { row in (0..<Self.count).reduce(0) { $0 + root[row, $1] * errors[$1] } }
    let change = Matrix3(rows: Vector3(p[0], p[3], p[4]), Vector3(p[3], p[1], p[5]), Vector3(p[4], p[5], p[2]))
    return LinearModel(bias: model.bias + Vector3(p[6], p[7], p[8]), matrix: model.matrix + change)
  }

  /// Returns the effect of each error on the unit vector along a calibrated acceleration.
  func changes(of raw: Vector3, _ model: LinearModel) -> [Vector3] {
    let d = raw - model.bias
    let v = model.matrix * d
    let norm = max(v.norm, 1e-9)
    let n = v / norm
    var slopes = [
      Vector3(d.x, 0, 0), Vector3(0, d.y, 0), Vector3(0, 0, d.z), Vector3(d.y, d.x, 0), Vector3(d.z, 0, d.x),
      Vector3(0, d.z, d.y), -model.matrix.column(0), -model.matrix.column(1), -model.matrix.column(2),
    ]
    for index in slopes.indices { slopes[index] = (slopes[index] - slopes[index].dot(n) * n) / norm }
    return (0..<Self.count).map { column in
      slopes.indices.reduce(Vector3.zero) { $0 + root[$1, column] * slopes[$1] }
    }
  }
}
