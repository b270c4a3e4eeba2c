import Testing

struct HeadingTests {
  @Test("the heading of a flat phone is the direction of its top edge")
  func flat() {
    // Yaw is counter-clockwise and the top edge is 90° ahead of X: bearing = −90° − yaw.
    for (yaw, bearing) in [(-90.0, 0.0), (0, 270), (90, 180), (180, 90), (-91, 1), (-89, 359)] {
      let attitude = Attitude(eulerAngles: EulerAngles(roll: 0, pitch: 0, yaw: yaw * .pi / 180))
      #expect(isNear(remainder(attitude.heading() - bearing, 360), 0, within: 1e-12))
      #expect(isNear(remainder(attitude.heading(pointing: .positiveX) + yaw, 360), 0, within: 1e-12))
    }
  }

  @Test("the automatic axis changes from the top edge to the camera when |gravity.y| exceeds |gravity.z|")
  func rule() {
    let tilted = { (pitch: Double) in Attitude(eulerAngles: EulerAngles(roll: 0.3, pitch: pitch, yaw: 0.4)).gravity }
    #expect(PointingAxis.automatic.vector(gravity: tilted(0.2)) == .unitY)
    #expect(PointingAxis.automatic.vector(gravity: tilted(1.4)) == -.unitZ)
    #expect(PointingAxis.automatic.vector(gravity: Vector3(0, -0.6, -0.6)) == .unitY)
    #expect(PointingAxis.automatic.vector(gravity: Vector3(0, -0.6.nextUp, -0.6)) == -.unitZ)
    #expect(PointingAxis.automatic.vector(gravity: Vector3(0, 0.6.nextUp, 0.6)) == -.unitZ)
  }

  @Test("the heading of an upright phone is the direction of its camera")
  func upright() {
    // Pitch 90°, yaw 0: top edge up; −Z, the direction of the camera, is the north-west-up frame's +Y, west.
    let attitude = Attitude(eulerAngles: EulerAngles(roll: 0, pitch: .pi / 2, yaw: 0))
    #expect(isNear(attitude.toReference(-.unitZ), Vector3.unitY, within: 1e-15))
    #expect(isNear(attitude.heading(), 270, within: 1e-12))
  }

  @Test("every axis yields the bearing of its own direction, in [0, 360)", arguments: PointingAxis.allCases)
  func axes(axis: PointingAxis) {
    for q in sampleRotations {
      let attitude = Attitude(quaternion: q)
      let v = q.matrix * axis.vector(gravity: attitude.gravity)
      let heading = attitude.heading(pointing: axis)
      #expect(heading >= 0 && heading < 360)
      let length = hypot(v.x, v.y)
      guard length > 1e-6 else { continue }
      let radians = heading * .pi / 180
      #expect(isNear(cos(radians), v.x / length, within: 1e-9) && isNear(sin(radians), -v.y / length, within: 1e-9))
    }
  }

  @Test("a bearing just short of north stays below 360")
  func wrap() {
    let attitude = Attitude(quaternion: Quaternion(angle: 1e-18, axis: .unitZ))
    #expect(attitude.heading(pointing: .positiveX) == 0 && Attitude.identity.heading(pointing: .positiveX) == 0)
    #expect(Attitude.identity.heading(pointing: .positiveZ) == 0)
    #expect(Attitude.identity.heading(pointing: .negativeX) == 180)
  }
}
