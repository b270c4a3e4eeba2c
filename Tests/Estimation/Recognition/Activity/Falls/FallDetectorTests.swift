import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialRecognition

struct FallDetectorTests {
  @Test("a fall is detected once, with its times and angle, at any rate", arguments: [25.0, 50, 100, 200, 400])
  func found(rate: Double) throws {
    let events = SimulatedFall.fall(rate: rate).events()
    #expect(events.count == 1)
    let event = try #require(events.first)
    #expect(abs(event.start - 5) < 0.1 && abs(event.impact - 5.56) < 0.08 && event.end > 5.9 && event.end < 6.3)
    #expect(event.peak > 4.5 && event.peak < 7 && abs(event.freeFall - 0.5) < 0.1)
    #expect(abs(event.orientationChange - SimulatedFall.upright.angle(to: SimulatedFall.level)) < 0.1)
    #expect(event.score > 0.5 && event.score <= 1)
    #expect(event.reason.exclusion == nil && abs(event.reason.descent - 2.2) < 0.4)
  }

  @Test(
    "a slow sensor's mean peak yields the actual peak of a body's impact", arguments: [15.0, 25, 50])
  func coarse(rate: Double) {
    // A half sine of 75 ms and 5 g beyond gravity, sampled at uniformly distributed times.
    let (duration, height, interval) = (0.075, 5.0, 1 / rate)
    func pulse(_ time: Double) -> Double { abs(time) < duration / 2 ? height * cos(.pi * time / duration) : 0 }
    let count = 2000
    let moments = (0..<count).map { interval * ((Double($0) + 0.5) / Double(count) - 0.5) }
    let seen = moments.reduce(0) { $0 + pulse($1) } / Double(count)
    #expect(seen < height)
    #expect(abs(ImpactPulse.force(norm: 1 + seen, after: interval) - 1 - height) < 1e-3 * height)
    // Values below gravity are unchanged, and a pause does not increase the force further.
    #expect(ImpactPulse.force(norm: 0.9, after: interval) == 0.9)
    #expect(ImpactPulse.force(norm: 3, after: 10) == ImpactPulse.force(norm: 3, after: duration))
    #expect(ImpactPulse.force(norm: 3, after: 0) == 3)
  }

  @Test("the reported peak equals the samples' peak, and the evaluated force is larger for a slow sensor")
  func weighed() throws {
    let fast = try #require(SimulatedFall.fall(rate: 400, peak: 8).events().first)
    let slow = try #require(SimulatedFall.fall(rate: 15, peak: 8).events().first)
    #expect(slow.peak == slow.reason.peak && slow.reason.force > 1 + 1.3 * (slow.peak - 1))
    #expect(abs(fast.reason.force / fast.peak - 1) < 0.01)
  }

  @Test("a fall is reported after a rest, within the specified delay")
  func delay() throws {
    var detector = FallDetector()
    var reported: Double?
    for sample in SimulatedFall.fall().samples where detector.update(sample) != nil { reported = sample.time }
    let impact = try #require(SimulatedFall.fall().events().first).impact
    #expect(try #require(reported) - impact < 2.9)
  }

  @Test("a walk or a minute of rest before the fall changes nothing", arguments: [0.0, 0.35])
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

  @Test("two falls with getting up between them are two")
  func two() {
    var motion = SimulatedFall.fall()
    motion.go(until: 12, to: SimulatedFall.upright) { _ in 1.1 }
    motion.walk(until: 20)
    motion.go(until: 20.5, to: SimulatedFall.level) { _ in 0.5 }
    motion.hit(6)
    motion.go(until: 24)
    #expect(motion.events().count == 2)
  }

  @Test("a fall without a rotation, such as a jump or a stumble, does not count")
  func jump() {
    #expect(SimulatedFall.fall(to: SimulatedFall.upright).events().isEmpty)
    #expect(SimulatedFall.fall(to: SimulatedFall.upright).reason()?.exclusion == .sameOrientation)
  }

