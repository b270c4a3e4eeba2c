import Foundation
import InertialFilters
import InertialFusion
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Fields of device motions")
struct FieldTests {
  private static let tumbling = RandomSplineTrajectory(duration: 1e3, restDuration: 0, seed: 7)

  private func suite(_ output: MagnetometerModel.Output) -> SensorSuite {
    with(.phone) { $0.magnetometer!.output = output }
  }

  /// Returns a log whose calibrated field has accuracies as a function of time.
  private func samples(
    _ output: MagnetometerModel.Output, seconds: Double, accuracy: (Double) -> Double
  ) -> [SensorSample] {
    Simulation(trajectory: Self.tumbling, sensors: suite(output), duration: seconds).map { sample in
      with(sample) { if sample.channel == .calibratedMagneticField { $0.w = accuracy(sample.time) } }
    }
  }

  @Test("a raw field that is too strong for the earth's is calibrated online: field and heading become correct")
  func rawField() {
    let simulation = Simulation(trajectory: Self.tumbling, sensors: suite(.raw), duration: 90)
    var levels: [MagneticFieldAccuracy] = []
    var (largestField, largestError) = (0.0, 0.0)
    for motion in motions(simulation, configuration(.xMagneticNorthZVertical)) {
      if motion.magneticFieldAccuracy != levels.last { levels.append(motion.magneticFieldAccuracy) }
      let truth = simulation.trajectory.state(at: motion.time).attitude
      // There is no field before a calibration, and no heading before the filter has used a field.
      #expect((motion.magneticField == nil) || motion.magneticFieldAccuracy > .uncalibrated)
      if levels == [.uncalibrated] { #expect(motion.heading == -1) }
      guard motion.time > 20 else { continue }
      #expect(motion.magneticFieldAccuracy >= .medium)
      if let field = motion.magneticField {
        largestField = max(largestField, (field - truth.rotateInverse(EarthField().vector)).norm)
      }
      largestError = max(largestError, motion.attitude.quaternion.angle(to: truth) * 180 / .pi)
    }
    #expect(levels == [.uncalibrated, .medium, .high])
    // The soft iron of 3 % is not part of the model.
    #expect(largestField < 4)
    #expect(largestError < 6)
  }

  @Test(
    "until north is known the heading has a uniform distribution, and the rotation onto north is a jump",
    arguments: [FilterKind.standard.name, "vqf"])
  func arrival(filter: String) throws {
    let simulation = Simulation(trajectory: Self.tumbling, sensors: suite(.raw), duration: 40)
    let kind = try #require(FilterKind.all.first { $0.name == filter })
    var estimator = try DeviceMotionEstimator(filter: kind, configuration: configuration(.xMagneticNorthZVertical))
    // The heading at 7 s is another one than north.
    let motions = estimator.motions(of: simulation.filter { $0.time > 7 })
    let arrival = try #require(motions.firstIndex { $0.heading >= 0 })
    #expect(motions[arrival].time > 10)
    for motion in motions[..<arrival] {
      #expect(motion.heading == -1 && !motion.flags.contains(.jumped))
      if let sigma = motion.attitudeSigma { #expect(isNear(sigma.z, .pi / 3.squareRoot(), within: 1e-12)) }
    }
    #expect(motions[arrival].flags.contains(.jumped))
    for motion in motions[arrival...] {
      let truth = simulation.trajectory.state(at: motion.time).attitude
      #expect(motion.attitude.quaternion.angle(to: truth) < 0.35)
      if let sigma = motion.attitudeSigma { #expect(sigma.z < 0.5) }
    }
  }

  @Test("a calibrated field that is not declared is used unchanged from the start, online and offline")
  func undeclared() throws {
    let suite = with(suite(.raw)) { $0.magnetometer!.hardIron = .zero }
    let simulation = Simulation(trajectory: Self.tumbling, sensors: suite, duration: 40)
    let configuration = configuration(.xMagneticNorthZVertical)
    var online = estimator(configuration)
    var offline = try #require(
      try DeviceMotionEstimator(smoothing: FilterKind.standard, configuration: configuration))
    for motion in online.motions(of: simulation) + offline.motions(of: simulation) {
      #expect(motion.heading >= 0)
    }
    for decisions in [online.decisions, offline.decisions] {
      let decision = decisions.first { $0.subject == "hard iron" }
      #expect(decision?.outcome == "none subtracted" && decision?.values["x"] == nil)
    }
  }

  @Test(
    "a field that cannot be the earth's is not used, even if it is declared or calibrated by the device",
    arguments: [
      (MagnetometerModel.Output.calibrated, SensorChannel.calibratedMagneticField, Configuration.Field.automatic),
      (.raw, .magnetometer, .calibrated),
    ])
  func impossibleStrength(
    output: MagnetometerModel.Output, channel: SensorChannel, choice: Configuration.Field
  ) throws {
    let suite = with(suite(output)) { $0.magnetometer!.hardIron = .zero }
    let simulation = Simulation(trajectory: Self.tumbling, sensors: suite, duration: 25)
    let configuration = configuration(.xMagneticNorthZVertical) { $0.field = choice }
    // For ten seconds, iron next to the device adds a field, or shields the earth's.
    for (scale, offset) in [(1.0, 150.0), (0.02, 0)] {
      let samples = simulation.map { sample in
        guard sample.channel == channel, sample.time < 10 else { return sample }
        return with(sample) { ($0.x, $0.y, $0.z) = (scale * $0.x + offset, scale * $0.y, scale * $0.z) }
      }
      var online = estimator(configuration)
      var offline = try #require(
        try DeviceMotionEstimator(smoothing: FilterKind.standard, configuration: configuration))
      for motion in online.motions(of: samples) where !(10..<10.1).contains(motion.time) {
        #expect((motion.heading >= 0) == (motion.time > 10), "\(motion.time) s")
      }
      for motion in offline.motions(of: samples) where motion.time > 2 {
        let truth = simulation.trajectory.state(at: motion.time).attitude
        #expect(motion.attitude.quaternion.angle(to: truth) < 6 * .pi / 180, "\(motion.time) s")
      }
    }
  }

  @Test("offline, the hard iron of the whole log is subtracted from the first sample on")
  func rehearsed() throws {
    let simulation = Simulation(trajectory: Self.tumbling, sensors: suite(.raw), duration: 40)
    var offline = try #require(
      try DeviceMotionEstimator(
        smoothing: FilterKind.standard, configuration: configuration(.xMagneticNorthZVertical)))
    let motions = offline.motions(of: simulation)
    #expect(motions.count == 4_000)
    #expect(motions.allSatisfy { $0.heading >= 0 })
    // Before the first field there is no accuracy.
    #expect(motions.dropFirst(5).allSatisfy { $0.magneticFieldAccuracy >= .medium })
    let decision = try #require(offline.decisions.first { $0.subject == "hard iron" })
    #expect(decision.since == nil && decision.values["evidence"]! > 6)
    let offset = Vector3(
      try #require(decision.values["x"]), try #require(decision.values["y"]), try #require(decision.values["z"]))
    #expect(isNear(offset, suite(.raw).magnetometer!.hardIron, within: 3))
    #expect(decision.sentence.hasPrefix("hard iron: (") && decision.sentence.contains(" µT subtracted (evidence"))
  }

  @Test("a raw field whose hard iron is undecided gives no certain heading, and one that is known does")
  func undecided() throws {
    let configuration = configuration(.xMagneticNorthZVertical)
    // A raw field of plausible strength with a hard iron, on a device at rest.
    let field = with(SensorSuite.phone) {
      $0.magnetometer!.output = .raw
      $0.magnetometer!.hardIron = Vector3(20, -15, 10)
    }
    let rest = Simulation(trajectory: RestTrajectory(), sensors: field, duration: 60)
    let still = try #require(motions(rest, configuration).last)
    #expect(still.heading >= 0 && (still.attitudeSigma?.z ?? 0) > 0.08, "\(String(describing: still.attitudeSigma))")
    let turned = Simulation(trajectory: Self.tumbling, sensors: suite(.raw), duration: 60)
    let known = try #require(motions(turned, configuration).last)
    #expect((known.attitudeSigma?.z ?? 9) < 0.1, "\(String(describing: known.attitudeSigma))")
  }

  @Test("in a set of frames, north takes precedence")
  func frames() throws {
    let simulation = Simulation(trajectory: Self.tumbling, sensors: suite(.raw), duration: 30)
    let both = motions(simulation, configuration([.xMagneticNorthZVertical, .xArbitraryZVertical]))
    #expect(both == motions(simulation, configuration(.xMagneticNorthZVertical)))
  }

  @Test("a calibrated field in a column, whose accuracy is unknown, is used")
  func columns() throws {
    let recording = Recording(samples(.calibrated, seconds: 20) { _ in .nan })
    var columns = recording.columns
    let field = try #require(columns[.calibratedMagneticField])
    columns[.calibratedMagneticField] = SensorColumn(times: field.times, values: field.values)
    var (given, made) = (
      estimator(configuration(.xMagneticNorthZVertical)), estimator(configuration(.xMagneticNorthZVertical))
    )
    let found = made.motions(of: Recording(columns: columns))
    #expect(found == given.motions(of: recording) && (found.last?.heading ?? -1) >= 0)
  }

  @Test("online, a raw field beside the device's calibrated one is not used, and the decision states it")
  func both() {
    let configuration = configuration(.xMagneticNorthZVertical)
    let both = samples(.both, seconds: 40) { _ in 2 }
    var estimator = estimator(configuration)
    let found = estimator.motions(of: both)
    #expect(estimator.decisions.first { $0.subject == "field calibration" }?.outcome == "the device's own")
    #expect(!estimator.decisions.contains { $0.subject == "hard iron" })
    #expect(found == motions(both.filter { $0.channel != .magnetometer }, configuration))
  }

  /// Returns the motions and the decisions of the standard filter's offline form.
  private func offline(
    _ samples: [SensorSample], _ choice: Configuration.Field = .automatic
  ) throws -> (motions: [DeviceMotion], decisions: [AutomaticDecision]) {
    let configuration = configuration(.xMagneticNorthZVertical) { $0.field = choice }
    var estimator = try #require(
      try DeviceMotionEstimator(smoothing: FilterKind.standard, configuration: configuration))
    return (estimator.motions(of: samples), estimator.decisions)
  }

