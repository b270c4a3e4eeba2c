internal import InertialRecognition
internal import InertialSensors

/// Detects falls in a stream, and postures if the placement of the device is known.
struct FallAndPosturePass {
  private var detector = FallDetector()
  private var estimator: PostureEstimator?
  private(set) var falls: [FallEvent] = []
  /// The postures, without gaps between them, or `nil` if the placement is unknown.
  private(set) var postures: [PostureSegment]?

  init(placement: PosturePlacement?) {
    estimator = placement.map { PostureEstimator(placement: $0) }
    postures = placement.map { _ in [] }
  }

  mutating func update(_ sample: MotionSample) {
    if let fall = detector.update(sample) { falls.append(fall) }
    if let segment = estimator?.update(sample) { postures?.append(segment) }
  }

  /// Completes the last fall and posture at the end of the stream.
  mutating func finish() {
    if let fall = detector.finish() { falls.append(fall) }
    if let segment = estimator?.finish() { postures?.append(segment) }
  }
}
