import Testing

/// The options `--relative-time` and `--header-units` of `fuse` and `convert`.
@Suite("Times and units of a dataset") struct DatasetHeaderTests {
  private let runner = try! CommandRunner()

  /// A walk whose time starts at 1,000 s, with two barometer values and an annotation.
  private func recording() throws {
    try runner.simulate("walk", "--duration", "10")
    let lines = try runner.read("sim/log.csv").split(separator: "\n")
    let late = lines.dropFirst().enumerated().map { index, line -> String in
      let parts = line.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
      let pressure = index == 100 ? "101.3" : index == 500 ? "101.2" : ""
      return "\(Double(parts[0])! + 1000),\(parts[1]),\(pressure)"
    }
    try runner.write(([lines[0] + ",pressure"] + late).joined(separator: "\n") + "\n", to: "log.csv")
    try runner.write("time,channel,annotation\n1002.5,annotation,here\n", to: "log.events.csv")
  }

  private func rows(_ name: String) throws -> [[String]] { try runner.table(name) }

  @Test("--relative-to adds the attitude relative to the first row or to a time, also in a stream")
  func relativeTo() throws {
    try runner.simulate("walk", "--duration", "4")
    try runner.check("fuse", "sim/log.csv", "-o", "first.csv", "--relative-to", "first")
    let lines = try runner.read("first.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(lines[0].suffix(7).first == "relativeQuaternionX" && lines[0].last == "relativeYaw")
    for (cell, expected) in zip(lines[1].suffix(7), [0, 0, 0, 1, 0, 0, 0.0]) {
      #expect(abs(try #require(Double(cell)) - expected) < 1e-15)
    }
    try runner.check("fuse", "sim/log.csv", "-o", "time.csv", "--relative-to", "2")
    let timed = try runner.read("time.csv").split(separator: "\n")
    #expect(timed[1].hasSuffix(",,,,,,,") && !timed.last!.hasSuffix(","))
    let log = try runner.read("sim/log.csv")
    let stream = try runner.check(["fuse", "-", "--follow", "--relative-to", "first"], input: log)
    #expect(stream.output.split(separator: "\n")[0].hasSuffix(",relativeYaw"))
    try runner.check(
      ["fuse", "-", "--follow", "--relative-to", "first", "--resume", "-o", "x.csv"], status: 2,
      errors: "the relative attitude refers to a row of a run", input: log)
    try runner.check("fuse", "sim/log.csv", "--relative-to", "last", status: 2)
  }

  @Test("the columns trust and trustReason have the reliability of each row, with the reasons in the metadata")
  func trust() throws {
    try runner.simulate("walk", "--duration", "10")
    try runner.check(
      "fuse", "sim/log.csv", "-o", "a.csv", "--columns-out", "status,attitudeSigmaZ,trust,trustReason", "--metadata")
    let rows = try rows("a.csv").dropFirst().map { row in try row.map { try #require(Double($0)) } }
    #expect(rows.count > 900)
    for row in rows {
      let (status, heading, trust, reason) = (Int(row[0]), row[1] * 180 / .pi, Int(row[2]), Int(row[3]))
      #expect((reason & 1 << 6 != 0) == (status & 1 != 0))
      #expect((reason & 1 << 5 != 0) == (heading > 30) && (reason & 1 << 11 != 0) == (heading > 10 && heading <= 30))
      #expect(trust == (reason == 0 ? 0 : reason & 0x3F != 0 ? 2 : 1))
    }
    #expect(Set(rows.map { $0[2] }).count > 1)
    let metadata = try runner.read("a.csv.json")
    #expect(metadata.contains("64 start-up of the filter") && metadata.contains("0 trusted, 1 doubtful"))
  }

  @Test("--relative-time subtracts the first row's time from all rows and events, and stores it in the metadata")
  func relativeTime() throws {
    try recording()
    let fuse = ["fuse", "log.csv", "--with-channels", "all", "--metadata"]
    for (output, options) in [("plain.csv", []), ("relative.csv", ["--relative-time"])] {
      try runner.check(fuse + ["-o", output] + options)
    }
    let (plain, relative) = (try rows("plain.csv"), try rows("relative.csv"))
    #expect(plain.count > 900 && plain.count == relative.count && plain[0] == relative[0])
    let first = try #require(Double(plain[1][0]))
    #expect(first >= 1000 && relative[1][0] == "0")
    for (a, b) in zip(plain, relative).dropFirst() {
      #expect(try #require(Double(b[0])) == Double(a[0])! - first && a.dropFirst() == b.dropFirst())
    }
    #expect(try runner.read("plain.events.csv").contains("1002.5,"))
    #expect(try runner.read("relative.events.csv").contains("\n\(1002.5 - first),"))
    let facts = try runner.json("relative.csv.json")
    #expect(abs((facts["timeOrigin"] as? Double ?? 0) - first) < 1e-9)
    #expect(try !runner.read("plain.csv.json").contains("timeOrigin"))
  }

  @Test("the epoch moves with the time origin, so UNIX time is unchanged", arguments: ["fuse", "convert"])
  func epoch(command: String) throws {
    try recording()
    try runner.shiftTimes(of: "sim/log.csv", by: 1.7e9, to: "unix.csv")
    var stamps: [Double] = []
    for (output, options) in [("plain.csv", []), ("relative.csv", ["--relative-time"])] {
      let result = try runner.check([command, "unix.csv", "-o", output, "--metadata", "--json"] + options)
      let facts = try runner.json(output + ".json")
      #expect(try result.json()["epoch"] as? Double == facts["epoch"] as? Double)
      let time = try #require(Double(try rows(output)[1][0]))
      stamps.append((facts["epoch"] as? Double ?? 0) + time)
    }
    #expect(abs(stamps[0] - stamps[1]) < 1e-6 && stamps[0] >= 1.7e9)
  }

  @Test("a stream can count from its first row; a resumed file cannot start at 0 again")
  func follow() throws {
    try recording()
    let log = try runner.read("log.csv")
    let result = try runner.check(["fuse", "-", "--follow", "--relative-time", "--header-units"], input: log)
    let lines = result.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("time [s],quaternionX,") && lines[1].hasPrefix("0,"))
    try runner.check(
      ["fuse", "-", "--follow", "--relative-time", "--resume", "-o", "x.csv"], status: 2,
      errors: "omit it with --resume", input: log)
  }

  @Test("--header-units writes the unit after each name, and the samples read back are unchanged")
  func units() throws {
    try recording()
    let fuse = [
      "fuse", "log.csv", "--with-channels", "all", "--field", "calibrated", "--frame", "xMagneticNorthZVertical",
    ]
    for (output, options) in [("plain.csv", []), ("units.csv", ["--header-units"])] {
      try runner.check(fuse + ["-o", output] + options)
    }
    let (plain, units) = (try rows("plain.csv"), try rows("units.csv"))
    #expect(plain.dropFirst() == units.dropFirst() && plain.count > 900)
    #expect(units[0].map { String($0.prefix { $0 != " " }) } == plain[0])
    for name in [
      "time [s]", "quaternionX", "roll [rad]", "gravityX [g]", "userAccelerationZ [g]", "rotationRateY [rad/s]",
      "magneticFieldX [µT]", "magneticFieldAccuracy", "heading [deg]", "pressure [kPa]", "barometerAge [s]",
    ] { #expect(units[0].contains(name), "\(name) is not in \(units[0])") }
    for (input, output) in [("plain.csv", "a"), ("units.csv", "b")] {
      try runner.check("fuse", input, "--with-channels", "all", "-o", output + ".csv")
      try runner.check("convert", input, "-o", output + ".h5")
      try runner.check("convert", output + ".h5", "-o", output + "-samples.csv")
    }
    #expect(try runner.read("a.csv") == runner.read("b.csv"))
    #expect(try runner.read("a-samples.csv") == runner.read("b-samples.csv"))
  }

  @Test("the output of convert with units has the same samples")
  func convertedUnits() throws {
    try recording()
    try runner.check("convert", "sim/log.csv", "-o", "units.csv", "--header-units")
    #expect(try rows("units.csv")[0].contains("accelerationX [g]"))
    try runner.check("convert", "units.csv", "-o", "back.csv")
    try runner.check("convert", "sim/log.csv", "-o", "plain.csv")
    #expect(try runner.read("back.csv") == runner.read("plain.csv"))
  }

  @Test("a canonical name with a different unit is not treated as canonical")
  func otherUnits() throws {
    try recording()
    var degrees = try runner.read("sim/log.csv")
    for name in ["rotationRateX", "rotationRateY", "rotationRateZ"] {
      #expect(degrees.contains(name))
      degrees = degrees.replacing(name, with: name + " [deg/s]")
    }
    try runner.write(degrees, to: "degrees.csv")
    try runner.check("convert", "degrees.csv", "-o", "d.csv")
    let (d, r) = (try rows("d.csv"), try rows("sim/log.csv"))
    let column = try #require(d[0].firstIndex(of: "rotationRateX")),
      own = try #require(r[0].firstIndex(of: "rotationRateX"))
    let (turned, plain) = (try #require(Double(d[1][column])), try #require(Double(r[1][own])))
    #expect(abs(turned - plain * .pi / 180) < 1e-12)
  }
}
