import AttitudeFilters
import DeviceMotionEstimation
import Evaluation
import LinearAlgebra
import Rotations
import Sensors
import Signals
import Simulation
import Synchronization
import Testing

@testable import Tuning

/// The errors of filters in lockstep are held against those of each filter alone.
@Suite struct LaneErrorsTests {
  private static let banked = FilterKind.all.filter(\.hasLanes)

  /// Logs that differ in length and motion, one with a gap of the gyroscope and one whose field comes late.
  private func recordings(_ configuration: DeviceMotionEstimator.Configuration, alignment: AlignmentMode = .none)
    throws -> [TuningRecording]
  {
    try (0..<3).map { index in
      var samples = try Simulation(
        scenario: index == 1 ? .walk : .randomSpline, duration: 4 + Double(index), seed: UInt64(index)
      ).samples()
      let recording = Recording(samples)
      let stream = try #require(recording[.referenceAttitude])
      if index == 0 { samples.removeAll { $0.channel == .gyroscope && (2.5..<3.2).contains($0.time) } }
      if index == 2 {
        samples.removeAll { [.magnetometer, .calibratedMagneticField].contains($0.channel) && $0.time < 2.2 }
      }
      var options = OrientationComparison.Options()
      options.alignment = alignment
      return try TuningRecording(
        name: "log \(index)", samples: samples, reference: try OrientationTrack(stream, frame: .nwu),
        configuration: configuration, comparison: options)
    }
  }

  private func configuration(_ frame: AttitudeReferenceFrame) -> DeviceMotionEstimator.Configuration {
    var configuration = DeviceMotionEstimator.Configuration()
    configuration.frame = frame
    return configuration
  }

  /// Every recording with settings of its own: each parameter is up to a third off its default, so that start-ups end
  /// at different times.
  private func trials(_ kind: FilterKind, on recordings: [TuningRecording], seed: UInt64) -> [TuningTrial] {
    var random = SeededGenerator(seed: seed)
    return (0..<7).map { index in
      let values = kind.parameters.map { facts in
        let value = facts.defaultValue * Double.random(in: 0.7...1.4, using: &random)
        return (facts.name, min(max(value, facts.minimum), facts.maximum))
      }
      return TuningTrial(
        recording: index % recordings.count,
        settings: index == 0 ? [:] : Dictionary(uniqueKeysWithValues: values))
    }
  }

