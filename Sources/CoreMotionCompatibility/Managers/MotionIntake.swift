internal import AttitudeFilters
internal import DeviceMotionEstimation
internal import LinearAlgebra
internal import Sensors

/// Samples of a source in, what recognisers take out: device motion where there is a gyroscope, else the raw
/// acceleration.
struct MotionIntake: Sendable {
  private let start: DeviceMotionEstimator?
  private var fusion: DeviceMotionEstimator?

  init(_ channels: Set<SensorChannel>) {
    start =
      channels.isSuperset(of: [.accelerometer, .gyroscope])
      ? try? DeviceMotionEstimator(filter: FilterKind.named(FilterKind.standard)!) : nil
    fusion = start
  }

  /// What comes next does not follow what came before.
  mutating func restart() { fusion = start }

  mutating func append(_ sample: SensorSample, _ consume: (MotionSample) -> Void) {
    guard fusion != nil else {
      if sample.channel == .accelerometer { consume(MotionSample(time: sample.time, acceleration: sample.vector)) }
      return
    }
    fusion?.append(sample)
    drain(consume)
  }

  /// No more samples will come.
  mutating func finish(_ consume: (MotionSample) -> Void) {
    fusion?.finish()
    drain(consume)
  }

  private mutating func drain(_ consume: (MotionSample) -> Void) {
    while let motion = fusion?.next() { consume(MotionSample(motion)) }
  }
}
