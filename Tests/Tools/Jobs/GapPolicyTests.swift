import Testing

@testable import InertialJobs

@Suite("Gap policies") struct GapPolicyTests {
  private let folder = TemporaryFolder()

  /// Writes a log at 100 Hz with gaps from 10 s to 12 s and from 20 s to 20.3 s.
  init() throws {
    let suite = with(SensorSuite.ideal) { $0.referenceRate = nil }
    let simulation = Simulation(
      trajectory: RandomSplineTrajectory(duration: 30, seed: 3), sensors: suite, duration: 30, seed: 3)
    try RawLogWriter.write(
      simulation.filter { !(10.001...11.999).contains($0.time) && !(20.001...20.299).contains($0.time) },
      to: folder.path("log.csv"))
  }

  private struct Dataset {
    var table: TextTable
    var report: FusionJob.Report
    /// The numbers, or nil for empty fields, so that rows can be compared.
    var rows: [[Double?]] { table.fields.map { $0.map { Double($0) } } }
    var times: [Double] { table["time"] }
  }

  private func fuse(overlapped: Bool = true, _ change: (inout FusionOptions) -> Void) throws -> Dataset {
    var options = FusionOptions()
    (options.force, options.columns) = (true, FusedColumn.all)
    change(&options)
    var job = FusionJob(input: folder.path("log.csv"), output: folder.path("out.csv"), options: options)
    job.isOverlapped = overlapped
    let report = try job.run()
    return Dataset(table: folder.table("out.csv"), report: report)
  }

  private static let filters = ["motion-prior-kalman", "vqf", "mahony", "complementary", "mekf"]
    .filter { FilterKind.all[$0] != nil }

  @Test(
    "without a fixed rate no policy adds rows, nan and hold equal the default, and split restarts and numbers the segments",
    arguments: filters)
  func ownStamps(filter: String) throws {
    let usual = try fuse { $0.filter = filter }
    let nan = try fuse { ($0.filter, $0.gaps) = (filter, .nan) }
    let hold = try fuse { ($0.filter, $0.gaps) = (filter, .hold) }
    #expect(nan.rows == usual.rows && hold.rows == usual.rows)
    #expect(!usual.times.contains { $0 > 10.005 && $0 < 11.995 })

    let split = try fuse { ($0.filter, $0.gaps) = (filter, .split) }
    #expect(split.table.header.contains("segment") && split.times == usual.times && split.report.segmentCount == 2)
    for (time, segment) in zip(split.times, split.table["segment"]) { #expect(segment == (time < 11 ? 1 : 2)) }
    // The segment has its own yaw, from 0.
    let first = split.times.firstIndex { $0 > 11 }!
    #expect(abs(split.table["yaw"][first]) < 1e-9)
    // With a smaller threshold, the shorter gap starts a segment, too.
    #expect(try fuse { ($0.filter, $0.gaps, $0.gap) = (filter, .split, 0.2) }.report.segmentCount == 3)
  }

  @Test("rows in gaps at a fixed rate are left out, held and flagged, or have only a time")
  func rates() throws {
    let usual = try fuse { $0.rate = 50 }
    let nan = try fuse { ($0.rate, $0.gaps) = (50, .nan) }
    let hold = try fuse { ($0.rate, $0.gaps) = (50, .hold) }
    let split = try fuse { ($0.rate, $0.gaps) = (50, .split) }
    #expect(usual.report.rowsLeftOut == 99 && nan.report.rowsLeftOut == 0 && hold.report.rowsLeftOut == 0)
    #expect(nan.times.count == usual.times.count + 99 && hold.times == nan.times)
    #expect(split.times == usual.times && split.report.segmentCount == 2)
    for (row, time) in zip(nan.rows, nan.times) where time > 10.01 && time < 11.99 {
      #expect(row[1..<28].allSatisfy { $0 == nil } && row[28] == Double(AttitudeFlags.gap.rawValue))
    }
    let inside = zip(hold.rows, hold.times).filter { $1 > 10.03 && $1 < 11.97 }
    for (row, time) in inside {
      #expect(row[1] != nil && AttitudeFlags(rawValue: UInt16(row[28] ?? 0)).contains(.gap), "\(time) s")
    }
    // The rotation continues with the last rate.
    let first = try #require(inside.first), last = try #require(inside.last)
    func attitude(_ row: [Double?]) -> Quaternion {
      Quaternion(x: row[1] ?? 0, y: row[2] ?? 0, z: row[3] ?? 0, w: row[4] ?? 0)
    }
    let rate = Vector3(first.0[14] ?? 0, first.0[15] ?? 0, first.0[16] ?? 0)
    let turned = attitude(first.0) * Quaternion(rotationVector: (last.1 - first.1) * rate)
    #expect((turned.conjugate * attitude(last.0)).angle < 1e-6 && first.0[14] == last.0[14])
    // Its uncertainty, the user acceleration and the heading are unknown.
    #expect(inside.allSatisfy { $0.0[22] == nil && $0.0[11] == nil && $0.0[21] == -1 })
    // All policies agree outside of gaps.
    for filled in [nan, hold] {
      #expect(zip(filled.rows, filled.times).filter { $1 < 10.01 || $1 > 11.99 }.map(\.0) == usual.rows)
    }
    // The gap length is configurable: 0.3 s is a gap for a threshold of 0.2 s, but not by default.
    #expect(try fuse { ($0.rate, $0.gap) = (50, 0.2) }.report.rowsLeftOut == 99 + 14)
    #expect(try fuse { ($0.rate, $0.gap) = (50, 2.5) }.report.rowsLeftOut == 0)
  }

  @Test("a single thread has the same rows, and the offline form the same times", arguments: GapPolicy.allCases)
  func forms(policy: GapPolicy) throws {
    for rate in [nil, 40.0] {
      let one = try fuse(overlapped: false) { ($0.filter, $0.gaps, $0.rate) = ("vqf", policy, rate) }
      let other = try fuse { ($0.filter, $0.gaps, $0.rate) = ("vqf", policy, rate) }
      #expect(one.rows == other.rows)
      let smooth = try fuse { ($0.filter, $0.gaps, $0.rate, $0.smooths) = ("vqf", policy, rate, true) }
      #expect(smooth.times == one.times && smooth.rows != one.rows)
    }
  }

  @Test("the filter's gap threshold follows the option, unless the settings contain it")
  func filterGap() {
    var options = with(FusionOptions()) { $0.filter = "vqf" }
    #expect(options.filterSettings.isEmpty)
    options.gap = 1
    #expect(options.filterSettings == ["gapThreshold": 1])
    options.settings = ["gapThreshold": 3]
    #expect(options.filterSettings == ["gapThreshold": 3])
  }
}
