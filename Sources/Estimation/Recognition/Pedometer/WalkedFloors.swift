internal import InertialSensors

/// Floors that were walked, for a pedometer: the ways between floors by stairs that the altimeter finds. Lifts and
/// escalators do not count, as they have no steps.
struct WalkedFloors: Sendable {
  private(set) var tracker: AltitudeTracker
  /// Whether there is a barometer: without one floors are not known, which is not the same as none.
  private(set) var isKnown = false

  /// - Parameter keepsTrace: whether the tracker's altitudes will be smoothed.
  init(keepsTrace: Bool) {
    tracker = AltitudeTracker(filter: VerticalFilter.Parameters(), keeping: keepsTrace ? .slow : .none)
  }

  mutating func update(_ motion: MotionSample) {
    // Before the first altitude motion says nothing about floors.
    if isKnown { tracker.update(motion) }
  }

  /// The ways up and down that have ended by a sample of the barometer.
  mutating func update(_ sample: AuxiliarySample) -> [FloorEvent] {
    guard let sample = BarometerSample(sample) else { return [] }
    isKnown = true
    _ = tracker.update(sample)
    return walked
  }

  /// No more samples: the way that was under way.
  mutating func finish() -> [FloorEvent] {
    _ = tracker.finish()
    return walked
  }

  private var walked: [FloorEvent] {
    mutating get { tracker.takeFloors().filter { $0.kind == .stairs && $0.floors > 0 } }
  }
}

extension PedometerHistory {
  /// Ways that were walked, at their ends.
  package mutating func append(_ ways: [FloorEvent]) {
    for way in ways { appendFloors(ascended: way.ascended, descended: way.descended, at: way.end) }
  }
}

extension FloorEvent {
  var ascended: Int { direction == .up ? floors : 0 }
  var descended: Int { direction == .down ? floors : 0 }
}
