import Foundation
import Inertial
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFigures

@Suite("The page of a recording") struct RecordingReportTests {
  private let folder = try! PageFolder()

  @Test(
    "its numbers equal those of fuse to half a step of 16 bits, and its foot has the command, parameters and checksum")
  func numbers() async throws {
    let log = try folder.walk("walk.csv")
    let page = try await folder.page(of: log) { $0.command = "inertial report walk.csv" }
    #expect(page.result.output == log + ".report.html")
    #expect(page.content["command"] as? String == "inertial report walk.csv")
    #expect(page.content["version"] as? String == ToolVersion.current)
    #expect(page.recipe["inputCRC32"] as? [String] == CyclicChecksum.lines(of: log))
    #expect(page.recipe.keys.contains { $0.hasPrefix("parameter.") })
    var fusion = try PageFolder.options().fusion
    (fusion.recognitions, fusion.channels) = ([], .none)
    _ = try FusionJob(input: log, output: folder.path("out.csv"), options: fusion).run()
    let table = folder.files.table("out.csv")
    for name in ["roll", "pitch", "yaw", "quaternionW", "gravityY", "userAccelerationZ", "rotationRateX"] {
      let fused = table[name]
      let (values, step) = try page.column(name)
      #expect(values.count == fused.count && values.count == 2000, "\(name)")
      // A float of 32 bits lies between the two.
      #expect(
        zip(values, fused).allSatisfy { $0.isNaN && $1.isNaN || abs($0 - $1) <= step * 0.51 + abs($1) * 1e-6 },
        "\(name)")
    }
  }

  @Test("it shows the outcomes of the filter's measurements, by kind and over time, unless the filter reports none")
  func measurements() async throws {
    let log = try folder.walk("walk.csv")
    let page = try await folder.page(of: log, ["mekf"])
    let measurements = try #require(page.content["measurements"] as? [String: Any])
    let grid = try #require(measurements["grid"] as? [String: Any])
    let gravity = try #require((grid["rows"] as? [[Any]])?.first { $0[0] as? String == "gravity" })
    // An epoch of mekf is a twentieth of a second.
    #expect(try #require(gravity[1] as? Double) > 300)
    let places = try #require(measurements["plots"] as? [Int])
    #expect(try #require(page.plots[places[0]]["title"] as? String).hasPrefix("Test ratios of gravity"))
    let (ratios, _) = try page.column("gravityTestRatio")
    // After the start-up each ratio lasts to the next, so that a line can be drawn; none is above the largest.
    #expect(ratios.dropFirst(200).allSatisfy { $0 >= -1e-4 && $0 <= RowCollector.largestRatio + 1e-4 })
    let silent = try await folder.page(of: log, ["mahony"], to: "m.html")
    #expect(silent.content["measurements"] == nil)
  }

  @Test("steps, activities and what the filter was doing are marked")
  func marks() async throws {
    let log = try folder.walk("walk.csv", duration: 40)
    try folder.annotate(log, at: 7, "the door")
    let page = try await folder.page(of: log)
    let steps = try #require(page.lanes["steps"])
    #expect((60...85).contains(steps.count) && steps == steps.sorted())
    #expect(page.lanes["activity"]?.isEmpty == false && page.lanes["start-up"]?.isEmpty == false)
    #expect(page.lanes["annotation"] == [7])
    let (counts, step) = try page.column("stepCount")
    // A walk's last steps are known when it ends.
    #expect(step == 1 && abs((counts.last ?? 0) - Double(steps.count)) <= 4)
  }

  @Test("the first answers are duration, rate, activity, steps, distance, heading and the trusted fraction")
  func answers() async throws {
    let page = try await folder.page(of: try folder.walk("walk.csv", duration: 40))
    let answers = try #require(page.content["answers"] as? [String: Any])
    let tiles = try #require(answers["tiles"] as? [[String: String]])
    let values = Dictionary(tiles.map { ($0["name"]!, $0["value"]!) }) { first, _ in first }
    #expect(values["Duration"] == "40.0 s" && values["Rate"] == "100.0 Hz" && values["Shakes"] == "0")
    #expect(values["Activity"]?.hasPrefix("walking ") == true)
    #expect(values["Steps"] == "\(try #require(page.lanes["steps"]).count)")
    #expect(values["Distance"]?.hasSuffix(" m") == true && values["Yaw, north unknown"]?.hasPrefix("± ") == true)
    let plots = try #require(answers["plots"] as? [Int])
    #expect(
      plots.map { page.plots[$0]["title"] as? String } == [
        "Size of the acceleration", "Yaw, from an arbitrary direction",
      ])
    let sizes = try page.column(RowCollector.accelerationSize).values
    let gravity = try page.column("gravityZ").values
    let user = try page.column("userAccelerationZ").values
    // The size is at least that of any axis; it is unknown where the user acceleration is.
    #expect(zip(sizes, zip(gravity, user)).allSatisfy { $0.isNaN ? $1.1.isNaN : $0 >= abs($1.0 + $1.1) - 1e-3 })
    #expect(sizes.count { $0 > 0.5 && $0 < 2.5 } > 3000)
    let north = try await folder.page(of: folder.path("walk.csv"), to: "n.html") {
      $0.fusion.motion.frame = .xMagneticNorthZVertical
    }
    let northern = try #require((north.content["answers"] as? [String: Any])?["tiles"] as? [[String: String]])
    #expect(northern.contains { $0["name"] == "Heading" })
  }

  @Test("each second is trusted or not, with its reasons: start-up, gap, and nothing elsewhere")
  func trust() async throws {
    let log = try folder.walk("walk.csv", duration: 40, pause: 20.0035...26.0035)
    let page = try await folder.page(of: log)
    let trust = try #require((page.content["answers"] as? [String: Any])?["trust"] as? [String: Any])
    let (times, texts) = (try #require(trust["times"] as? [Double]), try #require(trust["texts"] as? [String]))
    let levels = try #require(trust["levels"] as? [Int])
    #expect(texts.count == levels.count && times.count == 2 * levels.count && times == times.sorted())
    #expect(texts[0].contains("start-up") && levels[0] >= 1)
    func index(at time: Double) -> Int { levels.indices.last { times[2 * $0] <= time }! }
    #expect(texts[index(at: 23)].contains("no samples") && levels[index(at: 23)] == 2)
    #expect(zip(levels, texts).allSatisfy { ($0 == 0) == $1.isEmpty } && levels.contains(0))
    #expect(page.tables[0]["pauses"] as? [Double] == [20, 26.01])
  }

  @Test("a plot knows the range of probabilities and angles, the words of an enumeration and the colours of axes")
  func axes() async throws {
    let page = try await folder.page(of: try folder.walk("walk.csv"))
    func plot(_ title: String) throws -> [String: Any] {
      try #require(page.plots.first { $0["title"] as? String == title }, "\(title)")
    }
    #expect(try plot("Probability of a shake")["range"] as? [Double] == [0, 1])
    #expect(
      try plot("Attitude")["range"] as? [Double] == [-180, 180] && plot("Attitude")["showsRange"] == nil)
    let looks = try ["Attitude", "Gravity"].map { title in
      (try plot(title)["series"] as? [[String: Any]])?.enumerated().map { $1["look"] as? Int ?? $0 }
    }
    #expect(looks == [[1, 0, 2], [0, 1, 2]])
    #expect(try plot("Gravity")["range"] == nil && plot("Gravity")["words"] == nil)
    let words = PlotPlan.words(in: "1 near, 0 far, -1 unknown state")
    #expect(words?.map(\.value) == [-1, 0, 1] && words?.map(\.text) == ["unknown state", "far", "near"])
    for meaning in ["1 if walking, else 0", "air pressure", "0 dark to 1", ""] {
      #expect(PlotPlan.words(in: meaning) == nil, "\(meaning)")
    }
  }

  @Test("further filters are drawn by their difference from the first")
  func filters() async throws {
    let log = try folder.walk("walk.csv")
    let page = try await folder.page(of: log, ["kalman", "kalman", "vqf"])
    #expect(page.tables.compactMap { $0["name"] as? String } == ["fusion", "kalman", "vqf"])
    #expect(try page.column("total", table: 1).values.allSatisfy { abs($0) < 1e-3 })
    let other = try page.column("inclination", table: 2).values
    #expect(other.count == 2000 && (0.01...10).contains(other.max() ?? 0))
  }

  @Test("with a reference the scores equal those of evaluate, the errors match them, and the bytes are always the same")
  func reference() async throws {
    let log = try folder.walk("walk.csv")
    let judge = { (evaluation: inout EvaluationJob.Options) in
      (evaluation.referencePath, evaluation.referenceFrame) = (log + ".truth.csv", .nwu)
      evaluation.comparison.alignment = .yaw
    }
    let page = try await folder.page(of: log, ["kalman", "vqf"]) { judge(&$0.evaluation) }
    let again = try await folder.page(of: log, ["kalman", "vqf"], to: "again.html") { judge(&$0.evaluation) }
    #expect(page.result.unjudged == nil && page.text == again.text)
    var evaluation = EvaluationJob.Options()
    (evaluation.filters, evaluation.measuresCost) = (["kalman", "vqf"], false)
    judge(&evaluation)
    let judged = try EvaluationJob(options: evaluation).run(on: log)
    #expect(page.result.scores.map(\.errors) == judged.scores.map(\.errors) && judged.scores.count == 2)
    let position = try #require(page.tables.firstIndex { $0["name"] as? String == "error of kalman" })
    let errors = try page.column("total", table: position).values
    let rmse = (errors.map { $0 * $0 }.reduce(0, +) / Double(errors.count)).squareRoot()
    #expect(abs(rmse - judged.scores[0].errors.total.rmse) < 0.01)
  }

  @Test("a page has at most the given size, keeps every peak, and states the omitted samples; full has every sample")
  func size() async throws {
    let log = try folder.walk("walk.csv", duration: 120)
    let few = try await folder.page(of: log, to: "small.html") { $0.largestPage = 500_000 }
    #expect(few.result.size <= 500_000 && few.result.samples < few.result.rows && few.result.rows == 12_000)
    let all = try await folder.page(of: log, to: "full.html") { ($0.largestPage, $0.hasAllSamples) = (500_000, true) }
    #expect(all.result.samples == 12_000 && all.result.size > few.result.size)
    for name in ["userAccelerationZ", "rotationRateX"] {
      let (some, step) = try few.column(name)
      // The first row has no user acceleration yet.
      let one = some.filter { !$0.isNaN }
      let other = try all.column(name).values.filter { !$0.isNaN }
      #expect(abs((one.max() ?? 0) - (other.max() ?? 1)) <= 2 * step, "\(name)")
      #expect(abs((one.min() ?? 0) - (other.min() ?? 1)) <= 2 * step, "\(name)")
    }
    #expect(few.tables[0]["rowsPerPair"] as? Int ?? 0 > 2 && all.tables[0]["rowsPerPair"] as? Int == 2)
  }

  @Test("an existing file is not replaced, and a log that cannot be fused is an error with its line")
  func refusals() async throws {
    let log = try folder.walk("walk.csv")
    folder.files.write("kept", to: "walk.csv.report.html")
    await #expect(throws: FusionError.self) { _ = try await folder.page(of: log) }
    #expect(folder.files.text("walk.csv.report.html") == "kept")
    let broken = folder.files.write("time,accelerationX\n0,nothing\n", to: "broken.csv")
    await #expect(throws: FusionError.self) { _ = try await folder.page(of: broken) }
    #expect(!FileManager.default.fileExists(atPath: broken + ".report.html"))
  }
}

