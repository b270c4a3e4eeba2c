import Foundation
import InertialNumerics
import InertialRecognition
import InertialSensors
import TestSupport
import Testing

@Suite("Compatibility of the pedometer with Core Motion")
struct PedometerContractTests {
  @Test("updates follow each other every 2.56 s during a walk, with the totals since the start")
  func updates() throws {
    let updates = Pedometer.history(of: SimulatedGait().samples(rate: 100, from: 50, 30, 20)).updates
    #expect(updates.count >= 10)
    for (update, next) in zip(updates, updates.dropFirst()) {
      #expect(next.numberOfSteps > update.numberOfSteps && next.distance > update.distance)
      #expect(next.start == 50 && next.end - update.end < 2.56 + 0.4)
    }
    let middle = updates[updates.count / 2]
    #expect(abs(try #require(middle.currentCadence) - 1.8) < 0.1)
    let pace = try #require(middle.currentPace)
    #expect(abs(pace * middle.distance / Double(middle.numberOfSteps) * 1.8 - 1) < 0.15)
    #expect(abs(try #require(middle.averageActivePace) / pace - 1) < 0.1)
    // Standing does not make the active pace slower.
    let last = try #require(updates.last)
    #expect(abs(try #require(last.averageActivePace) / pace - 1) < 0.1 && last.end < 50 + 36)
  }

  @Test("a person who stands at the end has no pace and no cadence")
  func standing() {
    var pedometer = Pedometer()
    _ = pedometer.outputs(SimulatedGait().samples(rate: 50, 20, 10))
    #expect(pedometer.data.numberOfSteps >= 34 && pedometer.data.currentPace == nil)
    #expect(pedometer.data.currentCadence == nil && pedometer.data.averageActivePace != nil)
  }

  @Test("a query equals the sum of its parts for any division", arguments: 1...20)
  func additivity(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var history = Pedometer.history(of: SimulatedGait(seed: seed).samples(rate: 25, 20, 8, 15, 12, 30))
    for _ in 0..<6 {
      history.appendFloors(
        ascended: Int(generator.uniform() * 3), descended: Int(generator.uniform() * 2), at: generator.uniform() * 90)
    }
    // The cuts are at step times as well as between them.
    var cuts = (0..<8).map { _ in generator.uniform() * 90 }
    cuts += history.steps.prefix(3).map(\.time)
    cuts.sort()
    let parts = zip(cuts, cuts.dropFirst()).map { history.query(from: $0, to: $1) }
    let whole = history.query(from: cuts[0], to: cuts[cuts.count - 1])
    #expect(parts.reduce(0) { $0 + $1.numberOfSteps } == whole.numberOfSteps)
    #expect(abs(parts.reduce(0) { $0 + $1.distance } - whole.distance) < 1e-9)
    #expect(parts.reduce(0) { $0 + $1.floorsAscended! } == whole.floorsAscended)
    #expect(parts.reduce(0) { $0 + $1.floorsDescended! } == whole.floorsDescended)
    let active = parts.reduce(0) { $0 + ($1.averageActivePace ?? 0) * $1.distance }
    #expect(abs(active - (whole.averageActivePace ?? 0) * whole.distance) < 1e-9)
  }

