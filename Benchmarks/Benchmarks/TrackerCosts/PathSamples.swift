import Foundation
import Inertial
import InertialNumerics
import InertialSimulation

/// Motion with known attitude, and the other input of trackers, in memory.
struct PathSamples {
  var motion: [TrackSample]
  /// The end times of the steps, in seconds.
  var steps: [Double] = []
  /// The duration of a step, in seconds.
  var stepTime = 0.0
  /// The length of a step, in metres.
  var stepLength = 0.0
  var fixes: [PositionFix] = []

  /// Returns a foot-mounted loop of 150 s.
  static func foot(rate: Double) -> PathSamples {
    let strides = StridesTrajectory(side: 40)
    return PathSamples(motion: samples(of: strides, rate: rate, duration: strides.end + strides.rest))
  }

  /// Returns steps straight ahead for 150 s.
  static func hand(rate: Double) -> PathSamples {
    let walk = WalkTrajectory()
    var path = PathSamples(
      motion: samples(of: walk, rate: rate, duration: 150), stepTime: 1 / walk.cadence,
      stepLength: walk.speed / walk.cadence)
    path.steps = (1..<Int(150 * walk.cadence)).map { Double($0) / walk.cadence }
    return path
  }

  /// Returns a drive of 150 s along a curved road with varying speed.
  static func vehicle(rate: Double) -> PathSamples {
    var speed = SpeedProfile()
    for turn in 0..<8 { speed.change(to: turn.isMultiple(of: 2) ? 14 : 5, at: Double(18 * turn + 3), within: 6) }
    let road = LevelPath(length: 2000, spacing: 60, bend: 0.5, seed: 3)
    let drive = TravelTrajectory(path: road, speed: speed)
    var path = PathSamples(motion: samples(of: drive, rate: rate, duration: 150))
    path.fixes = (0..<150).map { second in
      let state = drive.state(at: Double(second))
      return PositionFix(
        time: Double(second), position: state.position, positionSigma: Vector3(1, 1, 2), velocity: state.velocity,
        velocitySigma: 0.15)
    }
    return path
  }

  private static func samples(of trajectory: some Trajectory, rate: Double, duration: Double) -> [TrackSample] {
    var generator = SeededGenerator(seed: 1)
    func noise(_ sigma: Double) -> Vector3 {
      sigma * Vector3(generator.normal(), generator.normal(), generator.normal())
    }
    return (0..<Int(duration * rate)).map { index in
      let time = Double(index) / rate
      let state = trajectory.state(at: time)
      let q = state.attitude
      let up = q.rotateInverse(.unitZ)
      return TrackSample(
        time: time, rate: state.angularRate + noise(0.003),
        force: q.rotateInverse(state.acceleration + Vector3(0, 0, 9.80665)) + noise(0.03), up: up,
        heading: TrackSample.heading(of: q, up: up))
    }
  }
}
