import Foundation
import InertialNumerics
import InertialSensors
import Testing

@testable import InertialRecognition

struct FallDetectorTests {
  @Test("a fall is found once, with its times and angle, at every rate", arguments: [25.0, 50, 100, 200, 400])
  func found(rate: Double) throws {
    let events = SimulatedFall.fall(rate: rate).events()
    #expect(events.count == 1)
    let event = try #require(events.first)
    #expect(abs(event.start - 5) < 0.1)
    #expect(abs(event.impact - 5.56) < 0.08)
    #expect(event.end > 5.9 && event.end < 6.3)
    #expect(event.peak > 4.5 && event.peak < 7)
    #expect(abs(event.freeFall - 0.5) < 0.1)
    #expect(abs(event.orientationChange - SimulatedFall.upright.angle(to: SimulatedFall.level)) < 0.1)
    #expect(event.score > 0.5 && event.score <= 1)
    #expect(event.reason.exclusion == nil && abs(event.reason.descent - 2.2) < 0.4)
  }

  @Test(
    "behind the samples of a coarse sensor is the peak that a body's impact has on average", arguments: [15.0, 25, 50])
  func coarse(rate: Double) {
    // A half sine of 75 ms and 5 g beyond gravity: at random moments, or averaged over the interval about its middle.
    let (duration, height, interval) = (0.075, 5.0, 1 / rate)
    func pulse(_ time: Double) -> Double { abs(time) < duration / 2 ? height * cos(.pi * time / duration) : 0 }
    let count = 2000
    let moments = (0..<count).map { interval * ((Double($0) + 0.5) / Double(count) - 0.5) }
    let seen = moments.reduce(0) { $0 + pulse($1) } / Double(count)
    #expect(seen < height)
    #expect(abs(ImpactPulse.force(norm: 1 + seen, after: interval) - 1 - height) < 1e-3 * height)
    // Nothing is made of what is no force, nor of a pause.
    #expect(ImpactPulse.force(norm: 0.9, after: interval) == 0.9)
    #expect(ImpactPulse.force(norm: 3, after: 10) == ImpactPulse.force(norm: 3, after: duration))
    #expect(ImpactPulse.force(norm: 3, after: 0) == 3)
  }

  @Test("the peak that is told is the samples' own; what is weighed is more of a coarse sensor's")
  func weighed() throws {
    let fast = try #require(SimulatedFall.fall(rate: 400, peak: 8).events().first)
    let slow = try #require(SimulatedFall.fall(rate: 15, peak: 8).events().first)
    #expect(slow.peak == slow.reason.peak && slow.reason.force > 1 + 1.3 * (slow.peak - 1))
    #expect(abs(fast.reason.force / fast.peak - 1) < 0.01)
  }

  @Test("it is told when rest has lasted, within the stated delay")
  func delay() throws {
    var detector = FallDetector()
    var told: Double?
    for sample in SimulatedFall.fall().samples where detector.update(sample) != nil { told = sample.time }
    let impact = try #require(SimulatedFall.fall().events().first).impact
    #expect(try #require(told) - impact < 2.9)
  }

  @Test("a walk before it, or a minute of rest, changes nothing", arguments: [0.0, 0.35])
  func before(amplitude: Double) {
    var motion = SimulatedFall()
    motion.walk(until: 60, amplitude: amplitude)
    motion.go(until: 60.5, to: SimulatedFall.between(SimulatedFall.upright, SimulatedFall.level)) { _ in 0.5 }
    motion.hit(7)
    motion.go(until: 61, to: SimulatedFall.level)
    motion.go(until: 64)
    let events = motion.events()
    #expect(events.count == 1 && abs((events.first?.impact ?? 0) - 60.56) < 0.08)
  }

  @Test("two falls, with getting up between them, are two")
  func two() {
    var motion = SimulatedFall.fall()
    motion.go(until: 12, to: SimulatedFall.upright) { _ in 1.1 }
    motion.walk(until: 20)
    motion.go(until: 20.5, to: SimulatedFall.level) { _ in 0.5 }
    motion.hit(6)
    motion.go(until: 24)
    #expect(motion.events().count == 2)
  }

  @Test("the same fall without a turn is none: a jump or a stumble")
  func jump() {
    #expect(SimulatedFall.fall(to: SimulatedFall.upright).events().isEmpty)
    #expect(SimulatedFall.fall(to: SimulatedFall.upright).reason()?.exclusion == .sameOrientation)
  }

  @Test("a device dropped from 0.6 m is none: no body is so weightless")
  func dropped() {
    var motion = SimulatedFall()
    motion.go(until: 5, noise: 0.02)
    motion.go(until: 5.35, to: SimulatedFall.level) { _ in 0.08 }
    motion.hit(9)
    motion.go(until: 5.6) { _ in 0.1 }
    motion.hit(3)
    motion.go(until: 9, noise: 0.002)
    #expect(motion.events().isEmpty)
    #expect(motion.reason()?.exclusion == .weightless)
    // The same with what a person's support leaves is one.
    #expect(SimulatedFall.fall(peak: 9, support: 0.4).events().count == 1)
  }

  @Test("sitting down hard and kneeling are too slow and too soft")
  func sitting() {
    var motion = SimulatedFall()
    motion.go(until: 5, noise: 0.02)
    motion.go(until: 5.4, to: SimulatedFall.level) { _ in 0.75 }
    motion.hit(3)
    motion.go(until: 9)
    #expect(motion.events().isEmpty)
    #expect(motion.reason()?.exclusion == nil)
    #expect((motion.reason()?.evidence ?? 9) < 0.7)
  }

