public import LinearAlgebra
public import Rotations

extension UnscentedKalman {
  public struct State: EpochState {
    public internal(set) var earthFromDevice = Quaternion.identity
    /// rad/s, device axes.
    public internal(set) var gyroscopeBias = Vector3.zero
    /// 6 by 6: attitude error about the earth's X, Y, Z (rad²), then gyroscope bias in device axes (rad²/s²).
    public internal(set) var covariance: FixedMatrix<6, 6>

    public init(errorCovariance: FixedMatrix<6, 6>) { covariance = errorCovariance }

    public var errorCovariance: FixedMatrix<6, 6> { covariance }
    public var attitudeCovariance: Matrix3 { block(at: 0) }
    public var biasCovariance: Matrix3 { block(at: 3) }

    public mutating func restart(at attitude: Quaternion, errorCovariance: FixedMatrix<6, 6>) {
      earthFromDevice = attitude
      covariance = errorCovariance
    }

    mutating func apply(_ correction: FixedVector<6>) {
      let turn = Quaternion(rodrigues: Vector3(correction[0], correction[1], correction[2]))
      earthFromDevice = (turn * earthFromDevice).normalized ?? earthFromDevice
      gyroscopeBias += Vector3(correction[3], correction[4], correction[5])
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

    private func block(at start: Int) -> Matrix3 {
      let p = covariance
      func row(_ index: Int) -> Vector3 {
        Vector3(p[start + index, start], p[start + index, start + 1], p[start + index, start + 2])
      }
      return Matrix3(rows: row(0), row(1), row(2))
    }
  }
}
