/// Steps with their times, to be asked for any stretch of time.
package struct PedometerHistory: Sendable, Codable, Equatable {
  /// In order of time.
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

  /// Floors at a time, seconds, in order of time. The first call says that there is a barometer, even with no floors.
  package mutating func appendFloors(ascended: Int, descended: Int, at time: Double) {
    floors = (floors ?? []) + [FloorChange(time: time, ascended: ascended, descended: descended)]
  }

  /// What was walked from one time up to, and without, another, in seconds: queries of parts add up to that of the whole.
  package func query(from start: Double, to end: Double) -> PedometerData {
    var data = PedometerData(start: start, end: end)
    var active = 0.0
    for step in steps[place(of: start)..<max(place(of: start), place(of: end))] {
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

  /// Floors that were walked up to a time, seconds; nil where no barometer is known by then.
  package func floors(upTo time: Double) -> (ascended: Int, descended: Int)? {
    guard let floors, let first = floors.first, first.time <= time else { return nil }
    return floors.prefix { $0.time <= time }.reduce((0, 0)) { ($0.0 + $1.ascended, $0.1 + $1.descended) }
  }

  /// All of it, from the first to the last moment of what was told live.
  package func total(like data: PedometerData) -> PedometerData {
    var total = query(from: -.infinity, to: .infinity)
    (total.start, total.end) = (data.start, data.end)
    (total.floorsAscended, total.floorsDescended) = (data.floorsAscended, data.floorsDescended)
    return total
  }

  /// The same without the steps within some stretches of time, such as rides that were known only later.
  package func leavingOut(_ stretches: [ClosedRange<Double>]) -> PedometerHistory {
    guard !stretches.isEmpty, !steps.isEmpty else { return self }
    var result = self
    var place = 0
    let isKept = steps.map { step in
      while place < stretches.count, stretches[place].upperBound < step.time { place += 1 }
      return place == stretches.count || step.time < stretches[place].lowerBound
    }
    result.steps = zip(steps, isKept).filter(\.1).map(\.0)
    result.tellEvents(like: self)
    result.tellUpdates(like: self, isKept)
    return result
  }

  private mutating func tellEvents(like whole: PedometerHistory) {
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

  /// Seconds between two steps that make a pause.
  private static let pause = Pedometer.Parameters().pauseTime

  private mutating func tellUpdates(like whole: PedometerHistory, _ isKept: [Bool]) {
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

  /// Of the first step that is not before a time.
  private func place(of time: Double) -> Int {
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if steps[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