  @Test("removed steps are removed from all sums, events and updates")
  func leavingOut() throws {
    let whole = Pedometer.history(of: SimulatedGait().samples(rate: 50, 60, 10))
    #expect(whole.leavingOut([]) == whole && whole.leavingOut([100...200]).steps == whole.steps)
    let part = whole.leavingOut([20...40])
    #expect(part.steps == whole.steps.filter { !(20...40).contains($0.time) })
    #expect(part.query(from: 0, to: 70).numberOfSteps == part.steps.count)
    #expect(part.events.map(\.type) == [.resume, .pause, .resume, .pause])
    #expect(part.events[1].time < 20 && part.events[2].time > 40)
    let last = try #require(part.updates.last)
    #expect(last.numberOfSteps == part.steps.count && abs(last.distance - part.query(from: 0, to: 70).distance) < 1e-9)
    for (a, b) in zip(part.updates, part.updates.dropFirst()) { #expect(b.numberOfSteps > a.numberOfSteps) }
    let none = whole.leavingOut([0...100])
    #expect(none.steps.isEmpty && none.events.isEmpty && none.updates.isEmpty)
  }

  @Test("a query of all time contains all steps, and an empty or reversed interval contains none")
  func queries() {
    let history = Pedometer.history(of: SimulatedGait().samples(rate: 50, 20))
    #expect(history.query(from: -.infinity, to: .infinity).numberOfSteps == history.steps.count)
    #expect(history.query(from: 5, to: 5) == PedometerData(start: 5, end: 5))
    #expect(history.query(from: 10, to: 2).numberOfSteps == 0)
    #expect(history.query(from: 0, to: 20).floorsAscended == nil)
    #expect(PedometerHistory().query(from: 0, to: 9).averageActivePace == nil)
  }

  @Test("floors are unknown without an altimeter, and then accumulate")
  func floors() {
    var pedometer = Pedometer()
    #expect(pedometer.data.floorsAscended == nil && pedometer.data.floorsDescended == nil)
    pedometer.addFloors(ascended: 0, descended: 0)
    #expect(pedometer.data.floorsAscended == 0)
    pedometer.addFloors(ascended: 2, descended: 1)
    pedometer.addFloors(ascended: 1, descended: 0)
    #expect(pedometer.data.floorsAscended == 3 && pedometer.data.floorsDescended == 1)
  }

  @Test("a step's length grows with the height, the cadence and the motion's range: the mean of two models")
  func stepLength() {
    let (weinberg, walkRatio) = (0.735 * pow(0.81, 0.25), 0.39 / 0.5)
    let length = StepLength(height: 1.7).length(range: 0.81, period: 0.5)
    #expect(abs(log(length) - (log(weinberg) + log(walkRatio)) / 2) < 1e-12)
    #expect(abs(StepLength(height: 1.02).length(range: 0.81, period: 0.5) - 0.6 * length) < 1e-12)
    // A step has a plausible length even for hardly any motion, or an impossible one.
    #expect(StepLength().length(range: 0, period: 9) > 0.25 && StepLength().length(range: 1e9, period: 0) < 1.5)
    let tall = with(Pedometer.Parameters()) { $0.height = 1.7 * 1.2 }
    let walk = SimulatedGait().samples(rate: 50, 30)
    let ratio =
      Pedometer.history(of: walk, tall).query(from: 0, to: 40).distance
      / Pedometer.history(of: walk).query(from: 0, to: 40).distance
    #expect(abs(ratio - 1.2) < 1e-9)
  }

  @Test("a walk like the calibrated one has the measured length after a calibration", arguments: [true, false])
  func calibration(afterWalk: Bool) throws {
    var pedometer = Pedometer()
    /// Returns the mean length of the steps of a walk.
    func stepLength(from start: Double) -> Double {
      let before = pedometer.data
      for sample in SimulatedGait().samples(rate: 50, from: start, 30, 5) { _ = pedometer.update(sample) }
      let (data, steps) = (pedometer.data, pedometer.data.numberOfSteps - before.numberOfSteps)
      return (data.distance - before.distance) / Double(steps)
    }
    if afterWalk { _ = stepLength(from: 0) }
    try pedometer.calibrate(distance: 27, steps: 50)
    let first = stepLength(from: 40)
    #expect(abs(first - 0.54) < (afterWalk ? 0.02 : 0.12), "\(first) m")
    // The second calibration replaces the first.
    try pedometer.calibrate(distance: 70, steps: 100)
    #expect(abs(stepLength(from: 80) - 0.7) < 0.02)
  }

  @Test(
    "a calibration with an impossible step is rejected", arguments: [(0.0, 10), (10, 0), (10, -5), (100, 3), (.nan, 9)])
  func wrongCalibration(distance: Double, steps: Int) {
    var pedometer = Pedometer()
    let error = #expect(throws: PedometerCalibrationError.self) {
      try pedometer.calibrate(distance: distance, steps: steps)
    }
    #expect(error?.description.contains("0.2 to 2.5 m") == true)
  }
}
