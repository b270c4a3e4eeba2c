import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("VQF")
struct VQFTests {
  private static let trajectory = RandomSplineTrajectory(duration: 100, restDuration: 2, rotationStep: 0.4, seed: 6)

  @Test("a change of the sample rate is followed: the attitude does not jump and stays as accurate")
  func rateChange() {
    // 100 Hz, and 40 Hz from 20 s.
    let suite = SensorSuite.researchIMU.forFilters(rates: (100, 100, 50))
    let simulation = Simulation(trajectory: Self.trajectory, sensors: suite, duration: 60)
    var counts: [SensorChannel: Int] = [:]
    let samples = simulation.samples().filter { sample in
      guard sample.time > 20 else { return true }
      counts[sample.channel, default: 0] += 1
      return counts[sample.channel]!.isMultiple(of: 2)
    }
    var changed: any AttitudeFilter = VQF()
    let changedErrors = run(&changed, over: simulation, samples: samples, skip: 3)
    var constant: any AttitudeFilter = VQF()
    let constantErrors = run(&constant, over: simulation, skip: 3)
    #expect(changedErrors.largestTilt < constantErrors.largestTilt + 0.5)
    #expect(changedErrors.largestHeading < constantErrors.largestHeading + 0.5)
  }

  @Test("while a magnet passes, the heading moves less than 2° and it is flagged; the basic form follows it")
  func magnetPasses() {
    var suite = SensorSuite.researchIMU.forFilters(rates: (100, 100, 50))
    suite.disturbances = [MagneticDisturbance(start: 30, end: 36, field: Vector3(5, 30, 25), ramp: 2)]
    let simulation = Simulation(trajectory: Self.trajectory, sensors: suite, duration: 50)
    func moved(_ start: any AttitudeFilter, isFlagged: Bool) -> Double {
      var (filter, before, moved) = (start, 0.0, 0.0)
      filter.follow(simulation, on: simulation.trajectory) { time, estimate, error in
        if time < 30 { before = error.heading } else { moved = max(moved, abs(error.heading - before)) }
        let isDisturbed = estimate.flags.contains(.magneticDisturbance)
        if (32.5..<34).contains(time) { #expect(isDisturbed == isFlagged, "at \(time) s") }
        if (20..<30).contains(time) || time > 37 { #expect(!isDisturbed, "at \(time) s") }
      }
      return moved
    }
    #expect(moved(VQF(), isFlagged: true) < 2 && moved(BasicVQF(), isFlagged: false) > 5)
  }

  @Test("the bias's sigma begins at the parameter and falls at rest")
  func biasSigma() {
    var filter = VQF()
    #expect(isNear(filter.state.gyroscopeBiasSigma, filter.parameters.initialBiasSigma, within: 1e-12))
    for index in 0..<1000 {
      let time = Double(index) * 0.01
      filter.update(gyroscope: Vector3(0.01, 0, 0), at: time)
      filter.update(accelerometer: Vector3(0, 0, -1), at: time)
    }
    #expect(filter.state.gyroscopeBiasSigma < 0.1 * filter.parameters.initialBiasSigma)
    #expect(isNear(filter.state.gyroscopeBias, Vector3(0.01, 0, 0), within: 1e-4))
  }

  @Test("a field that starts late determines north at once; with the initial-heading reference X does not move")
  func lateField() {
    for reference in HeadingReference.allCases {
      var filter = VQF(parameters: with(.init()) { $0.headingReference = reference })
      for index in 0..<500 {
        let time = Double(index) * 0.01
        filter.update(gyroscope: .zero, at: time)
        filter.update(accelerometer: Vector3(0, 0, -1), at: time)
        // The device's X points 90° counter-clockwise from north: west.
        if time > 3 { filter.update(magneticField: Vector3(0, -20, -40), at: time) }
        let yaw = Attitude(quaternion: filter.estimate!.earthFromDevice).yaw
        let isTurned = reference == .magneticNorth && time > 3
        #expect(isNear(yaw, isTurned ? .pi / 2 : 0, within: 1e-9), "at \(time) s")
      }
    }
  }

  @Test("the 6-axis attitude equals that of a filter without a field, except for a constant azimuth")
  func sixAxis() {
    let suite = SensorSuite.phone.forFilters(rates: (50, 50, 50))
    let simulation = Simulation(trajectory: Self.trajectory, sensors: suite, duration: 20)
    var (withField, without) = (VQF(), VQF())
    var turns: [Quaternion] = []
    for sample in simulation {
      withField.take(sample)
      if sample.channel != .calibratedMagneticField { without.take(sample) }
      guard sample.channel == .gyroscope, let estimate = without.estimate else { continue }
      turns.append(estimate.earthFromDevice * withField.state.levelFromDevice.conjugate)
    }
    #expect(turns.count > 900)
    for turn in turns { #expect(isSameRotation(turn, turns[0], within: 1e-9)) }
    #expect(abs(turns[0].x) < 1e-9 && abs(turns[0].y) < 1e-9)
  }

  // MARK: Parameters

  @Test("every published name sets one parameter, in its own unit, with the published default")
  func classicalNames() {
    let published: [String: Double] = [
      "tauAcc": 3, "tauMag": 9, "motionBiasEstEnabled": 1, "restBiasEstEnabled": 1, "magDistRejectionEnabled": 1,
      "biasSigmaInit": 0.5, "biasClip": 2, "biasSigmaMotion": 0.1, "biasVerticalForgettingFactor": 0.0001,
      "biasSigmaRest": 0.03, "restMinT": 1.5, "restFilterTau": 0.5, "restThGyr": 2, "restThAcc": 0.5,
      "magCurrentTau": 0.05, "magRefTau": 20, "magNormTh": 0.1, "magDipTh": 10, "magNewTime": 20, "magNewFirstTime": 5,
      "magNewMinGyr": 20, "magMinUndisturbedTime": 0.5, "magMaxRejectionTime": 60, "magRejectionFactor": 2,
    ]
    let names = VQF.Parameters.classicalNames
    #expect(Set(names.map(\.name)) == Set(published.keys))
    let defaults = VQF.Parameters()
    for name in names {
      #expect(isNear(name.value(in: defaults), published[name.name]!, within: 1e-14 * published[name.name]!))
      var changed = defaults
      let value = 0.75 * name.value(in: defaults)
      name.set(value, in: &changed)
      #expect(isNear(name.value(in: changed), value, within: 1e-14 * value))
      let own = VQF.Parameters.descriptions.filter { $0.value(in: changed) != $0.value(in: defaults) }
      #expect(own.count == 1)
      // The published unit is the parameter's, or a constant multiple of it.
      #expect(isNear(own[0].value(in: changed), 0.75 * own[0].value(in: defaults), within: 1e-12))
      #expect(name.range.contains(value))
    }
    var basic = BasicVQF.Parameters()
    for (name, value) in zip(BasicVQF.Parameters.classicalNames, [2.0, 7]) { name.set(value, in: &basic) }
    #expect((basic.accelerationTimeConstant, basic.magneticTimeConstant) == (2, 7))
  }
}
