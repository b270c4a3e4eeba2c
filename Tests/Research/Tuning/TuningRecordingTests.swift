import InertialEvaluation
import InertialFilters
import InertialFusion
import InertialNumerics
import InertialResearch
import InertialRotations
import InertialSensors
import InertialSimulation
import Testing

/// The fast computation of a filter's error is compared with the full one: `DeviceMotionEstimator` and
/// `OrientationComparison`, as in `inertial evaluate`.
@Suite struct TuningRecordingTests {
  private struct Log {
    var samples: [SensorSample]
    var reference: OrientationTrack
    var movement: [Bool]?

    func tuning(
      _ configuration: DeviceMotionEstimator.Configuration,
      _ options: OrientationComparison.Options = OrientationComparison.Options()
    ) throws -> TuningRecording {
      try TuningRecording(
        name: "log", samples: samples, reference: reference, movement: movement, configuration: configuration,
        comparison: options)
    }
  }

  private func simulated(_ scenario: Scenario = .randomSpline, duration: Double = 12, seed: UInt64 = 3) throws -> Log {
    let samples = try Simulation(scenario: scenario, duration: duration, seed: seed).samples()
    let recording = Recording(samples)
    let reference = try #require(recording[.referenceAttitude])
    return Log(
      samples: samples, reference: try OrientationTrack(reference, frame: .nwu),
      movement: recording[.movement].map { OrientationComparison.movement($0, at: reference.times) })
  }

  private func expectAgreement(
    _ log: Log, _ configuration: DeviceMotionEstimator.Configuration,
    _ options: OrientationComparison.Options = OrientationComparison.Options(), settings: [String: Double] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let short = try log.tuning(configuration, options)
    for kind in FilterKind.all {
      let own = settings.filter { setting in kind.parameters.contains { $0.name == setting.key } }
      var estimator = try DeviceMotionEstimator(filter: kind, settings: own, configuration: configuration)
      let motions = estimator.motions(of: log.samples)
      let estimate = try OrientationTrack(
        times: motions.map(\.time), quaternions: motions.map(\.attitude.quaternion), frame: .nwu)
      let expected = try OrientationComparison(
        estimate: estimate, reference: log.reference, movement: log.movement, options: options)
      let figures = try #require(try short.figures(of: kind, settings: own), sourceLocation: sourceLocation)
      #expect(short.judgedCount == expected.errors.count, sourceLocation: sourceLocation)
      for (found, wanted) in [
        (figures.total, expected.summary.total.rmse), (figures.heading, expected.summary.heading.rmse),
        (figures.inclination, expected.summary.inclination.rmse),
      ] { #expect(abs(found - wanted) <= 1e-9 * max(1, wanted), "\(kind.name)", sourceLocation: sourceLocation) }
    }
  }

  private func configuration(
    _ frame: AttitudeReferenceFrame, field: DeviceMotionEstimator.Configuration.Field = .automatic
  ) -> DeviceMotionEstimator.Configuration {
    var configuration = DeviceMotionEstimator.Configuration()
    (configuration.frame, configuration.field) = (frame, field)
    return configuration
  }

  @Test("the error matches that of evaluate in every frame", arguments: AttitudeReferenceFrame.frames)
  func frames(_ frame: AttitudeReferenceFrame) throws {
    var configuration = configuration(frame)
    configuration.declination = 0.06
    try expectAgreement(try simulated(), configuration)
  }

  @Test("the error also matches with settings, skipped seconds and removed constant rotations")
  func options() throws {
    let log = try simulated(duration: 8)
    for alignment in AlignmentMode.allCases {
      var options = OrientationComparison.Options()
      (options.alignment, options.skip) = (alignment, 2.5)
      try expectAgreement(
        log, configuration(.xArbitraryCorrectedZVertical, field: .raw), options,
        settings: ["accelerationTimeConstant": 0.7, "motionWeight": 0.3, "startUpDuration": 2])
    }
  }

  @Test("the error also matches with a known clock offset")
  func clockShift() throws {
    var log = try simulated(duration: 8)
    log.reference = log.reference.shifted(by: 0.0837)
    var options = OrientationComparison.Options()
    options.clockShift = 0.0837
    try expectAgreement(log, configuration(.xMagneticNorthZVertical), options)
  }

  @Test("the error also matches if the reference has other times, gaps and invalid samples, and if the log has faults")
  func otherClock() throws {
    var log = try simulated(duration: 8)
    // Halfway between the samples at first, and then at their times.
    let times = log.reference.times.enumerated().map { $0.offset < 300 ? $0.element + 0.0031 : $0.element }
    var quaternions = log.reference.quaternions
    quaternions[350] = Quaternion(x: .nan, y: 0, z: 0, w: 1)
    log.reference = try OrientationTrack(times: times, quaternions: quaternions, frame: .enu)
    log.movement = times.indices.map { $0 % 7 != 0 }
    // A gap in the gyroscope, and samples that the estimator rejects.
    log.samples.removeAll { $0.channel == .gyroscope && $0.time > 4 && $0.time < 4.3 }
    let index = try #require(log.samples.firstIndex { $0.channel == .gyroscope && $0.time > 5 })
    log.samples[index].x = 1e6
    let repeated = try #require(log.samples.firstIndex { $0.channel == .gyroscope && $0.time > 6 })
    log.samples.insert(log.samples[repeated], at: repeated)
    try expectAgreement(log, configuration(.xMagneticNorthZVertical))
  }

  @Test("a log that ends before the filter has settled is evaluated from its propagated start")
  func short() throws {
    var log = try simulated(duration: 0.6)
    log.movement = nil
    try expectAgreement(log, configuration(.xArbitraryZVertical))
  }

  @Test("a log without an accelerometer has no figures, and a log without a common time is an error")
  func nothing() throws {
    var log = try simulated(duration: 3)
    log.samples.removeAll { $0.channel == .accelerometer }
    log.movement = nil
    let recording = try log.tuning(configuration(.xArbitraryZVertical))
    for kind in FilterKind.all { #expect(try recording.figures(of: kind) == nil) }
    var (late, flagged) = (log, log)
    late.reference = log.reference.shifted(by: 100)
    #expect(throws: EvaluationError.noCommonSamples) { try late.tuning(configuration(.xArbitraryZVertical)) }
    flagged.movement = [true]
    #expect(throws: EvaluationError.self) { try flagged.tuning(configuration(.xArbitraryZVertical)) }
  }

  @Test("a search over simulated logs reduces the held-out error of a bad start")
  func search() async throws {
    let recordings = try (1...3).map { seed in
      try simulated(.walk, duration: 6, seed: UInt64(seed)).tuning(configuration(.xArbitraryZVertical))
    }
    let kind = try #require(FilterKind.all["complementary"])
    var search = try ParameterSearch(kind, parameters: ["accelerationTimeConstant"])
    (search.objective, search.settings) = (.inclination, ["accelerationTimeConstant": 0.05])
    (search.division, search.budget) = (.leaveOneOut, 15)
    let report = try await search.run(on: recordings)
    #expect(report.meanValidationError < 0.5 * report.meanStartError && report.improvedCount == 3)
    #expect(report.settings["accelerationTimeConstant"]! > 0.5)
  }
}
