internal import InertialNumerics
internal import InertialRecognition
internal import InertialSensors

/// Altitude and vertical speed from barometer and motion, as `inertial altitude` computes them, at the motion's times.
struct AltitudeAnnotator: MotionAnnotator, Codable {
  static let meaning =
    "altitude and vertical speed from barometer and motion, as from 'inertial altitude'"
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
  private(set) var values = Self.unknown
  var events: [RecognisedEvent]?

  static let unknown = [Double](repeating: .nan, count: columns.count)

  mutating func update(_ sample: MotionSample, _ shake: inout GestureEvent?) {
    tracker.update(sample)
    if let estimate = tracker.estimate { Self.set(&values, to: estimate) }
  }

  /// Sets the values of the columns.
  static func set(_ values: inout [Double], to estimate: VerticalFilter.Estimate) {
    values[0] = estimate.altitude
    values[1] = estimate.altitudeSigma
    values[2] = estimate.verticalSpeed
    values[3] = estimate.verticalSpeedSigma
  }

  mutating func add(_ sample: AuxiliarySample) {
    guard let sample = BarometerSample(sample) else { return }
    _ = tracker.update(sample)
    deliver(tracker.takeFloors())
  }

  var decisions: [AutomaticDecision] { [tracker.decision].compactMap(\.self) }

  mutating func finish() {
    _ = tracker.finish()
    deliver(tracker.takeFloors())
  }

  private mutating func deliver(_ ways: [FloorEvent]) { events? += ways.map(RecognisedEvent.init) }
}

/// The motion and altitudes of a whole log, gathered to smooth its altitudes.
struct AltitudeRecord: Sendable {
  private var tracker = AltitudeTracker(keeping: .all)
  /// The states since the last gap, with their times in seconds.
  private var gathered: [(time: Double, possible: VerticalFilterBank.Hypotheses)] = []
  /// The smoothed estimates of the segments before it.
  private var smoothed: [(time: Double, estimate: VerticalFilter.Estimate)] = []
  private var floors: [FloorEvent] = []

  /// The decision about the barometer before the last gap, or `nil` without one.
  private(set) var decision: AutomaticDecision?

  mutating func update(_ motion: MotionSample) {
    tracker.update(motion)
    if let possible = tracker.possible { gathered.append((motion.time, possible)) }
  }

  mutating func update(_ sample: AuxiliarySample) {
    if let sample = BarometerSample(sample) { _ = tracker.update(sample) }
  }

  /// Starts over after a gap, with a new zero of the altitude.
  mutating func restart() {
    _ = tracker.finish()
    floors += tracker.takeFloors()
    let estimates = tracker.smoothed(gathered.map(\.possible))
    smoothed += zip(gathered, estimates).map { ($0.time, $1) }
    decision = tracker.decision
    (tracker, gathered) = (AltitudeTracker(keeping: .all), [])
  }

  /// Ends the input and returns the altitudes.
  mutating func known() -> KnownAltitudes {
    restart()
    return KnownAltitudes(smoothed, floors)
  }
}

/// The altitudes of a whole log at increasing times.
struct KnownAltitudes: KnownValues {
  private let estimates: [(time: Double, estimate: VerticalFilter.Estimate)]
  private let floors: [FloorEvent]
  /// The index of the newest estimate, and the first index after the last gap.
  private var (index, first) = (-1, 0)
  private(set) var values = AltitudeAnnotator.unknown

  /// - Parameters:
  ///   - estimates: The estimates in chronological order, with their times in seconds.
  ///   - floors: The floor changes in chronological order.
  init(_ estimates: [(time: Double, estimate: VerticalFilter.Estimate)], _ floors: [FloorEvent]) {
    (self.estimates, self.floors) = (estimates, floors)
  }

  var change: Double { index + 1 < estimates.count ? estimates[index + 1].time : .infinity }
  var events: [RecognisedEvent] { floors.map(RecognisedEvent.init) }

  mutating func advance(to time: Double) {
    while index + 1 < estimates.count, estimates[index + 1].time <= time { index += 1 }
    if index >= first { AltitudeAnnotator.set(&values, to: estimates[index].estimate) }
  }

  mutating func restart() { (first, values) = (index + 1, AltitudeAnnotator.unknown) }
}

extension RecognisedEvent {
  fileprivate init(_ way: FloorEvent) {
    let height = (way.height * 10).rounded() / 10
    self.init(
      kind: .floors, start: way.start, end: way.end,
      text: "\(way.direction.rawValue) \(height) m, \(way.kind == .unknown ? "way unknown" : way.kind.rawValue)")
  }
}
