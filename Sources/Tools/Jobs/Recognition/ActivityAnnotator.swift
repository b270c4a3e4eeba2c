internal import InertialRecognition
internal import InertialSensors

/// The activity, its confidence, and the probability of each class.
struct ActivityAnnotator: MotionAnnotator {
  static let meaning =
    "activities, as from 'inertial activity --live'; with --smooth from the whole log, as without --live"
  static let columns: [Column] =
    [
      (
        "motionActivity", "1",
        "0 unknown so far, 1 none of them, "
          + ActivityClass.allCases.enumerated().map { "\($0 + 2) \($1.rawValue)" }.joined(separator: ", ")
      ),
      ("motionActivityConfidence", "1", "0 low, 1 medium, 2 high"),
    ]
    + ActivityClass.allCases.map { (kind) -> Column in
      let name = kind.rawValue
      return (name + "Probability", "1", "probability of \(name), 0 to 1, in the last seconds or in the segment")
    }
  static let channels = ActivityPass.channels
  static let needsChannels = false

  private var pass = ActivityPass(detectsShakes: false)
  private var gathers = false
  /// The segments of the whole log in chronological order, or `nil` in a causal pass. `index` is the index of the last
  /// segment that has begun.
  private var segments: [MotionActivity]?
  private var index = 0
  private var isReported = false
  var events: [RecognisedEvent]?
  var needsShakes: Bool { segments == nil && !gathers }
  private(set) var values = Self.unknown

  private static let unknown = [0, 0] + Array(repeating: Double.nan, count: ActivityClass.allCases.count)

  mutating func add(_ sample: AuxiliarySample) {
    if segments == nil { pass.add(sample) }
  }

  mutating func update(_ motion: DeviceMotion, _ shake: inout GestureEvent?) {
    guard let segments else {
      if let activity = pass.take(MotionSample(motion), shake: shake).activity { note(activity) }
      return
    }
    while index + 1 < segments.count, segments[index + 1].start <= motion.time { index += 1 }
    // Windows end up to half of their length before the samples do.
    let isWithin =
      index < segments.count && segments[index].start <= motion.time
      && motion.time < segments[index].end + RecognitionPeriod.standard / 2
    if isWithin { note(segments[index]) } else { values = Self.unknown }
  }

  private mutating func note(_ activity: MotionActivity) {
    let isKnown = !activity.flags.contains(.unknown)
    let best = activity.probabilities.best
    let index = activity.flags.contains(ActivityFlags(best)) ? ActivityClass.allCases.firstIndex(of: best) : nil
    values[0] = isKnown ? index.map { Double($0 + 2) } ?? 1 : 0
    values[1] = Double(MotionActivity.Confidence.allCases.firstIndex(of: activity.confidence) ?? 0)
    for (offset, kind) in ActivityClass.allCases.enumerated() {
      values[2 + offset] = isKnown ? activity.probabilities[kind] : .nan
    }
  }

  mutating func finish() {
    guard events != nil, !isReported else { return }
    for segment in segments ?? whole() {
      let names = segment.flags.names
      events!.append(
        RecognisedEvent(
          kind: .activity, start: segment.start, end: segment.end,
          text: names.isEmpty ? "none of them" : names.joined(separator: ", ")))
    }
    if segments != nil { isReported = true }
  }

  private mutating func whole() -> [MotionActivity] {
    _ = pass.finish()
    return pass.history.segments()
  }

  /// Starts over after a gap, unless the annotator gathers or has recalled a whole log.
  mutating func restart() {
    if !gathers, segments == nil { self = Self() }
  }

  static func gathering() -> Self? {
    var annotator = Self()
    annotator.gathers = true
    // It continues after a gap at which the stage's detector starts over.
    annotator.pass = ActivityPass()
    return annotator
  }

  mutating func recalling() -> Self {
    var annotator = Self()
    annotator.segments = whole()
    return annotator
  }
}
