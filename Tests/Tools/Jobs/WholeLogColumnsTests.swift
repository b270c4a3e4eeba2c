import Testing

@testable import InertialJobs

@Suite("Columns from the whole log") struct WholeLogColumnsTests {
  private static let samples = Checkout.url("Notebooks-data/logs")

  private let folder = TemporaryFolder()

  /// Writes a log of slow steps, whose first and last steps are not detected in real time; twice with a pause of a
  /// minute.
  private func slowWalk(pause: Bool = false) throws -> String {
    let log = folder.path("walk.csv")
    let suite = with(SensorSuite.phone) { $0.referenceRate = nil }
    let walk = WalkTrajectory(cadence: 0.9, speed: 0.6)
    let simulation = Simulation(trajectory: walk, sensors: suite, duration: pause ? 160 : 60, seed: 3)
    try RawLogWriter.write(simulation.filter { !pause || !(50...110).contains($0.time) }, to: log)
    return log
  }

  /// Returns the dataset's columns by their names, and the report.

  private func fuse(
    _ log: String, _ recognitions: [Recognition], isCausal: Bool = false, gaps: GapPolicy? = nil,
    isDetailed: Bool = false, carrying: CarryMode? = nil, rate: Double? = nil
  ) throws -> ((String) -> [Double], FusionJob.Report) {
    var options = FusionOptions()
    (options.recognitions, options.isCausal, options.gaps) = (recognitions, isCausal, gaps)
    options.rate = rate
    // The default frame of all commands.
    (options.motion.frame, options.frameNeedsField) = (.commandDefault, false)
    if let carrying { options.track.carrying = carrying }
    var table = FusedTable(columns: [])
    let report = try FusionJob(input: log, options: options).run(
      into: { columns in
        table = FusedTable(columns: columns)
        return table
      }, isDetailed: isDetailed)
    return ({ [table] in table[$0]! }, report)
  }

  @Test("steps equal those of the command, in the rows of their times, and exceed the steps detected in real time")
  func steps() throws {
    let log = try slowWalk()
    let steps = try StepsJob(input: log).run()
    let (table, _) = try fuse(log, [.steps])
    let (times, counts) = (table("time"), table("stepCount"))
    #expect(counts.last == Double(steps.data.numberOfSteps) && steps.data.numberOfSteps > 50)
    #expect(abs(table("stepDistance").last! - steps.data.distance) < 1e-9)
    for (number, step) in steps.history.steps.enumerated() {
      let row = try #require(times.firstIndex { $0 >= step.time })
      #expect(counts[row] == Double(number + 1) && (row == 0 || counts[row - 1] <= Double(number)))
    }
    let (middle, duration) = (times.count / 2, steps.history.steps.reduce(0) { $0 + $1.duration })
    #expect(abs(table("stepCadence")[middle] - 0.9) < 0.05)
    #expect(abs(table("stepPace")[middle] * steps.data.distance / duration - 1) < 0.1)
    let live = try fuse(log, [.steps], isCausal: true).0("stepCount")
    #expect(try #require(live.last) < counts.last! && zip(counts, live).allSatisfy { $0 >= $1 })
    // The display of a log, and rows at a rate, equal the results of the commands.
    let (shown, report) = try fuse(log, [.steps, .activity], isDetailed: true)
    #expect(try #require(report.details).events.count { $0.kind == .step } == steps.data.numberOfSteps)
    #expect(shown("stepCount").last == counts.last)
    #expect(try fuse(log, [.steps], rate: 10).0("stepCount").last == counts.last)
  }

  @Test("activities equal those of the command at each time", arguments: ["bicycle.csv", "walk.csv", "outing.csv"])
  func activities(name: String) throws {
    let log = Self.samples.appendingPathComponent(name).path
    let segments = try ActivityJob(input: log).run().segments
    let (table, report) = try fuse(log, [.activity, .steps], isDetailed: true)
    let times = table("time")
    var (equal, all) = (0, 0)
    for (time, value) in zip(times, table("motionActivity")) {
      guard let segment = segments.last(where: { $0.start <= time && time < $0.end }) else { continue }
      all += 1
      let best = segment.probabilities.best
      let isReported = segment.flags.contains(ActivityFlags(best))
      equal += value == (isReported ? Double(ActivityClass.allCases.firstIndex(of: best)! + 2) : 1) ? 1 : 0
    }
    #expect(equal == all && all > times.count * 9 / 10, "\(equal) of \(all)")
    // The displayed events agree with the columns.
    let events = try #require(report.details).events
    #expect(events.count { $0.kind == .step } == Int(table("stepCount").last!))
    #expect(events.contains { $0.kind == .activity })
  }

