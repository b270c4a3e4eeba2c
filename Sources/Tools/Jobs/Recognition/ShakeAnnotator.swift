internal import InertialRecognition
internal import InertialSensors

/// Shakes by the reference detector: where the last one stands, how many have ended, how sure it is of one now.
struct ShakeAnnotator: MotionAnnotator {
  static let meaning = "shakes by the reference detector, as 'inertial shake' finds them"
  static let columns = [
    AnnotatedColumn(
      "shakeStatus", "1",
      "the last shake: 0 there was none, "
        + GesturePhase.allCases.map { "\($0.shakeStatusCode) \($0.shakeStatusName)" }.joined(separator: ", ")),
    AnnotatedColumn("shakeCount", "1", "shakes that have ended; a cancelled one does not count"),
    AnnotatedColumn(
      "shakeProbability", "1", "of a shake in the last 0.8 s, 0 to 1; empty in the first half second and behind gaps"),
  ]

  private var detector = ShakeDetector<ReferenceRule>()
  private(set) var values = [0, 0, Double.nan]
  var events: [RecognisedEvent]?

  mutating func update(_ motion: DeviceMotion) {
    if let event = detector.update(MotionSample(motion)) {
      note(event)
      values[0] = Double(event.phase.shakeStatusCode)
      values[1] = Double(event.count)
    }
    values[2] = detector.reason?.probability ?? .nan
  }

  mutating func finish() {
    if let event = detector.finish() { note(event) }
  }

  private mutating func note(_ event: GestureEvent) {
    guard event.phase != .began else { return }
    events?.append(
      RecognisedEvent(
        kind: .shake, start: event.start, end: event.end,
        text: event.phase == .cancelled ? "shake, cancelled" : "shake"))
  }
}
