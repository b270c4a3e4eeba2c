import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Kalman filter with a motion prior, offline")
struct MotionPriorSmootherTests {
  private static let trajectory = RandomSplineTrajectory(duration: 58, restDuration: 3, seed: 12)

  private static func simulation(
    _ rates: (Double, Double, Double) = (50, 50, 25), change: (inout SensorSuite) -> Void = { _ in }
  ) -> Simulation {
    var suite = SensorSuite.phone.forFilters(rates: rates)
    change(&suite)
    return Simulation(trajectory: trajectory, sensors: suite, duration: 60, seed: 4)
  }

  private static func smoothed(
    _ samples: [SensorSample], _ change: (inout MotionPriorKalman.Parameters) -> Void = { _ in }
  ) -> [TimedAttitudeEstimate] {
    var smoother = MotionPriorKalman.smoother(parameters: with(MotionPriorKalman.Parameters(), change))
    return smoother.estimates(of: samples)
  }

  private static func errors(_ result: [TimedAttitudeEstimate], from start: Double = 0) -> RunErrors {
    var errors = RunErrors()
    for late in result where late.time >= start {
      errors.add(AttitudeError(late.estimate.earthFromDevice, truth: trajectory.state(at: late.time).attitude))
    }
    return errors
  }

  /// Returns the largest angle between two runs, in degrees.
  private static func difference(_ a: [TimedAttitudeEstimate], _ b: [TimedAttitudeEstimate]) -> Double {
    zip(a, b).map { $0.estimate.earthFromDevice.angle(to: $1.estimate.earthFromDevice) }.max()! * 180 / .pi
  }

  // MARK: Results

  @Test("offline tilt and heading are better than online, from the first sample")
  func better() {
    // In motion from the start.
    let samples = Self.simulation((100, 100, 50)).samples().filter { $0.time > 5 }
    var filter = MotionPriorKalman()
    var online = RunErrors()
    filter.follow(samples, on: Self.trajectory) { online.add($2) }
    let result = Self.smoothed(samples)
    let offline = Self.errors(result)
    #expect(offline.tiltRMS < 0.8 * online.tiltRMS && offline.headingRMS < 0.8 * online.headingRMS)
    #expect(isNear(result[0].estimate.gyroscopeBias, SensorSuite.phone.gyroscope!.bias, within: 0.003))
  }

  @Test("the final results of a window equal those of a recording that ends with the window")
  func windows() throws {
    let trajectory = RandomSplineTrajectory(duration: 450, restDuration: 3, seed: 3)
    let samples = Simulation(
      trajectory: trajectory, sensors: SensorSuite.phone.forFilters(rates: (20, 20, 10)), duration: 440, seed: 4
    ).samples()
    var smoother = MotionPriorKalman.smoother(parameters: with(.init()) { $0.lookahead = 300 })
    var windows: [(end: Int, estimates: [TimedAttitudeEstimate])] = []
    for (index, sample) in samples.enumerated() {
      smoother.take(sample)
      var estimates: [TimedAttitudeEstimate] = []
      while let estimate = smoother.next() { estimates.append(estimate) }
      if !estimates.isEmpty { windows.append((index, estimates)) }
    }
    #expect(windows.count == 2)
    for window in windows {
      // The first epoch is interpolated from the last point of the previous window.
      let estimates = window.estimates.filter { $0.time > window.estimates[0].time + 0.2 }
      let whole = Self.smoothed(Array(samples[...window.end])) { $0.lookahead = 1e6 }
      let first = try #require(whole.firstIndex { $0.time == estimates[0].time })
      #expect(Self.difference(estimates, Array(whole[first...])) < 1e-5)
      #expect(window.estimates.last!.time < samples[window.end].time - 299)
    }
  }

  @Test("a window becomes final once it has its lookahead")
  func latency() {
    var parameters = MotionPriorKalman.Parameters()
    parameters.lookahead = 10
    // Steps of at least a minute.
    let trajectory = RandomSplineTrajectory(duration: 150, restDuration: 0, seed: 3)
    let samples = Simulation(
      trajectory: trajectory, sensors: SensorSuite.phone.forFilters(rates: (20, 20, 10)), duration: 150
    ).samples()
    var smoother = MotionPriorKalman.smoother(parameters: parameters)
    var (last, first) = (-1.0, Double?.none)
    for sample in samples {
      smoother.take(sample)
      while let estimate = smoother.next() {
        if first == nil { first = sample.time }
        #expect(estimate.time > last)
        last = estimate.time
      }
      #expect(sample.time - last < 72)
    }
    #expect((first ?? 0) > 69 && (first ?? 0) < 72)
  }

  @Test("there is one estimate per accepted gyroscope sample, with any other bad samples")
  func badSamples() {
    let samples = Self.simulation().samples()
    let clean = Self.smoothed(samples)
    #expect(clean.map(\.time) == samples.filter { $0.channel == .gyroscope }.map(\.time))
    var damaged = samples
    for (index, value) in [(700, Vector3(.nan, 0, 0)), (900, Vector3(1e9, 0, 0)), (1100, Vector3(0, .infinity, 0))] {
      for channel in [SensorChannel.gyroscope, .accelerometer, .calibratedMagneticField] {
        damaged.insert(SensorSample(time: damaged[index].time + 0.001, channel: channel, value), at: index + 1)
      }
    }
    damaged.insert(SensorSample(time: .nan, channel: .gyroscope, .zero), at: 1300)
    let result = Self.smoothed(damaged)
    #expect(result.map(\.time) == clean.map(\.time))
    #expect(Self.difference(result, clean) < 1e-9)
  }