  @Test("offline, a raw field whose hard iron is found replaces the device's own, and the decision states it")
  func rawInsteadOfCalibrated() throws {
    let both = samples(.both, seconds: 40) { $0 < 20 ? -1 : 1 }
    let (motions, decisions) = try offline(both)
    let raw = try offline(both.filter { $0.channel != .calibratedMagneticField })
    #expect(motions == raw.motions && motions.allSatisfy { $0.heading >= 0 })
    #expect(motions.dropFirst(5).allSatisfy { $0.magneticFieldAccuracy >= .medium })
    #expect(decisions.map(\.subject).prefix(2) == ["field calibration", "hard iron"])
    #expect(decisions.first?.outcome == "the raw field without its hard iron")
    #expect(Array(decisions.dropFirst()) == raw.decisions)
  }

  @Test(
    "offline, the device's calibrated field is kept if the hard iron is not found, is inaccurate, or changes",
    arguments: [
      (RestTrajectory() as any Trajectory, 0.0, "is not accurate"),
      (CircleTrajectory(radius: 0.01, speed: 0.005), 0, "is not accurate"), (Self.tumbling, 40, "changes"),
    ])
  func calibratedInsteadOfRaw(trajectory: any Trajectory, change: Double, reason: String) throws {
    let both = Simulation(trajectory: trajectory, sensors: suite(.both), duration: 80).map { sample in
      with(sample) { if $0.channel == .magnetometer, $0.time > 40 { $0.x += change } }
    }
    let (motions, decisions) = try offline(both)
    #expect(motions == (try offline(both.filter { $0.channel != .magnetometer }).motions))
    let decision = try #require(decisions.first { $0.subject == "field calibration" })
    #expect(decision.outcome == "the device's own" && decision.basis.hasSuffix("its hard iron \(reason)"))
    #expect(!decisions.contains { $0.subject == "hard iron" })
  }

