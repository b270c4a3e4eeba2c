import TestSupport
import Testing

/// Positions and dates from the log and from options, in the frame of true north.
@Suite struct TrueNorthCommandTests {
  private let runner = try! CommandRunner()

  private static let frame = ["--field", "calibrated", "--frame", "xTrueNorthZVertical"]
  /// 2019-07-02 12:00 UTC, the middle of the year.
  private static let start = 1_562_068_800
  private static let zurich = Place(latitude: 47.4, longitude: 8.5)

  /// A device at rest for two seconds; the position follows after half a second.
  private static func log(_ place: String, isDated: Bool) -> String {
    let header = CanonicalLog.header.dropLast() + ",latitude,longitude\n"
    return header
      + (0..<200).map { row in
        let time = isDated ? "\(start * 1_000_000_000 + row * 10_000_000)" : "\(Double(row) / 100)"
        return "\(time),0.01,0.02,-1,0.001,0,0.002,20,5,-40,\(row == 50 ? place : ",")\n"
      }.joined()
  }

  private func declination(_ result: CommandRunner.Result) throws -> [String: Any] {
    try #require(result.status == 0, "\(result.errors)")
    return try #require(try result.json()["declination"] as? [String: Any])
  }

  private func lastHeading(_ options: [String]) throws -> Double {
    let result = try runner.check(["fuse", "log.csv", "-o", "-", "--columns-out", "heading"] + options)
    return try #require(result.output.split(separator: "\n").last.flatMap { Double($0) })
  }

  @Test("the position and date of the log rotate the heading by the declination, as in a motion manager")
  func ofLog() throws {
    try runner.write(Self.log("47.4,8.5", isDated: true), to: "log.csv")
    let result = try runner.run(["fuse", "log.csv", "-o", "out.csv", "--json"] + Self.frame)
    let reported = try declination(result)
    let expected = try MagneticModel.elements(latitude: 47.4, longitude: 8.5, decimalYear: 2019.4986).declination
    #expect(reported["place"] as? String == "log" && reported["date"] as? String == "log")
    #expect(reported["model"] as? String == "WMM-2015v2" && reported["latitude"] as? Double == 47.4)
    #expect(abs((reported["degrees"] as! Double) - expected) < 1e-3 && result.errors.isEmpty, "\(result.errors)")
    let turned =
      try lastHeading(Self.frame) - lastHeading(["--field", "calibrated", "--frame", "xMagneticNorthZVertical"])
    #expect(abs(remainder(turned, 360) - expected) < 1e-3)
    let source = try RecordingSource(path: runner.path("log.csv"))
    #expect(try #require(source.declination) * 180 / .pi == reported["degrees"] as? Double)
    let summary = try runner.run(["fuse", "log.csv", "-o", "other.csv"] + Self.frame)
    #expect(
      summary.output.contains(
        "° east, WMM-2015v2 at 47.4000, 8.5000 (place from the log) in 2019.50 (date from the log)"))
  }

  @Test("options override position and date of the log separately, and the dataset lists the used values")
  func options() throws {
    try runner.write(Self.log("47.4,8.5", isDated: true), to: "log.csv")
    let place = try declination(
      runner.run(
        ["fuse", "log.csv", "-o", "a.csv", "--json", "--metadata", "--latitude", "-33.4", "--longitude", "-70.6"]
          + Self.frame))
    #expect(place["place"] as? String == "given" && place["date"] as? String == "log")
    #expect(place["latitude"] as? Double == -33.4 && place["model"] as? String == "WMM-2015v2")
    let facts = try runner.json("a.csv.json")
    #expect(facts["declination"] as? Double == place["degrees"] as? Double)
    #expect(facts["latitude"] as? Double == -33.4 && facts["placeOrigin"] as? String == "given")
    #expect(facts["dateOrigin"] as? String == "log" && facts["magneticModel"] as? String == "WMM-2015v2")
    let date = try declination(
      runner.run(["fuse", "log.csv", "-o", "b.csv", "--json", "--date", "2026-01-01"] + Self.frame))
    #expect(date["place"] as? String == "log" && date["date"] as? String == "given")
    #expect(date["decimalYear"] as? Double == 2026 && date["model"] as? String == "WMM-2025")
  }

  @Test("a position without a date uses the newest model's epoch, with a warning", arguments: [true, false])
  func withoutDate(isGiven: Bool) throws {
    try runner.write(Self.log(isGiven ? "," : "47.4,8.5", isDated: false), to: "log.csv")
    let place = isGiven ? ["--latitude", "47.4", "--longitude", "8.5"] : []
    let result = try runner.run(["fuse", "log.csv", "-o", "out.csv", "--json"] + place + Self.frame)
    let reported = try declination(result)
    #expect(reported["place"] as? String == (isGiven ? "given" : "log") && reported["date"] as? String == "newestModel")
    #expect(reported["decimalYear"] as? Double == MagneticModel.builtIn.last!.epoch)
    #expect(result.errors.contains("give --date 2024-05-17"), "\(result.errors)")
  }

  @Test("a log without a position is rejected for the frame, and so is standard input")
  func withoutPlace() throws {
    try runner.write(Self.log("0,0", isDated: true), to: "log.csv")
    try runner.check(
      ["fuse", "log.csv", "-o", "out.csv"] + Self.frame, status: 2, errors: "log.csv: the log has no location")
    let text = Self.log("47.4,8.5", isDated: true)
    try runner.check(
      ["fuse", "-", "-o", "out.csv"] + Self.frame, status: 2, errors: "standard input: a stream cannot be read twice",
      input: text)
    #expect(try runner.files() == ["log.csv"])
    let given = ["--json", "--latitude", "47.4", "--longitude", "8.5"]
    let reported = try declination(try runner.run(["fuse", "-", "-o", "out.csv"] + given + Self.frame, input: text))
    #expect(reported["date"] as? String == "log" && reported["model"] as? String == "WMM-2015v2")
  }

  @Test("a log without a position is reported, and the others are fused")
  func batch() throws {
    try runner.write(Self.log("47.4,8.5", isDated: true), to: "a.csv")
    try runner.write(Self.log(",", isDated: true), to: "b.csv")
    try runner.write(Self.log("-33.4,-70.6", isDated: true), to: "c.csv")
    let document = try runner.check(
      ["fuse", "a.csv", "b.csv", "c.csv", "-o", "sets", "--json"] + Self.frame, status: 1,
      errors: "b.csv: the log has no location"
    ).json()
    let places = (document["datasets"] as? [[String: Any]] ?? []).compactMap {
      ($0["declination"] as? [String: Any])?["latitude"] as? Double
    }
    #expect(places == [47.4, -33.4])
  }

  @Test("a stream needs a position, and should have a date")
  func stream() throws {
    let text = Self.log(",", isDated: false)
    try runner.check(
      ["fuse", "-", "--follow"] + Self.frame, status: 2, errors: "a stream has no location", input: text)
    let place = ["--latitude", "47.4", "--longitude", "8.5"]
    try runner.check(["fuse", "-", "--follow"] + place + Self.frame, errors: "give --date", input: text)
    let dated = try runner.run(["fuse", "-", "--follow", "--date", "2026-01-01"] + place + Self.frame, input: text)
    #expect(dated.status == 0 && !dated.errors.contains("give --date"), "\(dated.errors)")
  }

  @Test("a log with a date outside all models is rejected with a remedy")
  func logDateOutOfRange() throws {
    let early = Self.log("47.4,8.5", isDated: true).replacingOccurrences(of: "\n1562", with: "\n1062")
    try runner.write(early, to: "log.csv")
    try runner.check(
      ["fuse", "log.csv", "-o", "out.csv"] + Self.frame, status: 2,
      errors: "log.csv: no magnetic model for the year 2003")
    try runner.check(["fuse", "log.csv", "-o", "out.csv", "--date", "2019-07-02"] + Self.frame)
  }
}

