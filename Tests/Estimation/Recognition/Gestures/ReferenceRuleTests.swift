import Foundation
import InertialNumerics
import InertialRecognition
import InertialSensors
import TestSupport
import Testing

@Suite("The reference detector")
struct ReferenceRuleTests {
  private typealias Detector = ShakeDetector<ReferenceRule>

  private func found(_ motion: SyntheticMotion, rate: Double = 100, hasGyroscope: Bool = true) -> [GestureEvent] {
    events(Detector(), motion.samples(rate: rate, hasGyroscope: hasGyroscope))
  }

  @Test("a shake is one gesture, detected within 0.6 s, at any rate", arguments: [25.0, 50, 60, 100, 200, 400])
  func rates(rate: Double) throws {
    let events = found(SyntheticMotion(), rate: rate)
    #expect(events.map(\.phase) == [.began, .ended] && events[0].time - 2 < 0.6)
    #expect(abs(events[1].start - 2) < 0.05 && abs(events[1].end - 5) < 0.1 && events[1].count == 1)
    let reason = try #require(events[1].reason)
    #expect(abs((reason.frequency ?? 0) - 4) < 0.15)
    #expect(reason.probability > 0.9 && abs(reason.axisFraction - 1) < 1e-6)
  }

  @Test("motions of any speed and strength, with harmonics and noise, have the same result at 25, 50, 100 and 400 Hz")
  func sameDecisions() {
    var generator = SeededGenerator(seed: 11)
    var (same, shakes) = (0, 0)
    let count = 150
    for _ in 0..<count {
      let motion = SyntheticMotion(
        frequency: .random(in: 1...6, using: &generator), amplitude: .random(in: 0.3...4, using: &generator),
        rotation: .random(in: 0...10, using: &generator))
      let harmonic = Double.random(in: 0...0.3, using: &generator)
      let noise = (0..<2800).map { _ in Double.random(in: -0.1...0.1, using: &generator) }
      let fine = motion.samples(rate: 400).enumerated().map { index, sample -> MotionSample in
        let phase = 2 * Double.pi * motion.frequency * (sample.time - motion.rest)
        let isMoving = sample.time >= motion.rest && sample.time < motion.rest + motion.duration
        let extra = (isMoving ? harmonic * motion.amplitude * sin(2 * phase) : 0) + noise[index]
        return with(sample) { $0.userAcceleration = sample.userAcceleration.map { $0 + extra * Vector3.unitX } }
      }
      let decisions = [1, 4, 8, 16].map { step -> Bool in
        var detector = Detector()
        for index in stride(from: 0, to: fine.count, by: step) { _ = detector.update(fine[index]) }
        return detector.detections > 0
      }
      same += Set(decisions).count == 1 ? 1 : 0
      shakes += decisions[0] ? 1 : 0
    }
    #expect(Double(same) >= 0.98 * Double(count), "\(same) of \(count)")
    #expect(shakes > count / 5 && shakes < 4 * count / 5, "both kinds must be among them: \(shakes)")
  }

  @Test("the result does not depend on the device's orientation")
  func orientation() throws {
    var generator = SeededGenerator(seed: 7)
    let expected = try #require(found(SyntheticMotion()).last)
    for _ in 0..<20 {
      let axis = Vector3(
        .random(in: -1...1, using: &generator), .random(in: -1...1, using: &generator),
        .random(in: -1...1, using: &generator))
      let direction = try #require(axis.normalized)
      let turning = try #require(direction.cross(.unitX).normalized)
      let event = try #require(found(SyntheticMotion(axis: direction, turningAxis: turning)).last)
      #expect(abs(event.score - expected.score) < 1e-9 && event.time == expected.time)
      #expect(abs(abs(event.axis.dot(direction)) - 1) < 1e-9)
    }
  }

