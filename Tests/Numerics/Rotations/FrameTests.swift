import Testing

struct FrameTests {
  @Test("the reference frames have Apple's raw values and names, in both directions")
  func referenceFrames() {
    let expected: [(AttitudeReferenceFrame, UInt, String)] = [
      (.xArbitraryZVertical, 1, "xArbitraryZVertical"),
      (.xArbitraryCorrectedZVertical, 2, "xArbitraryCorrectedZVertical"),
      (.xMagneticNorthZVertical, 4, "xMagneticNorthZVertical"), (.xTrueNorthZVertical, 8, "xTrueNorthZVertical"),
    ]
    #expect(AttitudeReferenceFrame.frames == expected.map(\.0))
    for (frame, rawValue, name) in expected {
      #expect(frame.rawValue == rawValue && frame.name == name && AttitudeReferenceFrame(name: name) == frame)
      #expect(AttitudeReferenceFrame(name: name.uppercased()) == frame)
      #expect(frame.usesMagnetometer == (rawValue > 1) && frame.isNorthReferenced == (rawValue > 2))
    }
    #expect(AttitudeReferenceFrame(name: "north") == nil && AttitudeReferenceFrame(name: "") == nil)
    let available: AttitudeReferenceFrame = [.xArbitraryZVertical, .xTrueNorthZVertical]
    #expect(available.rawValue == 9 && available.name == "xArbitraryZVertical,xTrueNorthZVertical")
    #expect(AttitudeReferenceFrame().name == "")
  }

  @Test("the axes of every earth frame point in the directions of its name")
  func earthAxes() {
    // North, west and up in the coordinates of each frame, written by hand.
    let axes: [EarthFrame: (Vector3, Vector3, Vector3)] = [
      .nwu: (.unitX, .unitY, .unitZ),
      .enu: (.unitY, -.unitX, .unitZ),
      .ned: (.unitX, -.unitY, -.unitZ),
    ]
    #expect(axes.count == EarthFrame.allCases.count)
    for (source, a) in axes {
      for (target, b) in axes {
        for (p, q) in [(a.0, b.0), (a.1, b.1), (a.2, b.2)] {
          #expect(EarthFrame.vector(p, from: source, to: target) == q)
          #expect(isNear(EarthFrame.rotation(from: source, to: target).rotate(p), q, within: 1e-15))
        }
      }
    }
  }

  @Test("an orientation converted to another earth frame and back maps body vectors to the same directions")
  func earthConversions() {
    let v = Vector3(0.5, -1, 2)
    for q in sampleRotations {
      for source in EarthFrame.allCases {
        for target in EarthFrame.allCases {
          let converted = EarthFrame.quaternion(q, from: source, to: target)
          let direction = EarthFrame.vector(q.rotate(v), from: source, to: target)
          #expect(isNear(converted.rotate(v), direction, within: 4e-15))
          #expect(isSameRotation(EarthFrame.quaternion(converted, from: target, to: source), q, within: 2e-15))
        }
      }
    }
    // As documented: ENU is NWU rotated by +90° about Z.
    let q = Quaternion.random(1, seed: 5)[0]
    let turned = Quaternion(angle: .pi / 2, axis: .unitZ) * q
    #expect(isSameRotation(EarthFrame.quaternion(q, from: .nwu, to: .enu), turned, within: 1e-15))
  }

  @Test("the axes of every body frame point in the directions of its name")
  func bodyAxes() {
    // Right, front and up in the coordinates of each frame, written by hand.
    let axes: [BodyFrame: (Vector3, Vector3, Vector3)] = [
      .rightFrontUp: (.unitX, .unitY, .unitZ),
      .frontLeftUp: (-.unitY, .unitX, .unitZ),
      .frontRightDown: (.unitY, .unitX, -.unitZ),
    ]
    #expect(axes.count == BodyFrame.allCases.count)
    for (source, a) in axes {
      for (target, b) in axes {
        for (p, q) in [(a.0, b.0), (a.1, b.1), (a.2, b.2)] {
          #expect(isNear(BodyFrame.rotation(from: source, to: target).rotate(p), q, within: 1e-15))
          // The same physical direction has the same earth coordinates.
          let earthFromSource = Quaternion.random(1, seed: 6)[0]
          let earthFromTarget = BodyFrame.quaternion(earthFromSource, from: source, to: target)
          #expect(isNear(earthFromTarget.rotate(q), earthFromSource.rotate(p), within: 2e-15))
        }
      }
    }
  }

