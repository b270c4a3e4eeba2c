import Foundation
import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Heading")
struct HeadingTests {
  /// Returns a gyroscope with a bias about the vertical that drifts by 0.3 °/s without a field.
  private func drifting(_ hasField: Bool, disturbances: [MagneticDisturbance] = []) -> SensorSuite {
    var suite = SensorSuite.ideal.forFilters(hasField: hasField, rates: (50, 50, 25))
    suite.gyroscope!.bias = Vector3(0, 0, 0.005)
    suite.disturbances = disturbances
    return suite
  }

  @Test(
    "with the initial-heading reference, X stays in place while the field stops the drift",
    arguments: FilterKind.having(.magneticField))
  func initialHeading(kind: FilterKind) {
    // A constant rotation about the vertical, faster than any bias: neither rest nor gravity reveals the bias about the
    // vertical. It begins 80° from north.
    let trajectory = Delayed(base: CircleTrajectory(radius: 0.01, speed: 0.005), delay: -2.8)
    func drift(_ hasField: Bool) -> (first: Double, last: Double) {
      var filter = kind.standard(headingReference: .initialHeading)
      var first: Double?
      var last = 0.0
      let simulation = Simulation(trajectory: trajectory, sensors: drifting(hasField), duration: 60)
      filter.follow(simulation, on: trajectory) { time, _, error in
        last = error.heading
        if first == nil, time > 1 { first = last }
      }
      return (first!, last)
    }
    let free = drift(false)
    let held = drift(true)
    #expect(remainder(free.last - free.first, 360).magnitude > 10)
    #expect(remainder(held.last - held.first, 360).magnitude < 3 * kind.expectations.heading)
    // X is the direction of yaw 0 at the start, not north.
    #expect(abs(held.last) > 30)
  }

  @Test("the field never moves gravity", arguments: FilterKind.having(.separatesHeading))
  func tiltIsFieldFree(kind: FilterKind) {
    // The same log with an undisturbed field and with one that is wrong by 40° of dip and 30 µT: same tilt.
    func tilts(_ disturbances: [MagneticDisturbance]) -> [Double] {
      let simulation = Simulation(
        trajectory: TurnTrajectory(axis: Vector3(1, 0, 1), angle: 1.5, start: 3, duration: 2),
        sensors: drifting(true, disturbances: disturbances), duration: 10)
      var (filter, tilts) = (kind.standard(), [Double]())
      filter.follow(simulation, on: simulation.trajectory) { tilts.append($2.tilt) }
      return tilts
    }
    let honest = tilts([])
    let disturbed = tilts([MagneticDisturbance(start: 0, end: 10, field: Vector3(5, 20, 60))])
    let largest = zip(honest, disturbed).map { abs($0 - $1) }.max()!
    // Not to the last bit: a heading error becomes a bias, and a bias a tilt.
    #expect(largest < 0.3)
  }

  @Test("while a magnet passes, the Kalman filter's heading moves less than 2° and the disturbance is flagged")
  func magnetPasses() {
    let magnet = MagneticDisturbance(start: 20, end: 26, field: Vector3(5, 30, 25), ramp: 2)
    var suite = SensorSuite.researchIMU.forFilters(rates: (100, 100, 50))
    suite.disturbances = [magnet]
    let simulation = Simulation(
      trajectory: RandomSplineTrajectory(duration: 60, restDuration: 2, rotationStep: 0.4, seed: 6),
      sensors: suite, duration: 40)
    var filter = MEKFFilter()
    var (before, moved) = (0.0, 0.0)
    filter.follow(simulation, on: simulation.trajectory) { time, estimate, error in
      if time < 20 { before = error.heading } else { moved = max(moved, abs(error.heading - before)) }
      let isFlagged = estimate.flags.contains(.magneticDisturbance)
      if (21..<25).contains(time) { #expect(isFlagged) }
      if (15..<20).contains(time) || time > 32 { #expect(!isFlagged, "at \(time) s") }
    }
    #expect(moved < 2)
  }

  @Test("a permanent field of another strength becomes the new normal after some minutes")
  func newNormal() {
    var suite = SensorSuite.ideal.forFilters(rates: (20, 20, 20))
    // An increase by ten µT along the present field: another building.
    suite.disturbances = [MagneticDisturbance(start: 60, end: 1e9, field: 10 / 49 * EarthField().vector)]
    let simulation = Simulation(trajectory: RestTrajectory(), sensors: suite, duration: 900)
    var filter: any AttitudeFilter = MEKFFilter()
    var disturbedUntil = 0.0
    for sample in simulation {
      filter.take(sample)
      if filter.estimate?.flags.contains(.magneticDisturbance) == true { disturbedUntil = sample.time }
    }
    #expect((70..<600).contains(disturbedUntil))
  }
}

/// A trajectory that begins later, or midway with a negative delay.
private struct Delayed: Trajectory {
  let base: any Trajectory
  let delay: Double

  func state(at time: Double) -> KinematicState { base.state(at: time - delay) }
}
