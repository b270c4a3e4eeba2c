internal import InertialNumerics
internal import InertialRotations

/// The sigma points of a covariance of attitude and bias errors, in six pairs on either side of the mean: equation (17)
/// of docs/theory/epoch-filters.md.
///
/// Julier and Uhlmann's scaled transform with weights that sum to the required values: the points off the mean have
/// weights w = 1 / (2 γ²) each. Moments are computed from the deviations from the point at the mean, whose own weight,
/// large and negative for a small α, then cancels: the covariance of y is w Σ δ δᵀ + (β − α²) δ̄ δ̄ᵀ with δ̄ = w Σ δ,
/// which is positive semidefinite for every κ ≥ 0.
struct SigmaPoints {
  /// The largest rotation of a point, in rad. The spread is reduced to this limit, because larger rotations wrap
  /// around.
  private static let largestTurn = 1.0

  // The columns of γ L with P = L Lᵀ, each in a row: the rotations and the biases of the first three pairs, and the biases
  // of the others, which have no rotation.
  private let turns: Matrix3
  private let biases: Matrix3
  private let otherBiases: Matrix3
  /// The weight w.
  let weight: Double
  /// The weight β − α².
  let meanWeight: Double

  /// Creates points with all pairs, or with those that have a rotation.
  init(_ kalman: ErrorKalman, onlyTurns: Bool = false, _ parameters: UnscentedKalman.Parameters) {
    let attitude = kalman[EpochErrors.attitude, EpochErrors.attitude]
    let cross = kalman[EpochErrors.attitude, EpochErrors.bias]
    let upper = attitude.choleskyFactor
    let first = upper.m11.reciprocalOfRoot * cross.row(0)
    let second = upper.m22.reciprocalOfRoot * (cross.row(1) - upper.m12 * first)
    let third = upper.m33.reciprocalOfRoot * (cross.row(2) - upper.m13 * first - upper.m23 * second)

    let maximum = max(upper.row(0).squaredNorm, upper.row(1).squaredNorm, upper.m33 * upper.m33)
    let alpha = parameters.sigmaPointSpread
    let squared = alpha * alpha * (6 + parameters.secondarySpread)
    let largest = SigmaPoints.largestTurn * SigmaPoints.largestTurn
    let shrink = squared * maximum > largest ? largest / (squared * maximum) : 1
    let spread = (squared * shrink).squareRoot()
    weight = 0.5 / (squared * shrink)
    meanWeight = parameters.priorWeight - alpha * alpha * shrink

    turns = spread * upper
    biases = spread * Matrix3(rows: first, second, third)
    guard !onlyTurns else {
      otherBiases = .zero
      return
    }
    var remainder = kalman[EpochErrors.bias, EpochErrors.bias]
    remainder.add(Matrix3(outer: first, first), scaledBy: -1)
    remainder.add(Matrix3(outer: second, second), scaledBy: -1)
    remainder.add(Matrix3(outer: third, third), scaledBy: -1)
    otherBiases = spread * remainder.choleskyFactor
  }

  /// Returns the first point of a pair; the second has the opposite sign.
  @inline(__always)
  func pair(_ index: Int) -> (turn: Vector3, bias: Vector3) {
    index < 3 ? (turns.row(index), biases.row(index)) : (.zero, otherBiases.row(index - 3))
  }
}

extension Matrix3 {
  /// Lᵀ of this symmetric matrix L Lᵀ. If rounding has made a pivot negative, its error becomes uncorrelated and tiny.
  fileprivate var choleskyFactor: Matrix3 {
    func root(_ pivot: Double) -> Double { max(pivot, Double.smallestRoot * Double.smallestRoot).squareRoot() }
    let a = root(m11)
    let (b, c) = (a.reciprocalOfRoot * m21, a.reciprocalOfRoot * m31)
    let d = root(m22 - b * b)
    let e = d.reciprocalOfRoot * (m32 - b * c)
    return Matrix3(rows: Vector3(a, b, c), Vector3(0, d, e), Vector3(0, 0, root(m33 - c * c - e * e)))
  }
}

extension Double {
  /// The root of the smallest pivot.
  fileprivate static var smallestRoot: Double { 1e-15 }

  /// The reciprocal of the root of a pivot, or 0 for the smallest one.
  fileprivate var reciprocalOfRoot: Double { self > 2 * Self.smallestRoot ? 1 / self : 0 }
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