  @Test("offline, an explicit choice of the field takes precedence over the decision")
  func explicitChoice() throws {
    let moving = samples(.both, seconds: 40) { _ in 2 }
    let resting = Array(Simulation(trajectory: RestTrajectory(), sensors: suite(.both), duration: 40))
    for (samples, choice, other) in [
      (moving, Configuration.Field.calibrated, SensorChannel.magnetometer), (resting, .raw, .calibratedMagneticField),
    ] {
      let (motions, decisions) = try offline(samples, choice)
      let alone = try offline(samples.filter { $0.channel != other }, choice).motions
      // The first sample of the raw field precedes that of the calibrated one.
      #expect(motions.dropFirst(5) == alone.dropFirst(5))
      #expect(!decisions.contains { $0.subject == "field calibration" })
    }
  }

  @Test(
    "offline, a raw field that starts up to ten seconds after the device's calibrated one is considered",
    arguments: [(9.0, true), (12, false)])
  func lateRawField(start: Double, isConsidered: Bool) throws {
    let both = samples(.both, seconds: 60) { _ in 2 }.filter { $0.channel != .magnetometer || $0.time >= start }
    let decisions = try offline(both).decisions
    #expect(decisions.contains { $0.subject == "hard iron" } == isConsidered)
  }

  @Test("a field that the device calibrated is preferred, and its own accuracy reported")
  func calibratedField() {
    let graded = samples(.both, seconds: 3) { $0 < 1.5 ? 1 : 2 }
    for motion in motions(graded, configuration(.xMagneticNorthZVertical)) where (0.05..<2.95).contains(motion.time) {
      #expect(motion.magneticFieldAccuracy == (motion.time < 1.501 ? .medium : .high), "at \(motion.time) s")
      #expect(isNear(motion.magneticField?.norm ?? 0, 49, within: 2))
    }
    // Unless the raw field is requested.
    let raw = motions(graded, configuration(.xMagneticNorthZVertical) { $0.field = .raw })
    #expect(raw.prefix(10).allSatisfy { $0.magneticFieldAccuracy == .uncalibrated })
  }

