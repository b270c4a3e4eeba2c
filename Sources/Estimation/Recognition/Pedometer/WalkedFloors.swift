internal import InertialSensors

/// The walked floor changes for a pedometer: those by stairs that the altimeter detects. Lifts and escalators do not
/// count, as they have no steps.
struct WalkedFloors: Sendable, Codable {
  private(set) var tracker: AltitudeTracker
  /// Whether there is a barometer. Without one, floors are unknown instead of 0.
  private(set) var isKnown = false

  /// - Parameter keepsTrace: Whether the tracker's altitudes will be smoothed.
  init(keepsTrace: Bool) {
    tracker = AltitudeTracker(filter: VerticalFilter.Parameters(), keeping: keepsTrace ? .slow : .none)
  }

  mutating func update(_ motion: MotionSample) {
    // Before the first altitude, motion has no information about floors.
    if isKnown { tracker.update(motion) }
  }

  /// Adds a barometer sample and returns the walked floor changes that it completes.
  mutating func update(_ sample: AuxiliarySample) -> [FloorEvent] {
    guard let sample = BarometerSample(sample) else { return [] }
    isKnown = true
    _ = tracker.update(sample)
    return walked
  }

  /// Ends the input and returns the last walked floor changes.
  mutating func finish() -> [FloorEvent] {
    _ = tracker.finish()
    return walked
  }

  private var walked: [FloorEvent] {
    mutating get { tracker.takeFloors().filter { $0.kind == .stairs && $0.floors > 0 } }
  }
}

extension PedometerHistory {
  /// Appends walked floor changes at their ends.
  package mutating func append(_ ways: [FloorEvent]) {
    for way in ways { appendFloors(ascended: way.ascended, descended: way.descended, at: way.end) }
  }
}

extension FloorEvent {
  var ascended: Int { direction == .up ? floors : 0 }
  var descended: Int { direction == .down ? floors : 0 }
}
