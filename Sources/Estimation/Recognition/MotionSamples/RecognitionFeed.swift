package import InertialFusion
package import InertialSensors

/// What recognisers are told, in order of time.
package enum RecognitionInput: Sendable {
  case motion(MotionSample)
  /// A sample of another channel; each comes before motion of its own or a later time.
  case other(AuxiliarySample)
}

/// The one way from samples to recognisers, whether they are of a log or of a live source: accelerations with and without
/// gravity, rotation rates, and the other channels.
///
/// A raw stream is fused; of one with the device's own user acceleration that is taken; without a gyroscope gravity is taken
/// off by a low-pass.
package struct RecognitionFeed: Sendable {
  private let fresh: MotionSampleStage
  private var stage: MotionSampleStage
  private var waiting = WaitingAuxiliary()

  /// - Parameters:
  ///   - estimator: what fuses, at its start.
  ///   - channels: those that may come, where that is known: then the first moments come sooner.
  package init(estimator: DeviceMotionEstimator, channels: Set<SensorChannel>? = nil) {
    fresh = MotionSampleStage(estimator: estimator, known: channels)
    stage = fresh
  }

  /// Where the motion comes from; nil until enough has come to tell.
  package var source: MotionSource? { stage.source }

  /// What comes next does not follow what came before.
  package mutating func restart() {
    stage = fresh
    waiting = WaitingAuxiliary()
  }

  /// Takes samples of other channels: each before motion samples of later times.
  package mutating func add(_ samples: [AuxiliarySample]) { waiting.add(samples) }

  /// Takes the next sample of the motion sensors, in order of time.
  package mutating func append(_ sample: SensorSample, _ consume: (RecognitionInput) -> Void) {
    stage.append(sample) { Self.handOn($0, &waiting, consume) }
  }

  /// No sample of this time or an earlier one comes any longer: its motion need not wait for a later sample.
  package mutating func close(through time: Double, _ consume: (RecognitionInput) -> Void) {
    stage.close(through: time) { Self.handOn($0, &waiting, consume) }
  }

  /// No more samples will come.
  package mutating func finish(_ consume: (RecognitionInput) -> Void) {
    stage.finish { Self.handOn($0, &waiting, consume) }
    for other in waiting.take(until: .infinity) { consume(.other(other)) }
  }

  private static func handOn(
    _ motion: MotionSample, _ waiting: inout WaitingAuxiliary, _ consume: (RecognitionInput) -> Void
  ) {
    for other in waiting.take(until: motion.time) { consume(.other(other)) }
    consume(.motion(motion))
  }
}
