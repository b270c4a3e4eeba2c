import Testing

@Suite struct FuseCommandTests {
  private let runner = try! CommandRunner()

  static let contract =
    "time,quaternionX,quaternionY,quaternionZ,quaternionW,roll,pitch,yaw,gravityX,gravityY,gravityZ,userAccelerationX,userAccelerationY,userAccelerationZ,rotationRateX,rotationRateY,rotationRateZ,magneticFieldX,magneticFieldY,magneticFieldZ,magneticFieldAccuracy,heading"

  private func simulated(_ scenario: String = "walk", duration: String = "10") throws {
    try runner.simulate(scenario, "--duration", duration)
  }

  @Test("fuse writes a dataset next to the log, with the documented columns, and a summary")
  func defaults() throws {
    try simulated()
    try runner.check(
      "fuse", "sim/log.csv", output: "read", "filter  kalman, frame xArbitraryCorrectedZVertical",
      "wrote   sim/log.csv.fused.csv", "final", lines: 0)
    let lines = try runner.read("sim/log.csv.fused.csv").split(separator: "\n")
    #expect(lines[0] == Self.contract)
    // One row per gyroscope sample, at its time.
    let times = try runner.read("sim/log.csv").split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      return fields[4].isEmpty ? nil : fields[0]
    }
    #expect(lines.dropFirst().map { $0.split(separator: ",")[0] } == times)
    // No field and no heading in the default frame.
    let last = lines.last!.split(separator: ",", omittingEmptySubsequences: false)
    #expect(last[17...] == ["", "", "", "-1", "-1"])
  }

  @Test("standard input gives the same rows as the file, and unsorted rows give the same rows as sorted ones")
  func streamsAndOrder() throws {
    try simulated()
    let text = try runner.read("sim/log.csv")
    try runner.check("fuse", "sim/log.csv", "-o", "a.csv")
    try runner.check("fuse", "-", "-o", "b.csv", input: text)
    let expected = try runner.read("a.csv")
    #expect(try runner.read("b.csv") == expected)
    #expect(try runner.run("fuse", "sim/log.csv", "-o", "-").output == expected)

    // A block of rows five seconds late needs the whole log sorted; two rows swapped do not.
    var lines = text.split(separator: "\n").map(String.init)
    lines.swapAt(300, 301)
    let block = lines[1000..<1050]
    lines.removeSubrange(1000..<1050)
    lines += block
    try runner.write(lines.joined(separator: "\n") + "\n", to: "disorder.csv")
    try runner.check("fuse", "disorder.csv", "-o", "c.csv", errors: "out of order, sorted")
    #expect(try runner.read("c.csv") == expected)
  }

  @Test("columns, digits, rate and JSON are as requested")
  func options() throws {
    try simulated()
    let result = try runner.check(
      "fuse", "sim/log.csv", "-o", "out.csv", "--columns-out", "heading,time,status", "--digits", "6", "--rate", "10",
      "--json")
    let lines = try runner.read("out.csv").split(separator: "\n")
    #expect(lines[0] == "heading,time,status" && lines.count - 1 >= 99 && lines.count - 1 <= 101)
    // Six digits for numbers such as the heading, all digits for the time.
    #expect(lines[50].split(separator: ",")[0].count <= 8 && Double(lines[50].split(separator: ",")[1])! > 4.8)
    let document = try result.json()
    #expect(document["rows"] as? Int == lines.count - 1 && document["filter"] as? String == "kalman")
    #expect(document["columns"] as? [String] == ["heading", "time", "status"])
  }

  @Test("in the north frames heading and field are present once the field is calibrated")
  func northFrames() throws {
    try simulated("random-spline", duration: "60")
    for frame in ["xMagneticNorthZVertical", "xTrueNorthZVertical"] {
      try runner.check([
        "fuse", "sim/log.csv", "-o", "\(frame).csv", "--frame", frame, "--latitude", "47.4", "--longitude", "8.5",
        "--date", "2024-05-17", "--columns-out", "magneticFieldX,magneticFieldAccuracy,heading",
      ])
    }
    // The last rows have no following field sample.
    func last(_ frame: String) throws -> [Double] {
      let rows = try runner.read("\(frame).csv").split(separator: "\n").map {
        $0.split(separator: ",").compactMap { Double($0) }
      }
      return rows.last { $0.count == 3 } ?? []
    }
    let (magnetic, trueNorth) = (try last("xMagneticNorthZVertical"), try last("xTrueNorthZVertical"))
    try #require(magnetic.count == 3 && trueNorth.count == 3)
    #expect(magnetic[1] >= 1)
    let declination = try MagneticModel.elements(latitude: 47.4, longitude: 8.5, decimalYear: 2024.375).declination
    let difference = (trueNorth[2] - magnetic[2] + 540).truncatingRemainder(dividingBy: 360) - 180
    #expect(abs(difference - declination) < 0.01)
  }

  @Test("negative latitudes and longitudes need no special notation")
  func negativeCoordinates() throws {
    try runner.write(CanonicalLog.text(), to: "log.csv")
    let result = try runner.check([
      "fuse", "log.csv", "-o", "-", "--field", "calibrated", "--frame", "xTrueNorthZVertical", "--latitude", "-33.4",
      "--longitude", "-70.6", "--altitude", "-20", "--date", "2020-01-01", "--columns-out", "heading",
    ])
    let magnetic = try runner.run([
      "fuse", "log.csv", "-o", "-", "--field", "calibrated", "--frame", "xMagneticNorthZVertical",
      "--columns-out", "heading",
    ])
    func last(_ text: String) throws -> Double {
      try #require(text.split(separator: "\n").last.flatMap { Double($0) })
    }
    let declination = try MagneticModel.elements(
      latitude: -33.4, longitude: -70.6, height: -20, decimalYear: 2020
    ).declination
    let turned = try last(result.output) - last(magnetic.output)
    #expect(abs(turned - declination) < 0.01)
    // A missing option value before another option is still an error.
    try runner.check("fuse", "log.csv", "-o", "a.csv", "--latitude", status: 2)
  }

  @Test("automatic decisions are in the summary, the JSON document, the manifest and the report")
  func decisions() throws {
    let basis = "(evidence for an offset 0.0 nats)"
    try runner.write(CanonicalLog.text(), to: "log.csv")
    try runner.check("fuse", "log.csv", "-o", "a.csv", output: "decided hard iron: none subtracted \(basis)")
    let document = try runner.document(["fuse", "log.csv", "-o", "b.csv", "--with", "steps"])
    let decisions = try #require(document["decisions"] as? [[String: Any]])
    #expect(decisions.compactMap { $0["subject"] as? String } == ["hard iron", "recognised from"])
    try runner.write(CanonicalLog.text(), to: "second.csv")
    try runner.check("fuse", "log.csv", "second.csv", "-o", "out")
    #expect(try runner.read("out/inertial-manifest.json").contains("\"outcome\" : \"none subtracted\""))
    try runner.check("report", "log.csv")
    let fact = "{\"name\":\"Hard iron\",\"value\":\"none subtracted \(basis)\"}"
    #expect(try runner.read("log.csv.report.html").contains(fact))
    // A calibrated field needs no decision.
    let declared = try runner.document(["fuse", "log.csv", "-o", "c.csv", "--field", "calibrated"])
    #expect(declared["decisions"] == nil)
  }

  @Test("a missing north is reported with a remedy; a field similar to the earth's is used")
  func unknownNorth() throws {
    // A phone with a hard iron of 300 µT, at rest.
    try runner.write(CanonicalLog.text { _, row in row[7] += 300 }, to: "log.csv")
    let arguments = ["fuse", "log.csv", "-o", "a.csv", "--force", "--frame", "xMagneticNorthZVertical"]
    try runner.check(arguments, errors: "--field calibrated")
    try runner.check(
      arguments + ["--field", "calibrated"], errors: "strength of the earth's, 15 to 90 µT", "check the field's unit")
    try runner.write(CanonicalLog.text(), to: "log.csv")
    #expect(try runner.run(arguments).errors.isEmpty)
    // The field points 14° to the left of X, so X points 14° to the right of north, and the top edge 90° less; the
    // device's tilt of a degree turns that by two.
    let last = try runner.read("a.csv").split(separator: "\n").last!.split(separator: ",").last!
    #expect(abs(Double(last)! - (14.04 + 270)) < 3, "\(last)")
  }

  @Test("evaluate writes a row per filter, and each filter's inclination is accurate to a few degrees")
  func accuracy() throws {
    try simulated()
    let scored = try runner.run([
      "evaluate", "sim/log.csv", "--reference", "sim/truth.csv", "--reference-frame", "nwu", "--align", "yaw",
      "--frame", "xArbitraryZVertical", "--csv",
    ])
    let rows = scored.output.split(separator: "\n").dropFirst()
    #expect(rows.count == FilterKind.all.count)
    for row in rows {
      let fields = row.split(separator: ",")
      let kind = try #require(FilterKind.all[String(fields[1])])
      // The phone's bias of 0.5 °/s, without a tilt correction.
      #expect(Double(fields[4])! < (kind.traits.contains(.accelerometer) ? 3 : 5), "\(row)")
    }
  }

  @Test("every subcommand has help")
  func help() throws {
    for name in ["fuse", "inspect", "evaluate", "tune", "simulate", "filters"] {
      try runner.check([name, "--help"], output: "USAGE: inertial \(name)")
    }
  }

  @Test("the help of fuse has the common options in sections, and --help-hidden also the rare ones")
  func sections() throws {
    let (help, whole) = (try runner.run("fuse", "--help").output, try runner.run("fuse", "--help-hidden").output)
    let sections = ["OUTPUT:", "ATTITUDE:", "ADDITIONAL COLUMNS:", "GAPS AND BAD SAMPLES:", "INPUT INTERPRETATION:"]
    let places = try sections.map { try #require(help.range(of: "\n" + $0), "\($0)").lowerBound }
    #expect(places == places.sorted())
    for option in ["--output", "--filter", "--frame", "--with-channels", "--gaps", "--follow", "--body", "--pointing"] {
      #expect(help.contains(option) && whole.contains(option), "\(option)")
    }
    for option in ["--digits", "--bids-task", "--hold-back", "--sound-start"] {
      #expect(!help.contains("  \(option) ") && whole.contains("  \(option) "), "\(option)")
    }
  }

  @Test("reference lists are help topics, and also subcommands")
  func topics() throws {
    let channels = try runner.check("help", "channels")
    for channel in AuxiliaryChannel.allCases {
      #expect(channels.output.contains("  \(channel.name): "), "\(channel.name)")
    }
    try runner.check("columns", output: "quaternionX (1)")
    #expect(!(try runner.run("--help").output.contains("\n  channels ")))
  }

  @Test("rows that --gaps does not fill, because the gap exceeds an hour, are reported", arguments: ["hold", "nan"])
  func longGap(_ policy: String) throws {
    try runner.write(CanonicalLog.text(1000) { $1[0] += $0 < 500 ? 0 : 7200 }, to: "gap.csv")
    try runner.check(
      "fuse", "gap.csv", "-o", "out.csv", "--gaps", policy, "--rate", "10",
      errors: "rows at the rate are omitted: --gaps fills no gap longer than 3600 s")
  }
}
