internal import InertialRecognition
internal import InertialSensors

/// The pedometer without steps in vehicles, with the floors of the altimeter, and its history.
struct StepCounter: Sendable {
  private let hasBarometer: Bool
  private let isLive: Bool
  private var pass: StepsPass
  private var reported = PedometerHistory()

  /// Creates a counter.
  ///
  /// - Parameter isLive: Whether reported steps are final; otherwise the history is complete only at the end of the
  ///   recording.
  init(hasBarometer: Bool, isLive: Bool = true) {
    (self.hasBarometer, self.isLive) = (hasBarometer, isLive)
    pass = StepsPass(hasBarometer: hasBarometer, isLive: isLive)
  }

  /// The history of steps; for a complete recording without the steps in vehicles.
  var history: PedometerHistory { isLive ? reported : reported.leavingOut(pass.rides) }

  mutating func take(_ event: RecognitionEvent) -> [PedometerOutput] {
    var outputs: [PedometerOutput] = []
    switch event {
    case .input(.motion(let sample)):
      let isFirst = pass.firstTime == nil
      outputs = pass.update(sample)
      // Reports that there is a barometer, even without floors.
      if isFirst, hasBarometer, let time = pass.firstTime {
        reported.appendFloors(ascended: 0, descended: 0, at: time)
      }
    case .input(.other(let sample)): reported.append(pass.update(sample) ?? [])
    case .discontinuity: self = StepCounter(hasBarometer: hasBarometer, isLive: isLive)
    case .end:
      let ways: [FloorEvent]
      (outputs, ways) = pass.finish()
      reported.append(ways)
    }
    for output in outputs { reported.append(output) }
    return outputs
  }
}
