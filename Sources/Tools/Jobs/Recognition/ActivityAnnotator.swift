internal import InertialRecognition
internal import InertialSensors

/// The activity, its confidence, and the probability of each class.
struct ActivityAnnotator: MotionAnnotator, Codable {
  static let meaning =
    "activities, as from 'inertial activity'"
  static let columns: [Column] =
    [
      (
        "motionActivity", "1",
        "0 unknown so far, 1 other or uncertain, "
          + ActivityClass.flagged.enumerated().map { "\($0 + 2) \($1.rawValue)" }.joined(separator: ", ")
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
  var events: [RecognisedEvent]?
  var needsShakes: Bool { true }
  private(set) var values = Self.unknown

  static let unknown = [0, 0] + Array(repeating: Double.nan, count: ActivityClass.allCases.count)

  mutating func add(_ sample: AuxiliarySample) { pass.add(sample) }

  mutating func update(_ sample: MotionSample, _ shake: inout GestureEvent?) {
    if let activity = pass.take(sample, shake: shake).activity { values = Self.values(of: activity) }
  }

  /// Returns the values of the columns.
  static func values(of activity: MotionActivity) -> [Double] {
    let isKnown = !activity.flags.contains(.unknown)
    let best = activity.probabilities.best
    let isNamed = best != .other && activity.flags.contains(ActivityFlags(best))
    let index = isNamed ? ActivityClass.allCases.firstIndex(of: best) : nil
    return [
      isKnown ? index.map { Double($0 + 2) } ?? 1 : 0,
      Double(MotionActivity.Confidence.allCases.firstIndex(of: activity.confidence) ?? 0),
    ] + ActivityClass.allCases.map { isKnown ? activity.probabilities[$0] : .nan }
  }

  mutating func finish() {
    guard events != nil else { return }
    _ = pass.finish()
    events! += pass.history.segments().map(RecognisedEvent.init)
  }
}

/// The activities of a whole log at increasing times.
struct KnownActivities: KnownValues {
  private let segments: [MotionActivity]
  /// The index of the last segment that has begun.
  private var index = 0
  private(set) var values = ActivityAnnotator.unknown
  private(set) var change = -Double.infinity

  /// - Parameter segments: The activities in chronological order.
  init(_ segments: [MotionActivity]) { self.segments = segments }

  var events: [RecognisedEvent] { segments.map(RecognisedEvent.init) }

  mutating func advance(to time: Double) {
    let before = index
    guard !segments.isEmpty else { return change = .infinity }
    while index + 1 < segments.count, segments[index + 1].start <= time { index += 1 }
    // Windows end up to half of their length before the samples do.
    let (start, end) = (segments[index].start, segments[index].end + RecognitionPeriod.standard / 2)
    let isWithin = start <= time && time < end
    let following = index + 1 < segments.count ? segments[index + 1].start : .infinity
    change = time < start ? start : isWithin ? min(end, following) : following
    if isWithin != isKnown || index != before {
      values = isWithin ? ActivityAnnotator.values(of: segments[index]) : ActivityAnnotator.unknown
    }
    isKnown = isWithin
  }

  /// Whether the last time was within a segment.
  private var isKnown = false
}

extension RecognisedEvent {
  fileprivate init(_ activity: MotionActivity) {
    let names = activity.flags.names
    self.init(
      kind: .activity, start: activity.start, end: activity.end,
      text: names.isEmpty ? "none of them" : names.joined(separator: ", "))
  }
}
