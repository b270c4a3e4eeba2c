import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Kalman filter with a motion prior: impossible rates")
struct GlitchTests {
  private static func samples(_ suite: SensorSuite, _ scenario: Scenario) throws -> [SensorSample] {
    let suite = with(suite) { $0.referenceRate = nil }
    return try Simulation(scenario: scenario, sensors: suite, duration: 40, seed: 1).samples().filter {
      [.gyroscope, .accelerometer, .calibratedMagneticField].contains($0.channel)
    }
  }

  /// Runs the filter or its offline form over samples.
  private static func attitudes(_ samples: [SensorSample], smooths: Bool) -> [TimedAttitudeEstimate] {
    var (filter, smoother) = (MotionPriorKalman(), MotionPriorKalman.smoother(parameters: .init()))
    if smooths { return smoother.estimates(of: samples) }
    return samples.compactMap { sample in
      filter.take(sample)
      guard sample.channel == .gyroscope, let estimate = filter.estimate else { return nil }
      return TimedAttitudeEstimate(time: sample.time, estimate: estimate)
    }
  }

  /// Adds a rate to all samples of ten milliseconds that begin between two samples.
  private static func glitched(_ samples: [SensorSample], by rate: Vector3, at time: Double) -> [SensorSample] {
    samples.map { sample in
      guard sample.channel == .gyroscope, sample.time >= time, sample.time < time + 0.0099 else { return sample }
      return SensorSample(time: sample.time, channel: .gyroscope, sample.vector + rate)
    }
  }

  @Test(
    "ten milliseconds of any rate change the attitude by less than a degree ten seconds later",
    arguments: [0.5, 2, 10, 40, 100], [false, true])
  func glitch(rate: Double, smooths: Bool) throws {
    for suite in [SensorSuite.phone, .researchIMU] {
      let samples = try Self.samples(suite, .walk)
      let good = Self.attitudes(samples, smooths: smooths)
      let bad = Self.attitudes(Self.glitched(samples, by: rate * Vector3(0.6, -0.8, 0), at: 20.005), smooths: smooths)
      #expect(good.count == bad.count)
      for (a, b) in zip(good, bad) where a.time > 30 {
        #expect(a.estimate.earthFromDevice.angle(to: b.estimate.earthFromDevice) < 0.0175)
      }
      guard rate >= 2, rate < 50 else { continue }
      // It is detected and flagged one sample later.
      let said = bad.contains { $0.time > 20 && $0.time < 20.03 && $0.estimate.flags.contains(.gyroscopeRejected) }
      #expect(smooths || said)
      for (a, b) in zip(good, bad) where a.time > 20.03 {
        #expect(a.estimate.earthFromDevice.angle(to: b.estimate.earthFromDevice) < 0.01)
      }
    }
  }

  @Test("the effect of forces during a glitch is undone with it")
  func velocity() {
    func velocity(glitch: Double) -> Vector3 {
      var filter = MotionPriorKalman()
      for step in 0..<505 {
        let time = 0.01 * Double(step)
        filter.update(gyroscope: Vector3(step == 500 ? glitch : 0, 0, 0), at: time)
        filter.update(accelerometer: Vector3(0, 0, -1), at: time)
      }
      return filter.state.velocity
    }
    // With a rotation by 0.4 rad for ten milliseconds, gravity would be a velocity of 0.04 m/s.
    #expect(isNear(velocity(glitch: 40), velocity(glitch: 0), within: 1e-3))
  }

  @Test("a device that abruptly begins to rotate is followed from its first sample")
  func realTurn() {
    var guardian = GlitchDetector()
    _ = guardian.judge(.zero, over: 0.01)
    guard case .suspicious = guardian.judge(Vector3(5, 0, 0), over: 0.01) else {
      Issue.record("a jump of 5 rad/s at rest is no glitch")
      return
    }
    guardian.hold(Vector3(5, 0, 0), before: .zero, dt: 0.01)
    #expect(guardian.isHolding)
    for _ in 0..<3 {
      guard case .usual = guardian.judge(Vector3(5.1, 0, 0), over: 0.01) else {
        Issue.record("a continuous rotation is reported as a glitch")
        return
      }
    }
    #expect(!guardian.isHolding)
  }

  @Test("a device that vibrates from sample to sample is followed after the first second")
  func vibrating() {
    var filter = MotionPriorKalman()
    var rejected = 0
    for index in 0..<1000 {
      let time = 0.01 * Double(index)
      let isVibrating = index >= 300
      filter.update(gyroscope: Vector3(isVibrating ? (index % 2 == 0 ? 4 : -4) : 0, 0, 0), at: time)
      filter.update(accelerometer: Vector3(0, 0, -1), at: time)
      if index >= 420, filter.estimate?.flags.contains(.gyroscopeRejected) == true { rejected += 1 }
    }
    #expect(rejected == 0)
  }

  @Test("a correction of more than 3° in one step is flagged, a smaller one is not")
  func jump() throws {
    var filter = MotionPriorKalman()
    var flags: [AttitudeFlags] = []
    for index in 0..<1000 {
      let time = 0.01 * Double(index)
      filter.update(gyroscope: .zero, at: time)
      filter.update(accelerometer: Vector3(0, 0, -1), at: time)
      // Halfway, the vertical changes by 20°, and the filter's tilt is set to uncertain.
      if index == 500 {
        filter.turn(by: Quaternion(angle: 0.35, axis: .unitX))
        filter.state.kalman.isolate(0..<2, variance: 0.1)
      }
      flags.append(try #require(filter.estimate).flags)
    }
    #expect(!flags[..<500].contains { $0.contains(.jumped) })
    #expect(flags[500...].contains { $0.contains(.jumped) })
    #expect(!flags[900...].contains { $0.contains(.jumped) })
  }
}
