import Foundation
import Inertial
import InertialNumerics
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFigures

/// Pages in headless Chromium, driven by `Browser/check_page.py` with Python's standard library.
@Suite("Pages in a browser", .serialized, .needs(.browser)) struct BrowserTests {
  /// Checks pages in one browser and returns their faults, one per line.
  private func faults(of pages: [String]) throws -> String {
    let script = try #require(Bundle.module.url(forResource: "Browser", withExtension: nil))
    let check = try Program.run("python3", ["-B", script.appendingPathComponent("check_page.py").path] + pages)
    return check.status == 0 ? "" : "status \(check.status)\n\(check.output)\(check.errors)"
  }

  @Test(
    "a page of a log full of markup, an overview with its pages, and a page that draws its overview before its numbers")
  func pages() async throws {
    let folder = try PageFolder()
    let name = "<script>window.hacked = 1<!--.csv"
    let marked = try folder.walk(name, duration: 30)
    var pages: [String] = []
    for text in ["</script><script>window.hacked = 2", "<img src=x onerror='window.hacked = 3'>"] {
      try folder.annotate(marked, at: 7, text)
      let options = try PageFolder.options(["kalman", "vqf"]) {
        ($0.evaluation.referencePath, $0.evaluation.referenceFrame) = (marked + ".truth.csv", .nwu)
        $0.evaluation.measuresCost = true
        $0.command = "inertial report '\(name)' </script><script>window.hacked = 4"
      }
      pages.append(folder.path("marked\(pages.count).html"))
      _ = try await RecordingReport(input: marked, output: pages.last!, options: options).run()
    }

    let logs = try (0..<3).map { try folder.walk("walk<b>\($0).csv", duration: 20 - 5 * Double($0)) }
    let report = FolderReport(
      recordings: logs.map { .init(input: $0, name: URL(fileURLWithPath: $0).lastPathComponent) },
      output: folder.path("out"),
      title: "<b>Walks</b>", options: try PageFolder.options())
    try await report.run()
    pages.append(report.index)

    // Nothing is drawn in the pause.
    let long = try folder.walk("long.csv", duration: 230, pause: 70.0035...100.0035)
    pages.append(folder.path("long.html"))
    let result = try await RecordingReport(input: long, output: pages.last!, options: try PageFolder.options()).run()
    #expect(result.samples == 20_000)

    // Turned by hand, so that angles wrap, with a pause, and without the magnetometer for a while.
    let turned = try folder.walk(
      "turned.csv", duration: 60, trajectory: RandomSplineTrajectory(duration: 60, seed: 3), pause: 40.0035...46.0035)
    try folder.withoutField(turned, from: 20, to: 30)
    pages.append(folder.path("turned.html"))
    let north = try PageFolder.options { $0.fusion.motion.frame = .xMagneticNorthZVertical }
    _ = try await RecordingReport(input: turned, output: pages.last!, options: north).run()

    // A second recording, innovations, the Earth's field and a path with its errors.
    let compared = try PageFolder.options(["mekf"]) {
      ($0.overlay, $0.showsInnovations) = (turned, true)
      ($0.fusion.location, $0.fusion.date) = (Place(latitude: 48.2, longitude: 16.4), 2024)
      $0.track.evaluation.referencePath = folder.files.write("time,x,y\n5,0,0\n9,4,1\n15,8,3\n", to: "places.csv")
    }
    pages.append(folder.path("compared.html"))
    _ = try await RecordingReport(input: logs[0], output: pages.last!, options: compared).run()
    #expect(try String(contentsOfFile: pages.last!, encoding: .utf8).contains("no reference"))
    let faults = try faults(of: pages)
    #expect(faults.isEmpty, "\(faults)")
  }

  private static let recordings = [
    "broad/02_undisturbed_slow_rotation_B.hdf5", "tyrex/personA_iPhone5_Dist_AR", "sensor-logger/iphone12promax-ski",
    "indoor-walks/5dd5069f50e04e0006f56289.txt", "activity/phyphox/2023-06-09_13-48-25-round3-subj2",
  ]

  @Test("pages of real recordings", .needs(.data))
  func recordings() async throws {
    let folder = try PageFolder()
    let options = try PageFolder.options(["kalman", "vqf"]) { $0.evaluation.comparison.alignment = .yaw }
    var pages: [String] = []
    for (index, name) in Self.recordings.enumerated() {
      pages.append(folder.path("page\(index).html"))
      let result = try await RecordingReport(input: TestData.url(name).path, output: pages[index], options: options)
        .run()
      print(
        "\(name): \(result.size) bytes, \(result.samples) of \(result.rows) rows, errors \(result.scores.map(\.errors.total.rmse))"
      )
    }
    let faults = try faults(of: pages)
    #expect(faults.isEmpty, "\(faults)")
  }
}
