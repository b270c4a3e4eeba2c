import Foundation
import InertialFilters
import InertialFusion
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Streams of device motions")
struct StreamTests {
  @Test("there is one motion for each good gyroscope sample, at its time", arguments: FilterKind.all.map(\.name))
  func times(filter: String) {
    let simulation = Simulation(trajectory: WalkTrajectory(), sensors: .phone, duration: 5)
    let samples = simulation.samples()
      .injecting(.notANumber, into: .gyroscope, at: 0.5).injecting(.infinite, into: .gyroscope, at: 2)
      .injecting(.impossible, into: .gyroscope, at: 3, count: 2)
    let good = samples.filter {
      $0.channel == .gyroscope && SensorLimits.standard.allowsRotationRate($0.vector)
    }
    #expect(good.count == 496)
    #expect(motions(samples, Configuration(), filter: filter).map(\.time) == good.map(\.time))
  }

  @Test("a gyroscope sample whose time does not increase is ignored")
  func timesNotRising() {
    let samples = Simulation(trajectory: WalkTrajectory(), sensors: .phone, duration: 3).samples()
    let clean = motions(samples, Configuration())
    for time in [0.4, 2.0] {
      #expect(motions(samples.duplicating(.gyroscope, at: time), Configuration()) == clean)
      var spoiled = samples
      let index = samples.firstIndex { $0.channel == .gyroscope && $0.time >= time }!
      spoiled.insert(SensorSample(time: time - 0.03, channel: .gyroscope, Vector3(3, 3, 3)), at: index + 1)
      #expect(motions(spoiled, Configuration()) == clean)
    }
  }

  @Test("streams on their own clocks are interpolated to the gyroscope's times")
  func interpolation() {
    var suite = SensorSuite.perfect()
    suite.accelerometer!.rate = 94
    suite.accelerometer!.startOffset = 0.0031
    suite.magnetometer!.sensor.rate = 25
    suite.magnetometer!.sensor.startOffset = 0.013
    let trajectory = RandomSplineTrajectory(duration: 8, restDuration: 0, knotInterval: 1, seed: 5)
    let simulation = Simulation(trajectory: trajectory, sensors: suite, duration: 6)
    let motions = motions(simulation, configuration(.xMagneticNorthZVertical))
    #expect(motions.count == 600)
    // The error of linear interpolation is at most 1/8 of the second difference over h, twice that at a kink.
    func bound(_ h: Double, _ time: Double, _ f: (Double) -> Vector3) -> Double {
      let differences = stride(from: -h, through: h, by: h / 4).map {
        (f(time + $0 + h) - 2 * f(time + $0) + f(time + $0 - h)).norm
      }
      return differences.max()! / 4 + 1e-12
    }
    func acceleration(_ time: Double) -> Vector3 { trajectory.state(at: time).accelerometerReading }
    func field(_ time: Double) -> Vector3 {
      trajectory.state(at: time).attitude.rotateInverse(EarthField().vector)
    }
    for motion in motions {
      let time = motion.time
      if time < 0.0031 || time > 5.99 {
        #expect(time > 1 || motion.userAcceleration == nil)
      } else {
        let raw = motion.gravity + motion.userAcceleration!
        #expect(isNear(raw, acceleration(time), within: bound(1.0 / 94, time, acceleration)))
      }
      if time < 0.013 || time > 5.973 {
        #expect(motion.magneticField == nil)
      } else {
        #expect(isNear(motion.magneticField!, field(time), within: bound(0.04, time, field)))
      }
    }
  }

  @Test(
    "in one go, in pieces, or saved and resumed at any sample, the motions are equal to the last bit",
    arguments: FilterKind.all.map(\.name), AttitudeReferenceFrame.frames)
  func sameNumbers(filter: String, frame: AttitudeReferenceFrame) throws {
    var suite = SensorSuite.phone
    suite.magnetometer!.output = frame == .xTrueNorthZVertical ? .both : .raw
    suite.accelerometer!.startOffset = 0.1
    suite.gyroscope!.gaps = [3...4]
    suite.accelerometer!.gaps = [3.2...4.5]
    let samples = Simulation(
      trajectory: RandomSplineTrajectory(duration: 6, restDuration: 0, seed: 2), sensors: suite, duration: 6
    ).samples()
    let configuration = configuration(frame) { $0.declination = 0.1 }
    let whole = motions(samples, configuration, filter: filter)
    #expect(whole.count > 450)

    var streamed = estimator(configuration, filter: filter)
    var pieces: [DeviceMotion] = []
    for sample in samples {
      streamed.append(sample)
      pieces += streamed.drain()
    }
    streamed.finish()
    #expect(pieces.count > whole.count - 30)
    pieces += streamed.drain()
    #expect(pieces == whole)

    // x² of a random rotation is spread over 0 to 1: cuts everywhere, with more of them in the start-up.
    let cuts = Quaternion.random(6, seed: 21).map { Int($0.x * $0.x * Double(samples.count)) }
    for cut in cuts + [0, 1, samples.count] {
      let result = try motions(samples, configuration, filter: filter, savedAt: cut)
      #expect(result == whole, "cut at sample \(cut)")
    }
  }

