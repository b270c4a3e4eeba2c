internal import InertialRecognition

/// Steps known from the whole log, queried in chronological order.
struct OfflineSteps: Sendable {
  private let history: PedometerHistory
  /// The index of the first step after the current time.
  private var next = 0
  /// The distance of all earlier steps, in metres.
  private var distance = 0.0
  /// The totals at the start, or `nil` if the next query is the start.
  private var origin: PedometerData?

  /// The number of recent steps that determine pace and cadence.
  private static let recentSteps = 8
  /// The maximum interval between successive steps, relative to a step's duration.
  private static let slack = 1.001

  init(_ history: PedometerHistory) { self.history = history }

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
