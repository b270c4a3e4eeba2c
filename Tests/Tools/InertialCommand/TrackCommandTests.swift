import TestSupport
import Testing

@Suite("inertial track") struct TrackCommandTests {
  private let runner = try! CommandRunner()

  /// A simulated walk of 40 s with a handheld phone, as `walk/log.csv`.
  private func simulateWalk() throws { try runner.simulate("walk", to: "walk", "--duration", "40") }

  @Test("A walk is detected from the motion, has a path, and follows the fused columns", arguments: [[], ["--smooth"]])
  func walk(form: [String]) throws {
    try simulateWalk()
    try runner.check(["track", "walk/log.csv", "-o", "path.csv"] + form, output: "on hand: no swings of a foot")
    let path = try runner.columns("path.csv")
    #expect(path.header[0] == "time")
    func last(_ name: String) throws -> Double { try #require(path[name].last) }
    #expect(try hypot(last("positionX"), last("positionY")) > 5 && last("positionSigmaX") > 0.3)
    #expect(try last("step") > 10 && last("trackLatitude").isNaN)
  }

  @Test("fuse --with track writes the same columns")
  func fuse() throws {
    try simulateWalk()
    try runner.check("track", "walk/log.csv", "-o", "a.csv", "--on", "hand")
    try runner.check("fuse", "walk/log.csv", "-o", "b.csv", "--with", "track", "--on", "hand")
    #expect(try runner.read("a.csv") == (try runner.read("b.csv")))
  }

  @Test("Trajectories have the positions")
  func trajectories() throws {
    try simulateWalk()
    try runner.check("track", "walk/log.csv", "-o", "path.tum", "--smooth")
    let last = try #require(try runner.read("path.tum").split(separator: "\n").last)
    let fields = last.split(separator: " ").compactMap { Double($0) }
    #expect(fields.count == 8 && abs(fields[1]) + abs(fields[2]) > 5)
  }

  @Test("A map needs the geographic origin of the path", arguments: ["geojson", "gpx", "kml"])
  func maps(format: String) throws {
    try simulateWalk()
    let lost = try runner.run("track", "walk/log.csv", "-o", "a.csv", "--map", "a." + format)
    #expect(lost.status != 0 && lost.errors.contains("--latitude and --longitude"))
    try runner.check(
      "track", "walk/log.csv", "-o", "b.csv", "--map", "b." + format, "--latitude", "48.2", "--longitude", "16.3")
    let text = try runner.read("b." + format)
    #expect(text.contains("48.2"))
    if format == "geojson" {
      let document = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(document["type"] as? String == "Feature")
    } else {
      #expect(text.contains(format == "gpx" ? "</gpx>" : "</kml>"))
    }
  }

  @Test(
    "Invalid requests are reported in one line",
    arguments: [
      (["track", "walk/log.csv", "--on", "vehicle"], 1, "needs position fixes"),
      (["track", "walk/log.csv", "--map", "a.shp"], 2, ".geojson, .gpx or .kml"),
      (["track", "walk/log.csv", "--height", "9"], 2, "0.5 to 2.6"),
      (["fuse", "-", "--follow", "--with", "track"], 2, "--on foot"),
      (["track", "walk/log.csv", "--closed", "--online"], 2, "--closed and --online exclude each other"),
      (["track", "walk/log.csv", "--online"], 2, "add --on foot"),
      (["track", "walk/log.csv", "--online", "--smooth"], 2, "--online and --smooth exclude each other"),
      (["track", "walk/log.csv", "--closed"], 2, "--closed needs a sensor on a foot, and this is on hand"),
      (["track", "walk/log.csv", "-o", "walk/log.csv", "--force"], 2, "walk/log.csv"),
    ] as [([String], Int32, String)])
  func refused(arguments: [String], status: Int32, words: String) throws {
    try simulateWalk()
    try runner.check(arguments, status: status, errors: words)
  }

  /// A minute of a device with a fix per second due north, at 1.3 m/s; a belt swings like a foot, but has
  /// no strides.
  private func belt(fixes: Bool = true) -> String {
    let names = fixes ? ",latitude,longitude,horizontalAccuracy,speed,course\n" : "\n"
    return "\(CanonicalLog.motionHeader.dropLast())\(names)"
      + (0..<6000).map { row -> String in
        let (time, noise) = (Double(row) / 100, 0.004 * Double(row % 3 - 1))
        let phase = time.truncatingRemainder(dividingBy: 1.2)
        let sign = Int(time / 1.2).isMultiple(of: 2) ? -1.0 : 1
        let turn = fixes && phase < 0.4 ? 5.2 * sin(.pi * phase / 0.4) * sign : noise
        let fix = row % 100 == 0 ? ",\(47 + 1.3 * time / 111_195),8,5,1.3,0" : ",,,,,"
        return "\(time),\(noise),\(-1 + noise),0.001,0.001,\(turn),\(noise)" + (fixes ? fix : "") + "\n"
      }.joined()
  }

  @Test(
    "Position fixes are used for foot, hand and vehicle, and no sigma is 0",
    arguments: ["auto", "foot", "hand", "vehicle"], [[], ["--online"], ["--smooth"]])
  func fixes(on: String, form: [String]) throws {
    guard on != "auto" || form != ["--online"] else { return }
    try runner.write(belt(), to: "belt.csv")
    try runner.check(["track", "belt.csv", "-o", "path.csv", "--on", on, "--map", "path.gpx"] + form)
    let path = try runner.columns("path.csv")
    func last(_ name: String) throws -> Double { try #require(path[name].last) }
    #expect(try abs(last("positionX") - 77) < 15 && abs(last("positionY")) < 15)
    #expect(try abs(last("trackLatitude") - 47.0007) < 2e-4)
    for name in path.header where name.contains("Sigma") { #expect(!path[name].contains(0), "\(name)") }
  }

  @Test("Unknown values of a path are null", arguments: ["auto", "hand", "pocket", "body", "vehicle"])
  func unknown(on: String) throws {
    try runner.write(belt(fixes: false), to: "rest.csv")
    let document = try runner.check("track", "rest.csv", "-o", "path.csv", "--json", "--on", on, status: 1).json()
    for name in ["length", "distance", "height", "sigma", "heightSigma"] {
      #expect(document[name] is NSNull, "\(name) is \(String(describing: document[name]))")
    }
    #expect(document["lack"] is String)
  }

  @Test("The path has exactly the steps of inertial steps")
  func steps() throws {
    try simulateWalk()
    func count(_ arguments: String...) throws -> Int {
      try #require(try runner.run(arguments + ["--json"]).json()["steps"] as? Int)
    }
    let tracked = try count("track", "walk/log.csv", "-o", "a.csv")
    #expect(try tracked > 20 && tracked == (try count("steps", "walk/log.csv")))
  }

  @Test("A simulated foot returns to its start, and --closed ends the path there, with the original closure error")
  func foot() throws {
    try runner.simulate("strides", to: "shoe", "--duration", "60", "--set", "side=12")
    func track(_ arguments: String...) throws -> [String: Any] {
      try runner.document(["track", "shoe/log.csv", "-o", "a.csv", "--force"] + arguments)
    }
    let (open, closed) = (try track(), try track("--closed"))
    func number(_ document: [String: Any], _ name: String) throws -> Double { try #require(document[name] as? Double) }
    #expect(open["on"] as? String == "foot" && open["steps"] as? Int == 48 && open["openDistance"] == nil)
    #expect(try number(open, "distance") < 1.5 && number(open, "distance") < 3 * number(open, "sigma"))
    #expect(try abs(number(open, "length") - 48 * 1.3) < 4)
    #expect(try number(closed, "distance") < 0.15 && number(closed, "sigma") < 0.16)
    #expect(try abs(number(closed, "openDistance") - number(open, "distance")) < 1e-9)
    #expect(try abs(number(closed, "openSigma") - number(open, "sigma")) < 1e-9)
  }

  @Test("Without a walk there is no path: its columns are empty, and the status is 1", arguments: [[], ["--smooth"]])
  func nothing(form: [String]) throws {
    try runner.simulate("random-spline", to: "still", "--duration", "30")
    try runner.check(
      ["track", "still/log.csv", "-o", "a.csv"] + form, status: 1,
      output: "with empty path columns", errors: "no path: the log has no steps of a walk")
    let path = try runner.columns("a.csv")
    #expect(path["positionX"].count > 2900 && path["positionX"].allSatisfy { $0.isNaN })
    #expect(path["time"].allSatisfy { $0.isFinite })
  }

  @Test("Before the first step the sigma grows with the possible distance of a walk")
  func beforeSteps() throws {
    try simulateWalk()
    try runner.check("track", "walk/log.csv", "-o", "a.csv", "--on", "hand", "--online")
    let path = try runner.columns("a.csv")
    let (times, sigmas, steps) = (path["time"], path["positionSigmaX"], path["step"])
    for (row, step) in steps.enumerated() where step == 0 {
      let elapsed = times[row] - times[0]
      #expect(sigmas[row] > 1.49 * elapsed && sigmas[row] < 1 + 1.6 * elapsed)
    }
    #expect(sigmas[try #require(steps.firstIndex { $0 > 0 })] < 2)
  }

  @Test("One JSON document describes the path")
  func json() throws {
    try simulateWalk()
    let document = try runner.document("track", "walk/log.csv", "-o", "a.csv", "--on", "hand")
    #expect(document["on"] as? String == "hand" && document["reason"] as? String == "set by --on")
    #expect(try #require(document["length"] as? Double) > 5)
  }
}
