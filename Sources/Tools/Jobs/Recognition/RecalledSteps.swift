internal import InertialRecognition

/// Steps that are known from the whole log, moment by moment in order of time.
struct RecalledSteps: Sendable {
  private let history: PedometerHistory
  /// Of the first step that is later than the moment.
  private var next = 0
  /// Of the steps before it, m.
  private var distance = 0.0
  /// What was there at the start; nil where the next moment is the start.
  private var origin: PedometerData?

  /// Steps that pace and cadence are of.
  private static let recentSteps = 8
  /// Of a step's duration: a step that comes later than that behind another does not follow it.
  private static let slack = 1.001

  init(_ history: PedometerHistory) { self.history = history }

  /// Counts from the next moment on.
  mutating func restart() { origin = nil }

  /// What is known at a time, seconds, that is not before those that were asked for.
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

  /// Steps a second and seconds a metre; nil where nobody steps.
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
