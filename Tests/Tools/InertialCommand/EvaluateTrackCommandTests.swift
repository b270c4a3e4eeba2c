import Testing

@Suite("inertial evaluate --task track") struct EvaluateTrackCommandTests {
  private let runner = try! CommandRunner()

  private struct Document: Decodable {
    struct Row: Decodable {
      struct Outage: Decodable { var start, end, horizontal: Double }
      var recording, filter: String
      var group, on, reason: String?
      var ate, horizontal, vertical, rte, insideHorizontally, insideVertically, yaw, way: Double?
      var points: Int?
      var missing: Int
      var closure, closureVertical, closurePercent, pathLength: Double?
      var closureIsInside: Bool?
      var outages: [Outage]?
      var outageMean, outageMedian, outageWorst, outageInside: Double?
      var nanosecondsPerSample: Double?
    }
    struct Figure: Decodable {
      var recordings: Int
      var mean, median, worst: Double
      var worstRecording: String
    }
    struct Summary: Decodable {
      var group: String?
      var filter: String
      var recordings, unjudged: Int
      var ate, closure, outageMean: Figure?
    }
    var task, alignment: String
    var rteSeconds, rteMetres: Double?
    var rows: [Row]
    var summaries, groups: [Summary]
    var failures: [String]
  }

  private func document(_ arguments: [String], status: Int32 = 0) throws -> Document {
    try runner.check(["evaluate"] + arguments + ["--task", "track", "--json"], status: status).decoded()
  }

  /// Simulated handheld walks of 70 s to the north at 1.4 m/s, with landmarks in a rotated and translated frame.
  private func simulate(_ names: [String], landmarks: String = "landmarks.csv") throws {
    for (index, name) in names.enumerated() {
      if let slash = name.firstIndex(of: "/") { try runner.makeFolder(String(name[..<slash])) }
      try runner.simulate("walk", to: name, "--duration", "70", "--seed", "\(index + 1)")
      let marks = stride(from: 0.0, through: 65, by: 5).map { time in
        "\(time),\(30 - 1.4 * time * 0.6),\(20 + 1.4 * time * 0.8)"
      }
      try runner.write((["time (s),x (m),y (m)"] + marks).joined(separator: "\n") + "\n", to: name + "/" + landmarks)
    }
  }

  @Test("a simulated walk is evaluated against landmarks in another frame, with its yaw rotation and error")
  func walk() throws {
    try simulate(["walk"])
    let found = try document(["walk/log.csv", "--reference", "landmarks.csv"])
    #expect(found.task == "track" && found.alignment == "yaw" && found.rteSeconds == 60)
    let row = try #require(found.rows.first)
    #expect(row.filter == "kalman" && row.on == "hand" && row.reason?.contains("no swings") == true)
    #expect(row.points == 14 && row.missing == 0)
    // The step length is approximate: within a tenth of the 91 m.
    #expect(try #require(row.ate) > 0.01 && row.ate! < 5 && abs(row.ate! - #require(row.horizontal)) < 1e-9)
    #expect(try #require(row.rte) < 10)
    #expect(row.vertical == nil && row.insideVertically == nil && row.insideHorizontally != nil)
    #expect(abs(try #require(row.way) - 91) < 1e-9)
    #expect(try #require(row.nanosecondsPerSample) > 0 && row.closure == nil && row.outages == nil)
    let quick = try document([
      "walk/log.csv", "--reference", "walk/landmarks.csv", "--no-cost", "--over", "50m",
    ])
    #expect(quick.rows[0].ate == row.ate && quick.rows[0].nanosecondsPerSample == nil && quick.rteMetres == 50)
  }

