import Foundation
import InertialFilters
import InertialFusion
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation

typealias Configuration = DeviceMotionEstimator.Configuration

/// A configuration with a frame and the rest at its defaults.
func configuration(_ frame: AttitudeReferenceFrame, _ change: (inout Configuration) -> Void = { _ in })
  -> Configuration
{
  var result = Configuration()
  result.frame = frame
  change(&result)
  return result
}

func estimator(_ configuration: Configuration, filter: String = FilterKind.standard) -> DeviceMotionEstimator {
  do throws(FilterSettingError) {
    return try DeviceMotionEstimator(filter: FilterKind.named(filter)!, configuration: configuration)
  } catch {
    preconditionFailure("the defaults are out of range: \(error)")
  }
}

extension DeviceMotionEstimator {
  /// All motions that are ready.
  mutating func drain() -> [DeviceMotion] {
    var result: [DeviceMotion] = []
    while let motion = next() { result.append(motion) }
    return result
  }
}

/// All motions of a log in one go.
func motions(
  _ samples: some Sequence<SensorSample>, _ configuration: Configuration, filter: String = FilterKind.standard
) -> [DeviceMotion] {
  var estimator = estimator(configuration, filter: filter)
  for sample in samples { estimator.append(sample) }
  estimator.finish()
  return estimator.drain()
}

/// The angle between the verticals of an attitude and of the truth, degrees.
func tiltError(_ motion: DeviceMotion, _ trajectory: any Trajectory) -> Double {
  let truth = Attitude(quaternion: trajectory.state(at: motion.time).attitude).gravity
  return motion.gravity.angle(to: truth) * 180 / .pi
}

/// The difference of two angles in degrees, −180 to 180.
func difference(_ a: Double, _ b: Double) -> Double { remainder(a - b, 360) }

extension SensorSuite {
  /// Perfect sensors at 100 Hz; the rate is that of the time since the sample before, as filters take it.
  static func perfect(field: MagnetometerModel.Output = .calibrated) -> SensorSuite {
    var suite = ideal
    suite.referenceRate = nil
    suite.gyroscope!.delay = 0.005
    suite.magnetometer!.output = field
    return suite
  }
}

/// A device that is pushed to and fro along one of its axes, in its start attitude.
struct Push: Trajectory {
  var attitude = Quaternion.identity
  /// Device axes, m/s².
  var acceleration: Vector3
  var start = 3.0
  var duration = 1.0

  func state(at time: Double) -> KinematicState {
    let phase = (time - start) / duration
    let isMoving = (0...1).contains(phase)
    // First one way, then the other: at rest again in the end.
    let strength = isMoving ? sin(2 * .pi * phase) : 0
    return KinematicState(
      attitude: attitude, acceleration: attitude.rotate(strength * acceleration), isMoving: isMoving)
  }
}
