import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Bad samples")
struct BadSampleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let channel: SensorChannel
    let faults: [SampleFault]
    let flag: AttitudeFlags

    var testDescription: String { channel.name }
  }

  private static let cases = [
    // A zero rate is a valid reading of a gyroscope at rest.
    Case(channel: .gyroscope, faults: [.notANumber, .infinite, .impossible], flag: .gyroscopeRejected),
    Case(channel: .accelerometer, faults: [.notANumber, .infinite, .zero, .impossible], flag: .accelerometerRejected),
    Case(
      channel: .calibratedMagneticField, faults: [.notANumber, .infinite, .zero, .impossible],
      flag: .magneticFieldRejected),
  ]

  @Test(
    "a single bad sample is skipped and flagged, and a second later the attitude is within 0.1° of the run without it",
    arguments: FilterKind.all, cases)
  func single(kind: FilterKind, fault: Case) {
    // Rest, a quick rotation of 2 s, rest: one sample in every phase, and one in the first second.
    let simulation = Simulation(
      trajectory: TurnTrajectory(axis: Vector3(1, -1, 2), angle: 2, start: 2.5, duration: 2),
      sensors: .phone.forFilters(), duration: 6)
    let samples = simulation.samples()
    let times = [0.02, 0.3, 1.2, 3.5, 4.2]
    // The run without the sample: a bad sample must have the same effect as a missing one.
    for time in times {
      let index = samples.firstIndex { $0.channel == fault.channel && $0.time >= time }!
      var without = samples
      without.remove(at: index)
      for kindOfFault in fault.faults {
        var (clean, missing, spoiled) = (kind.standard(), kind.standard(), kind.standard())
        let end = samples.firstIndex { $0.time > time + 1.02 }!
        clean.take(samples[..<end])
        missing.take(without[..<(end - 1)])
        let bad = samples.injecting(kindOfFault, into: fault.channel, at: time)
        spoiled.take(bad[...index])
        if let estimate = spoiled.estimate { #expect(estimate.flags.contains(fault.flag)) }
        spoiled.take(bad[(index + 1)..<end])
        let estimate = spoiled.estimate!
        #expect(!estimate.flags.contains(fault.flag))
        let limit = 0.1 * kind.expectations.missingSample * .pi / 180
        #expect(isSameRotation(estimate.earthFromDevice, clean.estimate!.earthFromDevice, within: limit))
        #expect(haveSameState(spoiled, missing), "\(kindOfFault) at \(time) s")
      }
    }
  }

  @Test("bad samples before the first good one are skipped", arguments: FilterKind.all)
  func fromTheStart(kind: FilterKind) {
    var filter = kind.standard()
    for fault in [SampleFault.notANumber, .infinite, .zero, .impossible] {
      for channel in [SensorChannel.accelerometer, .calibratedMagneticField] {
        filter.take(SensorSample(time: 0, channel: channel, fault.value(for: channel)))
      }
    }
    #expect(filter.estimate == nil)
    filter.update(accelerometer: Vector3(0, 0, -1), at: 0)
    #expect(filter.estimate?.earthFromDevice == .identity)
  }

  @Test(
    "with any input, the quaternion stays finite and of norm 1, and bias and sigma finite",
    arguments: FilterKind.all, 1...8)
  func property(kind: FilterKind, seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var filter = kind.standard(headingReference: seed.isMultiple(of: 2) ? .magneticNorth : .initialHeading)
    let nasty = [
      0, -0.0, 1e-300, 1e-12, 1, -1, 39.9, 99.9, 100, 499, 1e4, 1e18, 1e200, .infinity, -.infinity, .nan,
      .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ]
    func number() -> Double {
      switch generator.next() % 4 {
      case 0: nasty[Int(generator.next() % UInt64(nasty.count))]
      case 1: 100 * generator.normal()
      default: generator.normal()
      }
    }
    var time = 0.0
    for _ in 0..<3000 {
      switch generator.next() % 200 {
      case 0: time += 1000 * generator.uniform()
      case 1: time -= generator.uniform()
      default: time += 0.02 * generator.uniform()
      }
      var stamp = time
      if generator.next() % 300 == 0 { stamp = [.nan, .infinity, -.infinity, -1e300][Int(generator.next() % 4)] }
      let channels: [SensorChannel] = [.gyroscope, .accelerometer, .calibratedMagneticField]
      let channel = channels[Int(generator.next() % 3)]
      filter.take(SensorSample(time: stamp, channel: channel, Vector3(number(), number(), number())))
      guard let estimate = filter.estimate else { continue }
      guard estimate.earthFromDevice.isFinite, abs(estimate.earthFromDevice.norm - 1) < 1e-12,
        estimate.gyroscopeBias.isFinite
      else {
        Issue.record("after \(channel.name) at \(stamp) s: \(estimate)")
        return
      }
      if let sigma = estimate.attitudeSigma, !(sigma.isFinite && sigma.x >= 0 && sigma.y >= 0 && sigma.z >= 0) {
        Issue.record("after \(channel.name) at \(stamp) s: \(sigma)")
        return
      }
    }
    #expect(filter.estimate != nil)
  }

  @Test(
    "after any invalid input, 20 s of rest with a good field restore the attitude", arguments: FilterKind.correcting)
  func recovers(kind: FilterKind) {
    var generator = SeededGenerator(seed: 77)
    var filter = kind.standard()
    for index in 0..<2000 {
      let time = Double(index) * 0.01
      filter.update(gyroscope: generator.vector(20), at: time)
      filter.update(accelerometer: generator.vector(10), at: time)
      filter.update(magneticField: generator.vector(100), at: time)
    }
    let attitude = Quaternion.random(1, seed: 2)[0]
    for sample in Simulation(trajectory: RestTrajectory(attitude: attitude), sensors: .phone.forFilters(), duration: 20)
    {
      filter.take(with(sample) { $0.time += 26 })
    }
    let error = AttitudeError(filter.estimate!.earthFromDevice, truth: attitude)
    #expect(error.tilt < kind.expectations.tilt && abs(error.heading) < 6 * kind.expectations.heading)
  }
}