  @Test("altitudes equal those of the command, and are more accurate than those of a stream")
  func altitudes() throws {
    let log = Self.samples.appendingPathComponent("outing.csv").path
    let rows = try AltitudeJob(input: log).run().rows
    let table = try fuse(log, [.altitude]).0
    let liveSigmas = try fuse(log, [.altitude], isCausal: true).0("filteredAltitudeSigma")
    let (times, values, sigmas) = (table("time"), table("filteredAltitude"), table("filteredAltitudeSigma"))
    var (difference, gain) = (0.0, 0)
    for row in rows.dropFirst(2) {
      guard let index = times.firstIndex(where: { $0 >= row.estimate.time }) else { continue }
      difference = max(difference, abs(values[index] - row.estimate.altitude))
      gain += sigmas[index] < liveSigmas[index] ? 1 : 0
    }
    #expect(rows.count > 80 && difference < 0.3 && gain > rows.count * 9 / 10, "\(difference), \(gain)")
  }

  @Test("gaps that split the dataset restart the counts, and each step is reported once")
  func segments() throws {
    let log = try slowWalk(pause: true)
    let steps = try StepsJob(input: log).run().history.steps
    let (table, report) = try fuse(log, [.steps, .activity], gaps: .split, isDetailed: true)
    #expect(report.segmentCount == 2)
    let (times, counts) = (table("time"), table("stepCount"))
    let second = try #require(times.firstIndex { $0 > 100 })
    #expect(counts[second - 1] == Double(steps.count { $0.time < 80 }) && counts[second] == 0)
    #expect(counts.last == Double(steps.count { $0.time > 80 }))
    let events = try #require(report.details).events
    #expect(events.count { $0.kind == .step } == steps.count)
    #expect(Set(events.filter { $0.kind == .activity }.map(\.start)).count == events.count { $0.kind == .activity })
  }

  @Test("a pedestrian's online path is as long as the steps, with and without corrections")
  func pathLength() throws {
    let log = folder.path("turns.csv")
    var suite = SensorSuite.phone
    (suite.referenceRate, suite.magnetometer) = (nil, nil)
    // The heading drifts by 3 degrees per second until straight segments correct it.
    suite.gyroscope?.bias = Vector3(0, 0, 0.05)
    let walk = WalkTrajectory(cadence: 1.9, speed: 1.4)
    try RawLogWriter.write(Array(Simulation(trajectory: walk, sensors: suite, duration: 90, seed: 3)), to: log)
    let lengths = try [true, false].map { isCausal in
      try #require(fuse(log, [.track], isCausal: isCausal, carrying: .hand).1.path).length
    }
    #expect(abs(lengths[0] / lengths[1] - 1) < 0.05 && abs(lengths[0] - 126) < 30, "\(lengths)")
  }

  @Test("the path has the steps and the length of inertial steps, in the rows and on a page")
  func path() throws {
    let log = Self.samples.appendingPathComponent("walk.csv").path
    let steps = try StepsJob(input: log).run().data
    let (table, report) = try fuse(log, [.steps, .track])
    let path = try #require(report.path)
    #expect(path.steps == steps.numberOfSteps && abs(path.length - steps.distance) < 1e-9)
    #expect(table("step").last == Double(steps.numberOfSteps) && table("stepDistance").last == steps.distance)
    let options = with(FusionOptions()) { ($0.motion.frame, $0.frameNeedsField) = (.commandDefault, false) }
    let shown = try FusionJob(input: log, options: options).run(into: { FusedTable(columns: $0) }, findsPath: true)
    let page = try #require(shown.details?.path).get().report
    #expect((page.steps, page.length, page.distance) == (path.steps, path.length, path.distance))
  }
}
