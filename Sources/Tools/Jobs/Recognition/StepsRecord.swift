internal import InertialRecognition
internal import InertialSensors

/// The steps of a whole log: counted in rides, too, and left out of them when all is known.
struct StepsRecord {
  private var pass: StepsPass
  private var history = PedometerHistory()

  init(_ parameters: Pedometer.Parameters = Pedometer.Parameters()) {
    pass = StepsPass(parameters, isLive: false)
  }

  /// Times of the first and the last moment with an acceleration, seconds; nil without any.
  var times: ClosedRange<Double>? {
    guard let first = pass.firstTime, let last = pass.lastTime else { return nil }
    return first...last
  }

  mutating func update(_ sample: MotionSample) {
    for output in pass.update(sample) { history.append(output) }
  }

  mutating func update(_ sample: AuxiliarySample) {
    guard let ways = pass.update(sample) else { return }
    // Says that there is a barometer, even with no floors.
    history.appendFloors(ascended: 0, descended: 0, at: sample.time)
    history.append(ways)
  }

  /// No more samples: the steps, and everything from the first to the last moment.
  mutating func finish() -> (history: PedometerHistory, total: PedometerData) {
    let (outputs, ways) = pass.finish()
    history.append(ways)
    for output in outputs { history.append(output) }
    let history = history.leavingOut(pass.rides)
    return (history, history.total(like: pass.data))
  }
}
