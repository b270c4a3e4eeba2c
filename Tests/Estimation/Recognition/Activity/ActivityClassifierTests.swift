import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialRecognition

@Suite("Activity classifier")
struct ActivityClassifierTests {
  private func updates(
    _ samples: [MotionSample], _ classifier: inout ActivityClassifier, speed: ((Double) -> Double)? = nil
  ) -> [MotionActivity] {
    var (updates, reported): ([MotionActivity], Double) = ([], -1)
    for sample in samples {
      if let speed, sample.time - reported >= 1 {
        classifier.update(speed: speed(sample.time), at: sample.time)
        reported = sample.time
      }
      if let update = classifier.update(sample) { updates.append(update) }
    }
    return updates
  }

  /// Returns the updates of a classifier that a pedometer supports.
  private func supportedUpdates(_ motion: SimulatedActivity) -> [MotionActivity] {
    var pass = ActivityPass(detectsShakes: false)
    return motion.samples.compactMap { pass.update($0) }
  }

  private func updates(_ motion: SimulatedActivity, speed: ((Double) -> Double)? = nil) -> [MotionActivity] {
    var classifier = ActivityClassifier()
    return updates(motion.samples, &classifier, speed: speed)
  }

  @Test("the activity is unknown until a window is full, and then correct", arguments: [15.0, 25, 50, 100, 200, 400])
  func rates(rate: Double) throws {
    for (kind, flags) in [
      (SimulatedActivity.Kind.rest, ActivityFlags.stationary), (.walking, .walking), (.running, .running),
    ] {
      let updates = supportedUpdates(.of((kind, 20), rate: rate, from: 12))
      #expect(updates.first?.flags == .unknown && updates.first?.start == 12)
      #expect(
        updates.filter { $0.end > 20 }.allSatisfy { $0.flags == flags }, "\(rate) Hz: \(updates.map(\.flags.names))")
      let last = try #require(updates.last)
      #expect(last.flags == flags && last.confidence == .high && last.end <= 32)
      #expect(updates.allSatisfy { $0.start <= $0.end })
    }
  }

  @Test("updates follow each other every 2.56 s while the activity stays the same")
  func beat() {
    let settled = updates(.of((.walking, 60))).map(\.end).filter { $0 > 15 }
    for (a, b) in zip(settled, settled.dropFirst()) { #expect(abs(b - a - RecognitionPeriod.standard) < 1e-6) }
    #expect(settled.count >= 16)
  }

  @Test("an accelerometer alone is sufficient, in any orientation of the device")
  func accelerometerAlone() {
    for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0.3)] {
      var motion = SimulatedActivity()
      motion.hasUserAcceleration = false
      motion.attitude = .init(angle: 1.9, axis: axis)
      motion.add(.walking, seconds: 20)
      #expect(updates(motion).last?.flags == .walking)
    }
  }

  @Test("a change of activity is reported within six seconds, with its actual start")
  func change() throws {
    let updates = supportedUpdates(.of((.rest, 20), (.walking, 20), (.running, 20)))
    let walking = try #require(updates.first { $0.flags == .walking })
    #expect(walking.end < 26 && abs(walking.start - 20) < 3)
    let running = try #require(updates.first { $0.flags == .running })
    #expect(running.end < 46 && abs(running.start - 40) < 5)
  }

  @Test("the classifier starts over after a gap")
  func gap() throws {
    var motion = SimulatedActivity.of((.walking, 10))
    motion.pause(seconds: 1.5)
    motion.add(.rest, seconds: 10)
    let updates = updates(motion)
    let unknown = updates.filter { $0.flags == .unknown }
    #expect(unknown.count == 2 && abs((unknown.last?.start ?? 0) - 11.5) < 1e-6)
    #expect(updates.last?.flags == .stationary)
    // A shorter pause is bridged.
    var short = SimulatedActivity.of((.walking, 10))
    short.pause(seconds: 0.8)
    short.add(.walking, seconds: 10)
    #expect(self.updates(short).count { $0.flags == .unknown } == 1)
  }

  @Test("samples that are not finite, out of order or without gravity only increase the rejected count")
  func badSamples() {
    let motion = SimulatedActivity.of((.walking, 20))
    var spoiled: [MotionSample] = []
    for (index, sample) in motion.samples.enumerated() {
      spoiled.append(sample)
      guard index % 50 == 7 else { continue }
      var bad = sample
      bad.time += 0.003
      bad.acceleration = Vector3(.nan, 0, 0)
      spoiled.append(bad)
      bad.acceleration = Vector3(50, 0, 0)
      bad.time -= 0.5
      spoiled.append(bad)
      spoiled.append(MotionSample(time: sample.time + 0.004, userAcceleration: Vector3(9, 9, 9)))
    }
    var (clean, dirty) = (ActivityClassifier(), ActivityClassifier())
    #expect(updates(motion.samples, &clean) == updates(spoiled, &dirty))
    #expect(clean.rejectedCount == 0 && dirty.rejectedCount == 80)
    var empty = ActivityClassifier()
    #expect(updates([], &empty).isEmpty && empty.evidence == nil)
  }

  @Test("a restored state continues with the same results")
  func state() throws {
    let motion = SimulatedActivity.of((.rest, 8), (.walking, 12))
    var whole = ActivityClassifier()
    let expected = updates(motion.samples, &whole)
    var first = ActivityClassifier()
    var found = updates(Array(motion.samples[..<733]), &first)
    _ = try JSONEncoder().encode(ActivityClassifier().state)
    var second = ActivityClassifier(state: try savedAndRestored(first.state))
    found += updates(Array(motion.samples[733...]), &second)
    #expect(found == expected)
  }

  @Test("steady fast shaking is a car, also while it waits, until the person walks")
  func car() throws {
    let motion = SimulatedActivity.of((.walking, 10), (.car(0.05), 40), (.rest, 15), (.walking, 20))
    let updates = updates(motion) { time in time > 10 && time < 50 ? 12 : time > 65 ? 1.3 : 0.1 }
    func flags(at time: Double) -> ActivityFlags? { updates.last { $0.end <= time }?.flags }
    #expect(flags(at: 30) == .automotive && flags(at: 49) == .automotive)
    #expect(flags(at: 62) == [.automotive, .stationary] && flags(at: 84) == .walking)
    #expect(self.updates(.of((.car(0.05), 40))).last?.flags == .automotive)
  }

  @Test("a trembling device that a hand rotates is not in a car, and did not wait in one")
  func handheld() {
    var played = SimulatedActivity()
    played.swing = 0.3
    played.add(.rest, seconds: 15)
    played.add(.car(0.05), seconds: 40)
    #expect(updates(played).allSatisfy { !$0.flags.contains(.automotive) })
  }

  @Test("the shaking of a bicycle at its speed is cycling, and pedalling without a gyroscope is no walk")
  func cycling() {
    // Without a gyroscope, pedalling is neither cycling nor a walk.
    #expect(updates(.of((.pedalling, 40))).last?.flags.isDisjoint(with: [.cycling, .walking, .running]) == true)
    #expect(updates(.of((.bicycle, 40))) { _ in 4.5 }.last?.flags == .cycling)
  }

  @Test("another motion of the device sets no flag")
  func otherMotion() {
    var classifier = ActivityClassifier()
    var last: MotionActivity?
    for sample in SimulatedActivity.of((.running, 20)).samples {
      classifier.noteOtherMotion(at: sample.time)
      last = classifier.update(sample) ?? last
    }
    #expect(last?.flags == [] && last?.confidence == .low)
  }

  @Test("a rising walk is on stairs up, a sinking one on stairs down; a lift is neither, and skiing is not a walk")
  func stairs() {
    func flags(_ kind: SimulatedActivity.Kind, _ speed: Double) -> ActivityFlags? {
      var (classifier, last, reported) = (ActivityClassifier(), ActivityFlags?.none, -1.0)
      for sample in SimulatedActivity.of((kind, 20)).samples {
        if sample.time - reported > 0.95 {
          classifier.update(pressure: 101.325 - 0.012 * speed * sample.time, at: sample.time)
          reported = sample.time
        }
        last = classifier.update(sample)?.flags ?? last
      }
      return last
    }
    for (speed, expected) in [
      (0.3, [.walking, .stairsUp]), (-0.3, [.walking, .stairsDown]), (0.08, .walking),
      (-0.8, [.walking, .stairsDown]), (-1.6, []),
    ] as [(Double, ActivityFlags)] { #expect(flags(.walking, speed) == expected, "\(speed) m/s") }
    #expect(flags(.rest, 1.5) == .stationary)
  }

  @Test("impossible pressures and speeds are ignored")
  func badContext() {
    var pressure = PressureTrend()
    for (value, time) in [(.nan, 0.0), (0, 1), (500, 2), (101, .nan)] { pressure.append(value, at: time) }
    #expect(pressure.verticalSpeed(to: 10) == nil)
    for time in 0..<5 { pressure.append(101, at: Double(time)) }
    pressure.append(90, at: 2)
    #expect(abs(pressure.verticalSpeed(to: 4) ?? 9) < 1e-9)
    #expect(pressure.verticalSpeed(to: 1) == nil)
    var speed = SpeedTrend()
    for value in [-1.0, .nan, .infinity, 1e6] { speed.append(value, at: 1) }
    #expect(speed.mean(from: 0, to: 9) == nil)
    speed.append(3, at: 1)
    speed.append(5, at: 2)
    #expect(speed.mean(from: 0, to: 9) == 4 && speed.mean(from: 1, to: 9) == 5)
  }
}
