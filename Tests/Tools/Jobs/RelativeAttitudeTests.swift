import CoreMotionCompatibility
import Testing

@testable import InertialJobs

@Suite("The attitude relative to a row") struct RelativeAttitudeTests {
  private let folder = TemporaryFolder()
  private static let names = [
    "relativeQuaternionX", "relativeQuaternionY", "relativeQuaternionZ", "relativeQuaternionW", "relativeRoll",
    "relativePitch", "relativeYaw",
  ]

  init() throws {
    let simulation = Simulation(
      trajectory: RandomSplineTrajectory(duration: 12, seed: 4), sensors: .phone, duration: 12, seed: 4)
    try RawLogWriter.write(simulation.samples(), to: folder.path("log.csv"))
  }

  private func fuse(_ change: (inout FusionOptions) -> Void) throws -> (table: FusedTable, report: FusionJob.Report) {
    var options = FusionOptions()
    options.filter = "complementary"
    change(&options)
    return try FusionJob(input: folder.path("log.csv"), options: options).table()
  }

  /// Returns the attitude of a row.
  private func attitude(_ table: FusedTable, _ row: Int) throws -> CMAttitude {
    let q = try ["quaternionX", "quaternionY", "quaternionZ", "quaternionW"].map { try #require(table[$0])[row] }
    return CMAttitude(quaternion: CMQuaternion(x: q[0], y: q[1], z: q[2], w: q[3]))
  }

  /// Compares the columns with `CMAttitude.multiply(byInverseOf:)`, and returns the number of rows without values.
  private func check(_ table: FusedTable, relativeTo reference: Int) throws -> Int {
    let base = try attitude(table, reference)
    let columns = try Self.names.map { try #require(table[$0]) }
    let gravity = try ["gravityX", "gravityY", "gravityZ"].map { try #require(table[$0]) }
    func down(_ row: Int) -> Vector3 { Vector3(gravity[0][row], gravity[1][row], gravity[2][row]) }
    for row in reference..<table.rowCount {
      let expected = try attitude(table, row)
      expected.multiply(byInverseOf: base)
      let q = expected.quaternion
      let values = [q.x, q.y, q.z, q.w, expected.roll, expected.pitch, expected.yaw]
      for (column, value) in zip(columns, values) { #expect(abs(column[row] - value) < 1e-12) }
      // It rotates gravity to that of the reference.
      let relative = Quaternion(x: columns[0][row], y: columns[1][row], z: columns[2][row], w: columns[3][row])
      #expect((relative.rotate(down(row)) - down(reference)).norm < 1e-9)
    }
    return (0..<table.rowCount).count { row in columns.allSatisfy { $0[row].isNaN } }
  }

  @Test("relative to the first row, every row has the attitude that Core Motion's class returns")
  func first() throws {
    let (table, report) = try fuse { $0.relativeTo = .first }
    #expect(report.columns == FusedColumn.standard.map(\.name) + Self.names)
    #expect(try check(table, relativeTo: 0) == 0)
    let others = try fuse { _ in }.table
    #expect(others["relativeYaw"] == nil && others.columns.count == 22)
  }

  @Test("relative to a time, the first row at or after it is the reference, and earlier rows are empty")
  func time() throws {
    let plain = try fuse { _ in }.table
    let times = try #require(plain["time"])
    let reference = 500
    for time in [times[reference], 0.5 * (times[reference - 1] + times[reference])] {
      let (table, report) = try fuse { $0.relativeTo = .time(time) }
      #expect(try check(table, relativeTo: reference) == reference)
      #expect(!report.log.warnings.contains { $0.contains("--relative-to") })
    }
    let (late, report) = try fuse { $0.relativeTo = .time(1e6) }
    #expect(try #require(late["relativeYaw"])[late.rowCount - 1].isNaN)
    #expect(report.log.warnings.contains { $0.contains("no row is at or after the time of --relative-to") })
  }

  @Test("named columns are relative to the first row by default, and are written in the given order only")
  func named() throws {
    let (table, report) = try fuse { $0.columns = try! FusedColumn.named(["relativeYaw", "time", "quaternionW"]) }
    #expect(report.columns == ["relativeYaw", "time", "quaternionW"])
    let all = try fuse { $0.relativeTo = .first }.table
    for row in 0..<table.rowCount { #expect(table["relativeYaw"]![row] == all["relativeYaw"]![row]) }
    let named = try fuse {
      ($0.columns, $0.relativeTo) = (try! FusedColumn.named(["time", "relativeRoll"]), .time(3))
    }
    #expect(named.report.columns == ["time", "relativeRoll"] && named.table["relativeRoll"]![0].isNaN)
  }

  @Test("the metadata of a dataset contain the reference if it has a relative attitude")
  func metadata() throws {
    func fact(_ change: (inout FusionOptions) -> Void) -> HDF5Attribute.Value? {
      var options = FusionOptions()
      change(&options)
      return options.datasetFacts.first { $0.name == "relativeTo" }?.value
    }
    #expect(fact { $0.relativeTo = .first } == .text("first"))
    #expect(fact { $0.relativeTo = .time(2.5) } == .number(2.5))
    #expect(fact { $0.columns = try! FusedColumn.named(["relativeYaw"]) } == .text("first"))
    #expect(fact { _ in } == nil)
  }

  @Test("a request and a manifest contain the reference as a word or a number of seconds")
  func requests() throws {
    func decoded(_ text: String) throws -> RelativeReference? {
      try JSONDecoder().decode(FusionOptions.self, from: Data("{\"relativeTo\": \(text)}".utf8)).relativeTo
    }
    #expect(try decoded("\"first\"") == .first && decoded("2.5") == .time(2.5) && decoded("\"-1\"") == .time(-1))
    #expect(try decoded("null") == nil)
    for text in ["\"last\"", "true", "\"inf\"", "[1]"] {
      let error = #expect(throws: (any Error).self) { try decoded(text) }
      #expect("\(error!)".contains("'relativeTo' takes first or a number of seconds"))
    }
    var options = FusionOptions()
    #expect(!JSONValue(encoding: options).leaves().keys.contains("relativeTo"))
    options.relativeTo = .first
    #expect(JSONValue(recipe: options).leaves()["options.relativeTo"] == "first")
    options.relativeTo = .time(2)
    #expect(JSONValue(recipe: options).leaves()["options.relativeTo"] == "2")
  }
}
