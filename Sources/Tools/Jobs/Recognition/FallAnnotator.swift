internal import InertialRecognition
internal import InertialSensors

/// The number of falls, and the score of the last one.
struct FallAnnotator: MotionAnnotator, Codable {
  static let meaning = "falls, as from 'inertial activity'"
  static let columns: [Column] = [
    ("fallCount", "1", "falls so far, each counted after 0.8 s of rest"),
    ("fallScore", "1", "score of the last fall, 0 to 1, with a threshold of 0.5; empty before the first fall"),
  ]

  private var detector = FallDetector()
  private(set) var values = [0, Double.nan]
  var events: [RecognisedEvent]?

  mutating func update(_ sample: MotionSample, _ shake: inout GestureEvent?) {
    if let fall = detector.update(sample) { note(fall) }
  }

  mutating func finish() {
    if let fall = detector.finish() { note(fall) }
  }

  private mutating func note(_ fall: FallEvent) {
    values = [values[0] + 1, fall.score]
    events?.append(RecognisedEvent(kind: .fall, start: fall.start, end: fall.end, text: "fall"))
  }
}
