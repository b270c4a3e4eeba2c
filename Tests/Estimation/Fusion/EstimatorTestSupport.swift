import Foundation
import InertialFilters
import InertialFusion
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport

typealias Configuration = DeviceMotionEstimator.Configuration

/// Returns a configuration with a frame and otherwise the defaults.
func configuration(_ frame: AttitudeReferenceFrame, _ change: (inout Configuration) -> Void = { _ in }) -> Configuration
{
  with(with(.init()) { $0.frame = frame }, change)
}

func estimator(_ configuration: Configuration, filter: String = FilterKind.standard.name) -> DeviceMotionEstimator {
  try! DeviceMotionEstimator(filter: FilterKind.all[filter]!, configuration: configuration)
}

extension DeviceMotionEstimator {
  /// Returns all motions that are ready.
  mutating func drain() -> [DeviceMotion] {
    var result: [DeviceMotion] = []
    while let motion = next() { result.append(motion) }
    return result
  }
}

/// Returns all motions of a log in one go.
func motions(
  _ samples: some Sequence<SensorSample>, _ configuration: Configuration, filter: String = FilterKind.standard.name
) -> [DeviceMotion] {
  var estimator = estimator(configuration, filter: filter)
  for sample in samples { estimator.append(sample) }
  estimator.finish()
  return estimator.drain()
}

/// Returns all motions of a log whose estimator is saved and restored at a sample.
func motions(
  _ samples: [SensorSample], _ configuration: Configuration, filter: String = FilterKind.standard.name, savedAt cut: Int
) throws -> [DeviceMotion] {
  var first = estimator(configuration, filter: filter)
  for sample in samples[..<cut] { first.append(sample) }
  let motions = first.drain()
  var second = try savedAndRestored(first)
  for sample in samples[cut...] { second.append(sample) }
  second.finish()
  return motions + second.drain()
}

/// Returns the angle between the verticals of an attitude and of the ground truth, in degrees.
func tiltError(_ motion: DeviceMotion, _ trajectory: any Trajectory) -> Double {
  let truth = Attitude(quaternion: trajectory.state(at: motion.time).attitude).gravity
  return motion.gravity.angle(to: truth) * 180 / .pi
}

/// Returns the difference of two angles in degrees, −180 to 180.
func difference(_ a: Double, _ b: Double) -> Double { remainder(a - b, 360) }

extension SensorSuite {
  /// Returns perfect sensors at 100 Hz. The rate covers the time since the previous sample, as filters expect.
  static func perfect(field: MagnetometerModel.Output = .calibrated) -> SensorSuite {
    with(ideal) { ($0.referenceRate, $0.gyroscope!.delay, $0.magnetometer!.output) = (nil, 0.005, field) }
  }
}

/// A device that is pushed back and forth along one of its axes, in its initial attitude.
struct Push: Trajectory {
  var attitude = Quaternion.identity
  /// The acceleration, in device axes, in m/s².
  var acceleration: Vector3
  var start = 3.0
  var duration = 1.0

  func state(at time: Double) -> KinematicState {
    let phase = (time - start) / duration
    let isMoving = (0...1).contains(phase)
    // First in one direction, then in the other: the device is at rest again in the end.
    let strength = isMoving ? sin(2 * .pi * phase) : 0
    return KinematicState(
      attitude: attitude, acceleration: attitude.rotate(strength * acceleration), isMoving: isMoving)
  }
}