  @Test("Android's angles match Android's definition, applied to its own rotation matrix")
  func android() {
    for q in sampleRotations where abs(q.matrix.m32) < 0.9999 {
      // getOrientation of the matrix that maps device coordinates to east-north-up.
      let r = EarthFrame.quaternion(q, from: .nwu, to: .enu).matrix
      let angles = AndroidOrientation(Attitude(quaternion: q))
      #expect(isSameAngle(angles.azimuth, atan2(r.m12, r.m22), within: 1e-12))
      #expect(isNear(angles.pitch, asin(-r.m32), within: 1e-12))
      #expect(isSameAngle(angles.roll, atan2(-r.m31, r.m33), within: 1e-12))
      #expect(angles.azimuth > -.pi && angles.azimuth <= .pi)
      #expect(isSameRotation(Quaternion(eulerAngles: angles.eulerAngles), q, within: 2e-15))
    }
    // A flat phone whose top edge points east.
    let east = AndroidOrientation(EulerAngles(roll: 0, pitch: 0, yaw: .pi))
    #expect(isNear(east.azimuth, .pi / 2, within: 1e-15))
  }

  @Test("aerospace angles are Rz(yaw) Ry(pitch) Rx(roll) and survive the round trip, including gimbal lock")
  func aerospace() {
    for q in sampleRotations + EulerAnglesTests.upright {
      let angles = AerospaceAngles(earthNEDFromBodyFRD: q)
      let naive =
        Quaternion(angle: angles.yaw, axis: .unitZ) * Quaternion(angle: angles.pitch, axis: .unitY)
        * Quaternion(angle: angles.roll, axis: .unitX)
      #expect(isSameRotation(angles.earthNEDFromBodyFRD, naive, within: 2e-15))
      #expect(isSameRotation(angles.earthNEDFromBodyFRD, q, within: 4e-10))
      #expect(angles.roll > -.pi && angles.roll <= .pi && angles.yaw > -.pi && angles.yaw <= .pi)
      let r = q.matrix
      guard abs(r.m31) < 0.9999 else { continue }
      #expect(isNear(angles.pitch, -asin(r.m31), within: 1e-12))
      #expect(isSameAngle(angles.roll, atan2(r.m32, r.m33), within: 1e-12))
      #expect(isSameAngle(angles.yaw, atan2(r.m21, r.m11), within: 1e-12))
    }
    for (pitch, sign) in [(Double.pi / 2, -1.0), (-Double.pi / 2, 1)] {
      let lock = AerospaceAngles(
        earthNEDFromBodyFRD: AerospaceAngles(roll: 0.3, pitch: pitch, yaw: 1).earthNEDFromBodyFRD)
      #expect(lock.roll == 0 && isNear(lock.yaw, 1 + sign * 0.3, within: 1e-15))
      #expect(isNear(lock.pitch, pitch, within: 4e-16))
    }
  }

  @Test("the aerospace angles of a phone are right: top edge to the east, nose up, right side down")
  func aerospaceAttitude() {
    // Flat, with the top edge to the east: Core Motion's yaw of 180°.
    let east = AerospaceAngles(Attitude(eulerAngles: EulerAngles(roll: 0, pitch: 0, yaw: .pi)))
    #expect(isNear(east.yaw, .pi / 2, within: 1e-15) && isNear(east.pitch, 0, within: 1e-15))
    #expect(isNear(east.roll, 0, within: 1e-15))
    // Raising the top edge is a positive rotation about X; lowering the right side is a positive rotation about Y.
    let raised = AerospaceAngles(Attitude(eulerAngles: EulerAngles(roll: 0, pitch: 0.2, yaw: 1)))
    #expect(isNear(raised.pitch, 0.2, within: 1e-15))
    let banked = AerospaceAngles(Attitude(eulerAngles: EulerAngles(roll: 0.3, pitch: 0, yaw: 1)))
    #expect(isNear(banked.roll, 0.3, within: 1e-15))
    // A front-left-up board with yaw 0 faces north.
    let board = AerospaceAngles(.identity, body: .frontLeftUp)
    #expect(isNear(board.yaw, 0, within: 1e-15) && isNear(board.roll, 0, within: 1e-15))
  }
}