  @Test("the output of track has no error against itself, and the same errors as an estimate")
  func sameAsTrack() throws {
    try simulate(["walk"])
    for form in [[], ["--online"], ["--smooth"]] {
      try runner.check(["track", "walk/log.csv", "-o", "path.csv", "--on", "hand", "--force"] + form)
      let itself = try document(
        ["walk/log.csv", "--reference", "path.csv", "--align", "none", "--on", "hand", "--no-cost"] + form)
      #expect(try #require(itself.rows[0].ate) < 1e-6)
      #expect(itself.rows[0].insideHorizontally == 1 && itself.rows[0].insideVertically == 1)
      let own = try document(["walk/log.csv", "--reference", "landmarks.csv", "--on", "hand", "--closed"] + form)
        .rows[0]
      let given = try document(
        ["walk/log.csv", "--reference", "walk/landmarks.csv", "--estimate", "path.csv", "--closed"]
      ).rows[0]
      for (a, b) in [
        (own.ate, given.ate), (own.rte, given.rte), (own.yaw, given.yaw), (own.closure, given.closure),
        (own.insideHorizontally, given.insideHorizontally), (own.pathLength, given.pathLength),
      ] { #expect(abs(try #require(a) - (try #require(b))) < 1e-6) }
      #expect(given.filter == "path.csv" && given.on == nil)
    }
  }

  @Test("an external 3D path is evaluated by the error after the alignment, in every frame and format")
  func estimates() throws {
    try simulate(["walk"])
    func write(_ name: String, _ header: String, _ line: (Double, Vector3) -> String) throws {
      let lines = (0...600).map { step -> String in
        let t = Double(step) / 10
        return line(t, Vector3(9 * cos(0.1 * t), 7 * sin(0.2 * t), sin(0.3 * t)))
      }
      try runner.write(header + lines.joined(separator: "\n") + "\n", to: name)
    }
    try write("truth.csv", "time,x,y,z\n") { "\($0),\($1.x),\($1.y),\($1.z)" }
    try write("same.tum", "") { "\($0) \($1.x) \($1.y) \($1.z) 0 0 0 1" }
    try write("east.csv", "time,east,north,up\n") { "\($0),\(-$1.y),\($1.x),\($1.z)" }
    try write("down.csv", "time,x,y,z\n") { "\($0),\($1.x),\(-$1.y),\(-$1.z)" }
    try write("longer.csv", "time,x,y,z\n") { "\($0),\(1.1 * $1.x),\(1.1 * $1.y),\(1.1 * $1.z)" }
    func ate(_ more: String...) throws -> Double {
      try #require(try document(["walk/log.csv", "--reference", "truth.csv"] + more).rows[0].ate)
    }
    #expect(try ate("--estimate", "same.tum", "--align", "none") < 1e-9)
    #expect(try ate("--estimate", "east.csv", "--align", "none") < 1e-9)
    #expect(try ate("--estimate", "down.csv", "--estimate-frame", "ned", "--align", "none") < 1e-9)
    #expect(try ate("--estimate", "down.csv", "--align", "frame") < 1e-9 && ate("--estimate", "down.csv") > 0.5)
    let scaled = try ate("--estimate", "longer.csv", "--align", "none")
    #expect(abs(scaled - 0.1 * (81 * 0.5 + 49 * 0.5 + 0.5).squareRoot()) < 0.05)
    let late = try document(
      ["walk/log.csv", "--reference", "truth.csv", "--estimate", "same.tum", "--align", "none", "--clock-shift", "0.5"])
    // 0.9 to 1.4 m/s.
    #expect((0.3...0.7).contains(try #require(late.rows[0].ate)))
    let loop = try document(["walk/log.csv", "--estimate", "longer.csv", "--closed"]).rows[0]
    let (x, y) = (9.9 * (cos(6) - 1), 7.7 * sin(12))
    #expect(abs(try #require(loop.closure) - (x * x + y * y).squareRoot()) < 1e-9)
    #expect(abs(try #require(loop.closureVertical) - 1.1 * sin(18)) < 1e-9)
    #expect(abs(try #require(loop.closurePercent) - 100 * loop.closure! / loop.pathLength!) < 1e-9)
    #expect(loop.closureIsInside == nil)
  }

  @Test("several logs have separate landmarks, by one name or with *, and are summarised by filter and group")
  func several() throws {
    try simulate(["A/one", "A/two", "B/three"])
    let both = try document(
      ["A", "B", "--reference", "landmarks.csv", "--on", "hand", "--filters", "kalman,mahony", "--no-cost"])
    #expect(both.rows.count == 6 && both.summaries.map(\.filter) == ["kalman", "mahony"] && both.groups.isEmpty)
    let grouped = try document(
      ["A", "B", "--reference", "landmarks.csv", "--on", "hand", "--no-cost", "--group-by", "folder"])
    #expect(Set(grouped.rows.compactMap(\.group)).count == 3 && grouped.groups.count == 3)
    let errors = both.rows.filter { $0.filter == "kalman" }.compactMap(\.ate)
    let figure = try #require(both.summaries[0].ate)
    #expect(figure.recordings == 3 && abs(figure.mean - errors.reduce(0, +) / 3) < 1e-12)
    #expect(figure.median == errors.sorted()[1] && figure.worst == errors.max())
    for name in ["one", "two"] {
      try runner.write(try runner.read("A/\(name)/log.csv"), to: "\(name).csv")
      try runner.write(try runner.read("A/\(name)/landmarks.csv"), to: "\(name).marks.csv")
    }
    let starred = try document(["one.csv", "two.csv", "--reference", "*.marks.csv", "--on", "hand", "--no-cost"])
    #expect(starred.rows.map(\.ate) == both.rows.filter { $0.filter == "kalman" }.prefix(2).map(\.ate))
    // A log without landmarks is reported, and the others are evaluated.
    try runner.write(try runner.read("one.csv"), to: "none.csv")
    let lacking = try document(
      ["one.csv", "none.csv", "--reference", "*.marks.csv", "--on", "hand", "--no-cost"], status: 1)
    #expect(lacking.rows.count == 1 && lacking.summaries[0].unjudged == 1)
    #expect(lacking.failures.count == 1 && lacking.failures[0].contains("none.marks.csv"))
  }

  @Test("the table and the CSV output have the figures of the document")
  func tables() throws {
    try simulate(["A/one", "A/two"])
    let arguments = ["A", "--reference", "landmarks.csv", "--on", "hand", "--no-cost", "--closed"]
    let found = try document(arguments)
    let table = try runner.check(["evaluate"] + arguments + ["--task", "track", "--details"])
    for row in found.rows { #expect(table.output.contains(String(format: "%.2f", row.ate!))) }
    #expect(table.output.contains("RTE over 60 s") && table.output.contains("horizontal closure, % of length"))
    let csv = try runner.run(["evaluate"] + arguments + ["--task", "track", "--csv"])
    let lines = csv.output.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let ate = try #require(lines[0].firstIndex(of: "ate"))
    #expect(lines.allSatisfy { $0.count == lines[0].count })
    #expect(lines.dropFirst().map { Double($0[ate]) } == found.rows.map(\.ate))
    let summary = try runner.run(["evaluate"] + arguments + ["--task", "track", "--csv", "--summary"])
    let sums = summary.output.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(sums.count == 2 && sums[0].count == sums[1].count)
    let mean = try #require(sums[0].firstIndex(of: "closureMean"))
    #expect(Double(sums[1][mean]) == found.summaries[0].closure?.mean)
  }

  // MARK: Outages

  /// A drive on a curved road with one fix per second, as a log of one file.
  private func drive(_ seconds: Double, to name: String) throws {
    var generator = SeededGenerator(seed: 4)
    // A standing vehicle does not rotate.
    func course(_ t: Double) -> Double { 0.8 * sin(0.12 * max(0, t - 5)) + 0.01 * max(0, t - 5) }
    func speed(_ t: Double) -> Double { t < 5 ? 0 : 10 * (1 - exp(-(t - 5) / 6)) + 3 * sin(0.35 * (t - 5)) }
    let fixes = "latitude,longitude,locationAltitude,speed,course,horizontalAccuracy,verticalAccuracy,speedAccuracy"
    var lines = ["\(CanonicalLog.motionHeader.dropLast()),\(fixes)"]
    var (north, west) = (0.0, 0.0)
    for index in 0..<Int(seconds * 50) {
      let (t, h) = (Double(index) / 50, 1e-3)
      north += speed(t) * cos(course(t)) / 50
      west += speed(t) * sin(course(t)) / 50
      let turn = (course(t + h) - course(t - h)) / (2 * h)
      func noise(_ sigma: Double) -> Double { sigma * generator.normal() }
      // Device axes: X forward, Y left, Z up; the sign is Core Motion's.
      let ahead = (speed(t + h) - speed(t - h)) / (2 * h) / 9.80665
      let left = speed(t) * turn / 9.80665
      var fields = [
        t, -ahead + noise(0.01), -left + noise(0.01), -1 + noise(0.01), noise(0.005), noise(0.005), turn + noise(0.005),
      ].map { "\($0)" }
      if index % 50 == 0 {
        let heading = (-course(t) * 180 / .pi + 360).truncatingRemainder(dividingBy: 360)
        fields += [
          "\(48 + north / 111_200)", "\(16 - west / 74_600)", "200", "\(speed(t))",
          "\(heading < 0 ? heading + 360 : heading)", "1.5", "2", "0.2",
        ]
      } else {
        fields += Array(repeating: "", count: 8)
      }
      lines.append(fields.joined(separator: ","))
    }
    try runner.write(lines.joined(separator: "\n") + "\n", to: name)
  }

  @Test("the error at the end of an outage grows with the duration of the outage")
  func outages() throws {
    try drive(120, to: "drive.csv")
    func row(_ seconds: String, _ more: String...) throws -> Document.Row {
      try document(["drive.csv", "--withhold", seconds, "--no-cost"] + more).rows[0]
    }
    let online = try row("20", "--online")
    #expect(online.on == "vehicle" && online.reason?.contains("position fixes exceed") == true)
    // From 60 s after the first fix, every 10 s, while 20 s of the 119 s of fixes remain.
    let outages = try #require(online.outages)
    #expect(outages.map(\.start) == [60, 70, 80, 90] && outages.map(\.end) == [80, 90, 100, 110])
    let errors = outages.map(\.horizontal)
    #expect(abs(try #require(online.outageMean) - errors.reduce(0, +) / 4) < 1e-12)
    #expect(online.outageWorst == errors.max() && online.outageMedian == (errors.sorted()[1] + errors.sorted()[2]) / 2)
    #expect(online.outageMean! > 0.5 && online.outageMean! < 60 && online.outageInside != nil)
    #expect(try #require(row("5", "--online").outageMean) < online.outageMean!)
    #expect(try #require(row("20").outageMean) < online.outageMean!)
    try runner.check(
      "evaluate", "drive.csv", "--task", "track", "--withhold", "60", status: 1,
      errors: "span 119 s, and --withhold 60.0 needs more than 120 s")
  }

  // MARK: Errors

  @Test(
    "invalid requests are reported in one line",
    arguments: [
      (["walk/log.csv"], 2, "use --reference FILE (time,x,y or time,x,y,z)"),
      (["walk/log.csv", "--reference", "absent.csv"], 1, "absent.csv"),
      (["walk/log.csv", "--reference", "untimed.csv"], 1, "untimed.csv:1: no column of times"),
      (
        ["walk/log.csv", "--reference", "late.csv"], 1,
        "no point can be compared; its times are seconds on the log's clock"
      ),
      (["walk/log.csv", "--reference", "one.csv"], 1, "use --align origin or none"),
      (["walk/log.csv", "--reference", "nan.csv"], 1, "none of the 2 rows has a position"),
      (["walk/log.csv", "--reference", "words.csv"], 1, "words.csv:3:2: \"here\" is not a number"),
      (["walk/log.csv", "--withhold", "10"], 1, "needs position fixes, but the log has no"),
      (["walk/log.csv", "--withhold=-1"], 2, "takes seconds above 0"),
      (["walk/log.csv", "--closed", "--over", "60"], 2, "--over"),
      (["walk/log.csv", "--closed", "--device"], 2, "--device applies to orientations"),
      (["walk/log.csv", "--closed", "--innovations"], 2, "--innovations applies to orientations"),
      (["walk/log.csv", "--closed", "--align-clock"], 2, "--clock-shift SECONDS"),
      (["walk/log.csv", "--closed", "--filters", "nobody"], 2, "nobody"),
      (["walk/log.csv", "--closed", "--estimate", "late.csv", "--withhold", "5"], 2, "--withhold applies to paths"),
      (["walk/log.csv", "--closed", "--on", "vehicle"], 1, "no path was found"),
      (["absent.csv", "--closed"], 1, "absent.csv"),
    ] as [([String], Int32, String)])
  func refused(arguments: [String], status: Int32, words: String) throws {
    try runner.simulate("walk", to: "walk", "--duration", "20")
    try runner.write("place,x,y\nA,1,2\n", to: "untimed.csv")
    try runner.write("time,x,y\n1000,1,2\n1010,2,3\n", to: "late.csv")
    try runner.write("time,x,y\n5,1,2\n", to: "one.csv")
    try runner.write("time,x,y\n5,nan,2\n6,,\n", to: "nan.csv")
    try runner.write("time,x,y\n5,1,2\n6,here,3\n", to: "words.csv")
    let result = try runner.check(
      ["evaluate"] + arguments + ["--task", "track", "--no-cost"], status: status, errors: words)
    #expect(result.output.isEmpty)
  }

  @Test("options of paths need the task, and landmarks outside the log are reported")
  func task() throws {
    try simulate(["walk"])
    try runner.check(
      "evaluate", "walk/log.csv", "--closed", status: 2, errors: "--closed applies to paths; add --task track")
    try runner.write(try runner.read("walk/landmarks.csv") + "500,1,2\n", to: "walk/landmarks.csv")
    try runner.check(
      "evaluate", "walk/log.csv", "--task", "track", "--reference", "landmarks.csv", "--no-cost",
      errors: "1 of 15 points are outside of the path's times")
  }
}