  @Test("sigma is smaller than online, and consistent with the errors")
  func sigma() throws {
    let simulation = Self.simulation()
    let result = Self.smoothed(simulation.samples())
    var filter = MotionPriorKalman()
    filter.take(simulation.samples())
    let online = try #require(filter.estimate?.attitudeSigma)
    let middle = try #require(result[result.count / 2].estimate.attitudeSigma)
    #expect(middle.x < online.x && middle.y < online.y && middle.z < online.z)
    var inside = 0
    for late in result {
      let truth = Self.trajectory.state(at: late.time).attitude
      let error = (late.estimate.earthFromDevice * truth.conjugate).rotationVector
      let sigma = try #require(late.estimate.attitudeSigma)
      if abs(error.x) < 2 * sigma.x, abs(error.y) < 2 * sigma.y, abs(error.z) < 3 * sigma.z { inside += 1 }
    }
    // Three components together: 0.91 for independent normal ones.
    #expect(Double(inside) > 0.75 * Double(result.count))
  }

  // MARK: Starts, gaps and fields

  @Test("a gap restarts the filter: correct on both sides, without information from across it")
  func gap() {
    let result = Self.smoothed(Self.simulation().samples().removing(in: 20...26))
    let errors = Self.errors(result)
    #expect(errors.largestTilt < 3 && errors.largestHeading < 6)
    #expect(!result.contains { (20.1..<25.9).contains($0.time) })
  }

  @Test("later samples determine a start in motion")
  func movingStart() {
    let trajectory = RandomSplineTrajectory(duration: 40, restDuration: 0, seed: 8)
    let simulation = Simulation(
      trajectory: trajectory, sensors: SensorSuite.phone.forFilters(rates: (50, 50, 25)), duration: 40, seed: 4)
    var worst = 0.0
    for late in Self.smoothed(simulation.samples()) where late.time < 2 {
      let truth = trajectory.state(at: late.time).attitude
      worst = max(worst, AttitudeError(late.estimate.earthFromDevice, truth: truth).tilt)
    }
    #expect(worst < 2)
  }

  @Test("a field that starts late determines north for all earlier samples")
  func lateField() {
    let samples = Self.simulation().samples().filter { $0.channel != .calibratedMagneticField || $0.time > 30 }
    let result = Self.smoothed(samples)
    let errors = Self.errors(result)
    #expect(errors.largestTilt < 3 && errors.largestHeading < 10)
    // There is also no step at its start.
    for (before, after) in zip(result, result.dropFirst()) {
      let turned = before.estimate.earthFromDevice.angle(to: after.estimate.earthFromDevice)
      let truth = Self.trajectory.state(at: before.time).attitude
        .angle(to: Self.trajectory.state(at: after.time).attitude)
      #expect(abs(turned - truth) < 0.01, "at \(after.time) s")
    }
  }

  @Test("with the initial-heading reference north is a constant angle; without a field the yaw drifts little")
  func headingReference() {
    let samples = Self.simulation().samples()
    let north = Self.smoothed(samples)
    let held = Self.smoothed(samples) { $0.headingReference = .initialHeading }
    let turns = zip(north, held).map { $0.estimate.earthFromDevice * $1.estimate.earthFromDevice.conjugate }
    for turn in turns { #expect(isSameRotation(turn, turns[0], within: 1e-9)) }
    #expect(abs(turns[0].x) < 1e-9 && abs(turns[0].y) < 1e-9)
    let free = Self.smoothed(samples.filter { $0.channel != .calibratedMagneticField })
    #expect(Self.errors(free).largestTilt < 3)
  }

  @Test("a declared latency of the sensors changes the attitude, not the estimated quantities")
  func latencyOfSensors() {
    let samples = Self.simulation().samples()
    let plain = Self.smoothed(samples)
    let ahead = Self.smoothed(samples) { $0.sensorLatency = 0.02 }
    for (late, next) in zip(ahead, plain.dropFirst()) {
      // A sample is 0.02 s: extrapolation by one sample gives the next attitude, except for the change of the rate in
      // it.
      #expect(late.estimate.earthFromDevice.angle(to: next.estimate.earthFromDevice) < 0.1)
      #expect(late.estimate.attitudeSigma != nil)
    }
    #expect(Self.difference(Array(ahead.dropLast()), Array(plain.dropFirst())) < Self.difference(ahead, plain) / 3)
  }

  @Test("a recording without an accelerometer has no results; one shorter than the start-up is levelled")
  func little() {
    let samples = Self.simulation().samples()
    #expect(Self.smoothed([]).isEmpty && Self.smoothed(samples.filter { $0.channel == .gyroscope }).isEmpty)
    #expect(Self.smoothed(samples.filter { $0.channel == .accelerometer }).isEmpty)
    let short = Self.smoothed(samples.filter { $0.time < 0.5 })
    #expect(!short.isEmpty && Self.errors(short).largestTilt < 3)
  }
}
