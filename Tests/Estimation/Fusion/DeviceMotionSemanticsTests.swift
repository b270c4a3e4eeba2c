import Foundation
import InertialFilters
import InertialFusion
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Meaning of a device motion")
struct DeviceMotionSemanticsTests {
  private static let frames = AttitudeReferenceFrame.frames
  private static let northFrames: [AttitudeReferenceFrame] = [.xMagneticNorthZVertical, .xTrueNorthZVertical]
  private static let arbitraryFrames: [AttitudeReferenceFrame] = [.xArbitraryZVertical, .xArbitraryCorrectedZVertical]

  @Test("at rest face up gravity is (0, 0, −1), without user acceleration and rotation", arguments: frames)
  func faceUp(frame: AttitudeReferenceFrame) {
    let simulation = Simulation(trajectory: RestTrajectory(), sensors: .perfect(), duration: 3)
    let motions = motions(simulation, configuration(frame))
    #expect(motions.count == 300)
    for motion in motions {
      #expect(isNear(motion.gravity, Vector3(0, 0, -1), within: 1e-12))
      #expect(isNear(motion.userAcceleration!, .zero, within: 1e-12))
      #expect(isNear(motion.rotationRate, .zero, within: 1e-9))
    }
  }

  @Test("gravity is a unit vector and follows from the attitude, in any attitude and motion", arguments: frames)
  func gravity(frame: AttitudeReferenceFrame) {
    let simulation = Simulation(trajectory: RandomSplineTrajectory(duration: 5, restDuration: 0, seed: 3), duration: 6)
    for motion in motions(simulation, configuration(frame)) {
      #expect(isNear(motion.gravity.norm, 1, within: 1e-14))
      #expect(isNear(motion.gravity, motion.attitude.quaternion.rotateInverse(Vector3(0, 0, -1)), within: 1e-14))
      #expect(isNear(motion.attitude.quaternion.norm, 1, within: 1e-14))
    }
  }

  @Test("raw acceleration is gravity plus user acceleration if both sensors share a timestamp")
  func sum() {
    var suite = SensorSuite.perfect()
    suite.accelerometer!.noiseDensity = 0.01
    let simulation = Simulation(trajectory: ShakeTrajectory(pauseDuration: 1), sensors: suite, duration: 5)
    let raw = simulation.recording()[.accelerometer]!
    let motions = motions(simulation, configuration(.xArbitraryZVertical))
    #expect(motions.count == raw.count)
    for (index, motion) in motions.enumerated() {
      #expect(motion.time == raw.times[index])
      #expect(isNear(motion.gravity + motion.userAcceleration!, raw.values[index], within: 1e-15))
    }
  }

