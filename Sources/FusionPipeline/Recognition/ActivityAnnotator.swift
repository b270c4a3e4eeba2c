internal import Recognition
internal import Sensors

/// Activities as they are told live: which, how sure, and how probable each is.
struct ActivityAnnotator: MotionAnnotator {
  static let meaning = "activities, as 'inertial activity --live' tells them"
  static let columns =
    [
      AnnotatedColumn(
        "motionActivity", "1",
        "0 not known yet, 1 none of them, "
          + ActivityClass.allCases.enumerated().map { "\($0 + 2) \($1.rawValue)" }.joined(separator: ", ")),
      AnnotatedColumn("motionActivityConfidence", "1", "0 low, 1 medium, 2 high"),
    ]
    + ActivityClass.allCases.map {
      AnnotatedColumn($0.rawValue + "Probability", "1", "of \($0.rawValue) in the last seconds, 0 to 1")
    }
  static let channels = ActivityPass.channels
  static let needsChannels = false

  private var pass = ActivityPass()
  var events: [RecognisedEvent]?
  private(set) var values = [0, 0] + Array(repeating: Double.nan, count: ActivityClass.allCases.count)

  mutating func add(_ sample: AuxiliarySample) { pass.add(sample) }

  mutating func update(_ motion: DeviceMotion) {
    guard let activity = pass.update(MotionSample(motion)) else { return }
    let isKnown = !activity.flags.contains(.unknown)
    let best = activity.probabilities.best
    let place = activity.flags.contains(ActivityFlags(best)) ? ActivityClass.allCases.firstIndex(of: best) : nil
    values[0] = isKnown ? place.map { Double($0 + 2) } ?? 1 : 0
    values[1] = Double(MotionActivity.Confidence.allCases.firstIndex(of: activity.confidence) ?? 0)
    for (offset, kind) in ActivityClass.allCases.enumerated() {
      values[2 + offset] = isKnown ? activity.probabilities[kind] : .nan
    }
  }

  mutating func finish() {
    guard events != nil else { return }
    _ = pass.finish()
    for segment in pass.history.segments() {
      let names = segment.flags.names
      events!.append(
        RecognisedEvent(
          kind: .activity, start: segment.start, end: segment.end,
          text: names.isEmpty ? "none of them" : names.joined(separator: ", ")))
    }
  }
}
