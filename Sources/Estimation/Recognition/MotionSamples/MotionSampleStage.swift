internal import InertialFusion
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// Samples in, what recognisers take out: the device's own user acceleration where there is one, else motion that is fused,
/// else the accelerometer, with gravity taken off by a low-pass.
///
/// The first samples are held back until it is known which channels there are: two seconds of them at most.
struct MotionSampleStage: Sendable {
  private static let hold = 2.0
  /// Seconds: stamps that are closer are the same moment.
  private static let sameTime = 1e-6
  /// Seconds after which the last rotation rate says nothing any more.
  private static let rateLife = 0.1

  /// The channels that matter here.
  private static let relevant: Set<SensorChannel> = [
    .accelerometer, .gyroscope, .deviceUserAcceleration, .deviceGravity, .deviceAttitude, .deviceRotationRate,
  ]

  /// Where the samples come from; nil until it is chosen.
  private(set) var source: MotionSource?
  private var estimator: DeviceMotionEstimator
  private var gravityFilter = GravityLowPass()
  /// Those of the relevant channels that may come; nil where nobody knows.
  private let known: Set<SensorChannel>?
  private var held: [SensorSample] = []
  private var channels: Set<SensorChannel> = []
  private var acceleration: SensorSample?
  private var gravity: (time: Double, vector: Vector3)?
  private var rate: SensorSample?
  /// A moment of the device's own motion, until all that has its time is there: the rate comes last.
  private var waiting: MotionSample?
  private var motions: [DeviceMotion] = []

  /// - Parameters:
  ///   - estimator: what fuses.
  ///   - known: the channels that may come; nil where nobody knows. With it the choice is made as soon as it is certain, and
  ///     is the same.
  init(estimator: DeviceMotionEstimator, known: Set<SensorChannel>? = nil) {
    self.estimator = estimator
    self.known = known?.intersection(Self.relevant)
  }

  mutating func append(_ sample: SensorSample, _ consume: (MotionSample) -> Void) {
    guard source == nil else { return use(sample, consume) }
    held.append(sample)
    channels.insert(sample.channel)
    if isCertain || sample.time - held[0].time > Self.hold { choose(consume) }
  }

  /// Whether all channels that may come have come, and nothing is to be learnt of the times of their samples.
  private var isCertain: Bool {
    guard let known, known.isSubset(of: channels) else { return false }
    return channels.contains(.deviceUserAcceleration) || gravityChannel == nil
  }

  /// No sample of this time or an earlier one comes any longer.
  mutating func close(through time: Double, _ consume: (MotionSample) -> Void) {
    if let waiting, waiting.time <= time { handOnWaiting(consume) }
    guard source == .fused else { return }
    estimator.close(through: time)
    handOnMotions(consume)
  }

  mutating func finish(_ consume: (MotionSample) -> Void) {
    if source == nil { choose(consume) }
    handOnWaiting(consume)
    guard source == .fused else { return }
    estimator.finish()
    handOnMotions(consume)
  }

  private mutating func choose(_ consume: (MotionSample) -> Void) {
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

  private mutating func use(_ sample: SensorSample, _ consume: (MotionSample) -> Void) {
    switch source {
    case .device: useDevice(sample, consume)
    case .fused:
      estimator.append(sample)
      handOnMotions(consume)
    case .accelerometer, nil:
      guard sample.channel == .accelerometer else { return }
      handOn(MotionSample(time: sample.time, acceleration: sample.vector), consume)
    }
  }

  private mutating func handOnMotions(_ consume: (MotionSample) -> Void) {
    while let motion = estimator.next() { handOn(MotionSample(motion), consume) }
  }

  private mutating func useDevice(_ sample: SensorSample, _ consume: (MotionSample) -> Void) {
    let hasUserAcceleration = channels.contains(.deviceUserAcceleration)
    if let waiting, sample.time - waiting.time > Self.sameTime { handOnWaiting(consume) }
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
      handOnWaiting(consume)
      waiting = MotionSample(
        time: sample.time, acceleration: acceleration.vector, userAcceleration: acceleration.vector - vector)
    case .deviceUserAcceleration:
      let down = gravity.flatMap { abs($0.time - sample.time) < Self.sameTime ? $0.vector : nil }
      handOnWaiting(consume)
      waiting = MotionSample(
        time: sample.time, acceleration: down.map { $0 + sample.vector } ?? recentAcceleration(at: sample.time),
        userAcceleration: sample.vector)
    default: return
    }
  }

  private mutating func handOnWaiting(_ consume: (MotionSample) -> Void) {
    guard var moment = waiting else { return }
    waiting = nil
    moment.rotationRate = rotationRate(at: moment.time)
    handOn(moment, consume)
  }

  private mutating func handOn(_ moment: MotionSample, _ consume: (MotionSample) -> Void) {
    consume(gravityFilter.completed(moment))
  }

  private func rotationRate(at time: Double) -> Vector3? {
    rate.flatMap { abs($0.time - time) < Self.rateLife ? $0.vector : nil }
  }

  private func recentAcceleration(at time: Double) -> Vector3? {
    acceleration.flatMap { abs($0.time - time) < Self.rateLife ? $0.vector : nil }
  }
}
