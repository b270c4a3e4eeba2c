import InertialNumerics
import InertialRecognition
import InertialSensors
import TestSupport
import Testing

@Suite("Gestures as events")
struct GestureEventTests {
  private typealias Detector = ShakeDetector<UserAxisRule>

  /// Returns samples at 50 Hz with x = 1 g in the given intervals and 0 elsewhere.
  private func samples(_ strong: [ClosedRange<Double>], until end: Double) -> [MotionSample] {
    (0...Int(end * 50)).map { index in
      let time = Double(index) / 50
      return MotionSample(time: time, userAcceleration: Vector3(strong.contains { $0.contains(time) } ? 1 : 0, 0, 0))
    }
  }

  @Test("a gesture begins with the detection and ends a quiet time after the last motion; the end counts")
  func life() throws {
    let found = events(Detector(), samples([1...2], until: 5))
    #expect(found.map(\.phase) == [.began, .ended])
    let (began, ended) = (found[0], found[1])
    #expect(began.time == 1 && began.start == 1 && began.count == 0 && began.detector == "user-axis")
    #expect(abs(ended.time - 2.6) < 0.021 && ended.count == 1)
    #expect(ended.start == 1 && ended.end == 2 && ended.duration == 1)
    #expect(ended.axis == .unitX && abs(ended.score - 1 / 0.3) < 1e-12)
  }

  @Test("a pause shorter than the quiet time does not split a gesture, but a longer one does")
  func quietTime() {
    #expect(events(Detector(), samples([1...2, 2.5...3], until: 6)).last?.count == 1)
    #expect(events(Detector(), samples([1...2, 2.7...3], until: 6)).last?.count == 2)
  }

  @Test("the status names match those of sensor collectors")
  func words() {
    #expect(GesturePhase.allCases.map(\.shakeStatusName) == ["ShakeBegan", "ShakeEnded", "ShakeCancelled"])
  }

  @Test("a pause cancels the open gesture, which does not count, and takes no sample until it is over")
  func pause() {
    var detector = Detector()
    for sample in samples([1...9], until: 1.5) { _ = detector.update(sample) }
    let cancelled = detector.pause(at: 1.5)
    #expect(cancelled?.phase == .cancelled && cancelled?.count == 0 && cancelled?.duration == 0.5)
    #expect(detector.pause(at: 1.6) == nil)
    #expect(detector.update(MotionSample(time: 2, userAcceleration: Vector3(1, 0, 0))) == nil)
    detector.resume()
    #expect(detector.update(MotionSample(time: 3, userAcceleration: .zero)) == nil)
    #expect(detector.update(MotionSample(time: 3.1, userAcceleration: Vector3(1, 0, 0)))?.phase == .began)
  }

  @Test("a gesture beyond the maximum duration is cancelled, and the motion must stop before another begins")
  func maximumDuration() {
    var options = with(GestureOptions()) { $0.maximumDuration = 1 }
    let found = events(Detector(options: options), samples([1...4, 5...5.5], until: 8))
    #expect(found.map(\.phase) == [.began, .cancelled, .began, .ended] && abs(found[1].duration - 1.02) < 1e-9)
    #expect(found[2].time == 5 && found[3].count == 1)
    // A gesture of exactly the maximum duration is not cancelled, and by default there is no maximum.
    options.maximumDuration = 3
    #expect(events(Detector(options: options), samples([1...4], until: 8)).map(\.phase) == [.began, .ended])
    #expect(events(Detector(), samples([1...60], until: 62)).map(\.phase) == [.began, .ended])
  }

  @Test("one-shot use has one gesture, and continuous use of a one-shot rule has all of them")
  func oneShot() {
    var options = with(GestureOptions()) { $0.isOneShot = true }
    let twice = samples([1...2, 4...5], until: 8)
    #expect(events(Detector(options: options), twice).map(\.phase) == [.began, .ended])
    options.isOneShot = false
    let raw = twice.map { MotionSample(time: $0.time, acceleration: 3 * ($0.userAcceleration ?? .zero)) }
    #expect(events(ShakeDetector<MagnitudeRule<SlowMagnitude>>(), raw).last?.count == 1)
    #expect(events(ShakeDetector<MagnitudeRule<SlowMagnitude>>(options: options), raw).last?.count == 2)
  }

  @Test("gestures within the minimum interval after the end of another are suppressed")
  func minimumInterval() {
    let detector = Detector(options: with(.init()) { $0.minimumInterval = 3 })
    #expect(events(detector, samples([1...2, 4...4.9], until: 8)).last?.count == 1)
    #expect(events(detector, samples([1...2, 5...5.9], until: 8)).last?.count == 2)
  }

  @Test("a gap cancels the open gesture; decreasing timestamps and values that are not finite are ignored")
  func badStream() {
    var detector = Detector()
    let strong = Vector3(1, 0, 0)
    #expect(detector.update(MotionSample(time: 1, userAcceleration: strong))?.phase == .began)
    #expect(detector.update(MotionSample(time: 0.5, userAcceleration: strong)) == nil)
    #expect(detector.update(MotionSample(time: 1.1, userAcceleration: Vector3(.nan, 0, 0))) == nil)
    #expect(detector.update(MotionSample(time: .nan, userAcceleration: strong)) == nil)
    #expect(detector.detections == 1)
    #expect(detector.update(MotionSample(time: 3, userAcceleration: strong))?.phase == .cancelled)
    #expect(detector.update(MotionSample(time: 3.1, userAcceleration: strong))?.phase == .began)
    #expect(detector.finish()?.phase == .ended && detector.finish() == nil && detector.count == 1)
  }

  @Test(
    "every detector discards its samples in a pause: rest after it is not a shake", arguments: ShakeDetectorKind.all)
  func noStaleState(kind: ShakeDetectorKind) throws {
    var detector = try kind.make(options: with(.init()) { $0.isOneShot = false })
    func shake(_ from: Double, _ seconds: Double) {
      for sample in SyntheticMotion(frequency: 4, amplitude: 6, rest: 0, duration: seconds).samples(rate: 100) {
        let user = sample.userAcceleration ?? .zero
        _ = detector.update(
          MotionSample(
            time: from + sample.time, acceleration: user - .unitZ, userAcceleration: user,
            rotationRate: sample.rotationRate))
      }
    }
    shake(0, 3)
    _ = detector.pause(at: 3)
    detector.resume()
    let found = detector.detections
    for index in 0..<300 {
      let resting = MotionSample(
        time: 3.01 + Double(index) / 100, acceleration: -Vector3.unitZ, userAcceleration: .zero, rotationRate: .zero)
      #expect(detector.update(resting) == nil)
    }
    #expect(detector.detections == found)
    detector.restart()
    #expect(detector.count == 0 && detector.detections == 0 && !detector.reading.isActive)
    shake(10, 3)
    #expect(detector.detections > 0 || kind.name == "legacy", "a real shake after a restart is found again")
  }
}
