import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Kalman filter with a motion prior: starts, gaps, ranges")
struct MotionPriorKalmanBehaviourTests {
  private static let trajectory = RandomSplineTrajectory(duration: 60, restDuration: 2, seed: 31)
  private static let suite = SensorSuite.phone.forFilters(rates: (100, 100, 25))

  private static func run(
    _ filter: inout MotionPriorKalman, _ samples: some Sequence<SensorSample>,
    each: (MotionPriorKalman, Double) -> Void = { _, _ in }
  ) {
    for sample in samples {
      filter.take(sample)
      if sample.channel == .gyroscope { each(filter, sample.time) }
    }
  }

  private static func tilt(_ filter: MotionPriorKalman, _ time: Double) -> Double {
    guard let estimate = filter.estimate else { return .infinity }
    return AttitudeError(estimate.earthFromDevice, truth: trajectory.state(at: time).attitude).tilt
  }

  @Test("after a rotation by 90° in motion, the filter detects that its tilt is wrong and recovers within 10 s")
  func recovery() {
    for axis in [Vector3.unitX, Vector3(1, 1, 0)] {
      var filter = MotionPriorKalman()
      let samples = Simulation(trajectory: Self.trajectory, sensors: Self.suite, duration: 40).samples()
      Self.run(&filter, samples.prefix { $0.time < 20 })
      let bias = filter.state.gyroscopeBias
      filter.turn(by: Quaternion(angle: .pi / 2, axis: axis))
      var hasJumped = false
      var largest = 0.0
      Self.run(&filter, samples.drop { $0.time < 20 }) { filter, time in
        if filter.estimate!.flags.contains(.jumped) { hasJumped = true }
        if time > 30 { largest = max(largest, Self.tilt(filter, time)) }
      }
      #expect(hasJumped && largest < 3, "\(largest)")
      #expect((20...30).contains(filter.decisions.first { $0.subject == "vertical" }?.since ?? 0))
      #expect(isNear(filter.state.gyroscopeBias, bias, within: 0.01))
    }
  }

  @Test("without a fault the filter does not restart or jump")
  func noFalseAlarm() {
    var filter = MotionPriorKalman()
    Self.run(&filter, Simulation(trajectory: Self.trajectory, sensors: Self.suite, duration: 40)) { filter, time in
      if time > 1.1 { #expect(filter.estimate?.flags.isDisjoint(with: [.converging, .jumped]) == true) }
    }
  }

  @Test("a gap of 0.7 s is bridged, flagged and adds uncertainty; one of 2 s restarts and keeps the sensors")
  func gaps() {
    let samples = Simulation(trajectory: Self.trajectory, sensors: Self.suite, duration: 20).samples()
    for (length, startsOver) in [(0.7, false), (2.0, true)] {
      var filter = MotionPriorKalman()
      Self.run(&filter, samples.prefix { $0.time < 10 })
      let before = filter
      let after = samples.filter { $0.time > 10 + length }
      let first = after.firstIndex { $0.channel == .gyroscope }!
      Self.run(&filter, after[...first])
      let estimate = filter.estimate!
      #expect(estimate.flags.contains(.gap) && estimate.flags.contains(.converging) == startsOver)
      let sigma = before.estimate!.attitudeSigma!
      #expect(estimate.attitudeSigma!.x > 5 * sigma.x && estimate.attitudeSigma!.z > 5 * sigma.z)
      let (scale, index) = (MotionErrors.scale.start, MotionErrors.accelerometerBias.start)
      #expect(filter.state.gyroscopeScale.row(0).norm > 0)
      #expect(isNear(filter.state.kalman[scale, scale], before.state.kalman[scale, scale], within: 2e-7))
      #expect(isNear(filter.state.kalman[index, index], before.state.kalman[index, index], within: 1e-5))
      Self.run(&filter, after[(first + 1)...])
      #expect(
        Self.tilt(filter, samples.last!.time) < 2 && filter.estimate!.flags.isDisjoint(with: [.gap, .converging]))
    }
  }