  @Test("motions that were not taken precede those of a block, also in a saved estimator")
  func blocks() throws {
    let samples = Simulation(trajectory: WalkTrajectory(), sensors: .phone, duration: 5).samples()
    let cuts = (samples.count / 2, samples.count / 2 + 1, samples.count * 3 / 4)
    var first = estimator(Configuration())
    for sample in samples[..<cuts.0] { first.append(sample) }
    var taken = [first.next()!, first.next()!]
    var second = try savedAndRestored(first)
    taken.append(second.next()!)
    for block in [samples[cuts.0..<cuts.1], samples[cuts.1..<cuts.2], samples[cuts.2...]] {
      second.append(block, motionsTo: &taken)
    }
    second.finish()
    #expect(taken.count > 400 && taken + second.drain() == motions(samples, Configuration()))
  }

  @Test("a motion is ready as soon as the other channels have passed its time")
  func latency() {
    var suite = SensorSuite.perfect()
    suite.accelerometer!.startOffset = 0.004
    suite.magnetometer!.sensor.startOffset = 0.007
    var estimator = estimator(configuration(.xMagneticNorthZVertical))
    var lastTime = -1.0
    for sample in Simulation(trajectory: WalkTrajectory(), sensors: suite, duration: 3) {
      estimator.append(sample)
      for motion in estimator.drain() { lastTime = motion.time }
      // At the start, motions wait for the filter to settle.
      if sample.time < 1 { #expect(lastTime == -1) }
      if sample.time > 1.1 { #expect(sample.time - lastTime < 0.0171, "at \(sample.time) s") }
    }
  }

  @Test("a gap in the accelerometer has no user acceleration, a short one is bridged")
  func accelerometerGap() {
    let simulation = Simulation(trajectory: WalkTrajectory(), sensors: .perfect(), duration: 6)
    let samples = simulation.samples().removing([.accelerometer], in: 2.005...2.495)
      .removing([.accelerometer], in: 3.995...5.005)
    let motions = motions(samples, Configuration())
    #expect(motions.count == 600)
    for motion in motions {
      #expect((motion.userAcceleration == nil) == (3.995...5.005).contains(motion.time), "at \(motion.time) s")
    }
  }

  @Test("a field that stops is no longer reported, and the heading continues")
  func fieldGap() {
    let simulation = Simulation(trajectory: WalkTrajectory(), sensors: .perfect(), duration: 5)
    let samples = simulation.samples().removing([.calibratedMagneticField], in: 2.995...9)
    for motion in motions(samples, configuration(.xMagneticNorthZVertical)) {
      #expect((motion.magneticField == nil) == (motion.time > 2.991), "at \(motion.time) s")
      let truth = Attitude(quaternion: simulation.trajectory.state(at: motion.time).attitude)
      // Three seconds of a walk determine the bias to 1.6 °/s with the magnetometer's assumed noise, and two more follow
      // without a field.
      #expect(isNear(difference(motion.heading, truth.heading()), 0, within: 6))
    }
  }

  @Test("without gyroscope, accelerometer or any sample there is no motion")
  func missingChannels() {
    let samples = Simulation(trajectory: WalkTrajectory(), sensors: .phone, duration: 2).samples()
    #expect(motions([SensorSample](), Configuration()).isEmpty)
    for (channel, count) in [(SensorChannel.gyroscope, 0), (.accelerometer, 0), (.magnetometer, 200)] {
      #expect(motions(samples.filter { $0.channel != channel }, Configuration()).count == count, "\(channel)")
    }
  }

  @Test("memory does not grow with the log, even if the gyroscope has ended")
  func memory() throws {
    var suite = SensorSuite.phone
    suite.gyroscope!.gaps = [4...1e9]
    var estimator = estimator(configuration(.xMagneticNorthZVertical))
    var sizes: [Int] = []
    for (index, sample) in Simulation(trajectory: WalkTrajectory(), sensors: suite, duration: 20).enumerated() {
      estimator.append(sample)
      _ = estimator.drain()
      if index % 500 == 499 { sizes.append(try JSONEncoder().encode(estimator).count) }
    }
    #expect(sizes.count > 10 && sizes.last! < 30_000 && abs(sizes.last! - sizes[sizes.count / 2]) < 2_000)
  }

  @Test(
    "a single bad sample leaves the attitude a second later within 0.1° of the run without it",
    arguments: [SensorChannel.gyroscope, .accelerometer, .calibratedMagneticField])
  func badSample(channel: SensorChannel) {
    let suite = with(SensorSuite.phone) { $0.magnetometer!.output = .calibrated }
    let samples = Simulation(
      trajectory: TurnTrajectory(axis: Vector3(1, -1, 2), angle: 2, start: 1.5, duration: 2), sensors: suite,
      duration: 5
    ).samples()
    let configuration = configuration(.xMagneticNorthZVertical)
    let clean = motions(samples, configuration)
    for time in [0.05, 0.3, 2.5, 3.2] {
      for fault in [SampleFault.notANumber, .infinite, .impossible] {
        let spoiled = motions(samples.injecting(fault, into: channel, at: time), configuration)
        for motion in spoiled where motion.time > time + 1 && motion.time < time + 1.1 {
          let same = clean.first { $0.time == motion.time }!
          #expect(isSameRotation(motion.attitude.quaternion, same.attitude.quaternion, within: 0.1 * .pi / 180))
        }
      }
    }
  }
}
