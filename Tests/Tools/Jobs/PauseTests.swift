import Testing

@testable import InertialJobs

/// Tests pauses of a phyphox experiment in which the phone was rotated without being recorded.
@Suite struct PauseTests {
  private let folder = TemporaryFolder()

  /// Writes an export of a phone at rest with a pause from 10 s to 30 s, after which it rests on its edge.
  init() {
    func table(_ name: String, _ unit: String, _ row: (Double) -> [Double]) {
      let header = "\"Time (s)\"," + ["x", "y", "z"].map { "\"\(name) \($0) (\(unit))\"" }.joined(separator: ",")
      let rows = (0..<2000).map { index in
        let time = Double(index) / 100
        return ([time] + row(time)).map { "\($0)E0" }.joined(separator: ",")
      }
      folder.write(([header] + rows).joined(separator: "\n"), to: "log/\(name).csv")
    }
    table("Acceleration", "m/s^2") { $0 < 10 ? [0, 0, 9.80665] : [9.80665, 0, 0] }
    table("Gyroscope", "rad/s") { _ in [0, 0, 0] }
    let marks = """
      "event","experiment time","system time","system time text"
      "START",0E0,1.7E9,""
      "PAUSE",1.0E1,1.70000001E9,""
      "START",1.0E1,1.70000003E9,""
      "PAUSE",2.0E1,1.70000004E9,""
      """
    folder.write(marks, to: "log/meta/time.csv")
  }

  private func rows(_ change: (inout FusionOptions) -> Void = { _ in }) throws -> (FusionJob.Report, [[Double]]) {
    var job = FusionJob(input: folder.path("log"), output: folder.path("out.csv"))
    job.options.force = true
    job.options.columns = try FusedColumn.named([
      "time", "gravityX", "gravityY", "gravityZ", "userAccelerationX", "userAccelerationY", "userAccelerationZ",
    ])
    change(&job.options)
    return (try job.run(), folder.table("out.csv").rows)
  }

  @Test("a phone at rest after a pause has no user acceleration, even if it was rotated in the pause")
  func restBehindPause() throws {
    let (_, rows) = try rows()
    #expect(rows.count == 2000 && rows.filter { $0[0] >= 10 && $0[0] < 30 }.isEmpty)
    let behind = rows.filter { $0[0] >= 31 }
    #expect(behind.count == 900 && behind.allSatisfy { $0[1] < -0.999 })
    let largest = behind.map { Vector3($0, at: 4).norm }.max() ?? 1
    print("user acceleration from a second after a pause of 20 s: at most \(largest) g")
    #expect(largest < 0.02)
  }

  @Test("--gaps split begins a segment after a pause, and a fixed rate has no rows in the pause")
  func segments() throws {
    let (report, rows) = try rows { $0.gaps = .split }
    #expect(report.segmentCount == 2)
    #expect(
      Set(rows.filter { $0[0] < 20 }.map { $0[7] }) == [1] && Set(rows.filter { $0[0] > 20 }.map { $0[7] }) == [2])
    let (_, even) = try self.rows { $0.rate = 50 }
    #expect(even.filter { $0[0] > 10.02 && $0[0] < 30 }.isEmpty)
  }

  @Test("a pause is not detected as a fall or a shake")
  func recognisers() throws {
    let log = folder.path("log")
    let (activity, shakes) = (try ActivityJob(input: log).run(), try ShakeJob(input: log).run())
    #expect(activity.falls.isEmpty && shakes.gestures.isEmpty)
  }
}
