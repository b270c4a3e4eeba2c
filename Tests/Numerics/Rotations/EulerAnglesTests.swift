import Testing

struct EulerAnglesTests {
  /// Rotations at and around pitch ±90°, on both sides of the gimbal-lock band of 2e-10 rad.
  static let upright: [Quaternion] = {
    var cases: [Quaternion] = []
    for sign in [1.0, -1] {
      for gap in [0, 1e-16, 1e-12, 1.9e-10, 2.1e-10, 1e-9, 1e-7, 1e-3] {
        for (yaw, roll) in [(0.0, 0.0), (0.4, -0.9), (3, 3), (-3, 0.1), (.pi, .pi), (-2, -2.5)] {
          cases.append(Quaternion(eulerAngles: EulerAngles(roll: roll, pitch: sign * (.pi / 2 - gap), yaw: yaw)))
        }
      }
    }
    return cases
  }()

  /// Rotations on both sides of the branch at |sin pitch| = 0.999.
  static let nearBranch: [Quaternion] = [-0.9991, -0.9989, 0.9989, 0.9991].flatMap { sinPitch in
    [-3.0, -0.1, 0.5, 3].map { yaw in
      Quaternion(eulerAngles: EulerAngles(roll: 0.8 - yaw, pitch: asin(sinPitch), yaw: yaw))
    }
  }

  @Test("both methods of computing the angles agree at their boundary")
  func branch() {
    for sign in [1.0, -1] {
      for (yaw, roll) in [(0.3, -2.0), (3.0, 1.0), (-2.0, 2.0)] {
        for offset in [-1e-9, 1e-9] {
          let angles = EulerAngles(roll: roll, pitch: sign * (asin(0.999) + offset), yaw: yaw)
          let back = EulerAngles(Quaternion(eulerAngles: angles))
          #expect(isNear(back.roll, roll, within: 1e-13) && isNear(back.pitch, angles.pitch, within: 1e-13))
          #expect(isNear(back.yaw, yaw, within: 1e-13))
        }
      }
    }
  }

  @Test("the quaternion of Euler angles is the product Rz(yaw) Rx(pitch) Ry(roll)")
  func product() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let angles = EulerAngles(
        roll: 8 * generator.uniform() - 4, pitch: 8 * generator.uniform() - 4, yaw: 8 * generator.uniform() - 4)
      let naive =
        Quaternion(angle: angles.yaw, axis: .unitZ) * Quaternion(angle: angles.pitch, axis: .unitX)
        * Quaternion(angle: angles.roll, axis: .unitY)
      #expect(isSameRotation(Quaternion(eulerAngles: angles), naive, within: 2e-15))
    }
  }

  @Test("away from gimbal lock the angles match the formulas in R, in q and in Core Motion's fields")
  func formulas() {
    for q in sampleRotations where abs(q.matrix.m32) < 0.9999 {
      let angles = EulerAngles(q)
      let r = q.matrix
      let tolerance = 1e-12
      #expect(isNear(angles.pitch, asin(r.m32), within: tolerance))
      #expect(isSameAngle(angles.roll, atan2(-r.m31, r.m33), within: tolerance))
      #expect(isSameAngle(angles.yaw, atan2(-r.m12, r.m22), within: tolerance))
      let (x, y, z, w) = (q.x, q.y, q.z, q.w)
      #expect(isNear(angles.pitch, asin(2 * (y * z + w * x)), within: tolerance))
      #expect(isSameAngle(angles.roll, atan2(2 * (w * y - x * z), 1 - 2 * (x * x + y * y)), within: tolerance))
      #expect(isSameAngle(angles.yaw, atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z)), within: tolerance))
      let m = RotationMatrix(q)
      #expect(isNear(angles.pitch, asin(m.m23), within: tolerance))
      #expect(isSameAngle(angles.roll, atan2(-m.m13, m.m33), within: tolerance))
      #expect(isSameAngle(angles.yaw, atan2(-m.m21, m.m22), within: tolerance))
    }
  }

  @Test("every rotation is recovered from its Euler angles, in range and repeatedly, including gimbal lock")
  func roundTrip() {
    for q in sampleRotations + Self.upright + Self.nearBranch {
      let angles = EulerAngles(q)
      let back = Quaternion(eulerAngles: angles)
      #expect(isSameRotation(back, q, within: 4e-10))
      let nearLock = .pi / 2 - abs(angles.pitch) < 3e-10
      // asin and differences lose at most a factor 1 / cos(pitch) = 22 before the branch.
      if !nearLock { #expect(isSameRotation(back, q, within: 2e-14)) }
      #expect(isSameRotation(Quaternion(eulerAngles: EulerAngles(back)), back, within: 4e-10))
      #expect(isSameRotation(Quaternion(eulerAngles: EulerAngles(-q)), q, within: 4e-10))
      #expect(angles.roll > -.pi && angles.roll <= .pi && angles.yaw > -.pi && angles.yaw <= .pi)
      #expect(abs(angles.pitch) <= .pi / 2)
    }
  }

  @Test("in gimbal lock roll is zero and yaw is the whole rotation: the sum at +90°, the difference at −90°")
  func gimbalLock() {
    for (yaw, roll) in [(0.4, -0.9), (1.0, 2.0), (-2.0, 0.5)] {
      for sign in [1.0, -1] {
        let lock = EulerAngles(Quaternion(eulerAngles: EulerAngles(roll: roll, pitch: sign * .pi / 2, yaw: yaw)))
        #expect(lock.roll == 0 && isSameAngle(lock.yaw, yaw + sign * roll, within: 1e-15), "\(sign)")
        #expect(isNear(lock.pitch, sign * .pi / 2, within: 4e-16))
      }
    }
  }

  @Test("the gimbal-lock band is 2e-10 rad wide: inside it roll is zero, outside it roll is recovered")
  func bandEdges() {
    for sign in [1.0, -1] {
      let q = { (gap: Double) in
        Quaternion(eulerAngles: EulerAngles(roll: 0.7, pitch: sign * (.pi / 2 - gap), yaw: 0.2))
      }
      #expect(EulerAngles(q(1.5e-10)).roll == 0 && isNear(EulerAngles(q(2.5e-10)).roll, 0.7, within: 5e-6))
      #expect(isNear(EulerAngles(q(1e-6)).roll, 0.7, within: 1e-9))
    }
  }

  @Test("gravity and Euler angles agree: (cos p sin r, −sin p, −cos p cos r) and its inverse")
  func gravity() {
    for q in sampleRotations {
      let attitude = Attitude(quaternion: q)
      let angles = attitude.eulerAngles
      let (p, r) = (angles.pitch, angles.roll)
      let g = attitude.gravity
      #expect(isNear(g, Vector3(cos(p) * sin(r), -sin(p), -cos(p) * cos(r)), within: 2e-15))
      guard abs(g.y) < 0.9999 else { continue }
      #expect(isNear(p, asin(-g.y), within: 1e-12) && isSameAngle(r, atan2(g.x, -g.z), within: 1e-12))
    }
  }
}

/// Returns whether two angles in radians are the same direction to `within`.
func isSameAngle(_ a: Double, _ b: Double, within tolerance: Double) -> Bool {
  isNear(remainder(a - b, 2 * .pi), 0, within: tolerance)
}
