internal import InertialRecognition
internal import InertialSensors

/// The steps and activities of a whole log, which are recorded and then queried in chronological order. Steps in rides
/// are detected at first, and removed when all rides are known.
struct StepsRecord {
  private var pass: StepsPass
  /// The steps, complete after `finish`.
  private(set) var history = PedometerHistory()
  /// The index of the first step after the time of the last query.
  private var next = 0
  /// The distance of all earlier steps, in metres.
  private var distance = 0.0
  /// The totals at the start, or `nil` if the next query is the start.
  private var origin: PedometerData?

  /// The number of recent steps that determine pace and cadence.
  private static let recentSteps = 8
  /// The maximum interval between successive steps, relative to a step's duration.
  private static let slack = 1.001

  /// - Parameters:
  ///   - keepsAltitudes: Whether `altitudes` will be smoothed.
  ///   - detectsShakes: Whether shakes are detected here, and not added by the caller with the samples.
  init(
    _ parameters: Pedometer.Parameters = Pedometer.Parameters(), keepsAltitudes: Bool = false,
    detectsShakes: Bool = true
  ) {
    pass = StepsPass(
      parameters, isLive: false, keepsAltitudes: keepsAltitudes, detectsShakes: detectsShakes)
  }

  /// The activities, complete after `finish`.
  var activities: [MotionActivity] { pass.activities }
  /// The intervals in which the person is carried on wheels.
  var rides: [ClosedRange<Double>] { pass.rides }
  /// The altitude tracker, which can smooth all altitudes.
  var altitudes: AltitudeTracker { pass.altitudes }

  /// The timestamps of the first and last samples with an acceleration, in seconds, or `nil` without any.
  var times: ClosedRange<Double>? {
    guard let first = pass.firstTime, let last = pass.lastTime else { return nil }
    return first...last
  }

  /// - Parameter shake: The event of the reference detector at this sample, if shakes are not detected here.
  mutating func update(_ sample: MotionSample, shake: GestureEvent? = nil) {
    for output in pass.update(sample, shake: shake) { history.append(output) }
  }

  mutating func update(_ sample: AuxiliarySample) {
    guard let ways = pass.update(sample) else { return }
    // Records that there is a barometer, even without floor changes.
    history.appendFloors(ascended: 0, descended: 0, at: sample.time)
    history.append(ways)
  }

  /// Finishes the input and returns the totals of the whole log.
  @discardableResult mutating func finish() -> PedometerData {
    let (outputs, ways) = pass.finish()
    history.append(ways)
    for output in outputs { history.append(output) }
    history = history.leavingOut(pass.rides)
    return history.total(like: pass.data)
  }

  // MARK: Queries

  /// Counts from the time of the next query.
  mutating func restart() { origin = nil }

  /// Returns the data at a time in seconds, which must not decrease from call to call.
  mutating func data(at time: Double) -> PedometerData {
    let steps = history.steps
    while next < steps.count, steps[next].time <= time {
      distance += steps[next].length
      next += 1
    }
    var data = PedometerData(start: time, end: time, numberOfSteps: next, distance: distance)
    if let floors = history.floors(upTo: time) { (data.floorsAscended, data.floorsDescended) = floors }
    let before = origin ?? data
    origin = before
    data.start = before.start
    data.numberOfSteps -= before.numberOfSteps
    data.distance -= before.distance
    data.floorsAscended = data.floorsAscended.map { $0 - (before.floorsAscended ?? 0) }
    data.floorsDescended = data.floorsDescended.map { $0 - (before.floorsDescended ?? 0) }
    (data.currentCadence, data.currentPace) = rhythm(steps, at: time)
    return data
  }

  /// Returns the time in seconds at which `data` changes next, apart from its end.
  ///
  /// - Parameter time: The time of the last query.
  func nextChange(after time: Double) -> Double {
    let steps = history.steps
    var times = [history.nextFloors(after: time)]
    if next < steps.count { times += [steps[next].time, steps[next].time - Self.slack * steps[next].duration] }
    if next > 0 { times.append((steps[next - 1].time + Self.slack * steps[next - 1].duration).nextUp) }
    return times.filter { $0 > time }.min() ?? .infinity
  }

  /// Returns the cadence in steps per second and the pace in seconds per metre, or `nil` between walks.
  private func rhythm(_ steps: [PedometerStep], at time: Double) -> (cadence: Double?, pace: Double?) {
    let isBefore = next < steps.count && steps[next].time - Self.slack * steps[next].duration <= time
    let isBehind = next > 0 && time <= steps[next - 1].time + Self.slack * steps[next - 1].duration
    guard isBefore || isBehind else { return (nil, nil) }
    var (count, duration, length) = (0, 0.0, 0.0)
    var index = isBehind ? next - 1 : next
    while true {
      (count, duration, length) = (count + 1, duration + steps[index].duration, length + steps[index].length)
      guard count < Self.recentSteps, index > 0,
        steps[index].time - steps[index - 1].time <= Self.slack * steps[index].duration
      else { break }
      index -= 1
    }
    guard duration > 0 else { return (nil, nil) }
    return (Double(count) / duration, duration / length)
  }
}
