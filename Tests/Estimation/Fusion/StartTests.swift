import Foundation
import InertialFilters
import InertialFusion
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Start of device motions")
struct StartTests {
  /// Motions whose first sample is in the middle of a movement.
  private static let starts: [(name: String, trajectory: any Trajectory, bound: Double)] = [
    ("rest", RestTrajectory(attitude: Quaternion.random(1, seed: 1)[0]), 1.5), ("walk", WalkTrajectory(), 4),
    ("circle", CircleTrajectory(), 5), ("coning", ConingTrajectory(), 3),
    ("shake", ShakeTrajectory(pauseDuration: 0), 10),
    ("random spline", RandomSplineTrajectory(duration: 20, restDuration: -2, seed: 11), 8),
  ]

  @Test(
    "the first second is flagged as converging and already correct, also for a start in motion",
    arguments: FilterKind.all.map(\.name), 0..<starts.count)
  func firstSecond(filter: String, index: Int) {
    let start = Self.starts[index]
    let simulation = Simulation(trajectory: start.trajectory, sensors: .phone, duration: 4)
    let motions = motions(simulation, Configuration(), filter: filter)
    #expect(motions.count == 400)
    var largest = 0.0
    for motion in motions {
      if motion.time < 0.98 { #expect(motion.flags.contains(.converging), "at \(motion.time) s") }
      if motion.time > 1.02 { #expect(!motion.flags.contains(.converging), "at \(motion.time) s") }
      if motion.time < 1 { largest = max(largest, tiltError(motion, start.trajectory)) }
    }
    #expect(largest < start.bound)
  }

  @Test(
    "with the immediate start, motions follow the samples and equal those of the late start after a second",
    arguments: FilterKind.all.map(\.name), [AttitudeReferenceFrame.xArbitraryZVertical, .xMagneticNorthZVertical])
  func immediate(filter: String, frame: AttitudeReferenceFrame) {
    let suite = with(SensorSuite.phone) { $0.magnetometer!.output = .calibrated }
    let samples = Simulation(trajectory: WalkTrajectory(), sensors: suite, duration: 4).samples()
    var estimator = estimator(configuration(frame) { $0.start = .immediate }, filter: filter)
    var motions: [DeviceMotion] = []
    // The interval of the slowest sensor that a motion needs.
    let slowest = frame == .xArbitraryZVertical ? SensorChannel.gyroscope : .calibratedMagneticField
    var count = 0
    for sample in samples {
      estimator.append(sample)
      let new = estimator.drain()
      // There is no burst: new motions belong to the latest samples, and the field has one sample for two of them.
      #expect(new.count <= 3)
      for motion in new { #expect(sample.time - motion.time < 0.045) }
      motions += new
      if sample.channel == slowest {
        count += 1
        if count == 3 { #expect(!motions.isEmpty) }
      }
    }
    estimator.finish()
    motions += estimator.drain()
    for motion in motions {
      if motion.time < 0.97 { #expect(motion.flags.contains(.converging), "at \(motion.time) s") }
      if motion.time > 1.03 { #expect(!motion.flags.contains(.converging), "at \(motion.time) s") }
    }
    let late = FusionTests.motions(samples, configuration(frame), filter: filter)
    // A motion from before the first acceleration is left out.
    #expect(late.count - motions.count <= 1)
    let pairs = zip(motions.reversed(), late.reversed()).filter { $0.0.time > 1.1 }
    #expect(pairs.count > 280)
    if frame == .xMagneticNorthZVertical {
      let isSame = pairs.allSatisfy { $0 == $1 }
      #expect(isSame)
    } else {
      // X is the device's direction at the first motion, which differs between the starts by a yaw.
      let turns = pairs.map { $0.attitude.quaternion * $1.attitude.quaternion.conjugate }
      let isConstant = turns.allSatisfy { isSameRotation($0, turns[0], within: 1e-12) }
      #expect(isConstant && abs(turns[0].x) < 1e-12 && abs(turns[0].y) < 1e-12)
      #expect(abs(EulerAngles(motions[0].attitude.quaternion).yaw) < 1e-12)
    }
  }

  @Test("a device at rest has its tilt immediately, and one in motion within the second")
  func immediateTilt() {
    let live = configuration(.xArbitraryZVertical) { $0.start = .immediate }
    let rest = Simulation(trajectory: RestTrajectory(), sensors: .phone, duration: 2)
    for motion in motions(rest, live) { #expect(tiltError(motion, rest.trajectory) < 1.5, "at \(motion.time) s") }
    let shake = Simulation(trajectory: ShakeTrajectory(pauseDuration: 0), sensors: .phone, duration: 4)
    for motion in motions(shake, live) where motion.time > 1 { #expect(tiltError(motion, shake.trajectory) < 10) }
  }

  @Test("the immediate start has no motion before the accelerometer, and resumes with the same numbers")
  func immediateLateAccelerometer() throws {
    let suite = with(SensorSuite.perfect()) { $0.accelerometer!.startOffset = 2 }
    let samples = Simulation(trajectory: WalkTrajectory(), sensors: suite, duration: 4).samples()
    let live = configuration(.xArbitraryZVertical) { $0.start = .immediate }
    let whole = motions(samples, live)
    #expect(abs(whole.count - 200) <= 1 && whole[0].time >= 2)
    for cut in [0, 150, 350, samples.count - 5] {
      let isSame = try motions(samples, live, savedAt: cut) == whole
      #expect(isSame, "cut at sample \(cut)")
    }
  }

  @Test("rows before the accelerometer have an attitude, propagated back, and no acceleration")
  func lateAccelerometer() {
    let suite = with(SensorSuite.perfect()) { $0.accelerometer!.startOffset = 2 }
    let trajectory = TurnTrajectory(axis: Vector3(1, 2, 0), angle: 2, start: 0.5, duration: 1)
    let simulation = Simulation(trajectory: trajectory, sensors: suite, duration: 4)
    let motions = motions(simulation, Configuration())
    #expect(motions.count == 400)
    for motion in motions {
      #expect((motion.userAcceleration == nil) == (motion.time < 2), "at \(motion.time) s")
      if motion.time < 2.99 { #expect(motion.flags.contains(.converging)) }
      #expect(tiltError(motion, trajectory) < 0.1)
    }
  }

  @Test("a rate is not assumed to last over a gap in the start-up")
  func gapInTheStart() {
    // An isolated first sample of a quick rotation, 5 s before the others.
    let simulation = Simulation(trajectory: RestTrajectory(), sensors: .perfect(), duration: 9)
    var samples = simulation.samples().removing([.gyroscope, .accelerometer], in: 0.005...4.995)
    samples = samples.injecting(.replaced(Vector3(2, 1, 0)), into: .gyroscope, at: 5)
    let motions = motions(samples, Configuration())
    #expect(motions.count == 401)
    #expect(tiltError(motions[0], simulation.trajectory) < 3)
  }

  @Test("a log that ends within the start-up still has its rows")
  func shortLog() {
    let simulation = Simulation(trajectory: RestTrajectory(), sensors: .perfect(), duration: 0.3)
    for frame in AttitudeReferenceFrame.frames {
      let motions = motions(simulation, configuration(frame))
      #expect(motions.count == 30)
      #expect(motions.allSatisfy { $0.flags.contains(.converging) && abs($0.gravity.z + 1) < 1e-9 })
    }
    let samples = [
      SensorSample(time: 0, channel: .gyroscope, .zero),
      SensorSample(time: 0, channel: .accelerometer, Vector3(0, 0, -1)),
    ]
    #expect(motions(samples, Configuration()).count == 1)
  }

  @Test("a device that wobbles gently from the first sample is not classified as still")
  func wobble() {
    // Rates of 9 °/s about changing axes: each alone could be a bias, but not all of them.
    let simulation = Simulation(
      trajectory: ConingTrajectory(halfAngle: 0.1, frequency: 0.25), sensors: .perfect(), duration: 2)
    for motion in motions(simulation, Configuration()) { #expect(tiltError(motion, simulation.trajectory) < 1) }
  }
}
