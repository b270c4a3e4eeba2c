import Testing

@Suite("inertial altitude") struct AltitudeCommandTests {
  private let runner = try! CommandRunner()

  /// The altitude in metres: rest on the ground, 6 m by lift from 20 s to 28 s, rest above.
  private func altitude(_ time: Double) -> Double {
    let t = min(max(time - 20, 0), 8)
    return 6 / 8 * (t - 8 / (2 * Double.pi) * sin(2 * .pi * t / 8))
  }

  private func acceleration(_ time: Double) -> Double {
    (20..<28).contains(time) ? 6 / 8 * 2 * .pi / 8 * sin(2 * .pi * (time - 20) / 8) : 0
  }

  private enum Columns: String { case pressure, relativeAltitude, none }

  /// Device motion at 50 Hz, face up, with a barometer at 5 Hz in the same rows.
  private func writeLog(_ name: String = "log.csv", barometer: Columns = .pressure, motion: Bool = true) throws {
    var header = ["time"]
    if motion {
      header += ["accelerationX", "accelerationY", "accelerationZ", "rotationRateX", "rotationRateY", "rotationRateZ"]
    }
    if barometer != .none { header.append(barometer.rawValue) }
    var lines = [header.joined(separator: ",")]
    for index in 0..<2500 {
      let time = Double(index) / 50
      var fields = ["\(time)"]
      if motion { fields += ["0", "0", "\(-1 - acceleration(time) / 9.80665)", "0", "0", "0"] }
      let isReported = index % 10 == 0
      switch barometer {
      case .pressure: fields.append(isReported ? "\(StandardAtmosphere.pressure(altitude: 50 + altitude(time)))" : "")
      case .relativeAltitude: fields.append(isReported ? "\(altitude(time))" : "")
      case .none: break
      }
      if motion || isReported { lines.append(fields.joined(separator: ",")) }
    }
    try runner.write(lines.joined(separator: "\n") + "\n", to: name)
  }

  private func rows(_ document: [String: Any], _ name: String) throws -> [[String: Any]] {
    try #require(document[name] as? [[String: Any]])
  }

  @Test("samples have the barometer's times, and the ride is one ascent by lift")
  func ride() throws {
    try writeLog()
    let document = try runner.document("altitude", "log.csv")
    let samples = try rows(document, "samples")
    #expect(samples.count == 250 && samples.first?["relativeAltitude"] as? Double == 0)
    #expect(abs(try #require(samples.first?["pressure"] as? Double) - StandardAtmosphere.pressure(altitude: 50)) < 1e-6)
    let last = try #require(samples.last)
    #expect(abs(try #require(last["relativeAltitude"] as? Double) - 6) < 0.01)
    #expect(abs(try #require(last["filteredAltitude"] as? Double) - 6) < 0.3)
    #expect(Set(["time", "filteredAltitudeSigma", "verticalSpeed", "verticalSpeedSigma"]).isSubset(of: Set(last.keys)))
    let floors = try rows(document, "floors")
    #expect(floors.count == 1)
    let floor = try #require(floors.first)
    #expect(floor["kind"] as? String == "lift" && floor["direction"] as? String == "up" && floor["floors"] as? Int == 2)
    #expect(abs(try #require(floor["height"] as? Double) - 6) < 0.5)
    #expect(abs(try #require(floor["start"] as? Double) - 20) < 2.5)
    // No stairs were climbed.
    #expect(document["floorsAscended"] as? Int == 0)
  }

  @Test("--all gives samples at the motion's times, and --rate at a fixed rate")
  func rates() throws {
    try writeLog()
    let all = try rows(runner.document("altitude", "log.csv", "--all"), "samples")
    #expect(all.count > 2400)
    let some = try rows(runner.document("altitude", "log.csv", "--rate", "10"), "samples")
    #expect((480...500).contains(some.count))
    let times = some.compactMap { $0["time"] as? Double }
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.1) < 0.021 })
    let online = try rows(runner.document("altitude", "log.csv", "--rate", "10", "--online"), "samples")
    #expect(online.compactMap { $0["time"] as? Double } == times)
    for rows in [some, online] { #expect(abs(try #require(rows.last?["filteredAltitude"] as? Double) - 6) < 0.3) }
    let speeds = some.compactMap { $0["verticalSpeed"] as? Double }
    #expect(abs((speeds.max() ?? 0) - 1.5) < 0.2)
  }

  @Test("relative altitude without pressure is sufficient, and so is a barometer without motion")
  func otherLogs() throws {
    try writeLog("device.csv", barometer: .relativeAltitude)
    let device = try runner.document("altitude", "device.csv")
    #expect(try rows(device, "samples").allSatisfy { $0["pressure"] == nil })
    #expect(try rows(device, "floors").first?["kind"] as? String == "lift")
    try writeLog("alone.csv", motion: false)
    let alone = try runner.document("altitude", "alone.csv")
    #expect(try rows(alone, "samples").count == 250 && alone["source"] == nil)
    let floor = try #require(rows(alone, "floors").first)
    #expect(floor["kind"] as? String == "unknown" && floor["steppingShare"] == nil)
    #expect(floor["direction"] as? String == "up")
  }

  @Test("fuse --with altitude gives the same values in every row, from a file and from a pipe")
  func fuse() throws {
    try writeLog()
    let arguments = ["-o", "-", "--with", "altitude", "--columns-out", "time,filteredAltitude,verticalSpeed"]
    let file = try runner.check(["fuse", "log.csv"] + arguments)
    let table = file.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",").compactMap { Double($0) }
    }
    let all = try rows(runner.document("altitude", "log.csv", "--all"), "samples")
    #expect(table.count == 2500)
    let known = table.filter { $0.count == 3 }
    #expect(abs(known.count - all.count) <= 1)
    let (last, expected) = (try #require(known.last), try #require(all.last))
    #expect(abs(last[1] - (try #require(expected["filteredAltitude"] as? Double))) < 1e-6)
    #expect(abs(last[2] - (try #require(expected["verticalSpeed"] as? Double))) < 1e-6)
    #expect(try runner.run(["fuse", "-"] + arguments, input: runner.read("log.csv")).output == file.output)
    // Without a barometer the columns exist and are empty.
    try writeLog("none.csv", barometer: .none)
    let none = try runner.run(["fuse", "none.csv"] + arguments)
    #expect(none.status == 0 && none.output.hasSuffix(",,\n"))
  }

  @Test("the text output has a profile and a table")
  func text() throws {
    try writeLog()
    let result = try runner.check("altitude", "log.csv", output: "█", "lift      up")
    #expect(result.output.contains("end 6.") || result.output.contains("end 5.9"), "\(result.output)")
  }

  @Test("a log without a barometer is a one-line error; a usage error exits with 2")
  func errors() throws {
    try writeLog(barometer: .none)
    try runner.check("altitude", "log.csv", status: 1, errors: "no barometer", lines: 1)
    for arguments in [
      ["--rate", "0"], ["--rate", "nan"], ["--rate", "5", "--all"], ["--barometer-lag", "-1"], ["--floor-height", "0"],
    ] { try runner.check(["altitude", "log.csv"] + arguments, status: 2) }
  }
}
