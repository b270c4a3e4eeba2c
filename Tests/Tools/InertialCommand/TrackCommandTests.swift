import Foundation
import Inertial
import Testing

@Suite("inertial track")
struct TrackCommandTests {
  private let runner = try! CommandRunner()

  /// A simulated walk of 40 s with a handheld phone, as `walk/log.csv`.
  private func simulateWalk() throws {
    #expect(try runner.run("simulate", "walk", "-o", "walk", "--duration", "40").status == 0)
  }

  private func table(_ name: String) throws -> (header: [String], rows: [[Double]]) {
    let lines = try runner.read(name).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    return (lines[0].map(String.init), lines.dropFirst().map { $0.map { Double($0) ?? .nan } })
  }

  @Test(
    "A walk is detected from the motion, has a path, and follows the fused columns", arguments: [false, true])
  func walk(smooth: Bool) throws {
    try simulateWalk()
    let result = try runner.run(
      ["track", "walk/log.csv", "-o", "path.csv"] + (smooth ? ["--smooth"] : []))
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("on hand: no swings of a foot"))
    let (header, rows) = try table("path.csv")
    #expect(header[0] == "time")
    let (x, y) = (try #require(header.firstIndex(of: "positionX")), try #require(header.firstIndex(of: "positionY")))
    let last = try #require(rows.last)
    let way = (last[x] * last[x] + last[y] * last[y]).squareRoot()
    #expect(way > 5)
    #expect(last[try #require(header.firstIndex(of: "positionSigmaX"))] > 0.3)
    #expect(last[try #require(header.firstIndex(of: "step"))] > 10)
    #expect(last[try #require(header.firstIndex(of: "trackLatitude"))].isNaN)
  }

  @Test("fuse --with track writes the same columns")
  func fuse() throws {
    try simulateWalk()
    #expect(try runner.run("track", "walk/log.csv", "-o", "a.csv", "--on", "hand").status == 0)
    #expect(try runner.run("fuse", "walk/log.csv", "-o", "b.csv", "--with", "track", "--on", "hand").status == 0)
    #expect(try runner.read("a.csv") == (try runner.read("b.csv")))
  }

  @Test("Trajectories have the positions")
  func trajectories() throws {
    try simulateWalk()
    #expect(try runner.run("track", "walk/log.csv", "-o", "path.tum", "--smooth").status == 0)
    let last = try #require(try runner.read("path.tum").split(separator: "\n").last)
    let fields = last.split(separator: " ").compactMap { Double($0) }
    #expect(fields.count == 8)
    #expect(abs(fields[1]) + abs(fields[2]) > 5)
  }

