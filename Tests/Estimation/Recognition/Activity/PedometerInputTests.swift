import Foundation
import InertialNumerics
import InertialRecognition
import InertialSensors
import TestSupport
import Testing

@Suite("Pedometer with invalid samples")
struct PedometerInputTests {
  @Test("a log without samples has no steps")
  func empty() {
    var pedometer = Pedometer()
    #expect(pedometer.finish().isEmpty && pedometer.data == PedometerData(start: 0, end: 0))
    _ = pedometer.update(MotionSample(time: 3, acceleration: Vector3(0, 0, -1)))
    #expect(pedometer.finish().isEmpty && pedometer.data == PedometerData(start: 3, end: 3))
  }

  @Test("samples that are late, repeated, not finite or without acceleration change nothing", arguments: 1...5)
  func badSamples(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let clean = SimulatedGait(seed: seed).samples(rate: 50, 30, 6)
    var nasty: [MotionSample] = []
    for sample in clean {
      nasty.append(sample)
      let vector = Vector3(5, 5, 5)
      let bad =
        [
          MotionSample(time: sample.time + 0.001, userAcceleration: vector),
          MotionSample(time: sample.time + 0.001, acceleration: Vector3(.nan, 0, 0)),
          MotionSample(time: sample.time + 0.001, acceleration: Vector3(0, .infinity, 0)),
        ] + [.nan, .infinity, sample.time - 0.5, sample.time].map { MotionSample(time: $0, acceleration: vector) }
      if generator.uniform() < 0.3 { nasty.append(bad[Int(generator.uniform() * Double(bad.count))]) }
    }
    var (first, second) = (Pedometer(), Pedometer())
    #expect(first.outputs(clean) == second.outputs(nasty) && first.data.numberOfSteps > 50)
  }

  @Test("a gap ends a bout: no steps are counted within it, but on both sides of it")
  func gap() {
    let walk = SimulatedGait().samples(rate: 100, 60).filter { $0.time < 20 || $0.time >= 35 }
    let history = Pedometer.history(of: walk)
    #expect(history.steps.allSatisfy { $0.time < 20.2 || $0.time > 34.8 })
    #expect(abs(history.steps.count - 81) <= 4, "\(history.steps.count)")
    #expect(history.events.map(\.type) == [.resume, .pause, .resume])
  }

  @Test("movements on both sides of a gap do not form a walk")
  func glued() {
    // Four steps, a gap, four steps, and so on: no bout has eight steps.
    let walk = SimulatedGait().samples(rate: 100, 60).filter { $0.time.truncatingRemainder(dividingBy: 5) < 2.3 }
    #expect(Pedometer.steps(in: walk) == 0)
  }

  @Test("missing samples and a jittering clock change the count by at most two steps", arguments: 1...3)
  func losses(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let walk = SimulatedGait(seed: seed).samples(rate: 100, 60).compactMap { (sample) -> MotionSample? in
      guard generator.uniform() > 0.2 else { return nil }
      return with(sample) { $0.time += 0.003 * generator.uniform() }
    }
    #expect(abs(Pedometer.steps(in: walk) - 108) <= 2)
  }

  @Test("a clock that jumps by years does not stop the pedometer")
  func jump() {
    let first = SimulatedGait().samples(rate: 50, 20)
    let later = SimulatedGait().samples(rate: 50, from: 1.6e9, 20, 8)
    let history = Pedometer.history(of: first + later)
    #expect(abs(history.steps.count - 72) <= 5)
    #expect(history.events.count == 4 && history.updates.last!.end >= 1.6e9)
  }

  @Test("an update interval of 0 updates with every measurement and terminates")
  func noInterval() {
    let parameters = with(Pedometer.Parameters()) { $0.updateInterval = 0 }
    #expect(Pedometer.history(of: SimulatedGait().samples(rate: 50, 20), parameters).updates.count > 20)
  }

  @Test("a restored state continues with the same results")
  func savedState() throws {
    let walk = SimulatedGait().samples(rate: 50, 20, 8, 20, 8)
    var whole = Pedometer()
    let expected = whole.outputs(walk)
    for cut in [0, 1, 77, 500, 1100, walk.count] {
      var first = Pedometer()
      var outputs = walk[..<cut].flatMap { first.update($0) }
      var second = Pedometer(parameters: first.parameters)
      second.state = try savedAndRestored(first.state)
      #expect(second.state == first.state)
      outputs += walk[cut...].flatMap { second.update($0) } + second.finish()
      #expect(outputs == expected, "cut at \(cut)")
    }
  }

  @Test("a copy counts independently")
  func copies() {
    let walk = SimulatedGait().samples(rate: 50, 20)
    var first = Pedometer()
    for sample in walk.prefix(500) { _ = first.update(sample) }
    let second = first
    for sample in walk.dropFirst(500) { _ = first.update(sample) }
    #expect(first.data.numberOfSteps > second.data.numberOfSteps)
  }
}
