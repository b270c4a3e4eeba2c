internal import InertialRecognition
internal import InertialSensors

/// The phase of the last shake, the number of shakes, and the probability of a current one, by the reference detector.
struct ShakeAnnotator: MotionAnnotator, Codable {
  static let meaning = "shakes from the reference detector, as from 'inertial shake'"
  static let columns: [Column] = [
    (
      "shakeStatus", "1",
      "the last shake: 0 none, "
        + GesturePhase.allCases.map { "\($0.shakeStatusCode) \($0.shakeStatusName)" }.joined(separator: ", ")
    ),
    ("shakeCount", "1", "shakes that have ended, without cancelled shakes"),
    (
      "shakeProbability", "1",
      "probability of a shake in the last 0.8 s, 0 to 1; empty for half a second after the start and gaps"
    ),
  ]
  static let findsShakes = true

  private var detector = ShakeDetector<ReferenceRule>()
  private(set) var values = [0, 0, Double.nan]
  var events: [RecognisedEvent]?

  mutating func update(_ sample: MotionSample, _ shake: inout GestureEvent?) {
    shake = detector.update(sample)
    if let shake {
      note(shake)
      values[0] = Double(shake.phase.shakeStatusCode)
      values[1] = Double(shake.count)
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