  @Test("A map needs the geographic origin of the path", arguments: ["geojson", "gpx", "kml"])
  func maps(format: String) throws {
    try simulateWalk()
    let lost = try runner.run("track", "walk/log.csv", "-o", "a.csv", "--map", "a." + format)
    #expect(lost.status != 0)
    #expect(lost.errors.contains("--latitude and --longitude"))
    let found = try runner.run(
      "track", "walk/log.csv", "-o", "b.csv", "--map", "b." + format, "--latitude", "48.2", "--longitude", "16.3")
    #expect(found.status == 0, "\(found.errors)")
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
      (["track", "walk/log.csv", "--on", "vehicle", "--smooth"], 1, "needs position fixes"),
      (["track", "walk/log.csv", "--map", "a.shp"], 2, ".geojson, .gpx or .kml"),
      (["track", "walk/log.csv", "--height", "9"], 2, "0.5 to 2.6"),
      (["fuse", "-", "--follow", "--with", "track"], 2, "--on foot"),
      (["track", "walk/log.csv", "--closed"], 2, "--closed needs --smooth"),
      (["track", "walk/log.csv", "--closed", "--smooth"], 2, "--closed needs a sensor on a foot, and this is on hand"),
      (["track", "walk/log.csv", "-o", "walk/log.csv", "--force"], 2, "walk/log.csv"),
    ] as [([String], Int32, String)])
  func refused(arguments: [String], status: Int32, words: String) throws {
    try simulateWalk()
    let result = try runner.run(arguments)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  /// A minute of a device with a fix per second due north, at 1.3 m/s; a belt swings like a foot, but has
  /// no strides.
  private func belt(fixes: Bool = true) -> String {
    let header = "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ"
    return header + (fixes ? ",latitude,longitude,horizontalAccuracy,speed,course\n" : "\n")
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
    arguments: ["auto", "foot", "hand", "vehicle"], [false, true])
  func fixes(on: String, smooth: Bool) throws {
    try runner.write(belt(), to: "belt.csv")
    let result = try runner.run(
      ["track", "belt.csv", "-o", "path.csv", "--on", on, "--map", "path.gpx"] + (smooth ? ["--smooth"] : []))
    #expect(result.status == 0, "\(result.errors)")
    let (header, rows) = try table("path.csv")
    let last = try #require(rows.last)
    func value(_ name: String) throws -> Double { last[try #require(header.firstIndex(of: name))] }
    let (x, y) = (try value("positionX"), try value("positionY"))
    #expect(abs(x - 77) < 15 && abs(y) < 15)
    #expect(abs(try value("trackLatitude") - 47.0007) < 2e-4)
    for (index, name) in header.enumerated() where name.contains("Sigma") {
      #expect(!rows.contains { $0[index] == 0 }, "\(name)")
    }
  }

  @Test("Unknown values of a path are null", arguments: ["auto", "hand", "pocket", "body", "vehicle"])
  func unknown(on: String) throws {
    try runner.write(belt(fixes: false), to: "rest.csv")
    let result = try runner.run("track", "rest.csv", "-o", "path.csv", "--json", "--on", on)
    #expect(result.status == 1)
    let document = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    for name in ["length", "distance", "height", "sigma", "heightSigma"] {
      #expect(document[name] is NSNull, "\(name) is \(String(describing: document[name]))")
    }
    #expect(document["lack"] is String)
  }

  @Test("The path has exactly the steps of inertial steps")
  func steps() throws {
    try simulateWalk()
    func count(_ arguments: String...) throws -> Int {
      let result = try runner.run(arguments + ["--json"])
      let document = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      return try #require(document["steps"] as? Int)
    }
    let tracked = try count("track", "walk/log.csv", "-o", "a.csv", "--smooth")
    #expect(tracked > 20)
    #expect(tracked == (try count("steps", "walk/log.csv")))
  }

  @Test(
    "A simulated foot returns to its start, and --closed ends the path there, with the original closure error")
  func foot() throws {
    let simulated = try runner.run("simulate", "strides", "-o", "shoe", "--duration", "60", "--set", "side=12")
    #expect(simulated.status == 0, "\(simulated.errors)")
    func track(_ arguments: String...) throws -> [String: Any] {
      let result = try runner.run(
        ["track", "shoe/log.csv", "--smooth", "-o", "a.csv", "--force", "--json"] + arguments)
      #expect(result.status == 0, "\(result.errors)")
      return try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
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

  @Test(
    "Without a walk there is no path: its columns are empty, and the status is 1", arguments: [false, true])
  func nothing(smooth: Bool) throws {
    #expect(try runner.run("simulate", "random-spline", "-o", "still", "--duration", "30").status == 0)
    let result = try runner.run(["track", "still/log.csv", "-o", "a.csv"] + (smooth ? ["--smooth"] : []))
    #expect(result.status == 1 && result.errors.contains("no path: the log has no steps of a walk"), "\(result.errors)")
    #expect(result.output.contains("with empty path columns"))
    let (header, rows) = try table("a.csv")
    let x = try #require(header.firstIndex(of: "positionX"))
    #expect(rows.count > 2900 && rows.allSatisfy { $0[x].isNaN && $0[0].isFinite })
  }

  @Test("Before the first step the sigma grows with the possible distance of a walk")
  func beforeSteps() throws {
    try simulateWalk()
    #expect(try runner.run("track", "walk/log.csv", "-o", "a.csv", "--on", "hand").status == 0)
    let (header, rows) = try table("a.csv")
    let (sigma, step) = (
      try #require(header.firstIndex(of: "positionSigmaX")), try #require(header.firstIndex(of: "step"))
    )
    for row in rows where row[step] == 0 {
      #expect(row[sigma] > 1.49 * (row[0] - rows[0][0]) && row[sigma] < 1 + 1.6 * (row[0] - rows[0][0]))
    }
    #expect(try #require(rows.first { $0[step] > 0 })[sigma] < 2)
  }

  @Test("One JSON document describes the path")
  func json() throws {
    try simulateWalk()
    let result = try runner.run("track", "walk/log.csv", "-o", "a.csv", "--on", "hand", "--json")
    let document = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(document["on"] as? String == "hand")
    #expect(document["reason"] as? String == "set by --on")
    #expect(try #require(document["length"] as? Double) > 5)
  }
}
