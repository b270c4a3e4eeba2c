internal import InertialNumerics
internal import InertialRecognition
internal import InertialSensors

/// Altitude and vertical speed by barometer and motion, as `inertial altitude` gives them at the motion's times.
struct AltitudeAnnotator: MotionAnnotator {
  static let meaning =
    "altitude and vertical speed by barometer and motion, as 'inertial altitude' finds them; with --smooth by the whole log"
  static let columns = [
    AnnotatedColumn(
      "filteredAltitude", "m",
      "altitude above the first, by barometer and vertical acceleration, without the barometer's lag"
    ),
    AnnotatedColumn(
      "filteredAltitudeSigma", "m", "standard deviation of filteredAltitude; changes of weather not in it"),
    AnnotatedColumn("verticalSpeed", "m/s", "vertical speed by the same filter, up positive"),
    AnnotatedColumn("verticalSpeedSigma", "m/s", "standard deviation of verticalSpeed"),
  ]
  static let channels: Set<AuxiliaryChannel> = [.barometer]

  private var tracker = AltitudeTracker()
  /// Of the stretch behind the last gap: times, seconds, and what was known; nil where nothing is gathered.
  private var gathered: [(time: Double, possible: VerticalFilters.Possible)]?
  /// By the whole log, at times in order, and the last that is not later than the moment; nil where that is not known.
  private var recalled: [(time: Double, estimate: VerticalFilter.Estimate)]?
  private var place = -1
  /// Of the stretch behind the last gap the first place.
  private var first = 0
  /// Of the stretches that have been gathered.
  private var smoothed: [(time: Double, estimate: VerticalFilter.Estimate)] = []
  private var ways: [FloorEvent] = []
  private var failure: LinearAlgebraError?
  private(set) var values = Self.unknown

  private static let unknown = [Double](repeating: .nan, count: 4)
  var events: [RecognisedEvent]?

  mutating func update(_ motion: DeviceMotion) {
    guard recalled == nil else {
      recall(at: motion.time)
      return
    }
    tracker.update(MotionSample(motion))
    if gathered != nil, let possible = tracker.possible { gathered!.append((motion.time, possible)) }
    if gathered == nil, let estimate = tracker.estimate { note(estimate) }
  }

  private mutating func recall(at time: Double) {
    while place + 1 < recalled!.count, recalled![place + 1].time <= time { place += 1 }
    if place >= first { note(recalled![place].estimate) }
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
    if gathered == nil { tell(tracker.takeFloors()) }
  }

  mutating func finish() {
    if recalled == nil { _ = tracker.finish() }
    tell(recalled == nil ? tracker.takeFloors() : ways)
    ways = []
  }

  /// What is known of the whole log goes on behind a gap; what is gathered begins anew there, as its zero does.
  mutating func restart() {
    if gathered != nil {
      closeStretch()
    } else if recalled != nil {
      (first, values) = (place + 1, Self.unknown)
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

  mutating func recalling() throws(FusionError) -> Self {
    closeStretch()
    if let failure { throw .badData("the altitudes cannot be smoothed (\(failure)); leave --smooth out") }
    var annotator = Self()
    (annotator.recalled, annotator.ways) = (smoothed, ways)
    return annotator
  }

  private mutating func closeStretch() {
    _ = tracker.finish()
    ways += tracker.takeFloors()
    do throws(LinearAlgebraError) {
      let estimates = try tracker.smoothed((gathered ?? []).map(\.possible))
      smoothed += zip(gathered ?? [], estimates).map { ($0.time, $1) }
    } catch {
      failure = error
    }
    begin()
  }

  private mutating func tell(_ ways: [FloorEvent]) {
    for way in ways {
      let height = (way.height * 10).rounded() / 10
      events?.append(
        RecognisedEvent(
          kind: .floors, start: way.start, end: way.end,
          text: "\(way.direction.rawValue) \(height) m, \(way.kind == .unknown ? "way unknown" : way.kind.rawValue)"))
    }
  }
}
