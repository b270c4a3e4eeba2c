import Testing

@Suite("inertial inspect and the options that correct its findings") struct InspectCommandTests {
  private let runner = try! CommandRunner()

  private func simulated() throws {
    try runner.simulate("random-spline", to: "log", "--duration", "40", "--sensors", "phone")
  }

  private func findings(_ arguments: String...) throws -> [String] {
    try #require(try runner.document(["inspect"] + arguments)["findings"] as? [String])
  }

  @Test("wrong axes are reported first, and corrected by the suggested option")
  func axes() throws {
    try simulated()
    #expect(try findings("log/log.csv") == [])
    let found = try findings("log/log.csv", "--axes", "gyroscope=y,x,-z")
    #expect(found.count == 1 && found[0].contains("--axes gyroscope=y,x,-z"))
    #expect(try findings("log/log.csv", "--axes", "gyroscope=y,x,-z", "--axes", "gyroscope=y,x,-z") == [])
    // A common rotation of all sensors is a different device attitude.
    #expect(try findings("log/log.csv", "--axes", "-y,x,z") == [])
    let text = try runner.run("inspect", "log/log.csv", "--axes", "gyroscope=y,x,-z").output
    #expect(text.split(separator: "\n")[1].hasPrefix("! The gyroscope"))
  }

  @Test("a log that cannot be fused, lost rows and a frozen sensor are found, and a pause is no loss")
  func lost() throws {
    func rows(_ keep: (Int) -> Bool, _ change: (Int, inout [Double]) -> Void = { _, _ in }) throws -> [String] {
      let noisy = CanonicalLog.text(2000) { index, row in
        for column in 1...9 { row[column] += 1e-3 * Double((index * (column + 3)) % 13) }
        change(index, &row)
      }
      let lines = noisy.split(separator: "\n")
      try runner.write(
        ([lines[0]] + lines.dropFirst().enumerated().filter { keep($0.offset) }.map(\.element)).joined(separator: "\n"),
        to: "rows.csv")
      return try findings("rows.csv")
    }
    let missing = try rows { $0 % 7 != 3 && $0 % 11 != 5 }
    #expect(
      missing.contains { $0.contains("of the gyroscope's samples are missing") && $0.contains("10.0 ms") }, "\(missing)"
    )
    let paused = try rows { !(500..<1200).contains($0) }
    #expect(!paused.contains { $0.contains("are missing") } && paused.contains { $0.contains("1 gap") }, "\(paused)")
    let reversed = try rows({ _ in true }, { $1[0] += $0 % 2 == 0 ? 0.05 : 0 })
    #expect(reversed.contains { $0.hasPrefix("The log cannot be fused: time runs backwards") }, "\(reversed)")
    let frozen = try rows({ _ in true }, { index, row in if (300..<1500).contains(index) { row[2] = 0.5 } })
    #expect(frozen.contains { $0.contains("accelerometer's y stays the same") }, "\(frozen)")
    let page = try runner.run(["report", "rows.csv", "-o", "rows.html"])
    let html = try runner.read("rows.html")
    #expect(page.status == 0 && html.contains("a sensor repeats its values"), "\(page.errors)")
  }

  @Test("a hard iron as strong as the earth's field is no change of the field's sign or unit", arguments: [4, 9])
  func iron(seed: Int) throws {
    try runner.simulate("poses", to: "poses", "--duration", "160", "--sensors", "mpu-9250", "--seed", "\(seed)")
    try runner.check("fuse", "poses/log.csv", "--strict")
  }

  @Test("the report has clocks, values and the overlap of the sensors")
  func report() throws {
    try simulated()
    let document = try runner.run("inspect", "log/log.csv", "--json").json()
    let channels = try #require(document["channels"] as? [[String: Any]])
    let gyroscope = try #require(channels.first { $0["name"] as? String == "gyroscope" }?["quality"] as? [String: Any])
    #expect(abs((gyroscope["medianInterval"] as? Double ?? 0) - 0.01) < 2e-4)
    let axes = try #require(gyroscope["axes"] as? [[String: Any]])
    #expect(abs((axes[0]["step"] as? Double ?? 0) - 0.001) < 1e-5)
    let overlap = try #require(document["overlap"] as? [String: Double])
    #expect((overlap["end"] ?? 0) - (overlap["start"] ?? 99) > 39)
    let text = try runner.run("inspect", "log/log.csv").output
    #expect(text.contains("No test failed.") && text.contains("gyroscope and gravity: agrees"))
    // The bias and the scale factor need rest.
    #expect(text.contains("not tested:\n") && document["untested"] as? [String] != [])
  }

  @Test("a guess prints the command, with the test of each option")
  func guess() throws {
    try simulated()
    let rows = try runner.read("log/log.csv").split(separator: "\n").dropFirst()
    try runner.write(rows.joined(separator: "\n"), to: "numbers.csv")
    let text = try runner.run("inspect", "--guess", "numbers.csv")
    let command = try #require(text.output.split(separator: "\n").first).split(separator: " ").map(String.init)
    #expect(text.status == 0 && command.prefix(3) == ["inertial", "fuse", "numbers.csv"])
    #expect(text.output.contains("gravity is in columns"))
    try runner.check(Array(command.dropFirst()) + ["-o", "out.csv"])
    let guess = try #require(try runner.document("inspect", "--guess", "numbers.csv")["guess"] as? [String: Any])
    #expect(guess["command"] as? String == command.joined(separator: " "))
    #expect((guess["parts"] as? [[String: String]])?.allSatisfy { $0.keys.count == 3 } == true)
    try runner.check("inspect", "--guess", "-", status: 1)
  }

  @Test(
    "a vehicle log with --body gives the same device motion as in Core Motion's axes",
    arguments: [("frd", "y,x,-z"), ("flu", "y,-x,z"), ("rfu", "x,y,z")])
  func body(frame: String, turned: String) throws {
    try simulated()
    try runner.check("convert", "log/log.csv", "--axes", turned, "-o", "vehicle.csv")
    try runner.check("fuse", "log/log.csv", "-o", "phone.csv")
    try runner.check("fuse", "vehicle.csv", "--body", frame, "-o", "body.csv")
    #expect(try runner.read("body.csv") == runner.read("phone.csv"))
    try runner.check("fuse", "log/log.csv", "--body", "ned", "-o", "-", status: 2)
  }

  @Test("the gap options of fuse have a column, JSON values and usage errors")
  func gaps() throws {
    try simulated()
    let result = try runner.check("fuse", "log/log.csv", "-o", "out.csv", "--gaps", "split", "--gap", "1", "--json")
    #expect(try runner.read("out.csv").split(separator: "\n")[0].hasSuffix(",heading,segment"))
    #expect(result.output.contains("\"gaps\" : \"split\"") && result.output.contains("\"segments\" : 1"))
    for wrong in [["--gaps", "fill"], ["--gap", "0"], ["--axes", "x,x,z"]] {
      try runner.check(["fuse", "log/log.csv", "-o", "-"] + wrong, status: 2)
    }
  }
}
