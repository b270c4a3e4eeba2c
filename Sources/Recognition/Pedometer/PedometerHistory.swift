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
