internal import InertialRecognition
internal import InertialSensors

/// The steps of a whole log. Steps in rides are detected at first, and removed when all rides are known.
struct StepsRecord {
  private var pass: StepsPass
  private var history = PedometerHistory()

  init(_ parameters: Pedometer.Parameters = Pedometer.Parameters()) { pass = StepsPass(parameters, isLive: false) }

  /// The timestamps of the first and last samples with an acceleration, in seconds, or `nil` without any.
  var times: ClosedRange<Double>? {
    guard let first = pass.firstTime, let last = pass.lastTime else { return nil }
    return first...last
  }

  mutating func update(_ sample: MotionSample) {
    for output in pass.update(sample) { history.append(output) }
  }

  mutating func update(_ sample: AuxiliarySample) {
    guard let ways = pass.update(sample) else { return }
    // Records that there is a barometer, even without floor changes.
    history.appendFloors(ascended: 0, descended: 0, at: sample.time)
    history.append(ways)
  }

  /// Finishes the input and returns the steps and the totals of the whole log.
  mutating func finish() -> (history: PedometerHistory, total: PedometerData) {
    let (outputs, ways) = pass.finish()
    history.append(ways)
    for output in outputs { history.append(output) }
    let history = history.leavingOut(pass.rides)
    return (history, history.total(like: pass.data))
  }
}