  @Test(
    "a push of the device to one side is a negative user acceleration along that axis: Core Motion's sign",
    arguments: [Vector3.unitX, .unitY, .unitZ])
  func sign(axis: Vector3) {
    let attitude = Quaternion.random(1, seed: 8)[0]
    let push = Push(attitude: attitude, acceleration: 4 * axis)
    let simulation = Simulation(trajectory: push, sensors: .perfect(), duration: 5)
    for motion in motions(simulation, configuration(.xArbitraryZVertical)) {
      let truth = push.state(at: motion.time).acceleration
      let expected = -1 / 9.80665 * attitude.rotateInverse(truth)
      // The filter mistakes a part of the push for a tilt.
      #expect(isNear(motion.userAcceleration!, expected, within: 0.03))
      if motion.time == 3.25 { #expect(motion.userAcceleration!.dot(axis) < -0.38) }
    }
  }

  @Test("the rotation rate is the gyroscope's without its bias")
  func rotationRate() {
    let simulation = Simulation(trajectory: RestTrajectory(), sensors: .phone, duration: 8)
    let raw = simulation.recording()[.gyroscope]!
    let motions = motions(simulation, configuration(.xArbitraryZVertical))
    #expect(motions.count == raw.count)
    for (index, motion) in motions.enumerated() {
      #expect(motion.rotationRate == raw.values[index] - motion.gyroscopeBias)
    }
    let mean = motions.suffix(200).reduce(Vector3.zero) { $0 + $1.rotationRate } / 200
    #expect(raw.values[700].norm > 0.007)
    #expect(mean.norm < 0.0005)
  }

  @Test("the heading is −1 in both arbitrary frames", arguments: arbitraryFrames)
  func noHeading(frame: AttitudeReferenceFrame) {
    let simulation = Simulation(trajectory: WalkTrajectory(), sensors: .perfect(), duration: 3)
    #expect(motions(simulation, configuration(frame)).allSatisfy { $0.heading == -1 })
  }

  @Test("in the north frames the heading is the compass bearing of the top edge", arguments: northFrames)
  func heading(frame: AttitudeReferenceFrame) throws {
    for yaw in [-3.14, -2, -Double.pi / 2, -1, 0, 0.7, 1.57, 3] {
      let simulation = try Simulation(
        scenario: .rest, parameters: ["yaw": yaw, "pitch": 0.3], sensors: .perfect(), duration: 2)
      let motions = motions(simulation, configuration(frame))
      #expect(motions.count == 200)
      for motion in motions {
        #expect((0..<360).contains(motion.heading))
        #expect(isNear(difference(motion.heading, -90 - yaw * 180 / .pi), 0, within: 1e-6))
        #expect(isNear(remainder(motion.attitude.yaw - yaw, 2 * .pi), 0, within: 1e-8))
      }
    }
  }

  @Test("an upright phone points with its camera, or with the requested axis")
  func pointing() throws {
    // Pitch 80°: the top edge is up, and the camera faces along the bearing of the top edge of the flat phone.
    let simulation = try Simulation(
      scenario: .rest, parameters: ["yaw": 0.5, "pitch": 1.4], sensors: .perfect(), duration: 2)
    let bearing = -90 - 0.5 * 180 / .pi
    let camera = motions(simulation, configuration(.xMagneticNorthZVertical)).last!.heading
    #expect(isNear(difference(camera, bearing), 0, within: 1e-6))
    let right = motions(
      simulation, configuration(.xMagneticNorthZVertical) { $0.pointingAxis = .positiveX }
    ).last!.heading
    #expect(isNear(difference(right, bearing + 90), 0, within: 1e-6))
  }

  @Test("true heading is magnetic heading plus declination, east positive", arguments: [-0.4, 0.05, 0.3])
  func trueNorth(declination: Double) throws {
    let simulation = try Simulation(scenario: .rest, parameters: ["yaw": 1], sensors: .perfect(), duration: 2)
    let magnetic = motions(simulation, configuration(.xMagneticNorthZVertical))
    let geographic = motions(simulation, configuration(.xTrueNorthZVertical) { $0.declination = declination })
    for (m, t) in zip(magnetic, geographic) {
      #expect(isNear(difference(t.heading, m.heading), declination * 180 / .pi, within: 1e-9))
      // The attitude rotates with the frame, but its vertical does not.
      #expect(isNear(remainder(t.attitude.yaw - m.attitude.yaw, 2 * .pi), -declination, within: 1e-12))
      #expect(isNear(t.gravity, m.gravity, within: 1e-15))
    }
    // The field that points to magnetic north points east of true north by the declination.
    let last = geographic.last!
    let field = last.attitude.toReference(last.magneticField!)
    #expect(isNear(atan2(-field.y, field.x), declination, within: 1e-8))
  }

  @Test("xArbitraryZVertical uses no field: the field is nil, and its accuracy is uncalibrated")
  func noField() {
    let simulation = Simulation(trajectory: WalkTrajectory(), sensors: .perfect(field: .both), duration: 3)
    let motions = motions(simulation, configuration(.xArbitraryZVertical))
    #expect(motions.allSatisfy { $0.magneticField == nil && $0.magneticFieldAccuracy == .uncalibrated })
    let without = Simulation(
      trajectory: WalkTrajectory(), sensors: with(.perfect()) { $0.magnetometer = nil }, duration: 3)
    #expect(motions == FusionTests.motions(without, configuration(.xArbitraryZVertical)))
  }

  @Test("the other frames provide the calibrated field and its accuracy", arguments: frames.dropFirst())
  func field(frame: AttitudeReferenceFrame) {
    let trajectory = RandomSplineTrajectory(duration: 5, restDuration: 1, seed: 3)
    let simulation = Simulation(trajectory: trajectory, sensors: .perfect(), duration: 5)
    for motion in motions(simulation, configuration(frame)) {
      let truth = trajectory.state(at: motion.time).attitude.rotateInverse(EarthField().vector)
      #expect(isNear(motion.magneticField!, truth, within: 1e-12) && motion.magneticFieldAccuracy == .high)
    }
  }

  @Test("both arbitrary frames start at yaw 0, for any direction of the device", arguments: arbitraryFrames)
  func startYaw(frame: AttitudeReferenceFrame) {
    for attitude in Quaternion.random(10, seed: 6) {
      let simulation = Simulation(trajectory: RestTrajectory(attitude: attitude), sensors: .perfect(), duration: 2)
      let motions = motions(simulation, configuration(frame))
      #expect(isNear(motions[0].attitude.yaw, 0, within: 1e-9))
      #expect(isNear(motions[150].attitude.yaw, 0, within: 1e-6))
      #expect(isNear(motions[0].gravity, Attitude(quaternion: attitude).gravity, within: 1e-9))
    }
  }

  @Test("both arbitrary frames start at yaw 0 if the device rotates from the first sample", arguments: arbitraryFrames)
  func startYawMoving(frame: AttitudeReferenceFrame) {
    let trajectory = CircleTrajectory(radius: 0.01, speed: 0.02)
    let simulation = Simulation(trajectory: trajectory, sensors: .perfect(), duration: 4)
    for motion in motions(simulation, configuration(frame)) {
      // 2 rad/s.
      #expect(isNear(remainder(motion.attitude.yaw - 2 * motion.time, 2 * .pi), 0, within: 0.015))
    }
  }

  @Test("the uncertainty is the filter's: present with a covariance, absent without one")
  func sigma() {
    let simulation = Simulation(trajectory: WalkTrajectory(), sensors: .phone, duration: 3)
    #expect(motions(simulation, Configuration(), filter: "mekf").allSatisfy { $0.attitudeSigma!.isFinite })
    #expect(motions(simulation, Configuration(), filter: "complementary").allSatisfy { $0.attitudeSigma == nil })
  }
}