  @Test("in twenty minutes of walk without a field, the accelerometer bias stays within three sigmas of its prior")
  func longWalk() {
    var suite = Self.suite
    suite.magnetometer = nil
    suite.accelerometer?.bias = .zero
    let parameters = MotionPriorKalman.Parameters()
    let limit = 3 * parameters.accelerationBiasSigma * 9.80665
    var filter = MotionPriorKalman(parameters: parameters)
    var largest = 0.0
    Self.run(&filter, Simulation(trajectory: WalkTrajectory(), sensors: suite, duration: 1200)) { filter, _ in
      largest = max(largest, filter.state.accelerometerBias.norm)
    }
    #expect(largest > 0 && largest < limit, "\(largest)")
  }

  @Test("a pause of the accelerometer makes only the velocity uncertain")
  func accelerometerPause() {
    var filter = MotionPriorKalman()
    let samples = Simulation(trajectory: Self.trajectory, sensors: Self.suite, duration: 14).samples()
      .removing([.accelerometer], in: 10...11)
    Self.run(&filter, samples.prefix { $0.time <= 11 })
    let before = filter.state.kalman[6, 6]
    filter.take(samples.first { $0.time > 11 && $0.channel == .accelerometer }!)
    #expect(filter.state.kalman[6, 6] > before + 3)
    Self.run(&filter, samples.drop { $0.time < 11.03 })
    #expect(Self.tilt(filter, samples.last!.time) < 2)
  }

