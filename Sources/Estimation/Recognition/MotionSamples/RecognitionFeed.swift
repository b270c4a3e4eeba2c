package import InertialFusion
internal import InertialRotations
package import InertialSensors

/// An input of the recognisers. Inputs arrive in chronological order.
package enum RecognitionInput: Sendable {
  case motion(MotionSample)
  /// A sample of another channel. It precedes motion with the same or a later timestamp.
  case other(AuxiliarySample)
}

/// Converts samples of a log or a live source to the inputs of the recognisers: accelerations with and without
/// gravity, rotation rates, and the other channels.
///
/// Raw samples are fused. The device's own user acceleration is used if present. Without a gyroscope, gravity is
/// removed by a low-pass.
package struct RecognitionFeed: Sendable {
  private let fresh: (stage: MotionSampleStage, estimator: DeviceMotionEstimator)
  private var stage: MotionSampleStage
  private var estimator: DeviceMotionEstimator
  private var pending = AuxiliaryBuffer()

  /// The configuration of the estimator: that of a fusion by the commands, so that all have the same answers.
  package static var configuration: DeviceMotionEstimator.Configuration {
    var configuration = DeviceMotionEstimator.Configuration()
    configuration.frame = .xArbitraryCorrectedZVertical
    return configuration
  }

  /// - Parameters:
  ///   - estimator: The estimator that fuses raw samples, in its initial state.
  ///   - channels: The channels that can occur, if known. The first motion samples are then available earlier.
  package init(estimator: DeviceMotionEstimator, channels: Set<SensorChannel>? = nil) {
    fresh = (MotionSampleStage(known: channels), estimator)
    (stage, self.estimator) = fresh
  }

  /// The source of the motion, or `nil` until enough samples have arrived to determine it.
  package var source: MotionSource? { stage.source }

  /// Resets the feed: the next samples do not continue the previous ones.
  package mutating func restart() {
    (stage, estimator) = fresh
    pending = AuxiliaryBuffer()
  }

  /// Adds samples of other channels. Each is delivered before motion samples with later timestamps.
  package mutating func add(_ samples: [AuxiliarySample]) { pending.add(samples) }

  /// Appends the next sample of the motion sensors. Samples must be in chronological order.
  package mutating func append(_ sample: SensorSample, _ consume: (RecognitionInput) -> Void) {
    stage.append(sample) { Self.handOn($0, &pending, consume) }
    guard stage.needsFusion else { return }
    estimator.append(sample)
    handOnMotions(consume)
  }

  /// Declares that no more samples up to a time will arrive, so that pending motion is delivered without a later
  /// sample.
  package mutating func close(through time: Double, _ consume: (RecognitionInput) -> Void) {
    stage.close(through: time) { Self.handOn($0, &pending, consume) }
    guard stage.needsFusion else { return }
    estimator.close(through: time)
    handOnMotions(consume)
  }

  /// Ends the input and delivers all pending inputs.
  package mutating func finish(_ consume: (RecognitionInput) -> Void) {
    if stage.needsFusion {
      estimator.finish()
      handOnMotions(consume)
    }
    stage.finish { Self.handOn($0, &pending, consume) }
    for other in pending.take(until: .infinity) { consume(.other(other)) }
  }

  private mutating func handOnMotions(_ consume: (RecognitionInput) -> Void) {
    while let motion = estimator.next() { stage.append(motion) { Self.handOn($0, &pending, consume) } }
  }

  private static func handOn(
    _ motion: MotionSample, _ pending: inout AuxiliaryBuffer, _ consume: (RecognitionInput) -> Void
  ) {
    for other in pending.take(until: motion.time) { consume(.other(other)) }
    consume(.motion(motion))
  }
}
