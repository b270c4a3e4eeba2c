internal import Recognition
internal import Sensors

/// The pedometer, deaf to rides, with the floors of the altimeter, and what it has told.
struct StepCounter: Sendable {
  private let hasBarometer: Bool
  private var pass: StepsPass
  private(set) var history = PedometerHistory()

  init(hasBarometer: Bool) {
    self.hasBarometer = hasBarometer
    pass = StepsPass(hasBarometer: hasBarometer)
  }

  mutating func take(_ event: RecognitionEvent) -> [PedometerOutput] {
    var outputs: [PedometerOutput] = []
    switch event {
    case .input(.motion(let sample)):
      let isFirst = pass.firstTime == nil
      outputs = pass.update(sample)
      // Says that there is a barometer, even with no floors.
      if isFirst, hasBarometer, let time = pass.firstTime {
        history.appendFloors(ascended: 0, descended: 0, at: time)
      }
    case .input(.other(let sample)): history.append(pass.update(sample) ?? [])
    case .discontinuity: self = StepCounter(hasBarometer: hasBarometer)
    case .end:
      let ways: [FloorEvent]
      (outputs, ways) = pass.finish()
      history.append(ways)
    }
    for output in outputs { history.append(output) }
    return outputs
  }
}