@Suite("The overview of many recordings") struct FolderReportTests {
  private let folder = try! PageFolder()

  @Test("a folder has a line and a page for each log; one that cannot be shown is listed and does not end the others")
  func folder() async throws {
    let logs = try [folder.walk("a.csv", duration: 8), folder.walk("b.csv", duration: 12)]
    let broken = folder.files.write("time,accelerationX\n0,nothing\n", to: "c.csv")
    let report = FolderReport(
      recordings: zip(logs + [broken], ["x/a.csv", "b.csv", "c.csv"]).map { .init(input: $0, name: $1) },
      output: folder.path("out"), title: "Walks", options: try PageFolder.options())
    var failures = 0
    try await report.run(done: { if case .failed = $1 { failures += 1 } })
    #expect(failures == 1)
    let text = try String(contentsOfFile: report.index, encoding: .utf8)
    let document = try JSONSerialization.jsonObject(with: Data(GeneratedPage.element("facts", in: text).utf8))
    let content = try #require(document as? [String: Any])
    let pages = try #require(content["pages"] as? [String])
    #expect(pages == ["recordings/x-a.csv.html", "recordings/b.csv.html"])
    for page in pages { #expect(FileManager.default.fileExists(atPath: folder.path("out/" + page))) }
    let rows = try #require((content["grid"] as? [String: Any])?["rows"] as? [[Any]])
    #expect(rows.map { $0[0] as? String } == ["x/a.csv", "b.csv"])
    let columns = try #require((content["grid"] as? [String: Any])?["columns"] as? [[String: Any]])
    func cell(_ name: String) -> Double? {
      columns.firstIndex { $0["name"] as? String == name }.flatMap { rows[1][$0] as? Double }
    }
    #expect(cell("duration").map { abs($0 - 12) < 0.1 } == true)
    #expect(cell("trusted").map { (0...100).contains($0) } == true && (cell("largest acceleration") ?? 0) > 1)
    #expect((content["odd"] as? [Any])?.isEmpty == true)
    let glance = try #require((content["glances"] as? [[String: Any]])?.last)
    #expect((glance["acceleration"] as? [Any])?.count == 120)
    let trust = try #require(glance["trust"] as? [[Double]])
    #expect(trust.first?[0] == 0 && trust.last?[1] == 1 && zip(trust, trust.dropFirst()).allSatisfy { $0[1] == $1[0] })
    #expect((content["failures"] as? [[String: String]])?.first?["name"] == "c.csv")
  }

  @Test("a recording that differs from most others in rate is named with both rates")
  func odd() async throws {
    let logs = try (0..<5).map { try folder.walk("log\($0).csv", duration: 4) }
    // Every second row: half the rate.
    let lines = try String(contentsOfFile: logs[3], encoding: .utf8).split(separator: "\n")
    let slow = lines.prefix(1) + lines.dropFirst().enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    try slow.joined(separator: "\n").write(toFile: logs[3], atomically: true, encoding: .utf8)
    let report = FolderReport(
      recordings: logs.enumerated().map { .init(input: $1, name: "log\($0)") }, output: folder.path("out"),
      title: "Walks", options: try PageFolder.options())
    try await report.run()
    let text = try String(contentsOfFile: report.index, encoding: .utf8)
    let document = try JSONSerialization.jsonObject(with: Data(GeneratedPage.element("facts", in: text).utf8))
    let odd = (document as? [String: Any])?["odd"] as? [[String: String]]
    #expect(odd?.map { $0["name"] } == ["log3"])
    #expect(odd?.first?["value"]?.contains("rate 49.9 Hz, the median is 100.0 Hz") == true, "\(odd ?? [])")
  }

  @Test("names of pages are plain and unique")
  func names() {
    #expect(
      FolderReport.pageNames(["a/b c.csv", "a-b-c.csv", ".hidden", "<x>&.csv"])
        == ["a-b-c.csv.html", "a-b-c.csv-2.html", "-.hidden.html", "-x--.csv.html"])
    let long = FolderReport.pageNames([300, 400].map { String(repeating: "é", count: $0) + ".csv" })
    #expect(long[0] != long[1] && long.allSatisfy { $0.utf8.count < 255 })
  }

