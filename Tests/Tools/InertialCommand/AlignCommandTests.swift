import Testing

@Suite("Time offsets on the command line") struct AlignCommandTests {
  private let runner = try! CommandRunner()

  /// A log through all attitudes, whose magnetometer timestamps are 80 ms late.
  private func write(_ name: String = "log.csv") throws {
    var suite = SensorSuite.phone
    (suite.magnetometer!.sensor.delay, suite.referenceRate) = (0.08, nil)
    let simulation = try Simulation(
      scenario: .named("random-spline"), parameters: ["positionSpread": 0.02], sensors: suite, duration: 40, seed: 5)
    var text = CanonicalLog.header
    for sample in simulation {
      let values = "\(sample.x),\(sample.y),\(sample.z)"
      let row =
        switch sample.channel {
        case .accelerometer: "\(values),,,,,,"
        case .gyroscope: ",,,\(values),,,"
        default: ",,,,,,\(values)"
        }
      text += "\(sample.time),\(row)\n"
    }
    try runner.write(text, to: name)
  }

  @Test("inspect reports the offset, and fuse --align removes it and reports this in its summary and JSON")
  func align() throws {
    try write()
    let inspected = try runner.run("inspect", "log.csv")
    #expect(inspected.output.contains("time offsets relative to the gyroscope:"))
    #expect(inspected.output.contains("magnetometer: 8") || inspected.output.contains("magnetometer: 79."))
    #expect(inspected.output.contains("ms late against the gyroscope; residual"), "\(inspected.output)")
    #expect(inspected.output.contains("clock: time in seconds"), "\(inspected.output)")

    let frame = ["--frame", "xMagneticNorthZVertical"]
    #expect(try runner.run(["fuse", "log.csv", "-o", "plain.csv"] + frame).output.contains("align") == false)
    try runner.check(["fuse", "log.csv", "-o", "aligned.csv", "--align"] + frame, output: "; removed; residual")
    #expect(try runner.read("plain.csv") != runner.read("aligned.csv"))

    let json = try runner.run(["fuse", "log.csv", "-o", "again.csv", "--align", "--json"] + frame).json()
    let entries = try #require(json["alignment"] as? [[String: Any]])
    let field = try #require(entries.first { $0["channel"] as? String == "magnetometer" })
    let offset = try #require(field["offset"] as? [String: Any])
    #expect(abs((offset["seconds"] as? Double ?? 0) - 0.08) < 0.003 && field["isApplied"] as? Bool == true)
    #expect(try runner.read("again.csv") == runner.read("aligned.csv"))
  }

  @Test("standard input cannot be aligned, and the error suggests a file")
  func standardInput() throws {
    try runner.check(
      "fuse", "-", "-o", "out.csv", "--align", status: 2, errors: "--align reads the log twice", input: "")
    #expect(try runner.files() == [])
  }

  @Test("the manifest distinguishes datasets made with and without alignment")
  func manifest() throws {
    try write("a.csv")
    try write("b.csv")
    try runner.check("fuse", "a.csv", "b.csv", "-o", "out", "--align")
    let manifest = try runner.read("out/inertial-manifest.json")
    #expect(manifest.contains("\"aligns\" : true") && manifest.contains("\"isApplied\" : true"))
    let resumed = try runner.run("fuse", "a.csv", "b.csv", "-o", "out", "--resume", "--align")
    #expect(resumed.output.contains("kept    2 datasets"), "\(resumed.output)\(resumed.errors)")
    let other = try runner.run("fuse", "a.csv", "b.csv", "-o", "out", "--resume")
    #expect(!other.output.contains("kept"), "\(other.output)")
  }
}