/// A phone in a car, with a satellite receiver for position and date.
@Suite(.needs(.data)) struct TrueNorthRecordingsTests {
  private static let folder = "position-vehicle/comma"
  private static let isThere =
    TestData.folder.map { FileManager.default.fileExists(atPath: "\($0.path)/\(folder)/gnss_ublox.csv") } ?? false

  /// The numeric rows of a file of the recording.
  private func rows(_ name: String) throws -> [[Double]] {
    try String(contentsOf: TestData.url("\(Self.folder)/\(name)"), encoding: .utf8).split(separator: "\n").dropFirst()
      .map { $0.split(separator: ",").map { Double($0) ?? .nan } }
  }

  @Test(
    "position and date of a real drive rotate every heading by the declination of San Francisco",
    .needs(Need("data", "no recording with a location: \(folder) is not among INERTIAL_DATA") { isThere }))
  func drive() throws {
    let runner = try CommandRunner()
    let (motion, fields, places) = (try rows("imu.csv"), try rows("magnetometer.csv"), try rows("gnss_ublox.csv"))
    // The GNSS clock gives the date; forward, right, down is converted to forward, left, up.
    let epoch = places[0][4] / 1000 - places[0][0]
    var lines: [(time: Double, cells: String)] = []
    for row in motion {
      let f = [row[1], -row[2], -row[3]].map { "\(-$0 / 9.80665)" }
      lines.append(
        (row[0], (f + ["\(row[4])", "\(-row[5])", "\(-row[6])", "", "", "", "", ""]).joined(separator: ",")))
    }
    for row in fields { lines.append((row[0], ",,,,,,\(row[1]),\(-row[2]),\(-row[3]),,")) }
    for row in places { lines.append((row[0], ",,,,,,,,,\(row[1]),\(row[2])")) }
    let text =
      CanonicalLog.header.dropLast() + ",latitude,longitude\n"
      + lines.sorted { $0.time < $1.time }.map { "\(Int64((epoch + $0.time) * 1e9)),\($0.cells)\n" }.joined()
    try runner.write(String(text), to: "log.csv")
    func fuse(_ frame: String) throws -> (document: [String: Any], headings: [[Double]]) {
      let document = try runner.document(
        "fuse", "log.csv", "-o", "\(frame).csv", "--field", "calibrated", "--pointing", "+x", "--frame", frame,
        "--columns-out", "time,heading", "--digits", "17")
      return (document, try runner.columns("\(frame).csv").rows)
    }
    let (magnetic, turned) = (try fuse("xMagneticNorthZVertical"), try fuse("xTrueNorthZVertical"))
    let reported = try #require(turned.document["declination"] as? [String: Any])
    let degrees = try #require(reported["degrees"] as? Double)
    #expect(reported["place"] as? String == "log" && reported["date"] as? String == "log")
    // 37.7° N, 122.5° W in August 2018.
    #expect(abs(degrees - 13.5) < 0.3)
    let differences = zip(magnetic.headings, turned.headings).map { remainder($1[1] - $0[1], 360) }
    #expect(differences.count > 5_000 && differences.allSatisfy { abs($0 - degrees) < 1e-9 })
    print(
      "true north: declination \(degrees)° by \(reported["model"] ?? "?"); headings of the two frames differ by "
        + "\(differences.min()!) to \(differences.max()!)° over \(differences.count) rows")
  }
}