  @Test("at a declared range the attitude is uncertain about the clipped axis; an unknown range has no effect")
  func saturation() throws {
    func sigma(range: Double, axis: Vector3) -> Vector3 {
      var filter = MotionPriorKalman(parameters: with(.init()) { $0.gyroscopeRange = range })
      for index in 0..<200 {
        let time = 0.01 * Double(index)
        filter.update(gyroscope: time < 1.5 ? .zero : 10 * axis, at: time)
        filter.update(accelerometer: -.unitZ, at: time)
      }
      return filter.estimate!.attitudeSigma!
    }
    for range in [0.0, 20] { #expect(sigma(range: range, axis: .unitZ).z < 0.5) }
    // Half of 10 rad/s for half a second, in epochs.
    let (free, clipped) = (sigma(range: 0, axis: .unitZ), sigma(range: 10, axis: .unitZ))
    #expect(clipped.z * clipped.z - free.z * free.z > 2 && isNear(clipped.x, free.x, within: 1e-2))
  }

  @Test("at a declared range of the accelerometer the velocity prior is weaker")
  func clippedForce() {
    func variance(range: Double) -> Double {
      var filter = MotionPriorKalman(parameters: with(.init()) { $0.accelerometerRange = range })
      for index in 0..<300 {
        let time = 0.01 * Double(index)
        filter.update(gyroscope: Vector3(0, 0, 1), at: time)
        filter.update(accelerometer: Vector3(index % 10 == 0 ? 2 : 0, 0, -1), at: time)
      }
      return filter.state.kalman[6, 6]
    }
    #expect(variance(range: 2) > 1.2 * variance(range: 0) && variance(range: 4) == variance(range: 0))
  }

  @Test(
    "a field that begins late aligns X to north, or leaves X in place, and is then followed",
    arguments: HeadingReference.allCases)
  func lateField(reference: HeadingReference) {
    var filter = MotionPriorKalman(parameters: with(.init()) { $0.headingReference = reference })
    let samples = Simulation(trajectory: Self.trajectory, sensors: Self.suite, duration: 20).samples()
      .removing([.calibratedMagneticField], in: -1...6)
    var (before, jump, last) = (0.0, 0.0, 0.0)
    Self.run(&filter, samples) { filter, time in
      guard let estimate = filter.estimate else { return }
      last = AttitudeError(estimate.earthFromDevice, truth: Self.trajectory.state(at: time).attitude).heading
      if time < 6 { before = last } else if time < 6.3 { jump = max(jump, abs(last - before)) }
    }
    #expect(filter.state.field.isKnown)
    switch reference {
    case .magneticNorth: #expect(abs(last) < 4)
    case .initialHeading: #expect(jump < 2 && abs(last - before) < 8)
    }
  }

  @Test("a lasting velocity is distinguished from an oscillating one, and from none")
  func lastingVelocity() {
    func fraction(_ velocity: (Double) -> Double, minimum: Double = 0.005) -> Double {
      var speed = MeanSquareVelocity()
      for index in 0..<300 {
        let v = velocity(0.1 * Double(index))
        speed.add(Vector3(v, -0.5 * v, 3 * v), over: 0.1, memory: 10)
      }
      return speed.persistentFraction(minimum: minimum, weight: 0.7)
    }
    #expect(fraction { _ in 0 } == 0)
    #expect(fraction({ _ in 0 }, minimum: 0) == 0 && fraction({ _ in 1.4 }, minimum: 0) > 0.9)
    #expect(fraction { _ in 1.4 } > 0.9 && fraction { _ in 1.4 } < 1)
    // The low-pass of a second leaves 1/(1 + (2π f)²) of the square: at 1 Hz a fortieth.
    #expect(fraction { sin(2 * .pi * $0) } < 0.06)
    // Slower than a lasting velocity, but weaker than the prior's own noise.
    #expect(fraction { _ in 0.01 } < 0.02)
    // The initial guess may be a lasting velocity.
    #expect(MeanSquareVelocity(0.5).persistentFraction(minimum: 0, weight: 0.7) == 1)
  }

  @Test("the reported sigma is the covariance's at rest, and up to five times the tilt's in steady walking")
  func sigmaOfLastingVelocity() throws {
    func factors(_ filter: MotionPriorKalman) throws -> Vector3 {
      let sigma = try #require(filter.estimate?.attitudeSigma)
      let p = filter.state.attitudeCovariance
      // Without the lateness of the sensors.
      let late = 0.003 * 0.003 * filter.state.rate.squaredNorm
      func factor(_ sigma: Double, _ variance: Double, _ weight: Double) -> Double {
        ((sigma * sigma - weight * late) / variance).squareRoot()
      }
      return Vector3(factor(sigma.x, p.m11, 1), factor(sigma.y, p.m22, 1), factor(sigma.z, p.m33, 0.5))
    }
    for reference in HeadingReference.allCases {
      // Without a bias of the accelerometer, whose hidden part is added.
      let parameters = with(MotionPriorKalman.Parameters()) {
        $0.headingReference = reference
        $0.accelerationBiasSigma = 0
      }
      var (resting, walking) = (MotionPriorKalman(parameters: parameters), MotionPriorKalman(parameters: parameters))
      Self.run(&resting, Simulation(trajectory: RestTrajectory(), sensors: Self.suite, duration: 15))
      #expect(try isNear(factors(resting), Vector3(1, 1, 1), within: 0.05))
      let walk = BenchmarkScene.walk.simulation(seed: 1, sensors: Self.suite, duration: 30)
      Self.run(&walking, walk)
      let found = try factors(walking)
      #expect(isNear(found.x, found.y, within: 1e-6) && found.x > 1.4 && found.x < 5.5)
      #expect(isNear(found.z - 1, (found.x - 1) * 0.75 / 4, within: 1e-6))
    }
  }

  @Test("a declared latency extrapolates the reported attitude, and changes nothing else")
  func latency() {
    var (late, plain) = (MotionPriorKalman(parameters: with(.init()) { $0.sensorLatency = 0.05 }), MotionPriorKalman())
    let samples = Simulation(trajectory: Self.trajectory, sensors: Self.suite, duration: 6).samples()
    Self.run(&late, samples)
    Self.run(&plain, samples)
    #expect(late.state == plain.state)
    let expected = plain.estimate!.earthFromDevice * Quaternion(rotationVector: 0.05 * plain.state.rate)
    #expect(plain.state.rate.norm > 0.1)
    #expect(isSameRotation(late.estimate!.earthFromDevice, expected, within: 1e-12))
  }

  @Test("a steady push that ends is separated from gravity: the tilt stays within 1.5°")
  func push() {
    // 0.3 g along X for half a second in each direction, as a velocity pulse of 1.5 m/s.
    var filter = MotionPriorKalman()
    var largest = 0.0
    for index in 0..<1000 {
      let time = 0.01 * Double(index)
      let force = (5..<5.5).contains(time) ? 0.3 : (5.5..<6).contains(time) ? -0.3 : 0
      filter.update(gyroscope: .zero, at: time)
      filter.update(accelerometer: Vector3(-force, 0, -1), at: time)
      largest = max(largest, filter.estimate?.earthFromDevice.rotate(.unitZ).angle(to: .unitZ) ?? 0)
    }
    #expect(largest < 1.5 * .pi / 180)
  }
}