  @Test("a device that does not grade its field is trusted")
  func ungraded() {
    let samples = samples(.calibrated, seconds: 2) { _ in .nan }
    #expect(
      motions(samples, configuration(.xMagneticNorthZVertical)).dropFirst(2).allSatisfy {
        $0.magneticFieldAccuracy == .high && $0.heading >= 0
      })
  }

  @Test("a field less accurate than the minimum is reported but not used", arguments: [-1.0, 0, 1, 2])
  func minimumAccuracy(accuracy: Double) {
    let samples = samples(.calibrated, seconds: 2) { _ in accuracy }
    let motions = motions(samples, configuration(.xMagneticNorthZVertical))
    for motion in motions.dropFirst(3) {
      #expect(motion.magneticFieldAccuracy.rawValue == Int(accuracy))
      #expect((motion.magneticField != nil) == (accuracy >= 0) || motion.time > 1.97)
      #expect((motion.heading >= 0) == (accuracy >= 1))
    }
  }

  @Test("with the calibrated-field setting, a raw field is used without Inertial's calibration")
  func asIs() {
    let simulation = Simulation(trajectory: RestTrajectory(), sensors: suite(.raw), duration: 2)
    let motions = motions(simulation, configuration(.xMagneticNorthZVertical) { $0.field = .calibrated })
    let raw = simulation.recording()[.magnetometer]!
    #expect(isNear(motions[100].magneticField!, raw.values[50], within: 2))
    #expect(motions[100].magneticFieldAccuracy == .high)
  }

  @Test("while north is unknown the heading is −1, and the attitude is available")
  func northUnknown() {
    let simulation = Simulation(trajectory: RestTrajectory(), sensors: suite(.raw), duration: 3)
    let motions = motions(simulation, configuration(.xMagneticNorthZVertical))
    #expect(motions.count == 300)
    #expect(motions.allSatisfy { $0.heading == -1 && $0.magneticFieldAccuracy == .uncalibrated })
  }

  @Test("the corrected arbitrary frame keeps its yaw despite a bias")
  func corrected() {
    var suite = SensorSuite.perfect()
    suite.gyroscope!.bias = Vector3(0, 0, 0.005)
    // Faster than any bias: neither rest nor gravity reveals the bias about the vertical.
    let trajectory = CircleTrajectory(radius: 0.01, speed: 0.005)
    let simulation = Simulation(trajectory: trajectory, sensors: suite, duration: 40)
    func drift(_ frame: AttitudeReferenceFrame) -> Double {
      let motions = motions(simulation, configuration(frame))
      func offset(_ motion: DeviceMotion) -> Double {
        let truth = Attitude(quaternion: trajectory.state(at: motion.time).attitude)
        return (motion.attitude.yaw - truth.yaw) * 180 / .pi
      }
      return difference(offset(motions.last!), offset(motions[0]))
    }
    #expect(abs(drift(.xArbitraryZVertical)) > 8 && abs(drift(.xArbitraryCorrectedZVertical)) < 1)
  }
}