  @Test("without a log that can be shown there is no folder")
  func nothing() async throws {
    let report = FolderReport(
      recordings: [.init(input: folder.path("none.csv"), name: "none.csv")], output: folder.path("out"), title: "None",
      options: try PageFolder.options())
    await #expect(throws: FusionError.self) { try await report.run() }
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  /// A drive round a corner with a fix each second, as a folder of a phone's.
  private func drive() -> String {
    var acceleration = "time (s),accelerationX (m/s2),accelerationY (m/s2),accelerationZ (m/s2)\n"
    var rate = "time (s),rotationRateX (rad/s),rotationRateY (rad/s),rotationRateZ (rad/s)\n"
    var location = "time,latitude,longitude,locationAltitude,speed,course,horizontalAccuracy,speedAccuracy\n"
    // Forward is the device's Y, up its Z; a left turn from 30 s to 40 s.
    var (speed, course, east, north) = (0.0, 0.3, 0.0, 0.0)
    for index in 0..<6000 {
      let time = Double(index) / 100
      let push = time > 5 && time < 10 ? 2.0 : time > 20 && time < 24 ? -1.5 : time > 44 && time < 48 ? 1.5 : 0
      let turn = time > 30 && time < 40 ? 0.12 : 0
      if index % 100 == 0 {
        location +=
          "\(time),\(48 + north / 111_200),\(16 + east / 74_500),200,\(speed),\((course * 180 / .pi + 360).truncatingRemainder(dividingBy: 360)),3,0.2\n"
      }
      acceleration += "\(time),\(-speed * turn),\(push),9.81\n"
      rate += "\(time),0,0,\(turn)\n"
      speed += push * 0.01
      course -= turn * 0.01
      east += speed * sin(course) * 0.01
      north += speed * cos(course) * 0.01
    }
    for (name, text) in [("Accelerometer", acceleration), ("Gyroscope", rate), ("Location", location)] {
      folder.files.write(text, to: "drive/\(name).csv")
    }
    return folder.path("drive")
  }

  /// Every number of a JSON value.
  private static func numbers(_ value: Any) -> [Double] {
    if let list = value as? [Any] { return list.flatMap(numbers) }
    if let object = value as? [String: Any] { return object.values.flatMap(numbers) }
    return (value as? NSNumber).map { [$0.doubleValue] } ?? []
  }

  @Test("a walk's path is drawn in plan view, with its basis and the uncertainty of its end; its height is unknown")
  func walkedPath() async throws {
    let log = try folder.walk("walk.csv", duration: 60)
    let page = try await folder.page(of: log)
    let path = try #require(page.content["path"] as? [String: Any])
    let note = try #require(path["note"] as? String)
    #expect(note == page.result.path)
    for words in ["Placement: in a hand", "steps", "95 %", "1.70 m", "height is unknown", "rotated about its start"] {
      #expect(note.contains(words), "\(note)")
    }
    let chart = try #require(path["chart"] as? [String: Any])
    let curves = try #require(chart["curves"] as? [[String: Any]])
    let map = try #require(chart["map"] as? [String: Any])
    #expect(map["isNorthUp"] as? Bool == false && (path["plots"] as? [Int])?.isEmpty == true)
    #expect(curves.compactMap { $0["label"] as? String }.first == "0–15 s")
    let points = curves.reduce(0) { $0 + (($1["x"] as? [Double])?.count ?? 0) }
    #expect((50...2500).contains(points) && Self.numbers(chart).allSatisfy { $0.isFinite })

    // The end and its ellipse equal the dataset's.
    var options = FusionOptions()
    options.recognitions = [.track]
    options.motion.frame = .commandDefault
    let (table, _) = try FusionJob(input: log, options: options).table()
    let places = try #require(map["places"] as? [[String: Any]])
    let end = (try #require(places.last?["x"] as? Double), try #require(places.last?["y"] as? Double))
    let known = (try #require(table["positionX"]?.last), try #require(table["positionY"]?.last))
    #expect(hypot(end.0 - known.0, end.1 - known.1) < 0.01)
    let areas = try #require(map["areas"] as? [[String: Any]])
    let outline = try #require((areas.last?["outlines"] as? [[Double]])?.first)
    let reach = stride(from: 0, to: outline.count, by: 2).map { outline[$0] - end.0 }.max()!
    let sigma = try #require(table["positionSigmaX"]?.last)
    #expect(abs(reach / (2.4477 * sigma) - 1) < 0.1)
  }

  @Test("a drive's path has north up, its fixes and its height over time")
  func drivenPath() async throws {
    let page = try await folder.page(of: drive(), to: "drive.html")
    let path = try #require(page.content["path"] as? [String: Any])
    let note = try #require(path["note"] as? String)
    for words in [
      "in a vehicle", "60 position fixes", "without lateral or vertical velocity", "m in height", "north or south",
    ] { #expect(note.contains(words), "\(note)") }
    let map = try #require((path["chart"] as? [String: Any])?["map"] as? [String: Any])
    #expect(map["isNorthUp"] as? Bool == true)
    let fixes = try #require((map["dots"] as? [[String: Any]])?.first)
    #expect(fixes["label"] as? String == "position fix, 68 % radius")
    #expect((fixes["radii"] as? [Double])?.allSatisfy { abs($0 - 3) < 0.06 } == true)
    let anchor = try #require(map["anchor"] as? [Double])
    #expect(abs(anchor[0] - 48) < 1e-3 && abs(anchor[1] - 16) < 1e-3 && abs(anchor[2] * 111_200 - 1) < 1e-3)
    let plot = page.plots[try #require((path["plots"] as? [Int])?.first)]
    #expect(plot["title"] as? String == "Height of the path")
    let table = try #require(page.tables.firstIndex { $0["name"] as? String == "path" })
    #expect(try page.column("height", table: table).values.filter { !$0.isNaN }.allSatisfy { abs($0) < 10 })
  }

  @Test(
    "a log without evidence of a path states the reason in one line; without a request the page has neither")
  func noPath() async throws {
    let log = try folder.walk("turns.csv", trajectory: RandomSplineTrajectory(duration: 20, seed: 3))
    let path = try #require(try await folder.page(of: log).content["path"] as? [String: Any])
    #expect(path["chart"] == nil && (path["plots"] as? [Int])?.isEmpty == true)
    let note = try #require(path["note"] as? String)
    #expect(note.hasPrefix("No path is shown: the log has no steps of a walk") && !note.contains("\n"))
    let vehicle = try await folder.page(of: log, to: "v.html") { $0.fusion.track.carrying = .vehicle }.result.path
    #expect(vehicle?.hasPrefix("No path is shown: a vehicle's path needs position fixes, but the log") == true)
    let unasked = try await folder.page(of: log, to: "u.html") { $0.fusion.recognitions = [.steps] }
    #expect(unasked.result.path == nil && unasked.content["path"] == nil)
  }

  @Test("a log of a robot has no activity and no steps, unless they are requested")
  func robot() async throws {
    let units = ["w_RS_S_": "[rad s^-1]", "a_RS_S_": "[m s^-2]"]
    let names = ["w_RS_S_", "a_RS_S_"].flatMap { name in ["x", "y", "z"].map { "\(name)\($0) \(units[name]!)" } }
    let rows = (0..<1500).map { "\($0 * 10_000_000),0,0,0,0,\(sin(Double($0) / 9)),9.80665" }
    let text = "#timestamp [ns]," + names.joined(separator: ",") + "\n" + rows.joined(separator: "\n") + "\n"
    folder.files.write(text, to: "rec/mav0/imu0/data.csv")
    let log = folder.path("rec")
    let kinds: Set = ["motionActivity", "stepCount", "shakeProbability"]
    func recognised(_ page: GeneratedPage) -> Set<String> {
      kinds.intersection(page.result.fusion.recognised.map(\.column))
    }
    #expect(recognised(try await folder.page(of: log)) == ["shakeProbability"])
    #expect(recognised(try await folder.page(of: log, to: "all.html") { $0.isRecognitionGiven = true }) == kinds)
  }
}