  @Test(
    "shakes of 3.2 to 6 Hz and 1.8 to 5 g are detected with and without a gyroscope",
    arguments: [3.2, 4, 5, 6], [1.8, 2.5, 5])
  func shakes(frequency: Double, amplitude: Double) {
    let motion = SyntheticMotion(frequency: frequency, amplitude: amplitude)
    #expect(found(motion).last?.count == 1)
    if amplitude > 2 { #expect(found(motion, hasGyroscope: false).last?.count == 1) }
  }

  @Test("chopping and swinging are too slow, and trembling is too weak")
  func others() {
    for (frequency, amplitude, rotation) in [(1.5, 3.0, 10.0), (2.2, 2.5, 10), (0.9, 3, 6), (6, 0.5, 4)] {
      let motion = SyntheticMotion(frequency: frequency, amplitude: amplitude, rotation: rotation)
      #expect(found(motion).isEmpty, "\(frequency) Hz")
    }
  }

  @Test("running is fast and strong, but the body turns once in two steps", arguments: [2.4, 2.8, 3.0])
  func running(steps: Double) {
    let motion = SyntheticMotion(
      frequency: steps, amplitude: 1.8, rotation: 3, rotationFrequency: steps / 2, duration: 20)
    #expect(found(motion).isEmpty)
  }

  @Test("a knock and a drop are not shakes")
  func knockAndDrop() {
    let knock = (0..<400).map { index in
      let t = Double(index) / 100 - 2
      // An impact of 10 g that rings out at 15 Hz.
      let a = t < 0 ? 0 : 10 * exp(-t / 0.03) * cos(2 * .pi * 15 * t)
      return MotionSample(time: t, userAcceleration: Vector3(a, 0, 0), rotationRate: .zero)
    }
    #expect(events(Detector(), knock).isEmpty)
    let drop = (0..<400).map { index in
      let t = Double(index) / 100 - 2
      // A fall of half a second, an impact, and a bounce.
      let a = t < 0 ? 0 : t < 0.5 ? 1.0 : t < 0.52 ? -12 : t < 0.7 ? 1 : t < 0.72 ? -5 : 0
      return MotionSample(time: t, userAcceleration: Vector3(0, 0, a), rotationRate: Vector3(3, 0, 0))
    }
    #expect(events(Detector(), drop).isEmpty)
  }

  @Test("gravity is removed from the raw acceleration in any direction")
  func rawAcceleration() {
    let gravity = Vector3(0.6, -0.48, -0.64)
    let samples = SyntheticMotion(frequency: 4.5, amplitude: 2.5).samples(rate: 50).map {
      MotionSample(time: $0.time, acceleration: gravity + ($0.userAcceleration ?? .zero), rotationRate: $0.rotationRate)
    }
    #expect(events(Detector(), samples).last?.count == 1)
    let rest = samples.map { MotionSample(time: $0.time, acceleration: gravity) }
    #expect(events(Detector(), rest).isEmpty)
  }

  @Test("higher sensitivity detects more shakes, and 1 detects some that the default does not")
  func sensitivity() {
    let gentle = SyntheticMotion(frequency: 3, amplitude: 1.5, rotation: 3).samples(rate: 100)
    let counts = [0, 0.25, 0.5, 0.75, 1].map { sensitivity -> Int in
      events(Detector(parameters: with(.init()) { $0.sensitivity = sensitivity }), gentle).last?.count ?? 0
    }
    #expect(counts == counts.sorted() && counts[0] == 0 && counts[4] == 1)
  }

  @Test("gentle shakes are at the limit of the default, but not of sensitivity 1", arguments: [1.2, 1.5])
  func gentle(amplitude: Double) {
    func count(_ sensitivity: Double) -> Int {
      let parameters = with(ReferenceRule.Parameters()) { $0.sensitivity = sensitivity }
      let motion = SyntheticMotion(frequency: 3.2, amplitude: amplitude, rotation: 3)
      return events(Detector(parameters: parameters), motion.samples(rate: 100)).last?.count ?? 0
    }
    #expect(count(0) == 0 && count(1) == 1)
    // The exact limit is about 1.5 g, depending on the evidence.
    if amplitude < 1.3 { #expect(count(0.5) == 0) }
  }

  @Test("the reason lists exclusions: too weak, too few reversals, too large a displacement, or over")
  func exclusions() throws {
    func last(_ samples: [MotionSample]) -> Set<ShakeReason.Exclusion> {
      var detector = Detector()
      var seen: Set<ShakeReason.Exclusion> = []
      for sample in samples {
        _ = detector.update(sample)
        if let exclusion = detector.reason?.exclusion { seen.insert(exclusion) }
      }
      return seen
    }
    #expect(last(SyntheticMotion(amplitude: 0.3).samples(rate: 100)) == [.energy])
    #expect(last(SyntheticMotion(frequency: 1.2, amplitude: 2).samples(rate: 100)).contains(.reversals))
    #expect(last(SyntheticMotion(frequency: 2.4, amplitude: 8).samples(rate: 100)).contains(.displacement))
    #expect(last(SyntheticMotion(frequency: 4, amplitude: 3, duration: 0.6).samples(rate: 100)).contains(.recent))
  }

  @Test(
    "a runner does not shake at any speed, if gravity and ground contact are known", arguments: [25.0, 50, 100, 400])
  func running(rate: Double) throws {
    let run = SimulatedRun().samples(rate: rate)
    #expect(events(Detector(), run).isEmpty)
    // The same motion without gravity is a shake of half a minute, as no other data distinguishes it from one.
    let blind = run.map {
      MotionSample(time: $0.time, userAcceleration: $0.userAcceleration, rotationRate: $0.rotationRate)
    }
    let shake = try #require(events(Detector(), blind).last)
    #expect(shake.duration > 30)
    var detector = Detector()
    for sample in run { _ = detector.update(sample) }
    #expect(detector.reason?.exclusion == .gait)
  }

  @Test("a vertical shake accelerates downwards by more than gravity, and is detected for its whole duration")
  func shakeAlongGravity() throws {
    for frequency in [3, 3.5, 5] {
      let motion = SyntheticMotion(
        frequency: frequency, amplitude: 2.2, axis: .unitZ, turningAxis: .unitX, duration: 20)
      let samples = motion.samples(rate: 100).map { sample in
        with(sample) { $0.acceleration = sample.userAcceleration.map { Vector3(0, 0, -1) + $0 } }
      }
      let found = events(Detector(), samples)
      #expect(found.map(\.phase) == [.began, .ended], "\(frequency) Hz")
      #expect((found.last?.duration ?? 0) > 19, "\(frequency) Hz")
    }
  }

  @Test("a shake after a run is detected as early as any other")
  func shakeAfterRun() throws {
    let run = SimulatedRun(duration: 10).samples(rate: 100)
    let end = try #require(run.last).time
    func shaken(along axis: Vector3, after pause: Double) -> [GestureEvent] {
      let shake = SyntheticMotion(amplitude: 2.5, axis: axis, turningAxis: .unitZ, rest: pause).samples(rate: 100)
      let later = shake.map { sample in
        with(sample) {
          $0.time += end + 0.01
          $0.acceleration = sample.userAcceleration.map { SimulatedRun().gravity + $0 }
        }
      }
      return events(Detector(), run + later)
    }
    let across = try #require(Vector3(0.8, 0.6, 0.4).normalized)
    for (axis, pause) in [(SimulatedRun().gravity, 1.0), (across, 1), (across, 0.3)] {
      let found = shaken(along: axis, after: pause)
      #expect(found.last?.count == 1)
      #expect((found.first?.time ?? 99) - end - pause < 0.7)
    }
  }

  @Test("no decision is based on less than half a second after a start, a pause or a gap")
  func warmUp() {
    var detector = Detector()
    let shake = SyntheticMotion(rest: 0, duration: 20).samples(rate: 100)
    func firstReason(_ range: Range<Int>) -> Double? {
      for index in range {
        _ = detector.update(shake[index])
        if detector.reason != nil { return shake[index].time - shake[range.lowerBound].time }
      }
      return nil
    }
    #expect(abs((firstReason(0..<100) ?? 0) - 0.48) < 0.011)
    _ = detector.pause(at: 1)
    detector.resume()
    #expect(abs((firstReason(100..<200) ?? 0) - 0.48) < 0.011)
    #expect(abs((firstReason(260..<400) ?? 0) - 0.48) < 0.011, "0.4 s and more without a sample")
  }

  @Test("a sample without any acceleration changes nothing and is not a detection")
  func noAcceleration() {
    var detector = Detector()
    for sample in SyntheticMotion().samples(rate: 25).prefix(110) { _ = detector.update(sample) }
    let (detections, isActive) = (detector.detections, detector.reading.isActive)
    #expect(detections > 0 && isActive)
    for index in 0..<5 { _ = detector.update(MotionSample(time: 4.41 + Double(index) / 100)) }
    #expect(detector.detections == detections && detector.reading.isActive)
  }

  @Test("a stream that is split anywhere, with a copied detector, has the same events")
  func copies() {
    let samples = SyntheticMotion().samples(rate: 100)
    var first = Detector()
    var collected = samples[..<330].compactMap { first.update($0) }
    var second = first
    for sample in SyntheticMotion(frequency: 1).samples(rate: 100, from: 4) { _ = first.update(sample) }
    collected += samples[330...].compactMap { second.update($0) }
    #expect(collected == events(Detector(), samples))
  }
}
