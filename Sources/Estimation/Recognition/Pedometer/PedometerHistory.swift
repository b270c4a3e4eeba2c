/// The recorded outputs of a pedometer, which can be queried for any time interval.
package struct PedometerHistory: Sendable, Codable, Equatable {
  /// The steps in chronological order.
  package private(set) var steps: [PedometerStep] = []
  package private(set) var events: [PedometerEvent] = []
  package private(set) var updates: [PedometerData] = []
  private var floors: [FloorChange]?

  private struct FloorChange: Sendable, Codable, Equatable {
    var time: Double
    var ascended: Int
    var descended: Int
  }

  package init() {}

  package mutating func append(_ output: PedometerOutput) {
    switch output {
    case .step(let step): steps.append(step)
    case .event(let event): events.append(event)
    case .update(let data): updates.append(data)
    }
  }

  /// Appends floors at a time in seconds, in chronological order. The first call declares that there is a barometer,
  /// even with 0 floors.
  package mutating func appendFloors(ascended: Int, descended: Int, at time: Double) {
    floors = (floors ?? []) + [FloorChange(time: time, ascended: ascended, descended: descended)]
  }

  /// Returns the totals from one time up to, but excluding, another, in seconds. Queries of adjacent intervals add up
  /// to the query of the union.
  package func query(from start: Double, to end: Double) -> PedometerData {
    var data = PedometerData(start: start, end: end)
    var active = 0.0
    for step in steps[position(of: start)..<max(position(of: start), position(of: end))] {
      data.numberOfSteps += 1
      data.distance += step.length
      active += step.duration
    }
    if data.distance > 0 { data.averageActivePace = active / data.distance }
    if let floors {
      let within = floors.filter { $0.time >= start && $0.time < end }
      data.floorsAscended = within.reduce(0) { $0 + $1.ascended }
      data.floorsDescended = within.reduce(0) { $0 + $1.descended }
    }
    return data
  }

  /// Returns the floors walked up to a time in seconds, or `nil` if no barometer is known by then.
  package func floors(upTo time: Double) -> (ascended: Int, descended: Int)? {
    guard let floors, let first = floors.first, first.time <= time else { return nil }
    return floors.prefix { $0.time <= time }.reduce((0, 0)) { ($0.0 + $1.ascended, $0.1 + $1.descended) }
  }

  /// Returns the time of the first floors after a time in seconds, or infinity if no floors follow.
  package func nextFloors(after time: Double) -> Double { floors?.first { $0.time > time }?.time ?? .infinity }

  /// Returns the totals of all steps, with the start, end and floors of the live data.
  package func total(like data: PedometerData) -> PedometerData {
    var total = query(from: -.infinity, to: .infinity)
    (total.start, total.end) = (data.start, data.end)
    (total.floorsAscended, total.floorsDescended) = (data.floorsAscended, data.floorsDescended)
    return total
  }

  /// Returns a copy without the steps within the given intervals, such as rides that were detected later.
  package func leavingOut(_ stretches: [ClosedRange<Double>]) -> PedometerHistory {
    guard !stretches.isEmpty, !steps.isEmpty else { return self }
    var result = self
    var position = 0
    let isKept = steps.map { step in
      while position < stretches.count, stretches[position].upperBound < step.time { position += 1 }
      return position == stretches.count || step.time < stretches[position].lowerBound
    }
    result.steps = zip(steps, isKept).filter(\.1).map(\.0)
    result.reportEvents(like: self)
    result.reportUpdates(like: self, isKept)
    return result
  }

  private mutating func reportEvents(like whole: PedometerHistory) {
    events = []
    var before: PedometerStep?
    for step in steps {
      if before.map({ step.time - $0.time > Self.pause }) ?? true {
        if let before { events.append(PedometerEvent(time: before.time, type: .pause)) }
        events.append(PedometerEvent(time: step.time, type: .resume))
      }
      before = step
    }
    guard let before else { return }
    if whole.events.last?.type == .pause || whole.steps.last != before {
      events.append(PedometerEvent(time: before.time, type: .pause))
    }
  }

  /// The minimum interval between two steps that counts as a pause, in seconds.
  private static let pause = Pedometer.Parameters().pauseTime

  private mutating func reportUpdates(like whole: PedometerHistory, _ isKept: [Bool]) {
    updates = []
    var (count, kept, distance, active) = (0, 0, 0.0, 0.0)
    for var update in whole.updates {
      let (before, isLastKept) = (kept, update.numberOfSteps > 0 && isKept[update.numberOfSteps - 1])
      while count < update.numberOfSteps {
        if isKept[count] {
          kept += 1
          distance += whole.steps[count].length
          active += whole.steps[count].duration
        }
        count += 1
      }
      guard kept > before else { continue }
      (update.numberOfSteps, update.distance) = (kept, distance)
      update.averageActivePace = active / distance
      if !isLastKept { (update.currentPace, update.currentCadence) = (nil, nil) }
      updates.append(update)
    }
  }

  /// Returns the index of the first step that is not before a time.
  private func position(of time: Double) -> Int {
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if steps[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
