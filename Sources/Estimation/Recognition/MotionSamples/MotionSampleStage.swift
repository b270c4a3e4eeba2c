internal import InertialNumerics
internal import InertialRotations
package import InertialSensors

/// Chooses the motion samples of the recognisers: from the device's own user acceleration if present, otherwise from
/// fused motion, otherwise from the accelerometer with gravity removed by a low-pass.
///
/// The first samples are buffered until the available channels are known, for at most two seconds.
package struct MotionSampleStage: Sendable, Codable {
  private static let hold = 2.0
  /// The maximum difference between timestamps of the same epoch, in seconds.
  private static let sameTime = 1e-6
  /// The maximum age of a rotation rate or an acceleration that a motion sample can use, in seconds.
  private static let rateLife = 0.1

  /// The channels that this stage reads.
  private static let relevant: Set<SensorChannel> = [
    .accelerometer, .gyroscope, .deviceUserAcceleration, .deviceGravity, .deviceAttitude, .deviceRotationRate,
  ]

  /// The source of the motion samples, or `nil` until it is chosen.
  package private(set) var source: MotionSource?
  /// The time of the sample at which the source was chosen, in seconds; infinite before.
  private var choiceTime = Double.infinity
  private var gravityFilter = GravityLowPass()
  /// The relevant channels that can occur, or `nil` if unknown.
  private var known: Set<SensorChannel>?
  private var held: [SensorSample] = []
  private var heldMotions: [MotionSample] = []
  private var firstTime: Double?
  private var channels: Set<SensorChannel> = []
  private var acceleration: SensorSample?
  private var gravity: SensorSample?
  private var rate: SensorSample?
  /// A motion sample from the device's own motion, pending until all samples of its epoch have arrived: the rotation
  /// rate comes last.
  private var pending: MotionSample?

  /// - Parameter known: The channels that can occur, or `nil` if unknown. If given, the same source is chosen, but as
  ///   soon as it is certain.
  package init(known: Set<SensorChannel>? = nil) {
    self.known = known?.intersection(Self.relevant)
  }

  /// Sets the channels that can occur, if they were unknown.
  package mutating func expect(_ channels: Set<SensorChannel>) {
    if known == nil { known = channels.intersection(Self.relevant) }
  }

  /// The choice of the source, or `nil` until it is chosen.
  package var decision: AutomaticDecision? {
    source.map {
      AutomaticDecision("recognised from", $0.meaning, basis: "the channels of the first two seconds")
    }
  }

  /// Whether fused motion is needed: it is the source, or the source is unknown.
  package var needsFusion: Bool { source == nil || source == .fused }

  /// Returns the time up to which motion samples are certain to have been consumed when all sensor samples up to a time
  /// have been appended, so that it does not depend on how the samples are divided into blocks.
  package func limit(at time: Double) -> Double {
    time < choiceTime ? -.infinity : source == .fused ? time : time - Self.sameTime
  }

  /// Appends the next sample of a sensor.
  package mutating func append(_ sample: SensorSample, _ consume: (MotionSample) -> Void) {
    guard source == nil else { return use(sample, consume) }
    let start = firstTime ?? sample.time
    firstTime = start
    channels.insert(sample.channel)
    if Self.relevant.contains(sample.channel) { held.append(sample) }
    if isCertain || sample.time - start > Self.hold { choose(at: sample.time, consume) }
  }

  /// Appends the next motion that was fused from the samples.
  package mutating func append(_ motion: DeviceMotion, _ consume: (MotionSample) -> Void) {
    guard needsFusion else { return }
    let sample = MotionSample(motion)
    guard source == nil else { return consume(sample) }
    heldMotions.append(sample)
    if isCertain { choose(at: motion.time, consume) }
  }

  /// Whether all channels that can occur have occurred, and the choice does not depend on the timestamps of their
  /// samples.
  private var isCertain: Bool {
    guard let known, known.isSubset(of: channels) else { return false }
    return channels.contains(.deviceUserAcceleration) || gravityChannel == nil
  }

  /// Declares that no more samples up to a time will arrive.
  package mutating func close(through time: Double, _ consume: (MotionSample) -> Void) {
    if let pending, pending.time <= time { forwardPending(consume) }
  }

  /// Ends the input. Samples after it are independent of earlier ones, but have the same source.
  package mutating func finish(_ consume: (MotionSample) -> Void) {
    if source == nil { choose(at: -.infinity, consume) }
    choiceTime = -.infinity
    forwardPending(consume)
  }

  private mutating func choose(at time: Double, _ consume: (MotionSample) -> Void) {
    choiceTime = time
    if channels.contains(.deviceUserAcceleration) || hasGravityBesideAcceleration(held) {
      source = .device
    } else {
      let isFused = !heldMotions.isEmpty || channels.isSuperset(of: [.accelerometer, .gyroscope])
      source = isFused ? .fused : .accelerometer
    }
    if source == .fused { heldMotions.forEach(consume) }
    for sample in held { use(sample, consume) }
    (held, heldMotions) = ([], [])
  }

  /// Whether most gravities, or attitudes, have an acceleration with the same timestamp.
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
    case .accelerometer:
      guard sample.channel == .accelerometer else { return }
      handOn(MotionSample(time: sample.time, acceleration: sample.vector), consume)
    case .fused, nil: break
    }
  }

  private mutating func useDevice(_ sample: SensorSample, _ consume: (MotionSample) -> Void) {
    let hasUserAcceleration = channels.contains(.deviceUserAcceleration)
    if let pending, sample.time - pending.time > Self.sameTime { forwardPending(consume) }
    switch sample.channel {
    case .gyroscope, .deviceRotationRate:
      // A bias-corrected rotation rate is preferred; the raw rate is used only without it.
      if sample.channel == .deviceRotationRate || !channels.contains(.deviceRotationRate) { rate = sample }
    case .accelerometer: acceleration = sample
    case .deviceGravity, .deviceAttitude:
      guard sample.channel == gravityChannel else { return }
      let vector = sample.channel == .deviceGravity ? sample.vector : Attitude(quaternion: sample.quaternion).gravity
      gravity = SensorSample(time: sample.time, channel: .deviceGravity, vector)
      guard !hasUserAcceleration, let acceleration, abs(acceleration.time - sample.time) < Self.sameTime else { return }
      forwardPending(consume)
      pending = MotionSample(
        time: sample.time, acceleration: acceleration.vector, userAcceleration: acceleration.vector - vector)
    case .deviceUserAcceleration:
      let down = gravity.flatMap { abs($0.time - sample.time) < Self.sameTime ? $0.vector : nil }
      forwardPending(consume)
      pending = MotionSample(
        time: sample.time, acceleration: down.map { $0 + sample.vector } ?? recentAcceleration(at: sample.time),
        userAcceleration: sample.vector)
    default: return
    }
  }

  private mutating func forwardPending(_ consume: (MotionSample) -> Void) {
    guard var moment = pending else { return }
    pending = nil
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
