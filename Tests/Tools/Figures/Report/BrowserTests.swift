import Foundation
import Inertial
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFigures

/// Pages in headless Chromium, driven by `Browser/check_page.py` with Python's standard library.
@Suite("Pages in a browser", .serialized, .needs(.browser))
struct BrowserTests {
  /// What is not as it should be, a line each.
  private func faults(of pages: [String]) throws -> String {
    let script = try #require(Bundle.module.url(forResource: "Browser", withExtension: nil))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-B", script.appendingPathComponent("check_page.py").path] + pages
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: output, as: UTF8.self)
    return process.terminationStatus == 0 ? "" : "status \(process.terminationStatus)\n\(text)"
  }

  @Test("a page with marks, filters and a reference, of a log that is full of markup")
  func recording() async throws {
    let folder = try PageFolder()
    let name = "<script>window.hacked = 1<!--.csv"
    let log = try folder.walk(name, duration: 30)
    for text in ["</script><script>window.hacked = 2", "<img src=x onerror='window.hacked = 3'>"] {
      try folder.annotate(log, at: 7, text)
      let options = try PageFolder.options(["kalman", "vqf"]) {
        ($0.evaluation.referencePath, $0.evaluation.referenceFrame) = (log + ".truth.csv", .nwu)
        $0.evaluation.measuresCost = true
        $0.command = "inertial report '\(name)' </script><script>window.hacked = 4"
        $0.force = true
      }
      let page = folder.path("page.html")
      _ = try await RecordingReport(input: log, output: page, options: options).run()
      let found = try faults(of: [page])
      #expect(found.isEmpty, "\(found)")
    }
  }

  @Test("an overview that leads to its pages")
  func overview() async throws {
    let folder = try PageFolder()
    let logs = try (0..<3).map { try folder.walk("walk<b>\($0).csv", duration: 20 - 5 * Double($0)) }
    let report = FolderReport(
      recordings: logs.map { .init(input: $0, name: RecordingReport.name(of: $0)) }, output: folder.path("out"),
      title: "<b>Walks</b>", options: try PageFolder.options())
    try await report.run()
    let found = try faults(of: [report.index])
    #expect(found.isEmpty, "\(found)")
  }

  @Test("a long page is drawn from its overview before its numbers are there, and nothing is drawn in a gap")
  func long() async throws {
    let folder = try PageFolder()
    let log = try folder.walk("walk.csv", duration: 230, pause: 70.0035...100.0035)
    let page = folder.path("page.html")
    let result = try await RecordingReport(input: log, output: page, options: try PageFolder.options()).run()
    #expect(result.samples == 20_000)
    let found = try faults(of: [page])
    #expect(found.isEmpty, "\(found)")
  }

  @Test(
    "pages of real recordings", .needs(.data),
    arguments: [
      "broad/02_undisturbed_slow_rotation_B.hdf5", "tyrex/personA_iPhone5_Dist_AR", "sensor-logger/iphone12promax-ski",
      "indoor-walks/5dd5069f50e04e0006f56289.txt", "activity/phyphox/2023-06-09_13-48-25-round3-subj2",
    ])
  func recordings(_ name: String) async throws {
    let folder = try PageFolder()
    let page = folder.path("page.html")
    let options = try PageFolder.options(["kalman", "vqf"]) { $0.evaluation.comparison.alignment = .yaw }
    let result = try await RecordingReport(input: TestData.url(name).path, output: page, options: options).run()
    print(
      "\(name): \(result.size) bytes, \(result.samples) of \(result.rows) rows, errors \(result.scores.map(\.errors.total.rmse))"
    )
    let found = try faults(of: [page])
    #expect(found.isEmpty, "\(found)")
  }
}
