import Foundation
import Inertial
import TestSupport
import Testing

@testable import InertialJobs

/// Tests pauses of a phyphox experiment in which the phone was rotated without being recorded.
@Suite struct PauseTests {
  /// Writes an export of a phone at rest with a pause from 10 s to 30 s, after which it rests on its edge.
  private func export(into folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("meta"), withIntermediateDirectories: true)
    func table(_ name: String, _ unit: String, _ row: (Double) -> [Double]) throws {
      let header = "\"Time (s)\"," + ["x", "y", "z"].map { "\"\(name) \($0) (\(unit))\"" }.joined(separator: ",")
      let rows = (0..<2000).map { index in
        let time = Double(index) / 100
        return ([time] + row(time)).map { "\($0)E0" }.joined(separator: ",")
      }
      try Data(([header] + rows).joined(separator: "\n").utf8).write(
        to: folder.appendingPathComponent(name + ".csv"))
    }
    try table("Acceleration", "m/s^2") { $0 < 10 ? [0, 0, 9.80665] : [9.80665, 0, 0] }
    try table("Gyroscope", "rad/s") { _ in [0, 0, 0] }
    let marks = """
      "event","experiment time","system time","system time text"
      "START",0E0,1.7E9,""
      "PAUSE",1.0E1,1.70000001E9,""
      "START",1.0E1,1.70000003E9,""
      "PAUSE",2.0E1,1.70000004E9,""
      """
    try Data(marks.utf8).write(to: folder.appendingPathComponent("meta/time.csv"))
  }

  private func rows(_ folder: URL, _ change: (inout FusionOptions) -> Void = { _ in }) throws -> (
    FusionJob.Report, [[Double]]
  ) {
    let output = folder.appendingPathComponent("out.csv").path
    var job = FusionJob(input: folder.appendingPathComponent("log").path, output: output)
    job.options.force = true
    job.options.columns = try FusedColumn.named([
      "time", "gravityX", "gravityY", "gravityZ", "userAccelerationX", "userAccelerationY", "userAccelerationZ",
    ])
    change(&job.options)
    let report = try job.run()
    let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").dropFirst()
    return (report, lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan } })
  }

  private func withExport(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inertial-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try export(into: folder.appendingPathComponent("log"))
    try body(folder)
  }

  @Test("a phone at rest after a pause has no user acceleration, even if it was rotated in the pause")
  func restBehindPause() throws {
    try withExport { folder in
      let (_, rows) = try rows(folder)
      #expect(rows.count == 2000)
      #expect(rows.filter { $0[0] >= 10 && $0[0] < 30 }.isEmpty)
      let behind = rows.filter { $0[0] >= 31 }
      #expect(behind.count == 900)
      let largest = behind.map { ($0[4] * $0[4] + $0[5] * $0[5] + $0[6] * $0[6]).squareRoot() }.max() ?? 1
      print("user acceleration from a second behind a pause of 20 s: at most \(largest) g")
      #expect(largest < 0.02)
      #expect(behind.allSatisfy { $0[1] < -0.999 })
    }
  }

  @Test("--gaps split begins a segment after a pause, and a fixed rate has no rows in the pause")
  func segments() throws {
    try withExport { folder in
      let (report, rows) = try rows(folder) { $0.gaps = .split }
      #expect(report.segmentCount == 2)
      #expect(
        Set(rows.filter { $0[0] < 20 }.map { $0[7] }) == [1] && Set(rows.filter { $0[0] > 20 }.map { $0[7] }) == [2])
      let (_, even) = try self.rows(folder) { $0.rate = 50 }
      #expect(even.filter { $0[0] > 10.02 && $0[0] < 30 }.isEmpty)
    }
  }

  @Test("a pause is not detected as a fall or a shake")
  func recognisers() throws {
    try withExport { folder in
      let log = folder.appendingPathComponent("log").path
      let (activity, shakes) = (try ActivityJob(input: log).run(), try ShakeJob(input: log).run())
      #expect(activity.falls.isEmpty && shakes.gestures.isEmpty)
    }
  }
}
