internal import InertialNumerics
internal import InertialRotations

extension ErrorState {
  /// Applies a correction: generalised Rodrigues parameters for the attitude, and the bias.
  mutating func applyRodrigues(_ correction: FixedVector<6>) {
    turn(by: Quaternion(rodrigues: correctBias(correction)))
  }

  mutating func setAttitudeCovariance(_ attitude: Matrix3, cross: Matrix3) {
    let old = covariance
    covariance = FixedMatrix { row, column in
      switch (row, column) {
      case (..<3, ..<3): 0.5 * (attitude[row, column] + attitude[column, row])
      case (..<3, _): cross[row, column - 3]
      case (_, ..<3): cross[column, row - 3]
      default: old[row, column]
      }
    }
  }
}
