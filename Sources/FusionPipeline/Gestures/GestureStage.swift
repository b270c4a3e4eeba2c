internal import AttitudeFilters
internal import DeviceMotionEstimation
internal import Gestures
internal import LinearAlgebra
internal import Rotations
internal import Sensors

/// Where the acceleration without gravity comes from.
public enum GestureSource: String, Sendable, Codable, CaseIterable {
  /// From the log: the device has parted gravity and user acceleration.
  case device
  /// From the accelerometer and the gyroscope, fused.
  case fused
  /// From the accelerometer alone, by a low-pass.
  case accelerometer

  public var meaning: String {
    switch self {
    case .device: "user acceleration as the device computed it"
    case .fused: "user acceleration from accelerometer and gyroscope, fused"
    case .accelerometer: "user acceleration from the accelerometer alone, gravity taken off by a low-pass"
    }
  }
}

/// Samples of a log in, what gesture detectors take out.
///
/// The first seconds are held back until it is known which channels there are.
struct GestureStage {
  private static let hold = 2.0
  /// Seconds: stamps that are closer are the same moment.
  private static let sameTime = 1e-6
  /// Seconds after which the last rotation rate says nothing any more.
  private static let rateLife = 0.1

  private(set) var source: GestureSource?
  private var estimator: DeviceMotionEstimator
  private var held: [SensorSample] = []
  private var channels: Set<SensorChannel> = []
  private var acceleration: SensorSample?
  private var gravity: (time: Double, vector: Vector3)?
  private var rate: SensorSample?
  private var motions: [DeviceMotion] = []

  init(estimator: DeviceMotionEstimator) { self.estimator = estimator }

  mutating func append(_ sample: SensorSample, _ consume: (GestureSample) -> Void) {
    guard source == nil else { return use(sample, consume) }
    held.append(sample)
    channels.insert(sample.channel)
    if sample.time - held[0].time > Self.hold { choose(consume) }
  }

  mutating func finish(_ consume: (GestureSample) -> Void) {
    if source == nil { choose(consume) }
    guard source == .fused else { return }
    estimator.finish()
    handOnMotions(consume)
  }

  private mutating func choose(_ consume: (GestureSample) -> Void) {
    let samples = held
    held = []
    if channels.contains(.deviceUserAcceleration) || hasGravityBesideAcceleration(samples) {
      source = .device
    } else {
      source = channels.isSuperset(of: [.accelerometer, .gyroscope]) ? .fused : .accelerometer
    }
    for sample in samples { use(sample, consume) }
  }

  /// Whether most gravities, or attitudes, have an acceleration of the same time.
  private func hasGravityBesideAcceleration(_ samples: [SensorSample]) -> Bool {
    guard let channel = gravityChannel else { return false }
    let times = Set(samples.filter { $0.channel == .accelerometer }.map(\.time))
    let gravities = samples.filter { $0.channel == channel }
    return gravities.count { times.contains($0.time) } * 2 > gravities.count
  }

  private var gravityChannel: SensorChannel? {
    [.deviceGravity, .deviceAttitude].first { channels.contains($0) }
  }

  private mutating func use(_ sample: SensorSample, _ consume: (GestureSample) -> Void) {
    switch source {
    case .device: useDevice(sample, consume)
    case .fused:
      estimator.append(sample)
      handOnMotions(consume)
    case .accelerometer, nil:
      guard sample.channel == .accelerometer else { return }
      consume(GestureSample(time: sample.time, acceleration: sample.vector))
    }
  }

  private mutating func handOnMotions(_ consume: (GestureSample) -> Void) {
    while let motion = estimator.next() { consume(GestureSample(motion)) }
  }

  private mutating func useDevice(_ sample: SensorSample, _ consume: (GestureSample) -> Void) {
    let hasUserAcceleration = channels.contains(.deviceUserAcceleration)
    switch sample.channel {
    case .gyroscope, .deviceRotationRate:
      // A stream without bias is there for itself; where there is none the raw one serves.
      if sample.channel == .deviceRotationRate || !channels.contains(.deviceRotationRate) { rate = sample }
    case .accelerometer: acceleration = sample
    case .deviceGravity, .deviceAttitude:
      guard sample.channel == gravityChannel else { return }
      let vector = sample.channel == .deviceGravity ? sample.vector : Attitude(quaternion: sample.quaternion).gravity
      gravity = (sample.time, vector)
      guard !hasUserAcceleration, let acceleration, abs(acceleration.time - sample.time) < Self.sameTime else { return }
      consume(
        GestureSample(
          time: sample.time, acceleration: acceleration.vector, userAcceleration: acceleration.vector - vector,
          rotationRate: rotationRate(at: sample.time)))
    case .deviceUserAcceleration:
      let down = gravity.flatMap { abs($0.time - sample.time) < Self.sameTime ? $0.vector : nil }
      consume(
        GestureSample(
          time: sample.time, acceleration: down.map { $0 + sample.vector } ?? recentAcceleration(at: sample.time),
          userAcceleration: sample.vector, rotationRate: rotationRate(at: sample.time)))
    default: return
    }
  }

  private func rotationRate(at time: Double) -> Vector3? {
    rate.flatMap { abs($0.time - time) < Self.rateLife ? $0.vector : nil }
  }

  private func recentAcceleration(at time: Double) -> Vector3? {
    acceleration.flatMap { abs($0.time - time) < Self.rateLife ? $0.vector : nil }
  }
}
