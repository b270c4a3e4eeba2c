import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Clocks")
struct ClockTests {
  private func trajectory(_ duration: Double) -> RandomSplineTrajectory {
    RandomSplineTrajectory(duration: duration, restDuration: 2, seed: 8)
  }

  @Test(
    "one parameter set serves all sample rates", arguments: FilterKind.all, [10.0, 25, 50, 100, 200, 286, 500, 1000])
  func rates(kind: FilterKind, rate: Double) {
    let simulation = Simulation(
      trajectory: trajectory(12), sensors: .researchIMU.forFilters(rates: (rate, rate, min(rate, 100))), duration: 14)
    var filter = kind.standard()
    let errors = run(&filter, over: simulation, skip: 1.5)
    // At 10 Hz a rotation of 2 rad/s is 0.2 rad between samples, and its change is not measured.
    #expect(errors.tiltRMS < kind.expectations.tilt * (rate < 50 ? 10 : 2))
    #expect(errors.headingRMS < kind.expectations.heading * (rate < 50 ? 10 : 3))
  }

  @Test(
    "sensors at 101, 94 and 25 Hz with different timestamps are as good as synchronous ones", arguments: FilterKind.all)
  func mixedRates(kind: FilterKind) {
    func errors(_ change: (inout SensorSuite) -> Void) -> RunErrors {
      var suite = SensorSuite.researchIMU.forFilters(rates: (100, 100, 100))
      change(&suite)
      let simulation = Simulation(trajectory: trajectory(25), sensors: suite, duration: 27)
      var filter = kind.standard()
      return run(&filter, over: simulation, skip: 1.5)
    }
    let together = errors { _ in }
    let mixed = errors { suite in
      suite = suite.forFilters(rates: (101, 94, 25))
      suite.accelerometer!.startOffset = 0.0037
      suite.magnetometer!.sensor.startOffset = 0.0081
      suite.gyroscope!.intervalJitter = 0.0005
    }
    #expect(mixed.tiltRMS < 1.3 * together.tiltRMS + 0.1 && mixed.headingRMS < 1.3 * together.headingRMS + 0.3)
  }

  @Test(
    "a gap of 6 s is flagged, and 3 s after it attitude and flags are as before", arguments: FilterKind.correcting,
    [true, false])
  func gap(kind: FilterKind, hasField: Bool) {
    // A rotation by 137° about a slanted axis during the gap.
    let trajectory = TurnTrajectory(axis: Vector3(1, 2, 3), angle: 2.4, start: 6, duration: 3)
    let simulation = Simulation(trajectory: trajectory, sensors: .phone.forFilters(hasField: hasField), duration: 16)
    let samples = simulation.samples().removing(in: 5...11)
    var filter = kind.standard()
    var largest = (tilt: 0.0, heading: 0.0)
    filter.follow(samples, on: trajectory) { time, estimate, error in
      // Flagged for the second in which the tilt restarts.
      if (11..<11.98).contains(time) {
        #expect(estimate.flags.isSuperset(of: [.gap, .converging]), "at \(time) s")
      } else if !(11..<12.04).contains(time), time > 1.04 {
        #expect(estimate.flags.isDisjoint(with: [.gap, .converging]), "at \(time) s")
      }
      if (4.5..<5).contains(time) || time > 14 {
        largest = (max(largest.tilt, error.tilt), max(largest.heading, abs(error.heading)))
      }
    }
    #expect(largest.tilt < kind.expectations.tilt)
    if hasField { #expect(largest.heading < 3 * kind.expectations.heading) }
    // Quantities learned before the gap are kept.
    guard kind.traits.contains(.restBias) else { return }
    #expect(isNear(filter.estimate!.gyroscopeBias, SensorSuite.phone.gyroscope!.bias, within: 0.002))
  }

  @Test(
    "a gap in one sensor is bridged by the others", arguments: FilterKind.all,
    [SensorChannel.accelerometer, .calibratedMagneticField])
  func gapInOneSensor(kind: FilterKind, channel: SensorChannel) {
    let simulation = Simulation(
      trajectory: trajectory(14), sensors: .researchIMU.forFilters(rates: (100, 100, 50)), duration: 15)
    var filter = kind.standard()
    let errors = run(
      &filter, over: simulation, samples: simulation.samples().removing([channel], in: 5...11), skip: 1.5)
    #expect(errors.largestTilt < 4 * kind.expectations.tilt)
    #expect(errors.largestHeading < 5 * kind.expectations.heading)
  }

  @Test("samples whose time does not rise, or is not a number, change nothing", arguments: FilterKind.all)
  func timesNotRising(kind: FilterKind) {
    let simulation = Simulation(trajectory: trajectory(4), sensors: .phone.forFilters(), duration: 4)
    var (clean, spoiled) = (kind.standard(), kind.standard())
    var lastTimes: [SensorChannel: Double] = [:]
    for sample in simulation {
      clean.take(sample)
      spoiled.take(sample)
      lastTimes[sample.channel] = sample.time
      for (channel, time) in lastTimes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        for wrong in [time, time - 0.001, time - 100, .nan, .infinity, -.infinity] {
          spoiled.take(SensorSample(time: wrong, channel: channel, Vector3(1, 20, 3)))
        }
      }
    }
    #expect(haveSameState(clean, spoiled))
  }
}
