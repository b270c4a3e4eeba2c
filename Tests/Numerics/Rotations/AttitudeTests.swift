import Testing

struct AttitudeTests {
  /// A row of a real device log, from public repositories.
  struct LogRow: Sendable {
    var source: String
    var quaternion: Quaternion
    var angles: EulerAngles
    var gravity: Vector3
  }

  static let rows = [
    LogRow(
      source: "iPhone",
      quaternion: Quaternion(
        x: 0.4838151227024397, y: 0.04355626154402893, z: 0.06494984821958465, w: 0.8716692886429774),
      angles: EulerAngles(roll: 0.02477636033810466, pitch: 1.014300952474275, yaw: 0.1349823786804867),
      gravity: Vector3(0.0130858737975359, -0.8491114974021912, -0.5280515551567078)),
    LogRow(
      source: "Watch",
      quaternion: Quaternion(
        x: 0.03042600447342551, y: -0.005103496315165163, z: 0.277805496853942, w: 0.9601419315743099),
      angles: EulerAngles(roll: -0.026749734401053212, pitch: 0.0556196793473982, yaw: 0.5640374976801453),
      gravity: Vector3(-0.0267051849514246, -0.05559100583195686, -0.9980964064598083)),
  ]

  @Test("the angles and gravity of Apple's quaternions match Apple's", arguments: rows)
  func deviceRows(row: LogRow) {
    let attitude = Attitude(quaternion: row.quaternion)
    #expect(isNear(attitude.roll, row.angles.roll, within: 5e-16))
    #expect(isNear(attitude.pitch, row.angles.pitch, within: 5e-16))
    #expect(isNear(attitude.yaw, row.angles.yaw, within: 5e-16))
    // Apple's gravity has single precision.
    #expect(isNear(attitude.gravity, row.gravity, within: 5e-8))
    #expect(isNear(attitude.rotationMatrix.toDevice(-.unitZ), row.gravity, within: 5e-8))
    // Apple's quaternion only has norm 1 to single precision, and its angles are computed from it without
    // normalisation.
    #expect(attitude.quaternion == row.quaternion && abs(row.quaternion.norm - 1) > 1e-8)
    #expect(isSameRotation(Quaternion(eulerAngles: row.angles), row.quaternion, within: 5e-7))
  }

  @Test("a Core Motion matrix from a debugger is the transpose of the textbook matrix of its quaternion")
  func debuggerMatrix() {
    let m = RotationMatrix(
      m11: -0.1969096, m12: 0.9799076, m13: -0.0317397,
      m21: -0.7388631, m22: -0.1270372, m23: 0.6617724,
      m31: 0.6444438, m32: 0.1537607, m33: 0.7490326)
    let q = Quaternion(rotationMatrix: m)
    #expect((q.matrix.transpose - m.matrix).maximumMagnitude < 1e-6)
    // The other direction is wrong by far, so the test can distinguish the two directions.
    #expect((q.matrix - m.matrix).maximumMagnitude > 1)
    let attitude = Attitude(rotationMatrix: m)
    #expect(isNear(attitude.gravity, Vector3(-m.m13, -m.m23, -m.m33), within: 1e-6))
    // Single elements by the formula of the public fix: m12 = 2(xy + zw).
    #expect(isNear(2 * (q.x * q.y + q.z * q.w), m.m12, within: 1e-6))
  }

  @Test("gravity is one g down in the reference frame, and vector conversions are inverse to each other")
  func frames() {
    let v = Vector3(0.2, -3, 1)
    for q in sampleRotations {
      let attitude = Attitude(quaternion: q)
      #expect(isNear(attitude.toReference(attitude.gravity), -.unitZ, within: 4e-15))
      #expect(isNear(attitude.gravity, attitude.toDevice(-.unitZ), within: 1e-15))
      #expect(isNear(attitude.toDevice(attitude.toReference(v)), v, within: 4e-15))
      let m = attitude.rotationMatrix
      #expect(isNear(m.toDevice(v), attitude.toDevice(v), within: 4e-15))
      #expect(isNear(m.toReference(v), attitude.toReference(v), within: 4e-15))
      #expect(isSameRotation(Attitude(rotationMatrix: m).quaternion, q, within: 2e-15))
    }
    #expect(Attitude.identity.gravity == -.unitZ && RotationMatrix.identity == Attitude.identity.rotationMatrix)
  }

  @Test("multiply(byInverseOf:) is b⁻¹ a in quaternions and M_a M_bᵀ in Core Motion's matrices")
  func composition() {
    for (a, b) in zip(sampleRotations, Quaternion.random(sampleRotations.count, seed: 9)) {
      let (attitude, reference) = (Attitude(quaternion: a), Attitude(quaternion: b))
      var relative = attitude
      relative.multiply(byInverseOf: reference)
      #expect(relative == attitude.multiplied(byInverseOf: reference))
      #expect(isSameRotation(relative.quaternion, b.inverse * a, within: 1e-15))
      let matrices = attitude.rotationMatrix.matrix * reference.rotationMatrix.matrix.transpose
      #expect((relative.rotationMatrix.matrix - matrices).maximumMagnitude < 2e-15)
      #expect(isNear(relative.toReference(attitude.gravity), reference.gravity, within: 2e-15))
      #expect(isSameRotation(reference.quaternion * relative.quaternion, a, within: 1e-15))
    }
  }

  @Test("the order of multiply(byInverseOf:) matters: rotated 90° to the left after lying on its side")
  func compositionOrder() {
    // b: the device rolled 90° about Y; a: then pitched up 90° about its own X.
    let b = Quaternion(angle: .pi / 2, axis: .unitY)
    let a = b * Quaternion(angle: .pi / 2, axis: .unitX)
    let relative = Attitude(quaternion: a).multiplied(byInverseOf: Attitude(quaternion: b))
    // Relative to the pose b, the device has rotated about its own X axis.
    #expect(isSameRotation(relative.quaternion, Quaternion(angle: .pi / 2, axis: .unitX), within: 1e-15))
    #expect((a * b.inverse).angle(to: relative.quaternion) > 1)
  }

  @Test("an attitude normalises its quaternion and keeps a zero quaternion unchanged")
  func normalisation() {
    let attitude = Attitude(quaternion: Quaternion(x: 0, y: 0, z: 3, w: 4))
    #expect(isNear(attitude.quaternion.z, 0.6, within: 1e-15))
    // Both sides of the limit: squared norms of 1 + 0.9e-6 and 1 + 1.1e-6.
    let nearly = Quaternion(x: 0, y: 0, z: 0, w: 1 + 0.45e-6)
    #expect(Attitude(quaternion: nearly).quaternion == nearly)
    #expect(Attitude(quaternion: Quaternion(x: 0, y: 0, z: 0, w: 1 + 0.55e-6)).quaternion == .identity)
    let zero = Quaternion(x: 0, y: 0, z: 0, w: 0)
    #expect(Attitude(quaternion: zero).quaternion == zero)
  }
}