  @Test("a device dropped from 0.6 m does not count, as no falling body is that weightless")
  func dropped() {
    var motion = SimulatedFall()
    motion.go(until: 5, noise: 0.02)
    motion.go(until: 5.35, to: SimulatedFall.level) { _ in 0.08 }
    motion.hit(9)
    motion.go(until: 5.6) { _ in 0.1 }
    motion.hit(3)
    motion.go(until: 9, noise: 0.002)
    #expect(motion.events().isEmpty && motion.reason()?.exclusion == .weightless)
    // The same motion with the partial support of a falling person is a fall.
    #expect(SimulatedFall.fall(peak: 9, support: 0.4).events().count == 1)
  }

  @Test("sitting down hard and kneeling are too slow and too soft")
  func sitting() {
    var motion = SimulatedFall()
    motion.go(until: 5, noise: 0.02)
    motion.go(until: 5.4, to: SimulatedFall.level) { _ in 0.75 }
    motion.hit(3)
    motion.go(until: 9)
    #expect(motion.events().isEmpty && motion.reason()?.exclusion == nil && (motion.reason()?.evidence ?? 9) < 0.7)
  }

  @Test("shaking, running and a pothole, followed by laying the device down, do not count")
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

  @Test("a person who continues to move has no reported fall")
  func noRest() {
    var motion = SimulatedFall.fall(rest: 0.2)
    motion.walk(until: 20)
    #expect(motion.events().isEmpty)
    // A longer rest can be required.
    let parameters = with(FallDetector.Parameters()) { $0.restDuration = 6 }
    #expect(SimulatedFall.fall(rest: 2.5).events(parameters).isEmpty)
    #expect(SimulatedFall.fall(rest: 8).events(parameters).count == 1)
  }

  @Test("at the end of a log, half of the rest is sufficient; a log that ends earlier has no fall")
  func end() {
    #expect(SimulatedFall.fall(rest: 0.6).events().count == 1 && SimulatedFall.fall(rest: 0.2).events().isEmpty)
    #expect(SimulatedFall.fall(rest: 0.6, to: SimulatedFall.upright).events().isEmpty)
    var detector = FallDetector()
    #expect(detector.finish() == nil)
    for sample in SimulatedFall.fall(rest: 0.6).samples { #expect(detector.update(sample) == nil) }
    #expect(detector.finish() != nil && detector.finish() == nil)
  }

  @Test("higher sensitivity detects softer falls")
  func sensitivity() {
    let soft = SimulatedFall.fall(peak: 3, support: 0.78)
    #expect([0, 0.5, 1].map { value in soft.events(with(.init()) { $0.sensitivity = value }).count } == [0, 0, 1])
  }

  @Test("a log that starts during a fall has no fall, but one that starts a second earlier does")
  func beginning() {
    #expect(SimulatedFall.fall(at: 0.1).events().isEmpty && SimulatedFall.fall(at: 1).events().count == 1)
  }

  @Test("invalid and late samples are counted and change nothing; a log without samples has no fall")
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

  @Test("no fall is detected across a gap, but a short gap is bridged")
  func gaps() {
    let all = SimulatedFall.fall().samples
    func count(without range: ClosedRange<Double>) -> Int {
      var detector = FallDetector()
      return all.filter { !range.contains($0.time) }.compactMap { detector.update($0) }.count
    }
    #expect(count(without: 6.3...6.9) == 0 && count(without: 5.15...5.25) == 1 && count(without: 2...3) == 1)
  }

  @Test("a restored state continues with the same results from any sample")
  func state() throws {
    let samples = SimulatedFall.fall().samples
    let whole = SimulatedFall.fall().events()
    for cut in stride(from: 1, to: samples.count, by: 97) {
      var first = FallDetector()
      var events = samples[..<cut].compactMap { first.update($0) }
      var second = FallDetector(state: try savedAndRestored(first.state))
      events += samples[cut...].compactMap { second.update($0) }
      #expect(events == whole)
    }
  }

  @Test("the evidence is the sum of the documented logarithms")
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
