package import InertialNumerics
package import InertialRotations

extension QuaternionEKF {
  /// The complete state that changes from sample to sample.
  package struct State: EpochState {
    package internal(set) var earthFromDevice = Quaternion.identity
    /// The gyroscope bias, in rad/s, in device axes.
    package internal(set) var gyroscopeBias = Vector3.zero
    /// The 7 by 7 covariance: quaternion x, y, z, w, then gyroscope bias in device axes (rad²/s²). Singular along the
    /// quaternion.
    package internal(set) var covariance: FixedMatrix<7, 7>

    package init(errorCovariance: FixedMatrix<6, 6>) {
      covariance = FixedMatrix()
      restart(at: .identity, errorCovariance: errorCovariance)
    }

    /// Sets P = G P₆ Gᵀ with δq = ½ Ξ θ.
    package mutating func restart(at attitude: Quaternion, errorCovariance: FixedMatrix<6, 6>) {
      earthFromDevice = attitude
      let xi = attitude.earthTangents
      let states = FixedMatrix<7, 6> { row, column in
        if row < 4 { return column < 3 ? 0.5 * xi[row][column] : 0 }
        return column == row - 1 ? 1 : 0
      }
      covariance = (states * errorCovariance).timesTranspose(states)
      covariance.symmetrize()
    }

    /// The covariance of the six errors, with θ = 2 Ξᵀ δq.
    package var errorCovariance: FixedMatrix<6, 6> {
      let xi = earthFromDevice.earthTangents
      let errors = FixedMatrix<6, 7> { row, column in
        if row < 3 { return column < 4 ? 2 * xi[column][row] : 0 }
        return column == row + 1 ? 1 : 0
      }
      var result = (errors * covariance).timesTranspose(errors)
      result.symmetrize()
      return result
    }

    package var attitudeCovariance: Matrix3 {
      let xi = earthFromDevice.earthTangents
      let p = covariance
      var sum = Matrix3.zero
      for row in 0..<4 {
        var weighted = Vector3.zero
        for column in 0..<4 { weighted += p[row, column] * xi[column] }
        sum = sum + Matrix3(outer: xi[row], weighted)
      }
      return 2 * (sum + sum.transpose)
    }

    package var biasCovariance: Matrix3 {
      let p = covariance
      return Matrix3(
        rows: Vector3(p[4, 4], p[4, 5], p[4, 6]), Vector3(p[5, 4], p[5, 5], p[5, 6]),
        Vector3(p[6, 4], p[6, 5], p[6, 6]))
    }

    /// Adds a correction and normalises the quaternion.
    mutating func apply(_ correction: FixedVector<7>, on core: KalmanCore) {
      let q = earthFromDevice
      let sum = Quaternion(
        x: q.x + correction[0], y: q.y + correction[1], z: q.z + correction[2], w: q.w + correction[3])
      gyroscopeBias += Vector3(correction[4], correction[5], correction[6])
      guard let corrected = sum.normalized else { return }
      earthFromDevice = corrected
      carryCovariance(by: q.conjugate * corrected, on: core)
    }

    /// Applies P ← T P Tᵀ with T δq = δq ⊗ turn, where the turn leads from the old quaternion to the new one.
    ///
    /// Vectors orthogonal to the old quaternion become orthogonal to the new one, and the errors about the earth's axes
    /// keep their covariance. With an unchanged P, a correction of the tilt would turn some of the heading's
    /// uncertainty into tilt, and gravity would then move a heading that it cannot observe.
    private mutating func carryCovariance(by turn: Quaternion, on core: KalmanCore) {
      let block = turn.rightMultiplier
      let transition = FixedMatrix<7, 7> { row, column in
        row < 4 && column < 4 ? block[row, column] : (row == column ? 1 : 0)
      }
      FixedKalman.predict(&covariance, transition: transition, on: core)
    }

    /// Applies P ← Π P Π with Π = I − q qᵀ: a unit quaternion has no error along itself, and rounding must not add one.
    mutating func projectCovariance() {
      let q = earthFromDevice.column
      let along = covariance * q
      let half = along.adding(q, scaledBy: -0.5 * q.dot(along))
      covariance = covariance.addingOuter(half, q, scaledBy: -1).addingOuter(q, half, scaledBy: -1)
      covariance.symmetrize()
    }
  }
}

extension Quaternion {
  /// The quaternion as the first four of seven states.
  var column: FixedVector<7> {
    var vector = FixedVector<7>()
    (vector[0], vector[1], vector[2], vector[3]) = (x, y, z, w)
    return vector
  }

  /// The rows of Ξ, 4 by 3: the quaternion changes by ½ Ξ θ under a small rotation θ in earth axes, θ ⊗ q.
  ///
  /// Its columns are orthonormal, and orthogonal to the quaternion.
  var earthTangents: InlineArray<4, Vector3> {
    [Vector3(w, z, -y), Vector3(-z, w, x), Vector3(y, -x, w), Vector3(-x, -y, -z)]
  }

  /// The matrix, orthogonal for a unit quaternion, that maps the components of p to those of p ⊗ self.
  var rightMultiplier: FixedMatrix<4, 4> {
    let vector = Matrix3(diagonal: Vector3(repeating: w)) - Matrix3(skew: self.vector)
    return FixedMatrix { row, column in
      switch (row, column) {
      case (3, 3): w
      case (3, _): -self.vector[column]
      case (_, 3): self.vector[row]
      default: vector[row, column]
      }
    }
  }
}
