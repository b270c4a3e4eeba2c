internal import InertialNumerics
internal import InertialRotations

/// The sigma points of a covariance of attitude and bias errors, in six pairs on either side of the mean.
///
/// Julier and Uhlmann's scaled transform with weights that sum to the required values: the points off the mean have
/// weights w = 1 / (2 γ²) each. Moments are computed from the deviations from the point at the mean, whose own weight,
/// large and negative for a small α, then cancels: the covariance of y is w Σ δ δᵀ + (β − α²) δ̄ δ̄ᵀ with δ̄ = w Σ δ,
/// which is positive semidefinite for every κ ≥ 0.
struct SigmaPoints {
  /// The largest rotation of a point, in rad. The spread is reduced to this limit, because larger rotations wrap
  /// around.
  private static let largestTurn = 1.0

  /// The deviations, one row per pair: γ times a column of the covariance's Cholesky factor.
  let deviations: FixedMatrix<6, 6>
  /// The weight w.
  let weight: Double
  /// The weight β − α².
  let meanWeight: Double

  init(_ covariance: FixedMatrix<6, 6>, _ parameters: UnscentedKalman.Parameters) {
    let factor = SigmaPoints.factor(of: covariance, on: parameters.core).transpose
    var maximum = 0.0
    for pair in 0..<3 {
      let row = factor.row(pair)
      maximum = max(maximum, row[0] * row[0] + row[1] * row[1] + row[2] * row[2])
    }
    let alpha = parameters.sigmaPointSpread
    let squared = alpha * alpha * (6 + parameters.secondarySpread)
    let largest = SigmaPoints.largestTurn * SigmaPoints.largestTurn
    let shrink = squared * maximum > largest ? largest / (squared * maximum) : 1
    deviations = (squared * shrink).squareRoot() * factor
    weight = 0.5 / (squared * shrink)
    meanWeight = parameters.priorWeight - alpha * alpha * shrink
  }

  /// Returns the rotation and bias part of the first point of a pair; those of the second have the opposite sign.
  func pair(_ index: Int) -> (turn: Vector3, bias: Vector3) {
    let row = deviations.row(index)
    return (Vector3(row[0], row[1], row[2]), Vector3(row[3], row[4], row[5]))
  }

  /// Returns the lower factor L, P = L Lᵀ, or the factor of the diagonal if rounding has made P indefinite.
  private static func factor(of covariance: FixedMatrix<6, 6>, on core: KalmanCore) -> FixedMatrix<6, 6> {
    do throws(LinearAlgebraError) {
      return try FixedCholesky(covariance, on: core).lowerFactor
    } catch {
      return FixedMatrix { row, column in
        row == column ? max(covariance[row, row], 1e-30).squareRoot() : 0
      }
    }
  }
}

extension Quaternion {
  /// Creates the rotation with generalised Rodrigues parameters p = 4 tan(angle / 4) along its axis: a rotation vector
  /// to third order, without a sine (as defined by Crassidis and Markley 2003, with a = 1 and f = 4).
  init(rodrigues p: Vector3) {
    let squared = p.squaredNorm / 16
    let scale = 1 / (1 + squared)
    let v = (0.5 * scale) * p
    self.init(x: v.x, y: v.y, z: v.z, w: (1 - squared) * scale)
  }

  /// The generalised Rodrigues parameters of the shorter of the quaternion's two rotations.
  var rodrigues: Vector3 { (w < 0 ? -4.0 : 4.0) / (1 + abs(w)) * vector }
}
