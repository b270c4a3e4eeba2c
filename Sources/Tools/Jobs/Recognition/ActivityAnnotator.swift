internal import InertialRecognition
internal import InertialSensors

/// Activities: which, how sure, and how probable each is.
struct ActivityAnnotator: MotionAnnotator {
  static let meaning =
    "activities, as 'inertial activity --live' tells them; with --smooth by the whole log, without --live"
  static let columns =
    [
      AnnotatedColumn(
        "motionActivity", "1",
        "0 not known yet, 1 none of them, "
          + ActivityClass.allCases.enumerated().map { "\($0 + 2) \($1.rawValue)" }.joined(separator: ", ")),
      AnnotatedColumn("motionActivityConfidence", "1", "0 low, 1 medium, 2 high"),
    ]
    + ActivityClass.allCases.map {
      AnnotatedColumn(
        $0.rawValue + "Probability", "1", "of \($0.rawValue), 0 to 1: in the last seconds, or in a stretch")
    }
  static let channels = ActivityPass.channels
  static let needsChannels = false

  private var pass = ActivityPass()
  private var gathers = false
  /// By the whole log, in order of time, and the last that has begun; nil where that is not known.
  private var segments: [MotionActivity]?
  private var place = 0
  private var isTold = false
  var events: [RecognisedEvent]?
  private(set) var values = Self.unknown

  private static let unknown = [0, 0] + Array(repeating: Double.nan, count: ActivityClass.allCases.count)

  mutating func add(_ sample: AuxiliarySample) {
    if segments == nil { pass.add(sample) }
  }

  mutating func update(_ motion: DeviceMotion) {
    guard let segments else {
      if let activity = pass.update(MotionSample(motion)) { note(activity) }
      return
    }
    while place + 1 < segments.count, segments[place + 1].start <= motion.time { place += 1 }
    // Windows end up to half of their length before the samples do.
    let isWithin =
      place < segments.count && segments[place].start <= motion.time
      && motion.time < segments[place].end + RecognitionPeriod.standard / 2
    if isWithin { note(segments[place]) } else { values = Self.unknown }
  }

  private mutating func note(_ activity: MotionActivity) {
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
    guard events != nil, !isTold else { return }
    for segment in segments ?? whole() {
      let names = segment.flags.names
      events!.append(
        RecognisedEvent(
          kind: .activity, start: segment.start, end: segment.end,
          text: names.isEmpty ? "none of them" : names.joined(separator: ", ")))
    }
    if segments != nil { isTold = true }
  }

  private mutating func whole() -> [MotionActivity] {
    _ = pass.finish()
    return pass.history.segments()
  }

  /// What is known of the whole log, and what gathers it, go on behind a gap.
  mutating func restart() {
    if !gathers, segments == nil { self = Self() }
  }

  static func gathering() -> Self? {
    var annotator = Self()
    annotator.gathers = true
    return annotator
  }

  mutating func recalling() -> Self {
    var annotator = Self()
    annotator.segments = whole()
    return annotator
  }
}
