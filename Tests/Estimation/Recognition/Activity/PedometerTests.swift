import Foundation
import InertialNumerics
import InertialRecognition
import InertialSensors
import Testing

@Suite("Pedometer")
struct PedometerTests {
  @Test("a walk has the same number of steps at 15 to 400 Hz", arguments: [15.0, 25, 50, 100, 200, 400])
  func rates(rate: Double) {
    let history = Pedometer.history(of: SimulatedGait().samples(rate: rate, 60, 5))
    #expect(abs(history.steps.count - 108) <= 1, "\(history.steps.count)")
    let intervals = zip(history.steps.dropFirst(), history.steps).map { $0.time - $1.time }
    #expect(intervals.allSatisfy { abs($0 - 1 / 1.8) < 0.15 })
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var gait: SimulatedGait
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "in a hand, slowly", gait: SimulatedGait(cadence: 1.3, amplitude: 0.08, asymmetry: 0.05, swing: 0.05)),
    Case(name: "in a trouser pocket", gait: SimulatedGait(cadence: 1.8, amplitude: 0.35, asymmetry: 0.6, swing: 0.4)),
    Case(name: "in a swinging hand", gait: SimulatedGait(cadence: 1.9, amplitude: 0.25, asymmetry: 0.1, swing: 0.5)),
    Case(name: "quickly", gait: SimulatedGait(cadence: 2.3, amplitude: 0.4)),
    Case(name: "running", gait: SimulatedGait(cadence: 2.8, amplitude: 0.9, asymmetry: 0.2, swing: 0.3)),
    Case(name: "with much noise", gait: SimulatedGait(noise: 0.1)),
  ]

  @Test("the count is within 2 % for any placement of the device and any gait", arguments: cases)
  func positions(_ part: Case) {
    let truth = 60 * part.gait.cadence
    let count = Pedometer.steps(in: part.gait.samples(rate: 100, 60, 5))
    #expect(abs(Double(count) - truth) <= max(2, 0.02 * truth), "\(count) of \(truth)")
  }

  @Test(
    "a slow walk is counted although a hand before the eyes damps it", arguments: [1.2, 1.35, 1.5],
    [0.025, 0.035, 0.045])
  func texting(cadence: Double, amplitude: Double) {
    // The body rises and falls by 2 cm, of which the arms pass on 3 to 8 mm.
    let gait = SimulatedGait(cadence: cadence, amplitude: amplitude, asymmetry: 0.1, swing: 0.03, noise: 0.006)
    let count = Pedometer.steps(in: gait.samples(rate: 100, 100, 5))
    #expect(abs(Double(count) - 100 * cadence) <= 3, "\(count) of \(100 * cadence)")
  }

  @Test("slow steps, from 0.8 per second on, are counted as well", arguments: [0.8, 0.9, 1, 1.1], [0.04, 0.15])
  func slowly(cadence: Double, amplitude: Double) {
    let gait = SimulatedGait(cadence: cadence, amplitude: amplitude, asymmetry: 0.1, swing: 0.03, noise: 0.006)
    let count = Pedometer.steps(in: gait.samples(rate: 50, 100, 8))
    #expect(abs(Double(count) - 100 * cadence) <= 3, "\(count) of \(100 * cadence)")
  }

  @Test("a hand that holds the device at rest makes no steps: sway, breath, tremor, and drift of any rhythm")
  func heldAtRest() {
    for seed in 1...10 {
      var generator = SeededGenerator(seed: UInt64(seed))
      // White noise through a resonance: around 1.3 Hz and as strong as a gentle walk, but without rhythm.
      let (pole, turn) = (0.9, 2 * Double.pi * 1.3 * 0.04)
      var (last, before, wander) = (0.0, 0.0, [Double]())
      for _ in 0..<(25 * 300) {
        let next = 2 * pole * cos(turn) * last - pole * pole * before + 0.004 * generator.normal()
        (before, last) = (last, next)
        wander.append(next)
      }
      let samples = (0..<(100 * 300)).map { index -> MotionSample in
        let t = Double(index) / 100
        let tilt = 0.6 + 0.04 * sin(2 * .pi * 0.3 * t + Double(seed)) + 0.01 * sin(2 * .pi * 1.1 * t)
        let breath = 0.003 * sin(2 * .pi * 0.28 * t)
        let tremor = 0.006 * sin(2 * .pi * 9.2 * t)
        let force = 1 + breath + tremor + wander[index / 4] + 0.005 * generator.normal()
        return MotionSample(time: t, acceleration: Vector3(0, -force * sin(tilt), -force * cos(tilt)))
      }
      #expect(Pedometer.steps(in: samples) == 0, "seed \(seed)")
    }
  }

  @Test("the count does not depend on the device's orientation")
  func orientation() {
    let upright = SimulatedGait().samples(rate: 50, 30)
    let turned = upright.map {
      MotionSample(time: $0.time, acceleration: Vector3($0.acceleration!.z, -$0.acceleration!.x, $0.acceleration!.y))
    }
    #expect(Pedometer.steps(in: upright) == Pedometer.steps(in: turned) && Pedometer.steps(in: upright) > 50)
  }

  @Test("walks and rests alternate, each with its event at the right time")
  func events() {
    let events = Pedometer.history(of: SimulatedGait().samples(rate: 100, from: 1000, 20, 15, 20, 15)).events
    #expect(events.map(\.type) == [.resume, .pause, .resume, .pause])
    for (event, time) in zip(events, [1000, 1020, 1035, 1055]) { #expect(abs(event.time - Double(time)) < 0.8) }
  }

  @Test("a walk that continues at the end has no pause event")
  func noPauseAtTheEnd() {
    #expect(Pedometer.history(of: SimulatedGait().samples(rate: 100, 20)).events.map(\.type) == [.resume])
  }

  @Test("a few steps are not counted, but ten are")
  func shortWalks() {
    #expect(Pedometer.steps(in: SimulatedGait().samples(rate: 100, 0, 10, 2.5, 10)) == 0)
    #expect((9...12).contains(Pedometer.steps(in: SimulatedGait().samples(rate: 100, 0, 10, 6, 10))))
  }

  @Test("the first steps of a walk are counted as soon as the walk is recognised")
  func firstSteps() throws {
    let first = try #require(Pedometer.history(of: SimulatedGait().samples(rate: 100, 0, 7, 20, 5)).steps.first)
    #expect(abs(first.time - 7) < 0.8)
  }

  static let others: [String: [MotionSample]] = [
    "at rest": SimulatedGait(noise: 0.02).samples(rate: 100, 0, 60),
    "falling, without weight": samples(seconds: 60) { _ in .zero },
    "shaken at 4 Hz": samples(seconds: 60) { Vector3(2.5 * sin(2 * .pi * 4 * $0), 0, -1) },
    "shaken at 2.5 Hz": samples(seconds: 60) { Vector3(2.5 * sin(2 * .pi * 2.5 * $0), 0, -1) },
    "turned like a wheel": samples(seconds: 60) {
      let angle = 0.9 * sin(2 * .pi * 0.8 * $0)
      return Vector3(0, sin(angle), -cos(angle))
    },
    "swung up and down by an arm": samples(seconds: 60) { Vector3(0, 0, -1 - 1.5 * sin(2 * .pi * 1.2 * $0)) },
    "on a slow swell": samples(seconds: 60) { Vector3(0, 0, -1 - 0.1 * sin(2 * .pi * 0.3 * $0)) },
    "on an engine at 20 Hz": samples(seconds: 60) { Vector3(0, 0, -1 - 0.3 * sin(2 * .pi * 20 * $0)) },
    "with a drifting scale": samples(seconds: 60) { Vector3(0, 0, -1 - 0.002 * $0) },
  ]

  @Test("motion without gait has no steps", arguments: others.keys.sorted())
  func otherMotion(name: String) {
    #expect(Pedometer.steps(in: Self.others[name]!) == 0)
  }

  @Test("random jolts do not count as steps", arguments: 1...5)
  func jolts(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var level = 0.0
    let jolted = samples(seconds: 120) { _ in
      // The noise is correlated over a third of a second, as on a rough road.
      level = 0.97 * level + 0.03 * generator.normal()
      return Vector3(0, 0, -1 - level)
    }
    #expect(Pedometer.steps(in: jolted) <= 4)
  }
}
