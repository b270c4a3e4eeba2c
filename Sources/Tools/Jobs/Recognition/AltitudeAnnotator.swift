internal import InertialNumerics
internal import InertialRecognition
internal import InertialSensors

/// Altitude and vertical speed from barometer and motion, as `inertial altitude` computes them, at the motion's times.
struct AltitudeAnnotator: MotionAnnotator {
  static let meaning =
    "altitude and vertical speed from barometer and motion, as from 'inertial altitude'; with --smooth from the whole log"
  static let columns: [Column] = [
    (
      "filteredAltitude", "m",
      "altitude above the first row, from barometer and vertical acceleration, without the barometer's lag"
    ),
    ("filteredAltitudeSigma", "m", "standard deviation of filteredAltitude, without changes of weather"),
    ("verticalSpeed", "m/s", "vertical speed from the same filter, positive upward"),
    ("verticalSpeedSigma", "m/s", "standard deviation of verticalSpeed"),
  ]
  static let channels: Set<AuxiliaryChannel> = [.barometer]

  private var tracker = AltitudeTracker()
  /// The states since the last gap with their times in seconds, or `nil` if the annotator does not gather a log.
  private var gathered: [(time: Double, possible: VerticalFilterBank.Hypotheses)]?
  /// The estimates from the whole log in chronological order, or `nil` in a causal pass. `index` is the index of the
  /// newest.
  private var recalled: [(time: Double, estimate: VerticalFilter.Estimate)]?
  private var index = -1
  /// The first index after the last gap.
  private var first = 0
  /// The smoothed estimates of the segments gathered so far.
  private var smoothed: [(time: Double, estimate: VerticalFilter.Estimate)] = []
  private var ways: [FloorEvent] = []
  private(set) var values = Self.unknown

  private static let unknown = [Double](repeating: .nan, count: 4)
  var events: [RecognisedEvent]?

  mutating func update(_ motion: DeviceMotion, _ shake: inout GestureEvent?) {
    guard recalled == nil else {
      recall(at: motion.time)
      return
    }
    tracker.update(MotionSample(motion))
    if gathered != nil, let possible = tracker.possible { gathered!.append((motion.time, possible)) }
    if gathered == nil, let estimate = tracker.estimate { note(estimate) }
  }

  private mutating func recall(at time: Double) {
    while index + 1 < recalled!.count, recalled![index + 1].time <= time { index += 1 }
    if index >= first { note(recalled![index].estimate) }
  }

  private mutating func note(_ estimate: VerticalFilter.Estimate) {
    values[0] = estimate.altitude
    values[1] = estimate.altitudeSigma
    values[2] = estimate.verticalSpeed
    values[3] = estimate.verticalSpeedSigma
  }

  mutating func add(_ sample: AuxiliarySample) {
    guard recalled == nil, let sample = BarometerSample(sample) else { return }
    _ = tracker.update(sample)
    if gathered == nil { deliver(tracker.takeFloors()) }
  }

  mutating func finish() {
    if recalled == nil { _ = tracker.finish() }
    deliver(recalled == nil ? tracker.takeFloors() : ways)
    ways = []
  }

  /// Starts over after a gap, with a new zero of the altitude. Recalled estimates are kept.
  mutating func restart() {
    if gathered != nil {
      closeStretch()
    } else if recalled != nil {
      (first, values) = (index + 1, Self.unknown)
    } else {
      self = Self()
    }
  }

  static func gathering() -> Self? {
    var annotator = Self()
    annotator.begin()
    return annotator
  }

  private mutating func begin() { (tracker, gathered) = (AltitudeTracker(keeping: .all), []) }

  mutating func recalling() -> Self {
    closeStretch()
    var annotator = Self()
    (annotator.recalled, annotator.ways) = (smoothed, ways)
    return annotator
  }

  private mutating func closeStretch() {
    _ = tracker.finish()
    ways += tracker.takeFloors()
    let estimates = tracker.smoothed((gathered ?? []).map(\.possible))
    smoothed += zip(gathered ?? [], estimates).map { ($0.time, $1) }
    begin()
  }

  private mutating func deliver(_ ways: [FloorEvent]) {
    for way in ways {
      let height = (way.height * 10).rounded() / 10
      events?.append(
        RecognisedEvent(
          kind: .floors, start: way.start, end: way.end,
          text: "\(way.direction.rawValue) \(height) m, \(way.kind == .unknown ? "way unknown" : way.kind.rawValue)"))
    }
  }
}