  private func expectSame(
    _ kind: FilterKind, _ recordings: [TuningRecording], _ trials: [TuningTrial],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for objective in TuningObjective.allCases {
      let together = TuningRecording.errors(trials, on: recordings, of: kind, objective, usesLanes: true)
      #expect(together.count == trials.count, sourceLocation: sourceLocation)
      for (error, trial) in zip(together, trials) {
        let figures = try recordings[trial.recording].figures(of: kind, settings: trial.settings)
        let alone = try #require(figures, sourceLocation: sourceLocation)[objective]
        #expect(abs(error - alone) <= 1e-9, "\(kind.name), \(objective)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test("errors in lockstep are those of each filter alone, for every kind that can, with settings of their own")
  func lanes() throws {
    #expect(Self.banked.contains { $0.name == "mahony" } && Self.banked.contains { $0.name == "madgwick" })
    for frame in [AttitudeReferenceFrame.xMagneticNorthZVertical, .xArbitraryCorrectedZVertical] {
      let recordings = try recordings(configuration(frame))
      for (seed, kind) in Self.banked.enumerated() {
        try expectSame(kind, recordings, trials(kind, on: recordings, seed: UInt64(seed)))
      }
    }
  }

  @Test("they are with a fitted heading, without a field, and where recordings have frames of their own")
  func frames() throws {
    let kind = try #require(Self.banked.first)
    let fitted = try recordings(configuration(.xArbitraryZVertical), alignment: .yaw)
    try expectSame(kind, fitted, trials(kind, on: fitted, seed: 9))
    let mixed = [fitted[0]] + (try recordings(configuration(.xMagneticNorthZVertical)))[1...]
    try expectSame(kind, mixed, trials(kind, on: mixed, seed: 10))
  }

  @Test("an error in lockstep does not depend, to the last digit, on which trials are beside it or how many")
  func neighbours() throws {
    let recordings = try recordings(configuration(.xMagneticNorthZVertical))
    for kind in Self.banked {
      let trials = trials(kind, on: recordings, seed: 6)
      func errors(_ some: [TuningTrial]) -> [Double] {
        TuningRecording.errors(some, on: recordings, of: kind, .total, usesLanes: true)
      }
      let together = errors(trials)
      #expect(errors(trials.reversed()) == together.reversed(), "\(kind.name)")
      #expect(trials.flatMap { errors([$0]) } == together, "\(kind.name)")
      #expect(errors(Array(trials[..<4])) + errors(Array(trials[4...])) == together, "\(kind.name)")
    }
  }

  @Test("kinds without lanes, and those that are not asked to use them, go the usual way to the last digit")
  func usualWay() throws {
    let recordings = try recordings(configuration(.xMagneticNorthZVertical))
    let mekf = try #require(FilterKind.named("mekf"))
    #expect(!mekf.hasLanes)
    let cases = [(mekf, true)] + Self.banked.map { ($0, false) }
    for (kind, usesLanes) in cases {
      let trials = trials(kind, on: recordings, seed: 3)
      let together = TuningRecording.errors(trials, on: recordings, of: kind, .total, usesLanes: usesLanes)
      let alone = try trials.map { try recordings[$0.recording].figures(of: kind, settings: $0.settings)?.total }
      #expect(together.map(Optional.some) == alone)
    }
  }

  @Test(
    "samples of one time in an order of their own are not made columns, and every error is that of the filter alone")
  func ownOrder() throws {
    let samples = try Simulation(scenario: .walk, duration: 4, seed: 5).samples()
    let stream = try #require(Recording(samples)[.referenceAttitude])
    // The last acceleration with every rate, at its time: behind it, and before it.
    var acceleration = try #require(samples.first { $0.channel == .accelerometer })
    var (behind, before): ([SensorSample], [SensorSample]) = ([], [])
    for sample in samples {
      switch sample.channel {
      case .accelerometer: acceleration = sample
      case .gyroscope:
        acceleration.time = sample.time
        behind += [sample, acceleration]
        before += [acceleration, sample]
      default: break
      }
    }
    let inOrder = FilterFeed(of: behind, configuration(.xArbitraryZVertical))
    let swapped = try TuningRecording(
      name: "swapped", samples: before, reference: try OrientationTrack(stream, frame: .nwu),
      configuration: configuration(.xArbitraryZVertical))
    guard case .columns = inOrder, case .inputs = swapped.feed else {
      Issue.record("the order of the samples is not seen")
      return
    }
    #expect(inOrder.rowTimes == swapped.feed.rowTimes)
    let kind = try #require(Self.banked.first)
    try expectSame(kind, [swapped], trials(kind, on: [swapped], seed: 4))
  }

  @Test("a filter without an estimate, or that does not take the settings, has an infinite error, beside others")
  func failures() throws {
    let kind = try #require(FilterKind.named("mahony"))
    let recordings = try recordings(configuration(.xMagneticNorthZVertical))
    var samples = try Simulation(scenario: .walk, duration: 3, seed: 5).samples()
    let stream = try #require(Recording(samples)[.referenceAttitude])
    samples.removeAll { $0.channel == .accelerometer }
    let blind = try TuningRecording(
      name: "blind", samples: samples, reference: try OrientationTrack(stream, frame: .nwu),
      configuration: configuration(.xMagneticNorthZVertical))
    let refused = TuningTrial(recording: 0, settings: ["timeConstant": -1])
    let trials = [0, 3, 1, 2].map { TuningTrial(recording: $0, settings: [:]) } + [refused]
    for usesLanes in [true, false] {
      let errors = TuningRecording.errors(trials, on: recordings + [blind], of: kind, .total, usesLanes: usesLanes)
      #expect(errors.map(\.isFinite) == [true, false, true, true, false])
      #expect(errors[1] == .infinity && errors[4] == .infinity)
    }
  }

  @Test("a search in lockstep finds what one filter at a time finds")
  func search() async throws {
    let kind = try #require(FilterKind.named("madgwick"))
    let recordings = try recordings(configuration(.xArbitraryCorrectedZVertical))
    let name = try #require(kind.parameters.first).name
    var search = try ParameterSearch(kind, parameters: [name])
    search.method = .covarianceMatrixAdaptation
    search.division = .leaveOneOut
    search.budget = 12
    search.objective = .inclination
    let lanes = try await search.run(on: recordings)
    let scale = SearchScale(try #require(kind.parameters.first))
    let alone = try await search.run(
      recordings.map { ParameterSearch.Unit(name: $0.name, group: $0.group) },
      ParallelObjective { point, index in
        let figures = try? recordings[index].figures(of: kind, settings: [name: scale.value(at: point[0])])
        return figures?.inclination ?? .infinity
      }
    ) { _ in }
    #expect(abs(lanes.trainingError - alone.trainingError) <= 1e-9)
    #expect(abs(lanes.settings[name]! / alone.settings[name]! - 1) <= 1e-6)
    for (one, other) in zip(lanes.heldOut, alone.heldOut) { #expect(abs(one.error - other.error) <= 1e-9) }
  }
}

/// How pairs of point and recording are divided into tasks.
@Suite struct ParallelObjectiveTests {
  private final class Notes: Sendable {
    let tasks = Mutex<[[ParallelObjective.Pair]]>([])
  }

  private func objective(_ bankSize: Int, lengths: [Int]? = nil, _ notes: Notes) -> ParallelObjective {
    ParallelObjective(bankSize: bankSize, lengths: lengths) { pairs in
      notes.tasks.withLock { $0.append(pairs) }
      return pairs.map { 100 * $0.point[0] + Double($0.recording) }
    }
  }

  @Test("every error is in its place and computed once, alone or in banks, for some recordings of all")
  func places() async {
    let points = (0..<40).map { [Double($0)] }
    for (bankSize, pointCount) in [(1, 5), (4, 1), (4, 40), (7, 40)] {
      let notes = Notes()
      let errors = await objective(bankSize, lengths: [5, 50, 500, 50, 5, 50], notes)
        .errors(of: Array(points.prefix(pointCount)), on: [5, 0, 2, 3])
      let expected = (0..<pointCount).map { row in [5, 0, 2, 3].map { 100 * Double(row) + $0 } }
      #expect(errors == expected)
      #expect(notes.tasks.withLock { $0.reduce(0) { $0 + $1.count } } == 4 * pointCount)
    }
    #expect(await objective(4, Notes()).errors(of: [[1]], on: []) == [[]])
  }

  @Test("tasks are banks, full but for the last, of the longest recordings first")
  func banks() async {
    let notes = Notes()
    let points = (0..<10).map { [Double($0)] }
    _ = await objective(4, lengths: [10, 30, 20], notes).errors(of: points, on: [0, 1, 2])
    let tasks = notes.tasks.withLock { $0 }
    #expect(tasks.map(\.count).sorted() == [2] + Array(repeating: 4, count: 7))
    // Ten pairs of each: only one bank has pairs of two recordings, of the longest and the next.
    let mixed = tasks.map { Set($0.map(\.recording)) }.filter { $0.count > 1 }
    #expect(mixed == [[1, 2]])
  }
}
