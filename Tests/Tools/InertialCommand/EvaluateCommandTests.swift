import Testing

@Suite struct EvaluateCommandTests {
  private let runner = try! CommandRunner()

  /// Logs of a walk with their ground truth, in the folders `persons/A/1`, `persons/A/2`, `persons/B/1`.
  static func walks(_ runner: CommandRunner, duration: String = "6") throws {
    for (index, name) in ["A/1", "A/2", "B/1"].enumerated() {
      try runner.makeFolder("persons/" + name.prefix(1))
      try runner.simulate("walk", to: "persons/" + name, "--duration", duration, "--seed", "\(index + 1)")
    }
  }

  static let reference = [
    "--reference", "truth.csv", "--reference-frame", "nwu", "--frame", "xArbitraryZVertical", "--align", "yaw",
  ]

  private struct Document: Decodable {
    struct Row: Decodable {
      var recording, filter: String
      var group: String?
      var total, heading, inclination, largest, largestHeading, largestInclination: Double
      var clockShift: Double?
      var nanosecondsPerSample: Double?
    }
    struct Summary: Decodable {
      var filter: String
      var recordings, unjudged, missing, lost: Int
      var meanTotal, medianTotal, worstTotal, meanHeading, meanInclination: Double
      var worstRecording: String
      var nanosecondsPerSample, leastNanosecondsPerSample: Double?
      var isOnParetoFront: Bool
    }
    struct Group: Decodable {
      var group, filter: String
      var recordings: Int
      var meanTotal: Double
    }
    struct Failure: Decodable { var recording, filter, reason: String }
    var rows: [Row]
    var summaries: [Summary]
    var groups: [Group]
    var pareto: [String]
    var unjudged: [Failure]
    var failures: [String]
    var judgesHeading: Bool
  }

  private func document(_ arguments: [String], status: Int32 = 0) throws -> Document {
    try runner.check(["evaluate"] + arguments + ["--json"], status: status).decoded()
  }

  @Test("a missing offline form and a duplicate filter are reported before any log is read")
  func filtersThatCannotBe() throws {
    let smooth = try runner.run("evaluate", "absent.csv", "--filters", "mekf", "--smooth")
    #expect(smooth.status == 2 || smooth.errors.contains("absent.csv"))
    try Self.walks(runner)
    let arguments = ["evaluate", "persons"] + Self.reference
    for (more, words) in [(["mekf", "--smooth"], "no offline form"), (["mekf,mekf"], "named twice")] {
      #expect(try runner.check(arguments + ["--filters"] + more, status: 2, errors: words).output.isEmpty)
    }
    try runner.check(arguments + ["--filters", "vqf", "--smooth", "--csv", "--summary"], output: "vqf")
  }

