import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Convergence at rest")
struct ConvergenceTests {
  private static let attitudes = Quaternion.nastyCases + Quaternion.random(20, seed: 41)

  @Test("from any attitude at rest with perfect sensors the attitude is correct immediately", arguments: FilterKind.all)
  func ideal(kind: FilterKind) {
    for attitude in Self.attitudes {
      let simulation = Simulation(
        trajectory: RestTrajectory(attitude: attitude), sensors: .ideal.forFilters(), duration: 0.5)
      var filter = kind.standard()
      run(&filter, over: simulation, skip: 0)
      #expect(isSameRotation(filter.estimate!.earthFromDevice, attitude, within: 1e-9))
    }
  }

  @Test(
    "from any attitude at rest a phone's tilt is correct to 1.5°, its heading to 3°, after 3 s",
    arguments: FilterKind.correcting)
  func phone(kind: FilterKind) {
    var largest = (tilt: 0.0, heading: 0.0)
    for (index, attitude) in Self.attitudes.enumerated() {
      let simulation = Simulation(
        trajectory: RestTrajectory(attitude: attitude), sensors: .phone.forFilters(), duration: 3.5,
        seed: UInt64(index))
      var filter = kind.standard()
      let errors = run(&filter, over: simulation, skip: 3)
      largest = (max(largest.tilt, errors.largestTilt), max(largest.heading, errors.largestHeading))
    }
    // The accelerometer's own bias is 0.6°.
    #expect(largest.tilt < 1.5 * kind.expectations.tilt && largest.heading < 3 * kind.expectations.heading)
  }

  @Test("without a field the yaw at the start is 0 and the tilt is correct", arguments: FilterKind.all)
  func withoutField(kind: FilterKind) {
    for attitude in Self.attitudes {
      let simulation = Simulation(
        trajectory: RestTrajectory(attitude: attitude), sensors: .ideal.forFilters(hasField: false), duration: 0.5)
      var filter = kind.standard()
      let errors = run(&filter, over: simulation, skip: 0)
      #expect(errors.largestTilt < 1e-6)
      let expected = Attitude(quaternion: attitude).gravity
      let yawless = Attitude(quaternion: filter.estimate!.earthFromDevice)
      #expect(isNear(yawless.gravity, expected, within: 1e-12))
      // Near pitch ±90° yaw and roll are not separable, and rounding decides.
      if abs(expected.y) < 1 - 1e-9 { #expect(isNear(yawless.yaw, 0, within: 1e-6)) }
    }
  }

  @Test(
    "the attitude is unknown before the first acceleration, and the start is flagged for a second",
    arguments: FilterKind.all)
  func flags(kind: FilterKind) {
    var filter = kind.standard()
    #expect(filter.estimate == nil)
    filter.update(gyroscope: .zero, at: 0)
    filter.update(magneticField: Vector3(20, 0, -40), at: 0)
    #expect(filter.estimate == nil)
    let simulation = Simulation(trajectory: RestTrajectory(), sensors: .ideal.forFilters(), duration: 4)
    for sample in simulation {
      filter.take(sample)
      guard sample.channel == .gyroscope, sample.time > 0 else { continue }
      let flags = filter.estimate!.flags
      #expect(flags.contains(.converging) == (sample.time < 0.9999))
      if sample.time > 2.1 { #expect(flags == (kind.traits.contains(.rest) ? .resting : [])) }
      if sample.time < 1.4 { #expect(!flags.contains(.resting)) }
    }
  }

  @Test("an accelerometer that starts seconds after the gyroscope starts the start-up", arguments: FilterKind.all)
  func lateAccelerometer(kind: FilterKind) {
    var suite = SensorSuite.phone.forFilters()
    suite.accelerometer!.startOffset = 4
    // In motion at 4 s, so that one sample of acceleration is not sufficient.
    let simulation = Simulation(trajectory: WalkTrajectory(), sensors: suite, duration: 7)
    var filter = kind.standard()
    var largest = 0.0
    filter.follow(simulation, on: simulation.trajectory) { time, estimate, error in
      #expect(time > 3.99)
      if time < 4.98 { #expect(estimate.flags.contains(.converging), "at \(time) s") }
      guard time > 5.02 else { return }
      #expect(!estimate.flags.contains(.converging), "at \(time) s")
      largest = max(largest, error.tilt)
    }
    #expect(largest < 3 * kind.expectations.tilt)
  }
}
