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

  /// The columns of the lower factor L, P = L Lᵀ, by attitude and bias.
  private let columns: InlineArray<6, Column>
  /// γ.
  private let spread: Double
  /// The weight w.
  let weight: Double
  /// The weight β − α².
  let meanWeight: Double

  /// Creates points with the first `count` of the six pairs, of which only the first three have a rotation.
  init(_ kalman: ErrorKalman, pairs count: Int = 6, _ parameters: UnscentedKalman.Parameters) {
    columns = SigmaPoints.factor(of: kalman, count)
    let maximum = max(columns[0].turn.squaredNorm, columns[1].turn.squaredNorm, columns[2].turn.squaredNorm)
    let alpha = parameters.sigmaPointSpread
    let squared = alpha * alpha * (6 + parameters.secondarySpread)
    let largest = SigmaPoints.largestTurn * SigmaPoints.largestTurn
    let shrink = squared * maximum > largest ? largest / (squared * maximum) : 1
    spread = (squared * shrink).squareRoot()
    weight = 0.5 / (squared * shrink)
    meanWeight = parameters.priorWeight - alpha * alpha * shrink
  }

  /// Returns the first point of a pair, γ times a column of L; the second has the opposite sign.
  func pair(_ index: Int) -> Column {
    Column(turn: spread * columns[index].turn, bias: spread * columns[index].bias)
  }

  /// Six numbers: a rotation and a bias.
  struct Column {
    var turn = Vector3.zero
    var bias = Vector3.zero

    subscript(row: Int) -> Double { row < 3 ? turn[row] : bias[row - 3] }
  }

  /// Returns the first columns of L, or the factor of the diagonal if rounding has made P indefinite.
  private static func factor(of kalman: ErrorKalman, _ count: Int) -> InlineArray<6, Column> {
    let attitude = kalman[EpochErrors.attitude, EpochErrors.attitude]
    let cross = kalman[EpochErrors.attitude, EpochErrors.bias]
    let bias = count > 3 ? kalman[EpochErrors.bias, EpochErrors.bias] : .zero
    var columns = InlineArray<6, Column>(repeating: Column())
    for index in 0..<count {
      var column =
        index < 3
        ? Column(turn: attitude.row(index), bias: cross.row(index)) : Column(turn: .zero, bias: bias.row(index - 3))
      for left in 0..<index {
        let factor = columns[left][index]
        column.turn -= factor * columns[left].turn
        column.bias -= factor * columns[left].bias
      }
      guard column[index] > 0 else { return diagonalFactor(attitude, kalman[EpochErrors.bias, EpochErrors.bias]) }
      let scale = 1 / column[index].squareRoot()
      // Rows above the diagonal are zero except for rounding.
      for row in 0..<min(index, 3) { column.turn[row] = 0 }
      for row in 0..<max(0, index - 3) { column.bias[row] = 0 }
      columns[index] = Column(turn: scale * column.turn, bias: scale * column.bias)
    }
    return columns
  }

  private static func diagonalFactor(_ attitude: Matrix3, _ bias: Matrix3) -> InlineArray<6, Column> {
    var columns = InlineArray<6, Column>(repeating: Column())
    for axis in 0..<3 {
      columns[axis].turn[axis] = max(attitude[axis, axis], 1e-30).squareRoot()
      columns[axis + 3].bias[axis] = max(bias[axis, axis], 1e-30).squareRoot()
    }
    return columns
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
