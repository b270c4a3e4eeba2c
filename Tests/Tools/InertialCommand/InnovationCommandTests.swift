import Foundation
import Inertial
import Testing

@Suite("Innovations on the command line")
struct InnovationCommandTests {
  private func walk() throws -> CommandRunner {
    let runner = try CommandRunner()
    let result = try runner.run("simulate", "walk", "-o", "walk", "--duration", "12", "--seed", "3")
    try #require(result.status == 0, "\(result.errors)")
    return runner
  }

  /// The numbers of a dataset by column, with `nil` for empty cells.
  private func columns(_ runner: CommandRunner, _ path: String) throws -> [String: [Double?]] {
    let lines = try runner.read(path).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    var columns: [String: [Double?]] = [:]
    for (index, name) in lines[0].enumerated() { columns[String(name)] = lines.dropFirst().map { Double($0[index]) } }
    return columns
  }

  private static let frame = ["--frame", "xMagneticNorthZVertical"]

  @Test("--columns-out innovations writes the innovations of the filter, empty in rows without a measurement")
  func columnsOut() throws {
    let runner = try walk()
    for name in ["mekf", "kalman", "vqf"] {
      let result = try runner.run(
        [
          "fuse", "walk/log.csv", "-o", "\(name).csv", "--filter", name, "--columns-out", "time,innovations", "--field",
          "calibrated",
        ] + Self.frame)
      try #require(result.status == 0, "\(result.errors)")
      let found = try columns(runner, "\(name).csv")

      let kind = try #require(FilterKind.named(name))
      var configuration = DeviceMotionEstimator.Configuration()
      (configuration.frame, configuration.field) = (.xMagneticNorthZVertical, .calibrated)
      var estimator = try DeviceMotionEstimator(filter: kind, configuration: configuration)
      estimator.reportMeasurements()
      let path = runner.folder.appendingPathComponent("walk/log.csv").path
      let motions = estimator.motions(of: try LogFeed(path: path).load().samples)
      #expect(found["time"]?.count == motions.count)
      var count = 0
      for kind in kind.measurementKinds(smoothing: false) {
        let verdicts = try #require(found["\(kind.rawValue)Verdict"])
        let weights = try #require(found["\(kind.rawValue)Weight"])
        let ratios = try #require(found["\(kind.rawValue)TestRatio"])
        let axis = kind == .heading ? "" : "X"
        let innovations = try #require(found["\(kind.rawValue)Innovation\(axis)"])
        let variances = try #require(found["\(kind.rawValue)InnovationVariance\(axis)"])
        for (row, motion) in motions.enumerated() {
          let outcome = motion.measurements?.last { $0.kind == kind }
          #expect(verdicts[row] == outcome.map { Double($0.verdict.rawValue) })
          #expect(weights[row] == outcome?.weight && ratios[row] == outcome?.testRatio)
          #expect(innovations[row] == outcome.flatMap { $0.count > 0 ? $0.innovation.x : nil })
          #expect(variances[row] == outcome?.variance?.x)
          if outcome != nil { count += 1 }
        }
      }
      #expect(count > 100)
    }
  }

  @Test("innovations change no other column, and a stream gives the same innovations as a file")
  func sameNumbers() throws {
    let runner = try walk()
    let standard = ["time", "quaternionX", "quaternionW", "heading"].joined(separator: ",")
    for (name, columns) in [("a.csv", standard), ("b.csv", standard + ",innovations")] {
      let result = try runner.run(["fuse", "walk/log.csv", "-o", name, "--columns-out", columns] + Self.frame)
      try #require(result.status == 0, "\(result.errors)")
    }
    let (without, with) = (try columns(runner, "a.csv"), try columns(runner, "b.csv"))
    #expect(without.allSatisfy { with[$0.key] == $0.value } && with.count == without.count + 45)

    let log = try runner.read("walk/log.csv")
    let streamed = try runner.run(
      ["fuse", "-", "--follow", "--columns-out", standard + ",innovations"] + Self.frame, input: log)
    #expect(streamed.status == 0, "\(streamed.errors)")
    #expect(try streamed.output == runner.read("b.csv"))
  }

  @Test("smoothed innovations come from the forward pass; a filter or form without innovations is rejected")
  func smoothed() throws {
    let runner = try walk()
    let smoothed = try runner.run(
      ["fuse", "walk/log.csv", "-o", "s.csv", "--smooth", "--columns-out", "time,innovations"] + Self.frame)
    #expect(smoothed.status == 0, "\(smoothed.errors)")
    #expect(try columns(runner, "s.csv")["velocityVerdict"]?.contains(0) == true)
    for (arguments, words) in [
      (["--filter", "mahony", "--columns-out", "innovations"], "the filter mahony reports no innovations; vqf, mekf"),
      (
        ["--filter", "vqf", "--smooth", "--columns-out", "innovations"],
        "the offline form of vqf reports no innovations; kalman reports them"
      ),
      (
        ["--filter", "mekf", "--columns-out", "time,velocityVerdict"],
        "the filter mekf has no column 'velocityVerdict'; it measures gravity"
      ),
      (["--filter", "mahony", "--columns-out", "headingVerdict"], "the filter mahony reports no innovations"),
    ] {
      let refused = try runner.run(["fuse", "walk/log.csv", "-o", "x.csv"] + arguments)
      #expect(refused.status == 2 && refused.errors.contains(words), "\(refused.errors)")
      #expect(refused.errorLines.count == 1)
    }
  }

  @Test("evaluate --innovations reports fractions and NIS by kind in table and document, without changing the accuracy")
  func evaluate() throws {
    let runner = try walk()
    let judged =
      [
        "evaluate", "walk/log.csv", "--filters", "kalman,mekf,mahony", "--no-cost", "--reference", "walk/truth.csv",
        "--reference-frame", "nwu",
      ]
    let plain = try runner.run(judged + ["--json"])
    let reported = try runner.run(judged + ["--json", "--innovations"])
    try #require(plain.status == 0 && reported.status == 0, "\(reported.errors)")
    struct Document: Decodable {
      struct Row: Decodable {
        var filter: String
        var total: Double
        var measurements: [MeasurementStatistics]?
      }
      var rows: [Row]
    }
    let (before, after) = (
      try JSONDecoder().decode(Document.self, from: Data(plain.output.utf8)),
      try JSONDecoder().decode(Document.self, from: Data(reported.output.utf8))
    )
    #expect(before.rows.map(\.total) == after.rows.map(\.total))
    #expect(before.rows.allSatisfy { $0.measurements == nil })
    let kalman = try #require(after.rows.first { $0.filter == "kalman" }?.measurements)
    #expect(kalman.contains { $0.kind == .velocity && $0.count > 50 && $0.consistency.meanNIS != nil })
    #expect(after.rows.first { $0.filter == "mahony" }?.measurements == [])

    let table = try runner.run(judged + ["--innovations"])
    #expect(table.output.contains("kind") && table.output.contains("gravity") && table.output.contains("velocity"))
    #expect(table.output.contains("mahony: no innovations"))
    for (arguments, words) in [(["--csv"], "leave --csv out"), (["--estimate", "x.csv"], "not to --estimate")] {
      let others = ["evaluate", "walk/log.csv", "--innovations"] + arguments
      let refused = try runner.run(others)
      #expect(refused.status == 2 && refused.errors.contains(words), "\(refused.errors)")
    }
  }
}
