internal import InertialRecognition
internal import InertialSensors

/// Falls and, where it is known how the device is worn, the posture, over a stream.
struct BodyPass {
  private var detector = FallDetector()
  private var estimator: PostureEstimator?
  private(set) var falls: [FallEvent] = []
  /// Without gaps between them; nil where the placement is not known.
  private(set) var postures: [PostureSegment]?

  init(placement: PosturePlacement?) {
    estimator = placement.map { PostureEstimator(placement: $0) }
    postures = placement.map { _ in [] }
  }

  mutating func update(_ sample: MotionSample) {
    if let fall = detector.update(sample) { falls.append(fall) }
    if let segment = estimator?.update(sample) { postures?.append(segment) }
  }

  /// To be called where the stream ends.
  mutating func finish() {
    if let fall = detector.finish() { falls.append(fall) }
    if let segment = estimator?.finish() { postures?.append(segment) }
  }
}
