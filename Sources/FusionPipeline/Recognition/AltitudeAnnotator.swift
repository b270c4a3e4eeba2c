internal import Recognition
internal import Sensors

/// Altitude and vertical speed by barometer and motion, as `inertial altitude` gives them at the motion's times.
struct AltitudeAnnotator: MotionAnnotator {
  static let meaning = "altitude and vertical speed by barometer and motion, as 'inertial altitude' finds them"
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
  private(set) var values = [Double](repeating: .nan, count: 4)
  var events: [RecognisedEvent]?

  mutating func update(_ motion: DeviceMotion) {
    tracker.update(MotionSample(motion))
    guard let estimate = tracker.estimate else { return }
    values[0] = estimate.altitude
    values[1] = estimate.altitudeSigma
    values[2] = estimate.verticalSpeed
    values[3] = estimate.verticalSpeedSigma
  }

  mutating func add(_ sample: AuxiliarySample) {
    guard let sample = BarometerSample(sample) else { return }
    _ = tracker.update(sample)
    tell(tracker.takeFloors())
  }

  mutating func finish() {
    _ = tracker.finish()
    tell(tracker.takeFloors())
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
