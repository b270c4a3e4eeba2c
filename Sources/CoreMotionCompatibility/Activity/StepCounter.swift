internal import Activity
internal import Sensors

/// The pedometer, deaf to rides, with the floors of the altimeter, and what it has told.
struct StepCounter: Sendable {
  private let hasBarometer: Bool
  private var pedometer = RideAwarePedometer()
  private var tracker = AltitudeTracker()
  private(set) var history = PedometerHistory()
  /// Seconds on the source's clock; nil before the first sample.
  private(set) var firstTime: Double?

  init(hasBarometer: Bool) {
    self.hasBarometer = hasBarometer
    // Says that there is one, even with no floors.
    if hasBarometer { pedometer.addFloors(ascended: 0, descended: 0) }
  }

  mutating func take(_ input: RecognitionInput) -> [PedometerOutput] {
    var outputs: [PedometerOutput] = []
    switch input {
    case .motion(let sample):
      if firstTime == nil {
        firstTime = sample.time
        if hasBarometer { history.appendFloors(ascended: 0, descended: 0, at: sample.time) }
      }
      tracker.update(sample)
      outputs = pedometer.update(sample)
    case .other(let sample):
      if sample.channel == .location { pedometer.update(speed: sample["speed"], at: sample.time) }
      guard let barometer = BarometerSample(sample) else { break }
      _ = tracker.update(barometer)
      addFloors()
    case .discontinuity: self = StepCounter(hasBarometer: hasBarometer)
    case .end:
      _ = tracker.finish()
      addFloors()
      outputs = pedometer.finish()
    }
    for output in outputs { history.append(output) }
    return outputs
  }

  /// Those that were walked.
  private mutating func addFloors() {
    for event in tracker.takeFloors() where event.kind == .stairs && event.floors > 0 {
      let (up, down) = event.direction == .up ? (event.floors, 0) : (0, event.floors)
      pedometer.addFloors(ascended: up, descended: down)
      history.appendFloors(ascended: up, descended: down, at: event.end)
    }
  }
}
