import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Robustness")
struct RobustnessTests {
  /// Returns the largest errors within a time span, of a run in which every estimate is a finite unit quaternion.
  private func errors(
    _ kind: FilterKind, _ samples: some Sequence<SensorSample>, in span: ClosedRange<Double>,
    truth: (Double) -> Quaternion
  ) -> (tilt: Double, heading: Double) {
    var filter = kind.standard()
    var largest = (tilt: 0.0, heading: 0.0)
    for sample in samples {
      filter.take(sample)
      guard sample.channel == .gyroscope, let estimate = filter.estimate else { continue }
      let attitude = estimate.earthFromDevice
      guard attitude.isFinite, abs(attitude.norm - 1) < 1e-12, estimate.gyroscopeBias.isFinite else {
        Issue.record("at \(sample.time) s: \(estimate)")
        return (.infinity, .infinity)
      }
      guard span.contains(sample.time) else { continue }
      let error = AttitudeError(attitude, truth: truth(sample.time))
      largest = (max(largest.tilt, error.tilt), max(largest.heading, abs(error.heading)))
    }
    return largest
  }

  private func errors(_ kind: FilterKind, _ log: Disturbance, _ seconds: ClosedRange<Double>) -> (
    tilt: Double, heading: Double
  ) {
    let end = log.end + log.jump
    return errors(kind, log.samples, in: (end + seconds.lowerBound)...(end + seconds.upperBound), truth: log.truth)
  }

  @Test(
    "3 s after a recognisable loss of samples, the attitude is as without it",
    arguments: FilterKind.correcting, Disturbance.reported)
  func reported(kind: FilterKind, disturbance: Disturbance) {
    let errors = errors(kind, disturbance, 3...5)
    #expect(errors.tilt < 3 * kind.expectations.movingTilt && errors.heading < 4 * kind.expectations.heading)
  }

  @Test(
    "50 s after an unrecognisable fault, the tilt is back to 4° and the heading to 20°",
    arguments: FilterKind.correcting, Disturbance.unreported)
  func unreported(kind: FilterKind, disturbance: Disturbance) {
    let errors = errors(kind, disturbance, 50...52)
    #expect(errors.tilt < 4 * kind.expectations.movingTilt && errors.heading < 20 * kind.expectations.heading)
  }

  @Test("20 s after a minute without a field the heading is back", arguments: FilterKind.having(.magneticField))
  func fieldOff(kind: FilterKind) {
    let errors = errors(kind, .fieldOff, 20...30)
    #expect(errors.tilt < 3 * kind.expectations.movingTilt && errors.heading < 4 * kind.expectations.heading)
  }

  @Test(
    "a start in motion, upside down or in any other way, is correct after 5 s", arguments: FilterKind.correcting,
    [Vector3.unitX, .unitY, Vector3(1, -2, 1)])
  func startInMotion(kind: FilterKind, axis: Vector3) {
    let trajectory = Remounted(
      base: RandomSplineTrajectory(duration: 60, seed: 21), start: 7.3,
      baseFromDevice: Quaternion(angle: .pi, axis: axis))
    let simulation = Simulation(trajectory: trajectory, sensors: .phone.forFilters(rates: (50, 50, 25)), duration: 8)
    let errors = errors(kind, simulation, in: 5...8) { trajectory.state(at: $0).attitude }
    #expect(errors.tilt < 4 * kind.expectations.movingTilt && errors.heading < 8 * kind.expectations.heading)
  }

  @Test(
    "a gyroscope of any rate works with an accelerometer of 101 Hz and a field of 25 Hz on other clocks",
    arguments: FilterKind.all, [10.0, 25, 50, 94, 100, 286, 500, 1000])
  func mixedRates(kind: FilterKind, rate: Double) {
    var suite = SensorSuite.researchIMU.forFilters(rates: (rate, 101, 25))
    suite.gyroscope!.startOffset = 0.0005
    suite.accelerometer!.startOffset = 0.0037
    suite.magnetometer!.sensor.startOffset = 0.0081
    let trajectory = RandomSplineTrajectory(duration: 12, restDuration: 2, seed: 8)
    let simulation = Simulation(trajectory: trajectory, sensors: suite, duration: 8)
    let errors = errors(kind, simulation, in: 1.5...8) { trajectory.state(at: $0).attitude }
    // At 10 Hz a rotation of 2 rad/s is 0.2 rad between samples, and its change is not measured.
    #expect(errors.tilt < kind.expectations.movingTilt * (rate < 50 ? 12 : 3))
    #expect(errors.heading < kind.expectations.heading * (rate < 50 ? 12 : 4))
  }

  @Test("a field and a rate without any acceleration never give an attitude", arguments: FilterKind.all)
  func noAcceleration(kind: FilterKind) {
    var filter = kind.standard()
    for sample in Disturbance.fieldOff.samples.prefix(1000) where sample.channel != .accelerometer {
      filter.take(sample)
      #expect(filter.estimate == nil)
    }
    // The first acceleration then starts the filter as usual.
    filter.update(accelerometer: -.unitZ, at: 1000)
    #expect(filter.estimate?.flags.contains(.converging) == true)
  }
}
