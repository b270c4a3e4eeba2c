import Testing

@Suite("Innovations on the command line") struct InnovationCommandTests {
  private let runner = try! CommandRunner()

  private func walk() throws { try runner.simulate("walk", to: "walk", "--duration", "12", "--seed", "3") }

  /// The numbers of a dataset by column, with `nil` for empty cells.
  private func columns(_ path: String) throws -> [String: [Double?]] {
    let lines = try runner.table(path)
    var columns: [String: [Double?]] = [:]
    for (index, name) in lines[0].enumerated() { columns[String(name)] = lines.dropFirst().map { Double($0[index]) } }
    return columns
  }

  private static let frame = ["--frame", "xMagneticNorthZVertical"]

  @Test("--columns-out innovations writes the innovations of the filter, empty in rows without a measurement")
  func columnsOut() throws {
    // The walk of a scene, whose field is calibrated.
    try runner.simulate("winding-walk", to: "walk", "--duration", "12", "--seed", "3")
    for name in ["mekf", "kalman", "vqf"] {
      try runner.check(
        [
          "fuse", "walk/log.csv", "-o", "\(name).csv", "--filter", name, "--columns-out", "time,innovations", "--field",
          "calibrated", "--digits", "17",
        ] + Self.frame)
      let found = try columns("\(name).csv")

      let kind = try #require(FilterKind.all[name])
      var configuration = DeviceMotionEstimator.Configuration()
      (configuration.frame, configuration.field) = (.xMagneticNorthZVertical, .calibrated)
      var estimator = try DeviceMotionEstimator(filter: kind, configuration: configuration)
      estimator.reportMeasurements()
      let path = runner.path("walk/log.csv")
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
    try walk()
    let standard = ["time", "quaternionX", "quaternionW", "heading"].joined(separator: ",")
    for (name, columns) in [("a.csv", standard), ("b.csv", standard + ",innovations")] {
      try runner.check(["fuse", "walk/log.csv", "-o", name, "--columns-out", columns] + Self.frame)
    }
    let (without, with) = (try columns("a.csv"), try columns("b.csv"))
    #expect(without.allSatisfy { with[$0.key] == $0.value })
    #expect(with.count == without.count + 9 * MotionPriorKalman.measurementKinds.count)

    let log = try runner.read("walk/log.csv")
    let streamed = try runner.check(
      ["fuse", "-", "--follow", "--columns-out", standard + ",innovations"] + Self.frame, input: log)
    #expect(try streamed.output == runner.read("b.csv"))
  }

  @Test("smoothed innovations come from the forward pass; a filter or form without innovations is rejected")
  func smoothed() throws {
    try walk()
    try runner.check(
      ["fuse", "walk/log.csv", "-o", "s.csv", "--smooth", "--columns-out", "time,innovations"] + Self.frame)
    #expect(try columns("s.csv")["velocityVerdict"]?.contains(0) == true)
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
    ] { try runner.check(["fuse", "walk/log.csv", "-o", "x.csv"] + arguments, status: 2, errors: words, lines: 1) }
  }

  @Test("evaluate --innovations reports fractions and NIS by kind in table and document, without changing the accuracy")
  func evaluate() throws {
    try walk()
    let judged = [
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
    let (before, after) = (try plain.decoded(as: Document.self), try reported.decoded(as: Document.self))
    #expect(before.rows.map(\.total) == after.rows.map(\.total) && before.rows.allSatisfy { $0.measurements == nil })
    let kalman = try #require(after.rows.first { $0.filter == "kalman" }?.measurements)
    #expect(kalman.contains { $0.kind == .velocity && $0.count > 50 && $0.consistency.meanNIS != nil })
    #expect(after.rows.first { $0.filter == "mahony" }?.measurements == [])

    let table = try runner.run(judged + ["--innovations"])
    #expect(table.output.contains("kind") && table.output.contains("gravity") && table.output.contains("velocity"))
    #expect(table.output.contains("mahony: no innovations"))
    for (arguments, words) in [(["--csv"], "leave --csv out"), (["--estimate", "x.csv"], "not to --estimate")] {
      let others = ["evaluate", "walk/log.csv", "--innovations"] + arguments
      try runner.check(others, status: 2, errors: words)
    }
  }
}
