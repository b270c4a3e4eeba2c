internal import InertialRecognition
internal import InertialSensors

/// Falls: how many there were, and how sure the last one is.
struct FallAnnotator: MotionAnnotator {
  static let meaning = "falls, as 'inertial activity' tells them"
  static let columns = [
    AnnotatedColumn("fallCount", "1", "falls, each from where rest has lasted 0.8 s behind it"),
    AnnotatedColumn("fallScore", "1", "of the last fall, 0 to 1, with 0.5 the threshold; empty before the first"),
  ]

  private var detector = FallDetector()
  private(set) var values = [0, Double.nan]
  var events: [RecognisedEvent]?

  mutating func update(_ motion: DeviceMotion) {
    if let fall = detector.update(MotionSample(motion)) { note(fall) }
  }

  mutating func finish() {
    if let fall = detector.finish() { note(fall) }
  }

  private mutating func note(_ fall: FallEvent) {
    values = [values[0] + 1, fall.score]
    events?.append(RecognisedEvent(kind: .fall, start: fall.start, end: fall.end, text: "fall"))
  }
}
