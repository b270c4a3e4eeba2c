import InertialNumerics
import InertialRecognition
import InertialSensors
import TestSupport
import Testing

@Suite("Per-axis threshold on raw acceleration")
struct AxisThresholdTests {
  @Test("a shake is detected after the first second, and again one second after the last")
  func interval() {
    let strong = alongX(Array(repeating: 3, count: 17), every: 0.2, from: 1000)
    #expect(detections(AxisThresholdRule(parameters: .init()), raw: strong) == [1001, 1002, 1003].map(Double.init))
  }

  @Test("2.45 g is not a shake, but a larger value of any axis and sign is")
  func threshold() {
    func at(_ v: Vector3) -> [Double] { detections(AxisThresholdRule(parameters: .init()), raw: [(0, .zero), (1, v)]) }
    #expect(at(Vector3(2.45, -2.45, 2.45)).isEmpty)
    for strong in [Vector3(2.46, 0, 0), Vector3(0, -2.46, 0), Vector3(0, 0, 2.46)] { #expect(at(strong) == [1]) }
    #expect(detections(AxisThresholdRule(parameters: .init()), raw: [(0, .zero), (0.9, Vector3(3, 0, 0))]).isEmpty)
  }

  @Test("a restart is silent for a second again; a pause keeps only the time of the last shake")
  func restartAndPause() {
    var detector = ShakeDetector<AxisThresholdRule>()
    func times(_ from: Double, _ count: Int) -> [Double] {
      alongX(Array(repeating: 3, count: count), every: 0.2, from: from).compactMap { time, value in
        let before = detector.detections
        _ = detector.update(MotionSample(time: time, acceleration: value))
        return detector.detections > before ? time : nil
      }
    }
    #expect(times(0, 7) == [1])
    _ = detector.pause(at: 1.3)
    #expect(times(1.4, 3).isEmpty)
    detector.resume()
    #expect(times(5, 1) == [5])
    detector.restart()
    #expect(detector.detections == 0)
    #expect(times(10, 6) == [11])
  }
}

@Suite("Low-pass difference")
struct LowPassDifferenceTests {
  @Test("y = 0.1 x + 0.9 y from 0: the traced steps are 0.4, 0.36 and 0.424, and two of them are shakes")
  func trace() {
    // y: 0, 0.4, 0.76, 1.184.
    let samples = [(0.0, 0.0), (1.0, 4.0), (2.2, 4.0), (3.4, 5.0)].map { ($0.0, Vector3(0, $0.1, 0)) }
    #expect(detections(LowPassDifferenceRule(parameters: .init()), raw: samples) == [1, 3.4])
  }

  @Test("a step at the threshold is not a shake, nor is one in the first second")
  func comparisons() {
    let rule = LowPassDifferenceRule(parameters: with(.init()) { ($0.gain, $0.threshold) = (0.5, 1) })
    for (time, z, expected) in [(1, -2, []), (1, -2.5, [1]), (0.8, -2.5, [])] as [(Double, Double, [Double])] {
      #expect(detections(rule, raw: [(0, .zero), (time, Vector3(0, 0, z))]) == expected)
    }
  }

  @Test("the low-pass starts at zero after a pause")
  func pause() {
    // From y = 3 the step to −1 is 0.4; from 0 it is 0.1.
    let next = MotionSample(time: 20, acceleration: Vector3(-1, 0, 0))
    let strong = raw(Array(repeating: 3, count: 50), every: 0.2)
    #expect(isDetected(next, after: strong, by: LowPassDifferenceRule(parameters: .init())) == (true, false))
  }
}

@Suite("Magnitude of raw acceleration")
struct MagnitudeTests {
  @Test("one-shot rules stop after the first sample above their threshold, until a restart")
  func oneShot() {
    var slow = ShakeDetector<MagnitudeRule<SlowMagnitude>>()
    #expect(slow.update(MotionSample(time: 0, acceleration: Vector3(2, 0, 0))) == nil)
    #expect(slow.update(MotionSample(time: 0.2, acceleration: Vector3(1.5, 1.5, 0)))?.phase == .began)
    #expect(slow.isStopped)
    for index in 2..<20 {
      _ = slow.update(MotionSample(time: 0.2 * Double(index), acceleration: Vector3(index < 4 ? 3 : 0, 0, 0)))
    }
    #expect(slow.count == 1 && slow.update(MotionSample(time: 6, acceleration: Vector3(3, 0, 0))) == nil)
    #expect(slow.detections == 1)
    slow.restart()
    #expect(slow.update(MotionSample(time: 7, acceleration: Vector3(3, 0, 0)))?.phase == .began)
  }