  @Test("shaking, running and driving over a pothole, then laying the device down, are none")
  func activity() {
    for (amplitude, frequency) in [(3.0, 4.5), (1.6, 2.7)] {
      var motion = SimulatedFall()
      motion.go(until: 3)
      motion.go(until: 13, noise: 0.05) { abs(1 + amplitude * sin(2 * .pi * frequency * $0)) }
      motion.go(until: 14.2, to: SimulatedFall.level)
      motion.go(until: 18)
      #expect(motion.events().isEmpty, "\(amplitude) g at \(frequency) Hz: \(String(describing: motion.reason()))")
    }
    var pothole = SimulatedFall()
    pothole.go(until: 5, noise: 0.1)
    pothole.hit(5)
    pothole.go(until: 9, noise: 0.03)
    #expect(pothole.events().isEmpty)
  }

  @Test("who goes on moving is not told of")
  func noRest() {
    var motion = SimulatedFall.fall(rest: 0.2)
    motion.walk(until: 20)
    #expect(motion.events().isEmpty)
    // A longer rest may be asked for.
    var parameters = FallDetector.Parameters()
    parameters.restDuration = 6
    #expect(SimulatedFall.fall(rest: 2.5).events(parameters).isEmpty)
    #expect(SimulatedFall.fall(rest: 8).events(parameters).count == 1)
  }

  @Test("where the log ends in the rest, half of it is enough; where it ends before, nothing is told")
  func end() {
    #expect(SimulatedFall.fall(rest: 0.6).events().count == 1)
    #expect(SimulatedFall.fall(rest: 0.2).events().isEmpty)
    #expect(SimulatedFall.fall(rest: 0.6, to: SimulatedFall.upright).events().isEmpty)
    var detector = FallDetector()
    #expect(detector.finish() == nil)
    for sample in SimulatedFall.fall(rest: 0.6).samples { #expect(detector.update(sample) == nil) }
    #expect(detector.finish() != nil && detector.finish() == nil)
  }

  @Test("bigger sensitivity finds softer falls")
  func sensitivity() {
    let soft = SimulatedFall.fall(peak: 3, support: 0.78)
    var parameters = FallDetector.Parameters()
    var found: [Int] = []
    for value in [0, 0.5, 1] {
      parameters.sensitivity = value
      found.append(soft.events(parameters).count)
    }
    #expect(found == [0, 0, 1])
  }

  @Test("a log that begins in the fall is not judged; one that begins a second before is")
  func beginning() {
    #expect(SimulatedFall.fall(at: 0.1).events().isEmpty)
    #expect(SimulatedFall.fall(at: 1).events().count == 1)
  }

  @Test("NaN, infinite, impossible and late samples are counted and change nothing; no sample is no fall")
  func badSamples() {
    var detector = FallDetector()
    var events: [FallEvent] = []
    for sample in SimulatedFall.fall().samples {
      for bad in [Double.nan, .infinity, 1e200] {
        #expect(detector.update(MotionSample(time: sample.time, acceleration: Vector3(bad, 0, 0))) == nil)
      }
      if let event = detector.update(sample) { events.append(event) }
      #expect(detector.update(sample) == nil)
      #expect(detector.update(MotionSample(time: sample.time - 1, acceleration: Vector3(9, 9, 9))) == nil)
      #expect(detector.update(MotionSample(time: .nan, acceleration: Vector3(9, 9, 9))) == nil)
      #expect(detector.update(MotionSample(time: sample.time, userAcceleration: .zero)) == nil)
    }
    #expect(events == SimulatedFall.fall().events() && events.count == 1)
    #expect(detector.rejectedCount == 6 * SimulatedFall.fall().samples.count)
  }

  @Test("nothing is assumed over a gap; a short one is bridged")
  func gaps() {
    let all = SimulatedFall.fall().samples
    func count(without range: ClosedRange<Double>) -> Int {
      var detector = FallDetector()
      return all.filter { !range.contains($0.time) }.compactMap { detector.update($0) }.count
    }
    #expect(count(without: 6.3...6.9) == 0)
    #expect(count(without: 5.15...5.25) == 1)
    #expect(count(without: 2...3) == 1)
  }

  @Test("a state that was kept, as text, goes on alike from any sample")
  func state() throws {
    let samples = SimulatedFall.fall().samples
    let whole = SimulatedFall.fall().events()
    for cut in stride(from: 1, to: samples.count, by: 97) {
      var first = FallDetector()
      var events = samples[..<cut].compactMap { first.update($0) }
      let data = try JSONEncoder().encode(first.state)
      var second = FallDetector(state: try JSONDecoder().decode(FallDetector.State.self, from: data))
      events += samples[cut...].compactMap { second.update($0) }
      #expect(events == whole)
    }
  }

  @Test("the evidence is the sum of the logarithms it is said to be")
  func evidence() {
    var reason = FallReason()
    (reason.descent, reason.impulse, reason.priorImpulse) = (1.6, 5, 1)
    (reason.force, reason.priorForce, reason.orientationChange, reason.restDelay) = (7, 2, 0.8, 1.8)
    reason.weigh()
    let naive = log(4.0 / 2) + log(1.6 / 0.8) + log(6.0 / 3) + log(0.8 / (.pi / 3)) - 0.2
    #expect(abs(reason.evidence - naive) < 1e-12 && reason.exclusion == nil)
    #expect(abs(reason.score - 1 / (1 + exp(-4 * (naive - 0.7)))) < 1e-12)
    reason.orientationChange = 0.58
    reason.weigh()
    #expect(reason.exclusion == .sameOrientation && reason.score == 0)
    (reason.orientationChange, reason.lowestAcceleration) = (2, 0.19)
    reason.weigh()
    #expect(reason.exclusion == .weightless)
    reason = FallReason()
    reason.weigh()
    #expect(reason.evidence.isFinite)
  }
}
