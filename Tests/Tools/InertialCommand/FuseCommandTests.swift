import Foundation
import Inertial
import Testing

@Suite struct FuseCommandTests {
  static let contract =
    "time,quaternionX,quaternionY,quaternionZ,quaternionW,roll,pitch,yaw,gravityX,gravityY,gravityZ,userAccelerationX,userAccelerationY,userAccelerationZ,rotationRateX,rotationRateY,rotationRateZ,magneticFieldX,magneticFieldY,magneticFieldZ,magneticFieldAccuracy,heading"

  private func simulated(_ runner: CommandRunner, _ scenario: String = "walk", duration: String = "10") throws {
    let result = try runner.run("simulate", scenario, "-o", "sim", "--duration", duration)
    try #require(result.status == 0, "\(result.errors)")
  }

  @Test("fuse writes a dataset next to the log, with the documented columns, and a summary")
  func defaults() throws {
    let runner = try CommandRunner()
    try simulated(runner)
    let result = try runner.run("fuse", "sim/log.csv")
    #expect(result.status == 0 && result.errors.isEmpty)
    let words = [
      "read", "filter  kalman, frame xArbitraryCorrectedZVertical", "wrote   sim/log.csv.fused.csv", "final",
    ]
    for word in words {
      #expect(result.output.contains(word), "\(result.output)")
    }
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

  @Test("an existing output is rejected, and --force replaces it")
  func force() throws {
    let runner = try CommandRunner()
    try runner.write(CanonicalLog.text(), to: "log.csv")
    try runner.write("mine", to: "out.csv")
    let refused = try runner.run("fuse", "log.csv", "-o", "out.csv")
    #expect(refused.status == 2)
    #expect(try runner.read("out.csv") == "mine")
    #expect(try runner.run("fuse", "log.csv", "-o", "out.csv", "--force").status == 0)
    #expect(try runner.read("out.csv").hasPrefix(Self.contract))
    #expect(try runner.files() == ["log.csv", "out.csv"])
  }

  @Test("standard input gives the same rows as the file, and unsorted rows give the same rows as sorted ones")
  func streamsAndOrder() throws {
    let runner = try CommandRunner()
    try simulated(runner)
    let text = try runner.read("sim/log.csv")
    #expect(try runner.run("fuse", "sim/log.csv", "-o", "a.csv").status == 0)
    #expect(try runner.run("fuse", "-", "-o", "b.csv", input: text).status == 0)
    let expected = try runner.read("a.csv")
    #expect(try runner.read("b.csv") == expected)
    let piped = try runner.run("fuse", "sim/log.csv", "-o", "-")
    #expect(piped.output == expected)

    // A block of rows five seconds late needs the whole log sorted; two rows swapped do not.
    var lines = text.split(separator: "\n").map(String.init)
    lines.swapAt(300, 301)
    let block = lines[1000..<1050]
    lines.removeSubrange(1000..<1050)
    lines += block
    try runner.write(lines.joined(separator: "\n") + "\n", to: "disorder.csv")
    let sorted = try runner.run("fuse", "disorder.csv", "-o", "c.csv")
    #expect(sorted.status == 0 && sorted.errors.contains("out of order, sorted"), "\(sorted.errors)")
    #expect(try runner.read("c.csv") == expected)
  }

  @Test("columns, digits, rate and JSON are as requested")
  func options() throws {
    let runner = try CommandRunner()
    try simulated(runner)
    let result = try runner.run(
      "fuse", "sim/log.csv", "-o", "out.csv", "--columns-out", "heading,time,status", "--digits", "6",
      "--rate",
      "10", "--json")
    #expect(result.status == 0)
    let lines = try runner.read("out.csv").split(separator: "\n")
    #expect(lines[0] == "heading,time,status")
    #expect(lines.count - 1 >= 99 && lines.count - 1 <= 101)
    // Six digits for numbers such as the heading, all digits for the time.
    #expect(lines[50].split(separator: ",")[0].count <= 8)
    #expect(Double(lines[50].split(separator: ",")[1])! > 4.8)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(document["rows"] as? Int == lines.count - 1)
    #expect(document["filter"] as? String == "kalman")
    #expect(document["columns"] as? [String] == ["heading", "time", "status"])
  }

  @Test("in the north frames heading and field are present once the field is calibrated")
  func northFrames() throws {
    let runner = try CommandRunner()
    try simulated(runner, "random-spline", duration: "60")
    for frame in ["xMagneticNorthZVertical", "xTrueNorthZVertical"] {
      let result = try runner.run([
        "fuse", "sim/log.csv", "-o", "\(frame).csv", "--frame", frame, "--latitude", "47.4", "--longitude",
        "8.5",
        "--date", "2024-05-17", "--columns-out", "magneticFieldX,magneticFieldAccuracy,heading",
      ])
      #expect(result.status == 0, "\(result.errors)")
    }
    // The last rows have no following field sample.
    func last(_ frame: String) throws -> [Double] {
      let rows = try runner.read("\(frame).csv").split(separator: "\n").map {
        $0.split(separator: ",").compactMap { Double($0) }
      }
      return rows.last { $0.count == 3 } ?? []
    }
    let magnetic = try last("xMagneticNorthZVertical")
    let trueNorth = try last("xTrueNorthZVertical")
    try #require(magnetic.count == 3 && trueNorth.count == 3)
    #expect(magnetic[1] >= 1)
    let declination = try MagneticModel.elements(latitude: 47.4, longitude: 8.5, decimalYear: 2024.375)
      .declination
    let difference = (trueNorth[2] - magnetic[2] + 540).truncatingRemainder(dividingBy: 360) - 180
    #expect(abs(difference - declination) < 0.01)
  }

  @Test("a log without a field cannot have a north frame")
  func noField() throws {
    let runner = try CommandRunner()
    try runner.write(
      "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ\n"
        + (0..<300).map { "\(Double($0) / 100),0,0,-1,0,0,0" }.joined(separator: "\n"), to: "log.csv")
    #expect(try runner.run("fuse", "log.csv", "-o", "a.csv").status == 0)
    let result = try runner.run("fuse", "log.csv", "-o", "b.csv", "--frame", "xMagneticNorthZVertical")
    #expect(result.status == 1 && result.errors.contains("no magnetic field"))
    #expect(try runner.files() == ["a.csv", "log.csv"])
  }

  @Test("negative latitudes and longitudes need no special notation")
  func negativeCoordinates() throws {
    let runner = try CommandRunner()
    try runner.write(CanonicalLog.text(), to: "log.csv")
    let result = try runner.run([
      "fuse", "log.csv", "-o", "-", "--field", "calibrated", "--frame", "xTrueNorthZVertical", "--latitude",
      "-33.4", "--longitude", "-70.6", "--altitude", "-20", "--date", "2020-01-01", "--columns-out", "heading",
    ])
    try #require(result.status == 0, "\(result.errors)")
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
    #expect(try runner.run("fuse", "log.csv", "-o", "a.csv", "--latitude").status == 2)
  }

  @Test("a log is never replaced by its own dataset, even with --force or through a link")
  func inputIsKept() throws {
    let runner = try CommandRunner()
    let log = CanonicalLog.text()
    try runner.write(log, to: "log.csv")
    try FileManager.default.createSymbolicLink(
      at: runner.folder.appendingPathComponent("link.csv"),
      withDestinationURL: runner.folder.appendingPathComponent("log.csv"))
    for output in ["log.csv", "./log.csv", "link.csv"] {
      let result = try runner.run("fuse", "log.csv", "-o", output, "--force")
      #expect(result.status == 2 && result.errorLines.count == 1, "\(output): \(result.errors)")
    }
    #expect(try runner.read("log.csv") == log)
    #expect(try runner.run("fuse", "log.csv", "-o", "other.csv", "--force").status == 0)
  }

  @Test("a missing north is reported with a remedy; a field similar to the earth's is used")
  func unknownNorth() throws {
    let runner = try CommandRunner()
    // A phone with a hard iron of 300 µT, at rest.
    try runner.write(CanonicalLog.text { _, row in row[7] += 300 }, to: "log.csv")
    let arguments = ["fuse", "log.csv", "-o", "a.csv", "--force", "--frame", "xMagneticNorthZVertical"]
    let result = try runner.run(arguments)
    #expect(result.status == 0 && result.errors.contains("--field calibrated"), "\(result.errors)")
    #expect(try runner.run(arguments + ["--field", "calibrated"]).errors.isEmpty)
    try runner.write(CanonicalLog.text(), to: "log.csv")
    #expect(try runner.run(arguments).errors.isEmpty)
    // The field points 14° to the left of X, so X points 14° to the right of north, and the top edge 90° less; the
    // device's tilt of a degree turns that by two.
    let last = try runner.read("a.csv").split(separator: "\n").last!.split(separator: ",").last!
    #expect(abs(Double(last)! - (14.04 + 270)) < 3, "\(last)")
  }

  @Test("with several logs the valid ones are fused, the faulty one is reported, and the status is 1")
  func several() throws {
    let runner = try CommandRunner()
    try runner.write(CanonicalLog.text(), to: "a.csv")
    try runner.write("", to: "b.csv")
    try runner.write(CanonicalLog.text(), to: "c.csv")
    try FileManager.default.createDirectory(
      at: runner.folder.appendingPathComponent("out"), withIntermediateDirectories: false)
    let result = try runner.run("fuse", "a.csv", "b.csv", "c.csv", "-o", "out")
    #expect(result.status == 1 && result.errorLines.count == 1)
    #expect(try runner.read("out/a.csv.fused.csv") == runner.read("out/c.csv.fused.csv"))
    let asJSON = try runner.run("fuse", "a.csv", "b.csv", "c.csv", "-o", "out", "--force", "--json")
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(asJSON.output.utf8)) as? [String: [Any]])
    #expect(document["datasets"]?.count == 2 && document["failures"]?.count == 1)
  }

  @Test("inspect, evaluate and filters report their results, also as JSON")
  func others() throws {
    let runner = try CommandRunner()
    try simulated(runner)
    #expect(try runner.run("inspect", "sim/log.csv").output.contains("gyroscope"))
    for arguments in [
      ["inspect", "sim/log.csv", "--json"], ["filters", "--json"],
      [
        "evaluate", "sim/log.csv", "--reference", "sim/truth.csv", "--reference-frame", "nwu", "--align",
        "yaw", "--frame",
        "xArbitraryZVertical", "--json",
      ],
    ] {
      let result = try runner.run(arguments)
      #expect(result.status == 0, "\(result.errors)")
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(result.output.utf8)) }
    }
    let scored = try runner.run([
      "evaluate", "sim/log.csv", "--reference", "sim/truth.csv", "--reference-frame", "nwu", "--align", "yaw",
      "--frame",
      "xArbitraryZVertical", "--csv",
    ])
    let rows = scored.output.split(separator: "\n").dropFirst()
    #expect(rows.count == FilterKind.all.count)
    for row in rows {
      let fields = row.split(separator: ",")
      let kind = try #require(FilterKind.named(String(fields[1])))
      // The phone's bias of 0.5 °/s, without a tilt correction.
      #expect(Double(fields[4])! < (kind.traits.contains(.accelerometer) ? 3 : 5), "\(row)")
    }
  }

  @Test("every subcommand has help")
  func help() throws {
    let runner = try CommandRunner()
    for name in ["fuse", "inspect", "evaluate", "tune", "simulate", "filters"] {
      let result = try runner.run([name, "--help"])
      #expect(result.status == 0 && result.output.contains("USAGE: inertial \(name)"))
    }
  }

  @Test("the help of fuse has the common options in sections, and --help-hidden also the rare ones")
  func sections() throws {
    let runner = try CommandRunner()
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
    let runner = try CommandRunner()
    let channels = try runner.run("help", "channels")
    #expect(channels.status == 0)
    for channel in AuxiliaryChannel.allCases {
      #expect(channels.output.contains("  \(channel.name): "), "\(channel.name)")
    }
    let columns = try runner.run("columns")
    #expect(columns.status == 0 && columns.output.contains("quaternionX (1)"))
    #expect(!(try runner.run("--help").output.contains("\n  channels ")))
  }

  @Test("rows that --gaps does not fill, because the gap exceeds an hour, are reported", arguments: ["hold", "nan"])
  func longGap(_ policy: String) throws {
    let runner = try CommandRunner()
    try runner.write(CanonicalLog.text(1000) { $1[0] += $0 < 500 ? 0 : 7200 }, to: "gap.csv")
    let result = try runner.run("fuse", "gap.csv", "-o", "out.csv", "--gaps", policy, "--rate", "10")
    #expect(result.status == 0)
    #expect(result.errors.contains("rows at the rate are omitted: --gaps fills no gap longer than 3600 s"))
  }
}
