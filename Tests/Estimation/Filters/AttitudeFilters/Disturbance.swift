import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

/// A log of a phone in motion with a fault that starts at 8 s and lasts for a while.
struct Disturbance: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The time of the log at which the fault is over, in seconds.
  let end: Double
  let trajectory: any Trajectory
  let samples: [SensorSample]
  /// The jump of the log's clock at the end of the fault, in seconds.
  var jump = 0.0

  /// Returns the ground-truth attitude at a time of the log.
  func truth(at time: Double) -> Quaternion {
    trajectory.state(at: time > end ? time - jump : time).attitude
  }

  private static let start = 8.0
  private static let suite = SensorSuite.phone.forFilters(rates: (50, 50, 25))
  private static let motion = RandomSplineTrajectory(duration: 30, restDuration: 2, seed: 12)
  private static let log = Simulation(trajectory: motion, sensors: suite, duration: 70).samples()
  private static let everySensor: [SensorChannel] = [.gyroscope, .accelerometer, .calibratedMagneticField]

  /// Returns the log with other values in some channels, for `length` seconds.
  private static func replacing(
    _ channels: [SensorChannel], for length: Double, lasting seconds: Double, _ name: String,
    _ value: (Vector3) -> Vector3
  ) -> Disturbance {
    let end = start + length
    return Disturbance(
      testDescription: "\(name) for \(length) s", end: end, trajectory: motion,
      samples: log.prefix { $0.time < end + seconds }.map { sample in
        guard (start..<end).contains(sample.time), channels.contains(sample.channel) else { return sample }
        return SensorSample(time: sample.time, channel: sample.channel, value(sample.vector))
      })
  }

  /// Faults that cost a filter only the lost time, because the invalid samples are recognisable.
  static let reported: [Disturbance] = {
    var result: [Disturbance] = []
    for length in [0.2, 2] {
      for (name, channels) in everySensor.map({ ($0.name, [$0]) }) + [("all", everySensor)] {
        result.append(replacing(channels, for: length, lasting: 5, "NaN in \(name)") { _ in Vector3(repeating: .nan) })
      }
    }
    var generator = SeededGenerator(seed: 1)
    let falling: [(String, () -> Vector3)] = [
      ("zero", { .zero }), ("10⁻⁹ g", { Vector3(1e-9, 0, 0) }), ("10⁻²⁰⁰ g", { Vector3(0, -1e-200, 0) }),
      ("noise of 10 mg", { generator.vector(0.01) }),
    ]
    for (name, value) in falling {
      result.append(replacing([.accelerometer], for: 1, lasting: 5, "free fall, \(name)") { _ in value() })
    }
    let hours = 3.0 * 3600
    var jumping = Disturbance(
      testDescription: "a clock that jumps by three hours", end: start, trajectory: motion,
      samples: log.prefix { $0.time < start + 5 }.map { sample in
        with(sample) { if sample.time > start { $0.time += hours } }
      })
    jumping.jump = hours
    result.append(jumping)
    return result
  }()

  /// Faults of the sensors without any indication: the attitude is wrong afterwards, and must be recovered.
  static let unreported: [Disturbance] = {
    let stuck = log.first { $0.channel == .accelerometer && $0.time > start }!.vector
    var result = [
      replacing([.gyroscope], for: 3, lasting: 52, "a dead gyroscope") { _ in .zero },
      replacing([.gyroscope], for: 1, lasting: 52, "99 rad/s") { _ in Vector3(99, -99, 99) },
      replacing([.accelerometer], for: 5, lasting: 52, "a stuck accelerometer") { _ in stuck },
      replacing([.accelerometer], for: 1, lasting: 52, "39 g") { _ in Vector3(39, -39, 39) },
      replacing([.calibratedMagneticField], for: 1, lasting: 52, "280 µT") { _ in Vector3(280, -280, 280) },
    ]
    // One second at up to 15 rad/s.
    let turn = TurnTrajectory(axis: Vector3(1, 1, 3), angle: 6.86, start: start, duration: 1)
    var clipping = suite
    clipping.gyroscope!.range = 8
    result.append(
      Disturbance(
        testDescription: "a gyroscope that clips at 8 rad/s", end: start + 1, trajectory: turn,
        samples: Simulation(trajectory: turn, sensors: clipping, duration: 61).samples()))
    return result
  }()

  /// A minute without a field, in motion.
  static let fieldOff: Disturbance = {
    let motion = RandomSplineTrajectory(duration: 200, restDuration: 2, seed: 13)
    let samples = Simulation(trajectory: motion, sensors: suite, duration: 100).samples()
    return Disturbance(
      testDescription: "a minute without a field", end: start + 60, trajectory: motion,
      samples: samples.removing([.calibratedMagneticField], in: start...(start + 60)))
  }()
}

/// A trajectory of a device that is mounted differently and switched on later.
struct Remounted: Trajectory {
  let base: any Trajectory
  /// The time of the base trajectory that is skipped at the start, in seconds.
  let start: Double
  let baseFromDevice: Quaternion

  func state(at time: Double) -> KinematicState {
    var state = base.state(at: start + time)
    state.attitude = state.attitude * baseFromDevice
    state.angularRate = baseFromDevice.rotateInverse(state.angularRate)
    return state
  }
}