  @Test("a folder stands for its logs, and the summary matches their rows")
  func folders() throws {
    try Self.walks(runner)
    // Neither a fused dataset nor a note is a log.
    try runner.write(try runner.read("persons/A/1/log.csv"), to: "persons/A/1/log.csv.fused.csv")
    try runner.write("notes", to: "persons/README.txt")
    let document = try document(["persons"] + Self.reference + ["--filters", "complementary,mekf"])
    #expect(
      document.rows.map(\.recording) == ["A/1", "A/1", "A/2", "A/2", "B/1", "B/1"].map { "persons/\($0)/log.csv" })
    for summary in document.summaries {
      let totals = document.rows.filter { $0.filter == summary.filter }.map(\.total)
      #expect(summary.recordings == 3 && summary.unjudged == 0 && summary.lost == 0)
      #expect(abs(summary.meanTotal - totals.reduce(0, +) / 3) < 1e-12)
      #expect(summary.medianTotal == totals.sorted()[1] && summary.worstTotal == totals.max())
      #expect(summary.worstRecording == document.rows.first { $0.total == totals.max() }?.recording)
      let minimum = try #require(summary.leastNanosecondsPerSample)
      let median = try #require(summary.nanosecondsPerSample)
      #expect(minimum > 0 && minimum <= median && document.pareto.contains(summary.filter) == summary.isOnParetoFront)
    }
    #expect(document.judgesHeading && !document.pareto.isEmpty && document.groups.isEmpty)
  }

  @Test("the device's attitude is evaluated like a filter, and its absence is reported")
  func device() throws {
    try Self.walks(runner)
    // A fused dataset has an attitude and raw samples, so it is read like a device's log.
    try runner.check(
      "fuse", "persons/A/1/log.csv", "--filter", "mekf", "--frame", "xArbitraryZVertical", "-o", "own.csv")
    try runner.write(try runner.read("persons/A/1/truth.csv"), to: "truth.csv")
    let own = try document(["own.csv", "--filters", "mekf", "--device"] + Self.reference)
    #expect(own.rows.map(\.filter) == ["mekf", "device"])
    let expected = try document(["persons/A/1/log.csv", "--filters", "mekf"] + Self.reference)
    #expect(abs(own.rows[1].total - expected.rows[0].total) < 1e-3)
    #expect(own.rows[1].nanosecondsPerSample == nil && own.rows[0].nanosecondsPerSample != nil)
    for row in own.rows {
      #expect(row.largestHeading >= row.heading && row.largestHeading <= row.largest)
      #expect(row.largestInclination >= row.inclination && row.largestInclination <= row.largest)
    }
    let none = try document(["persons", "--filters", "mekf", "--device"] + Self.reference, status: 1)
    #expect(none.rows.map(\.filter) == ["mekf", "mekf", "mekf"])
    #expect(none.unjudged.map(\.filter) == ["device", "device", "device"])
    #expect(none.unjudged[0].reason.contains("no attitude of the device"))
    try runner.check(
      ["evaluate", "own.csv", "--estimate", "persons/A/1/truth.csv", "--device"] + Self.reference, status: 2,
      errors: "not both")
  }

  @Test("a known clock offset is corrected like an estimated one, and the two options exclude each other")
  func clock() throws {
    try Self.walks(runner)
    let arguments = ["persons/A/1/log.csv", "--filters", "mekf", "--no-cost"] + Self.reference
    let own = try document(arguments).rows[0]
    try runner.shiftTimes(of: "persons/A/1/truth.csv", by: 0.12)
    let late = try document(arguments).rows[0]
    #expect(late.total > own.total + 1 && late.clockShift == nil)
    let known = try document(arguments + ["--clock-shift", "0.12"]).rows[0]
    #expect(abs(known.total - own.total) < 0.05 && known.clockShift == 0.12)
    let searched = try document(arguments + ["--align-clock"]).rows[0]
    #expect(try abs(searched.total - own.total) < 0.2 && abs(try #require(searched.clockShift) - 0.12) < 0.005)
    for (more, message) in [
      (["--clock-shift", "0.12", "--align-clock"], "not both"), (["--clock-shift", "nan"], "takes seconds"),
    ] { try runner.check(["evaluate"] + arguments + more, status: 2, errors: message) }
  }

  @Test("groups come from folders or a table, and each filter has a row per group")
  func groups() throws {
    try Self.walks(runner)
    let arguments = ["persons"] + Self.reference + ["--filters", "complementary", "--no-cost"]
    #expect(try document(arguments + ["--group-by", "folder"]).groups.map(\.group) == ["A/1", "A/2", "B/1"])
    try runner.write("# who\n\n*/A/*/log.csv , Anna\n*,others\n", to: "groups.csv")
    let table = try document(arguments + ["--groups", "groups.csv"])
    #expect(table.groups.map(\.group) == ["Anna", "others"] && table.groups.map(\.recordings) == [2, 1])
    #expect(table.rows.map(\.group) == ["Anna", "Anna", "others"])
    let ofAnna = table.rows[..<2].map(\.total)
    #expect(abs(table.groups[0].meanTotal - (ofAnna[0] + ofAnna[1]) / 2) < 1e-12)
    #expect(table.summaries[0].nanosecondsPerSample == nil && table.pareto.isEmpty)
    // The groups are also in the text output.
    let text = try runner.run(["evaluate"] + arguments + ["--groups", "groups.csv"]).output
    #expect(text.contains("group") && text.contains("Anna") && text.contains("others"))
    for (content, message) in [("Anna\n", "no comma"), ("x*,Anna\n", "no pattern matches"), (",Anna\n", "is empty")] {
      try runner.write(content, to: "groups.csv")
      try runner.check(["evaluate"] + arguments + ["--groups", "groups.csv"], status: 1, errors: message)
    }
    try runner.check(["evaluate"] + arguments + ["--groups", "absent.csv"], status: 1)
    try runner.check(["evaluate"] + arguments + ["--groups", "groups.csv", "--group-by", "folder"], status: 2)
  }

  @Test("the table fits into 100 columns, marks the Pareto front and shows rows on request or for a single log")
  func table() throws {
    try Self.walks(runner)
    let summary = try runner.check(
      ["evaluate", "persons"] + Self.reference, output: "over 3 recordings", "median", "worst recordings",
      "* Pareto front", lines: 0)
    let lines = summary.output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 100 }, "\(summary.output)")
    // A row with a filter's name followed by a star.
    #expect(lines.contains { line in FilterKind.all.contains { line.hasPrefix($0.name) } && line.contains(" * ") })
    #expect(!summary.output.contains("failures") && !summary.output.contains("heading inclination"))
    let details = try runner.run(["evaluate", "persons"] + Self.reference + ["--details"])
    #expect(details.output.contains("A/1/log.csv") && details.output.contains("samples"))
    let single = try runner.run(["evaluate", "persons/A/1/log.csv"] + Self.reference)
    #expect(single.output.contains("samples") && !single.output.contains("worst recordings"))
  }

  @Test("the CSV output has a row per log and filter, or with --summary per filter")
  func commaSeparatedValues() throws {
    try Self.walks(runner)
    let arguments = ["evaluate", "persons"] + Self.reference + ["--csv"]
    func rows(_ more: [String]) throws -> [[String]] {
      try runner.check(arguments + more).output.split(separator: "\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
    }
    let all = try rows([])
    #expect(all.count == 1 + 3 * FilterKind.all.count && Set(all.map(\.count)) == [15])
    #expect(all[0].starts(with: ["recording", "filter", "total", "heading", "inclination", "samples", "missing"]))
    let summary = try rows(["--summary"])
    #expect(summary.count == 1 + FilterKind.all.count && Set(summary.map(\.count)) == [22])
    #expect(summary.dropFirst().map { $0[0] } == FilterKind.all.map(\.name))
    try runner.check(["evaluate", "persons"] + Self.reference + ["--summary"], status: 2)
    try runner.check(arguments + ["--json"], status: 2)
  }

  @Test("a setting applies to all filters that have it, or with a filter's name to that filter")
  func settings() throws {
    try Self.walks(runner, duration: "4")
    let arguments = ["persons/A/1/log.csv"] + Self.reference + ["--no-cost", "--filters", "complementary,mekf"]
    func totals(_ settings: String...) throws -> [Double] {
      try document(arguments + settings.flatMap { ["--set", $0] }).rows.map(\.total)
    }
    let defaults = try totals()
    // Only the complementary filter has this parameter.
    let one = try totals("accelerationTimeConstant=0.1")
    #expect(one[0] != defaults[0] && one[1] == defaults[1])
    #expect(try totals("complementary.accelerationTimeConstant=0.1") == one)
    #expect(try totals("complementary.accelerationTimeConstant=0.1", "accelerationTimeConstant=9") == one)
    // Both filters have this parameter.
    let both = try totals("startUpDuration=3")
    #expect(both[0] != defaults[0] && both[1] != defaults[1])
    let second = try totals("mekf.startUpDuration=3")
    #expect(second[0] == defaults[0] && second[1] == both[1])
    for (setting, message) in [
      ("tauAcc=1", "none of the filters complementary, mekf has a parameter 'tauAcc'"),
      ("mekf.tauAcc=1", "the filter mekf has no parameter 'tauAcc'"), ("kalmann.tauAcc=1", "there is no filter"),
      ("motionWeigth=1", "has a parameter 'motionWeigth'; use motionWeight"),
      ("startUpDuration=-1", "out of range"), ("mekf.startUpDuration=a", "with a number"),
    ] { try runner.check(["evaluate"] + arguments + ["--set", setting], status: 2, errors: message) }
    try runner.check(
      ["evaluate", "persons/A/1/log.csv"] + Self.reference + [
        "--filters", "mekf", "--set", "complementary.biasBound=1",
      ], status: 2, errors: "is not used")
    try runner.check(
      ["evaluate"] + arguments + ["--set", "mekf.biasBound=1", "--set", "mekf.biasBound=2"], status: 2,
      errors: "given twice")
  }

  @Test("fuse also accepts a setting with the filter's name")
  func settingsOfFuse() throws {
    try runner.write(CanonicalLog.text(), to: "log.csv")
    func fused(_ setting: String) throws -> String {
      try runner.run("fuse", "log.csv", "-o", "-", "--filter", "complementary", "--set", setting).output
    }
    #expect(try fused("complementary.startUpDuration=3") == fused("startUpDuration=3"))
    try runner.check("fuse", "log.csv", "-o", "-", "--set", "complementary.startUpDuration=3", status: 2)
    try runner.check("fuse", "log.csv", "-o", "-", "--filter", "complementary", "--set", "gains=steadyState")
    try runner.check(
      "fuse", "log.csv", "-o", "-", "--filter", "complementary", "--set", "gains=fast", status: 2,
      errors: "--set gains takes timeConstants or steadyState, not 'fast'")
    try runner.check("fuse", "log.csv", "-o", "-", "--set", "nonsense=3", status: 2)
  }

  @Test("a log that cannot be evaluated is reported, counted for every filter, and the other logs are evaluated")
  func failures() throws {
    try Self.walks(runner)
    try runner.write("", to: "persons/B/1/log.csv")
    let arguments = ["persons/A/1/log.csv", "persons/B/1/log.csv", "persons/A/2/log.csv"] + Self.reference
    let document = try document(arguments, status: 1)
    #expect(document.rows.count == 2 * FilterKind.all.count && document.failures.count == 1)
    #expect(document.summaries.allSatisfy { $0.recordings == 2 && $0.unjudged == 1 })
    #expect(Set(document.unjudged.map(\.recording)) == ["persons/B/1/log.csv"])
    #expect(document.unjudged.map(\.filter) == FilterKind.all.map(\.name))
    try runner.check(["evaluate"] + arguments, status: 1, output: "1 recording not evaluated", lines: 1)
    // A folder without a log, and one reference for several logs.
    try runner.makeFolder("empty")
    try runner.check("evaluate", "empty", status: 1, errors: "nor a folder with logs")
    try runner.check(
      "evaluate", "persons", "--reference", "persons/A/1/truth.csv", status: 2, errors: "a file next to each log")
  }

  @Test("a filter that lost its orientation is counted, unless the heading is undefined")
  func lost() throws {
    try Self.walks(runner)
    // The reference rotated by 180° about X: every estimate has an error of 180°.
    let truth = try runner.read("persons/A/1/truth.csv").split(separator: "\n")
    var turned = [String(truth[0])]
    for line in truth.dropFirst() {
      let f = line.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? 0 }
      let q = Quaternion(x: 1, y: 0, z: 0, w: 0) * Quaternion(x: f[1], y: f[2], z: f[3], w: f[4])
      turned.append("\(f[0]),\(q.x),\(q.y),\(q.z),\(q.w),\(f[5])")
    }
    try runner.write(turned.joined(separator: "\n") + "\n", to: "persons/A/1/truth.csv")
    let arguments = ["persons"] + Self.reference + ["--filters", "mekf", "--no-cost"]
    #expect(try #require(try document(arguments).summaries.first).lost == 1)
    try runner.check(["evaluate"] + arguments, output: "an error above 45° in 1 of 3 recordings")
    // Without north and without a fitted yaw only the inclination is evaluated.
    let arbitrary = ["persons/B/1/log.csv", "persons/A/2/log.csv"] + Self.reference.dropLast(2)
    let document = try document(arbitrary + ["--filters", "mekf"])
    #expect(!document.judgesHeading && document.summaries[0].lost == 0)
    #expect(try runner.run(["evaluate"] + arbitrary).output.contains("are undefined because X is arbitrary"))
  }
}
