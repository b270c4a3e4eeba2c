internal import InertialRecognition
internal import InertialSensors

/// The pedometer, deaf to rides, with the floors of the altimeter, and what it has told.
struct StepCounter: Sendable {
  private let hasBarometer: Bool
  private let isLive: Bool
  private var pass: StepsPass
  private var told = PedometerHistory()

  /// - Parameter isLive: whether what is told stays; otherwise what is asked for when all is known.
  init(hasBarometer: Bool, isLive: Bool = true) {
    (self.hasBarometer, self.isLive) = (hasBarometer, isLive)
    pass = StepsPass(hasBarometer: hasBarometer, isLive: isLive)
  }

  /// What was walked; of a recording that is known as a whole without its rides.
  var history: PedometerHistory { isLive ? told : told.leavingOut(pass.rides) }

  mutating func take(_ event: RecognitionEvent) -> [PedometerOutput] {
    var outputs: [PedometerOutput] = []
    switch event {
    case .input(.motion(let sample)):
      let isFirst = pass.firstTime == nil
      outputs = pass.update(sample)
      // Says that there is a barometer, even with no floors.
      if isFirst, hasBarometer, let time = pass.firstTime {
        told.appendFloors(ascended: 0, descended: 0, at: time)
      }
    case .input(.other(let sample)): told.append(pass.update(sample) ?? [])
    case .discontinuity: self = StepCounter(hasBarometer: hasBarometer, isLive: isLive)
    case .end:
      let ways: [FloorEvent]
      (outputs, ways) = pass.finish()
      told.append(ways)
    }
    for output in outputs { told.append(output) }
    return outputs
  }
}
