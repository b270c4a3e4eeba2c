import Foundation
import InertialNumerics
import InertialSensors
import Testing

@testable import InertialRecognition

@Suite("Stray steps")
struct StrayStepTests {
  /// A walk of 1.8 steps per second up to a time, a rest, and single beats.
  struct Walk {
    var end = 20.0
    /// The times after the end of the walk, in seconds, and the height in g.
    var beats: [Double] = []
    var height = 0.15
    /// The rate of the tilt after the walk, in rad/s.
    var tiltRate = 0.0

    func steps() -> Int { Pedometer.steps(in: log) }

    var log: [MotionSample] {
      var generator = SeededGenerator(seed: 7)
      return samples(rate: 50, seconds: end + 30) { time in
        let after = time - end
        var force = 1 + 0.003 * generator.normal()
        if after < 0 { force += 0.25 * cos(2 * .pi * 1.8 * time) }
        for beat in beats { force += height * exp(-pow((after - beat) / 0.15, 2)) }
        let angle = tiltRate * max(after, 0)
        return Vector3(0, -force * sin(angle), -force * cos(angle))
      }
    }
  }

  static let turn = [4.0, 4.8, 5.6, 6.3]

  @Test("the weak steps of a turn count after a walk, up to 12 s later")
  func turns() {
    let walk = Walk().steps()
    #expect(abs(walk - 36) <= 1, "\(walk)")
    #expect(Walk(beats: Self.turn).steps() == walk + 4)
    #expect(Walk(beats: Self.turn.map { $0 + 4 }).steps() == walk + 4)
    #expect(Walk(beats: Self.turn.map { $0 + 10 }).steps() == walk)
  }

  @Test("the weak steps of a turn count after a walk of 18 steps, and not after a walk of 14")
  func shortWalks() {
    for (end, count) in [(10.0, 4), (8, 0)] {
      #expect(Walk(end: end, beats: Self.turn).steps() - Walk(end: end).steps() == count, "\(end)")
    }
  }

  @Test("one beat long after a walk is no step, and one beat in the rhythm of the walk is")
  func singleBeats() {
    let walk = Walk().steps()
    #expect(Walk(beats: [5]).steps() == walk && Walk(beats: [0.8]).steps() == walk + 1)
    #expect(Walk(beats: [5, 6.2]).steps() == walk + 2 && Walk(beats: [5, 7]).steps() == walk)
  }

  @Test("beats that are too weak are no steps, and a strong beat is no step and ends the walk")
  func heights() {
    let walk = Walk().steps()
    #expect(Walk(beats: [5, 6.2], height: 0.03).steps() == walk)
    #expect(Walk(beats: [5, 6.2], height: 0.8).steps() == walk)
    for (height, count) in [(0.0, 2), (0.8, 0)] {
      let log = Walk(beats: [5.5, 6.3]).log.map {
        let beat = height * exp(-pow(($0.time - 24) / 0.15, 2))
        return MotionSample(time: $0.time, acceleration: $0.acceleration! - Vector3(0, 0, beat))
      }
      #expect(Pedometer.steps(in: log) == walk + count)
    }
  }

  @Test("beats of a device that turns over are no steps")
  func turnedOver() {
    let walk = Walk().steps()
    #expect(Walk(beats: [5, 6.2], tiltRate: 0.05).steps() == walk + 2)
    #expect(Walk(beats: [5, 6.2], tiltRate: 0.5).steps() == walk)
  }

  @Test("beats of a device that a hand moves sideways do not count as steps")
  func movedByHand() {
    for (sideways, count) in [(0.3, 2), (0.6, 0)] {
      let log = Walk(beats: [5, 6.2]).log.map {
        let wave = $0.time < 20 ? 0 : sideways * sin(2 * .pi * 3.1 * $0.time)
        return MotionSample(time: $0.time, acceleration: $0.acceleration! + Vector3(wave, 0, 0))
      }
      #expect(Pedometer.steps(in: log) == Walk().steps() + count, "\(sideways)")
    }
  }

  @Test("steps are reported in chronological order if a walk continues after a turn")
  func order() {
    var samples = Walk(beats: Self.turn).log.filter { $0.time < 28 }
    for sample in SimulatedGait().samples(rate: 50, from: 28, 20) { samples.append(sample) }
    let times = Pedometer.history(of: samples).steps.map(\.time)
    #expect(times == times.sorted() && abs(times.count - 76) <= 2, "\(times.count)")
    #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 > 0.25 })
  }

  @Test("a pedometer restored during a turn continues like the original")
  func state() throws {
    let samples = Walk(beats: Self.turn).log
    var (original, restored) = (Pedometer(), Pedometer())
    for sample in samples where sample.time < 25.5 { _ = original.update(sample) }
    restored.state = try JSONDecoder().decode(Pedometer.State.self, from: JSONEncoder().encode(original.state))
    let rest = samples.filter { $0.time >= 25.5 }
    let (expected, outputs) = (original.outputs(rest), restored.outputs(rest))
    #expect(outputs == expected && outputs.contains { if case .step = $0 { true } else { false } })
  }

  @Test("the shift of the weight before the first step is no step")
  func weightShift() {
    let gait = SimulatedGait(asymmetry: 0, swing: 0, noise: 0.002)
    let walk = gait.samples(rate: 100, 0, 7, 20, 5)
    func shifted(_ height: Double) -> [MotionSample] {
      walk.map {
        let beat = height * exp(-pow(($0.time - (7 - 1 / 1.8)) / 0.15, 2))
        return MotionSample(time: $0.time, acceleration: $0.acceleration! - Vector3(0, 0, beat))
      }
    }
    let count = Pedometer.steps(in: walk)
    #expect(Pedometer.steps(in: shifted(0.065)) == count && Pedometer.steps(in: shifted(0.2)) == count + 1)
  }
}