  @Test("the fast form requires more than 2.3 g, and the counting form counts every sample above 1.6 g")
  func forms() {
    let fast = MagnitudeRule<FastMagnitude>(parameters: .init())
    #expect(detections(fast, raw: alongX([2.3, 2.31], every: 0.1)) == [0.1])
    let counting = MagnitudeRule<CountingMagnitude>(parameters: .init())
    #expect(detections(counting, raw: alongX([1.6, 1.7, -1.7, 1, 2], every: 0.25)) == [0.25, 0.5, 1])
    #expect(MagnitudeRule<SlowMagnitude>.Parameters().updateInterval == 0.2)
    #expect(MagnitudeRule<FastMagnitude>.Parameters().updateInterval == 0.1)
  }
}

@Suite("Per-axis threshold on user acceleration")
struct UserAxisTests {
  @Test("every sample with an axis above 0.30 g is a detection, but 0.30 g itself is not")
  func everySample() {
    let samples = [(0.0, Vector3(0.3, 0.3, -0.3)), (1, Vector3(0, 0.31, 0)), (2, Vector3(0, 0, -0.31)), (3, .zero)]
    #expect(detections(UserAxisRule(parameters: .init()), user: samples) == [1, 2])
    #expect(detections(UserAxisRule(parameters: .init()), raw: samples).isEmpty)
  }

  @Test("input at 120 Hz is thinned to the original's 60 Hz, and an interval of 0 keeps all samples")
  func thinning() {
    var thinned = ShakeDetector<UserAxisRule>()
    var whole = ShakeDetector<UserAxisRule>(parameters: with(.init()) { $0.updateInterval = 0 })
    for index in 0..<120 {
      let sample = MotionSample(time: Double(index) / 120, userAcceleration: Vector3(1, 0, 0))
      _ = thinned.update(sample)
      _ = whole.update(sample)
    }
    #expect(thinned.detections == 60 && whole.detections == 120)
  }
}

@Suite("The legacy accelerometer rule")
struct LegacyTests {
  @Test("a sample of 2.45 g may be a shake at once, but after a second only a larger one")
  func interval() {
    let rule = LegacyRule(parameters: .init())
    let samples = (0..<23).map { (Double($0) * 0.1, Vector3(0, 2.45, 0)) }
    #expect(detections(rule, raw: samples).map { ($0 * 10).rounded() } == [0, 11, 22])
    #expect(detections(rule, raw: [(0, Vector3(0, 2.44, 0))]).isEmpty)
  }

  @Test("the low-pass is applied twice before the angle is evaluated, and z does not count")
  func angle() {
    var parameters = with(LegacyRule.Parameters()) { ($0.gain, $0.threshold) = (0.5, 2) }
    // (0.5, 0.5), then (0.5, 1.25) at 68.2°, and once more (0.5, 1.625) at 72.9°.
    let samples = [(0.0, Vector3(1, 1, 0)), (0.1, Vector3(0.5, 2, 0))]
    #expect(detections(LegacyRule(parameters: parameters), raw: samples) == [0.1])
    parameters.angle = 73
    #expect(detections(LegacyRule(parameters: parameters), raw: samples).isEmpty)
    // Strong along x, the angle is 14°; down counts like up.
    for (value, count) in [(Vector3(0, 1, 5), 0), (Vector3(2.5, 0.6, 0), 0), (Vector3(0, -2.5, 0), 1)] {
      #expect(detections(LegacyRule(parameters: .init()), raw: [(0, value)]).count == count, "\(value)")
    }
  }

  @Test("the low-pass is empty after a pause")
  func pause() {
    let upwards = MotionSample(time: 20, acceleration: Vector3(0, 2.45, 0))
    let strong = raw(Array(repeating: 1.9, count: 100), every: 0.1)
    #expect(isDetected(upwards, after: strong, by: LegacyRule(parameters: .init())) == (false, true))
  }
}
