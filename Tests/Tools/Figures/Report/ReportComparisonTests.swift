import Foundation
import Inertial
import InertialNumerics
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFigures

@Suite("The page of a recording that is compared with something") struct ReportComparisonTests {
  private let folder = try! PageFolder()

  private func plot(_ title: String, of page: GeneratedPage) throws -> [String: Any] {
    try #require(page.plots.first { $0["title"] as? String == title }, "\(title)")
  }

  @Test("a second recording is drawn dashed in the same plots, from the start of the first one")
  func overlay() async throws {
    let log = try folder.walk("walk.csv")
    let other = try folder.walk("other.csv", duration: 30, trajectory: RandomSplineTrajectory(duration: 30, seed: 3))
    // The other recording begins at another time.
    let lines = try String(contentsOfFile: other, encoding: .utf8).split(separator: "\n")
    let later =
      lines.prefix(1)
      + lines.dropFirst().map { line in
        let cells = line.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        return "\(Double(cells[0])! + 500),\(cells[1])"
      }
    try (later.joined(separator: "\n") + "\n").write(toFile: other, atomically: true, encoding: .utf8)
    let alone = try await folder.page(of: other, to: "alone.html")
    let page = try await folder.page(of: log, to: "both.html") { $0.overlay = other }
    #expect(page.tables.map { $0["name"] as? String } == ["fusion", "other.csv"])
    let (first, second) = (page.tables[0], page.tables[1])
    let starts = try [first, second].map { try #require($0["firstTime"] as? Double) }
    #expect(abs(starts[0] - starts[1]) < 1e-9)
    #expect(abs((second["lastTime"] as? Double ?? 0) - 30) < 0.1)
    #expect(try page.column("yaw", table: 1).values == alone.column("yaw").values)
    let series = try #require(try plot("Attitude", of: page)["series"] as? [[String: Any]])
    #expect(
      series.map { $0["label"] as? String }.suffix(3) == [
        "roll of other.csv", "pitch of other.csv", "yaw of other.csv",
      ])
    #expect(series.map { $0["isDashed"] as? Bool } == [nil, nil, nil, true, true, true])
    #expect(series.suffix(3).allSatisfy { $0["table"] as? Int == 1 && $0["sigma"] == nil })
    // A sum has the columns of the second table.
    let sums = try #require(try plot("Measured acceleration", of: page)["series"] as? [[String: Any]])
    let names = (second["columns"] as? [[String: Any]])?.map { $0["name"] as? String }
    #expect((sums.last?["parts"] as? [Int])?.map { names?[$0] } == ["gravityZ", "userAccelerationZ"])
    await #expect(throws: FusionError.self) {
      _ = try await folder.page(of: log, to: "none.html") { $0.overlay = folder.path("none.csv") }
    }
  }

  @Test("the path is coloured by its distance from a reference, after the fitted rotation")
  func pathErrors() async throws {
    let log = try folder.walk("walk.csv", duration: 60)
    var options = FusionOptions()
    options.recognitions = [.track]
    options.motion.frame = .commandDefault
    let (table, _) = try FusionJob(input: log, options: options).table()
    let (times, x, y) = (
      try #require(table["time"]), try #require(table["positionX"]), try #require(table["positionY"])
    )
    // The reference is turned by 30°, and moves away from the path by 2 m to the side at half of the time.
    var text = "time,x,y\n"
    for row in stride(from: 0, to: times.count, by: 10) where times[row] < 50 {
      let aside = times[row] > 30 ? 2.0 : 0
      text +=
        "\(times[row]),\(x[row] * cos(0.5) - (y[row] + aside) * sin(0.5)),\(x[row] * sin(0.5) + (y[row] + aside) * cos(0.5))\n"
    }
    let reference = folder.files.write(text, to: "truth.csv")
    let page = try await folder.page(of: log) { $0.track.evaluation.referencePath = reference }
    let chart = try #require((page.content["path"] as? [String: Any])?["chart"] as? [String: Any])
    let curves = try #require(chart["curves"] as? [[String: Any]])
    let labels = curves.compactMap { $0["label"] as? String }.filter { !$0.isEmpty }
    #expect(labels.contains("no reference") && labels.contains { $0.hasSuffix(" m") }, "\(labels)")
    for curve in curves {
      let last = try #require((curve["times"] as? [Double])?.last),
        first = try #require((curve["times"] as? [Double])?.first)
      if last > 53, first > 52.5 { #expect(curve["tone"] == nil) }
      if last < 49 { #expect(curve["tone"] as? Double != nil) }
    }
    let dots = try #require((chart["map"] as? [String: Any])?["dots"] as? [[String: Any]])
    #expect(dots.contains { $0["label"] as? String == "truth.csv" })
    let note = try #require(chart["note"] as? String)
    #expect(note.contains("the horizontal distance from truth.csv") && note.contains("root mean square"), "\(note)")
    var job = TrackEvaluationJob()
    job.evaluation.referencePath = reference
    let row = try #require(try job.run(on: log).rows.first)
    let rms = try #require(row.horizontal)
    #expect(rms > 0.3 && note.contains(String(format: "%.2f m", rms)), "\(rms): \(note)")
    let plain = try await folder.page(of: log, to: "plain.html")
    let known = try #require((plain.content["path"] as? [String: Any])?["chart"] as? [String: Any])
    #expect((known["curves"] as? [[String: Any]])?.first?["label"] as? String == "0–15 s")
  }

  @Test("innovations are drawn on request, with three standard deviations that contain nearly all of them")
  func innovations() async throws {
    let log = try folder.walk("walk.csv")
    let page = try await folder.page(of: log, ["mekf"]) { $0.showsInnovations = true }
    let series = try #require(try plot("Innovation: gravity", of: page)["series"] as? [[String: Any]])
    // Gravity corrects two angles.
    #expect(series.map { $0["label"] as? String } == ["x", "y"])
    #expect(series.allSatisfy { $0["sigma"] != nil && $0["sigmaFactor"] as? Double == 3 })
    let (values, sigmas) = (
      try page.column("gravityInnovationX").values, try page.column("gravityInnovationSigmaX").values
    )
    let known = zip(values, sigmas).filter { !$0.isNaN && !$1.isNaN }
    #expect(known.count > 1500 && known.count { abs($0) > 3 * $1 } * 10 < known.count)
    let measurements = try #require(page.content["measurements"] as? [String: Any])
    let places = try #require(measurements["plots"] as? [Int])
    #expect(places.contains { page.plots[$0]["title"] as? String == "Innovation: gravity" })
    let plain = try await folder.page(of: log, ["mekf"], to: "plain.html")
    #expect(!plain.plots.contains { ($0["title"] as? String)?.hasPrefix("Innovation") == true })
    #expect(plain.result.size < page.result.size)
  }

  @Test("the size of the field is compared with the Earth's at the place and date, if both are known")
  func earthField() async throws {
    // The turns of a hand calibrate the field.
    let log = try folder.walk("turned.csv", duration: 40, trajectory: RandomSplineTrajectory(duration: 40, seed: 3))
    let page = try await folder.page(of: log) {
      $0.fusion.motion.frame = .xMagneticNorthZVertical
      ($0.fusion.location, $0.fusion.date) = (Place(latitude: 48.2, longitude: 16.4), 2024)
    }
    let level = try #require(plot("Size of the magnetic field", of: page)["level"] as? [String: Any])
    // The model's value for Vienna.
    #expect(
      abs((level["value"] as? Double ?? 0) - 49.0) < 0.5 && level["text"] as? String == "the Earth's at the place")
    let facts = try #require(page.content["facts"] as? [[String: String]])
    #expect(
      facts.contains {
        $0["name"] == "Earth's field at the place" && $0["value"]?.contains("below the horizon") == true
      })
    let unknown = try await folder.page(of: log, to: "unknown.html") {
      $0.fusion.motion.frame = .xMagneticNorthZVertical
    }
    #expect(try plot("Size of the magnetic field", of: unknown)["level"] == nil)
  }
}
