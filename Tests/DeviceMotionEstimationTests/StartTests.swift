import AttitudeFilters
import DeviceMotionEstimation
import Foundation
import LinearAlgebra
import Rotations
import Sensors
import Simulation
import TestSupport
import Testing

@Suite("Start of device motions")
struct StartTests {
  /// Motions of which the first sample is in the midst of a movement.
  private static let starts: [(name: String, trajectory: any Trajectory, bound: Double)] = [
    ("rest", RestTrajectory(attitude: Quaternion.random(1, seed: 1)[0]), 1.5),
    ("walk", WalkTrajectory(), 4),
    ("circle", CircleTrajectory(), 5),
    ("coning", ConingTrajectory(), 3),
    ("shake", ShakeTrajectory(pauseDuration: 0), 10),
    ("random spline", RandomSplineTrajectory(duration: 20, restDuration: -2, seed: 11), 8),
  ]

  @Test(
    "the first second is flagged as converging and already right, for a start in motion as well",
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

  @Test("rows from before the accelerometer have an attitude, carried back, and no acceleration")
  func lateAccelerometer() {
    var suite = SensorSuite.perfect()
    suite.accelerometer!.startOffset = 2
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

  @Test("a rate is not taken to last over a gap in the start-up")
  func gapInTheStart() {
    // A stale first sample, of a quick turn, 5 s before the rest.
    let simulation = Simulation(trajectory: RestTrajectory(), sensors: .perfect(), duration: 9)
    var samples = simulation.samples().removing([.gyroscope, .accelerometer], in: 0.005...4.995)
    samples = samples.injecting(.replaced(Vector3(2, 1, 0)), into: .gyroscope, at: 5)
    let motions = motions(samples, Configuration())
    #expect(motions.count == 401)
    #expect(tiltError(motions[0], simulation.trajectory) < 3)
  }

  @Test("a log that ends within the start-up still gives its rows")
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

  @Test("a device that turns slowly from the first sample on is not taken to lie still")
  func slowTurn() {
    // 0.15 rad/s about the vertical, which could be a bias for all that rate and acceleration tell.
    let simulation = Simulation(
      trajectory: ConingTrajectory(halfAngle: 0.3, frequency: 0.4), sensors: .perfect(), duration: 2)
    for motion in motions(simulation, Configuration()) {
      #expect(tiltError(motion, simulation.trajectory) < 2)
    }
  }
}
