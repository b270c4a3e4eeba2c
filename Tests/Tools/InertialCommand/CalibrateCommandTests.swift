import TestSupport
import Testing

@Suite("inertial allan and inertial calibrate") struct CalibrateCommandTests {
  private let runner = try! CommandRunner()

  @Test("the noise of a simulated sensor is recovered in text, JSON, CSV and Kalibr's file, and fuse accepts it")
  func allan() throws {
    try runner.simulate("rest", to: "rest", "--duration", "300", "--sensors", "research-imu", "--seed", "3")
    let document = try runner.document(
      "allan", "rest/log.csv", "-o", "noise.json", "-o", "imu.yaml", "-o", "curves.csv")
    let sensors = try #require(document["sensors"] as? [[String: Any]])
    let gyroscope = try #require(sensors.first { $0["sensor"] as? String == "gyroscope" })
    let axes = try #require(gyroscope["axes"] as? [[String: Any]])
    #expect(axes.count == 3)
    let truth = 5e-5
    for axis in axes {
      let terms = try #require(axis["terms"] as? [[String: Any]])
      let white = try #require(terms.first { $0["name"] as? String == "angle random walk" })
      let value = try #require(white["value"] as? Double)
      let customary = try #require(white["customaryValue"] as? Double)
      #expect(abs(value - truth) < 0.05 * truth && white["unit"] as? String == "rad/s/sqrt(Hz)")
      #expect(abs(customary - value * 3437.7467707849) < 1e-6)
    }
    #expect(try runner.read("imu.yaml").contains("gyroscope_noise_density: "))
    #expect(try runner.read("curves.csv").hasPrefix("sensor,axis,deviation,unit,time,value,lower,upper"))
    try runner.check("allan", "rest/log.csv", "--deviations", "allan", output: "0.664", "deg/sqrt(h)", "m/s/sqrt(h)")

    // The dataset has the parameters of the file, unless --set overrides them.
    try runner.simulate("walk", to: "walk", "--duration", "5")
    func noise(_ more: String...) throws -> Double? {
      let fused = try runner.document(
        "fuse", "walk/log.csv", "--force", "--noise", "noise.json", more.first ?? "--force")
      let parameters = fused["parameters"] as? [String: Double]
      return parameters?["gyroscopeNoise"]
    }
    let reported = try #require(try noise())
    #expect(abs(reported - truth) < 0.05 * truth)
    #expect(try noise("--set=gyroscopeNoise=0.001") == 0.001)
    // A filter without such a parameter runs unchanged.
    try runner.check("fuse", "walk/log.csv", "--force", "--noise", "noise.json", "--filter", "mahony")
    try runner.check("allan", "rest/log.csv", "-o", "noise.json", status: 2)
  }

  /// A log of 150 s at 100 Hz of a resting device: white noise with an optional addition.
  private func writeRest(
    to name: String, rotation: (Int) -> Double = { _ in 0 }, isTurned: (Int) -> Bool = { _ in false }
  ) throws {
    var generator = SeededGenerator(seed: 31)
    var text = "time,rotationRateX,rotationRateY,rotationRateZ,accelerationX,accelerationY,accelerationZ\n"
    for index in 0..<15_000 {
      let rates = (0..<3).map { _ in 0.001 * generator.normal() + rotation(index) }
      var forces = (0..<3).map { _ in 0.002 * generator.normal() }
      forces[isTurned(index) ? 0 : 2] -= 1
      text += "\(Double(index) / 100)," + (rates + forces).map { "\($0)" }.joined(separator: ",") + "\n"
    }
    try runner.write(text, to: name)
  }

  @Test("motion of the device is reported, and the noise is computed from the longest rest")
  func moved() throws {
    try writeRest(to: "still.csv")
    let still = try runner.run("allan", "still.csv", "-o", "still.json")
    #expect(still.status == 0 && !still.errors.contains("moves"), "\(still.errors)")

    // Handled for the first 10 s, and turned over at 100 s.
    try writeRest(to: "moved.csv", rotation: { $0 < 1000 ? sin(0.03 * Double($0)) : 0 }, isTurned: { $0 >= 10_000 })
    let moved = try runner.check(
      "allan", "moved.csv", "-o", "moved.json", "-o", "imu.yaml", "--json",
      errors: "moves from 0 to 11 s and from 99 to 101 s", "longest rest, from 11 to 99 s", "--start and --end")
    let document = try moved.json()
    #expect(document["isAtRest"] as? Bool == true)
    let sensors = try #require(document["sensors"] as? [[String: Any]])
    let duration = try #require(sensors[0]["duration"] as? Double)
    #expect(abs(duration - 88) < 0.1)
    let terms = try #require((sensors[0]["axes"] as? [[String: Any]])?[0]["terms"] as? [[String: Any]])
    #expect(abs(try #require(terms[1]["value"] as? Double) - 1e-4) < 5e-6)
    // A part that the user selects is evaluated separately, regardless of its length.
    let cut = try runner.run("allan", "moved.csv", "--start", "110", "--end", "140", "-o", "cut.json")
    #expect(cut.status == 0 && !cut.errors.contains("moves"), "\(cut.errors)")
  }

  @Test("a log without rest is plotted as motion, and gives no noise file")
  func movesAlways() throws {
    try writeRest(to: "moves.csv", rotation: { 0.5 * sin(0.12 * Double($0)) })
    for path in ["noise.json", "imu.yaml"] {
      try runner.check("allan", "moves.csv", "-o", path, status: 1, errors: "the device is moving", path, lines: 1)
      #expect(throws: (any Error).self) { try runner.read(path) }
    }
    try runner.check("allan", "moves.csv", "-o", "curves.csv", errors: "figures describe motion, not noise")
  }

  @Test("an outlier is reported and excluded")
  func outlying() throws {
    try writeRest(to: "spike.csv", rotation: { $0 == 12_345 ? 0.2 : 0 })
    let document = try runner.document("allan", "spike.csv")
    let warnings = try #require(document["warnings"] as? [String])
    #expect(
      warnings.contains { $0.hasPrefix("gyroscope: 1 sample far beyond its noise excluded, the first at 123.45 s") })
    let sensors = try #require(document["sensors"] as? [[String: Any]])
    #expect(sensors[0]["outlyingSamples"] as? Int == 1 && sensors[0]["missingSamples"] as? Int == 1)
    #expect(sensors[1]["outlyingSamples"] as? Int == 0)
    let terms = try #require((sensors[0]["axes"] as? [[String: Any]])?[0]["terms"] as? [[String: Any]])
    #expect(abs(try #require(terms[1]["value"] as? Double) - 1e-4) < 5e-6)
  }

  @Test("results are plotted, and a figure name without a known format is rejected")
  func plots() throws {
    try runner.simulate("rest", to: "rest", "--duration", "60", "--sensors", "research-imu")
    try runner.simulate("poses", to: "poses", "--seed", "4")
    for (arguments, words) in [
      (["allan", "rest/log.csv", "--plot", "allan.svg"], ["Averaging time (s)", "Gyroscope (rad/s)"]),
      (["calibrate", "poses/log.csv", "--plot", "poses.svg", "--width", "120"], ["Still pose", "Gravity (g)"]),
    ] {
      try runner.check(arguments, output: "\(arguments[3]) is written")
      for word in words { #expect(try runner.read(arguments[3]).contains(word)) }
      // Existing files are kept, unless --force is given.
      try runner.check(arguments, status: 2)
      try runner.check(arguments + ["--force"])
    }
    try runner.check(
      ["allan", "rest/log.csv", "--plot", "allan.gif"], status: 2, errors: "--plot takes a name that ends in")
  }

  @Test("a simulated device is calibrated; its calibration corrects its logs, and is reported for another device's log")
  func calibrate() throws {
    try runner.simulate("poses", to: "poses", "--duration", "118", "--sensors", "mpu-9250", "--seed", "4")
    let document = try runner.document(
      "calibrate", "poses/log.csv", "-o", "calibration.json", "-o", "imu.yaml", "--device", "left")
    let poses = try #require(document["poses"] as? Int)
    #expect(poses >= 20)
    let quality = try #require(document["quality"] as? [String: Double])
    let (residual, raw) = (try #require(quality["residual"]), try #require(quality["rawResidual"]))
    #expect(try residual < 0.001 && raw > 0.02 && runner.read("imu.yaml").contains("model: scale-misalignment"))
    try runner.check("calibrate", "poses/log.csv", "--compare", "calibration.json", output: "The calibrations agree")

    // Another log of the same device, with and without the calibration.
    try runner.simulate("tumbling", to: "tumble", "--duration", "40", "--sensors", "mpu-9250", "--seed", "5")
    func tilt(_ more: String...) throws -> Double {
      let arguments = [
        "evaluate", "tumble/log.csv", "--reference", "tumble/truth.csv", "--reference-frame", "nwu", "--filters", "vqf",
        "--frame", "xArbitraryZVertical", "--no-cost", "--json",
      ]
      let rows = try #require(try runner.check(arguments + more).json()["rows"] as? [[String: Any]])
      return try #require(rows.first?["inclination"] as? Double)
    }
    let (before, after) = (try tilt(), try tilt("--calibration", "calibration.json"))
    #expect(after < 0.5 * before, "\(before) \(after)")
    let fused = try runner.check(
      "fuse", "tumble/log.csv", "-o", "out.csv", "--metadata", "--calibration", "calibration.json", "--frame",
      "xArbitraryZVertical")
    #expect(!fused.errors.contains("another device"))
    try runner.simulate("rest", to: "rest", "--duration", "10", "--sensors", "research-imu")
    try runner.check(
      "fuse", "rest/log.csv", "--calibration", "calibration.json",
      errors: "the calibration of 'left' seems to belong to another device")

    // The calibration file of a script is accepted.
    let written = Data(try runner.read("calibration.json").utf8)
    var options = LogOptions()
    options.calibrate(by: try JSONDecoder().decode(DeviceCalibration.self, from: written))
    var fusion = FusionOptions()
    (fusion.log, fusion.motion.frame) = (options, .xArbitraryZVertical)
    let (log, own) = (runner.path("tumble/log.csv"), runner.path("own.csv"))
    _ = try FusionJob(input: log, output: own, options: fusion).run()
    #expect(try runner.read("own.csv") == runner.read("out.csv"))
  }

  @Test("a log without rest has no bias estimate, and a log in another unit is rejected")
  func unfitLogs() throws {
    for scenario in ["circle", "walk", "car"] {
      try runner.simulate(scenario, to: scenario, "--duration", "60", "--sensors", "phone", "--seed", "3")
      let result = try runner.run("calibrate", "\(scenario)/log.csv")
      #expect((result.output + result.errors).contains("the device was never at rest"), "\(scenario): \(result.output)")
    }
    // g read as m/s², and m/s² read as g.
    try runner.simulate("poses", to: "poses", "--duration", "38", "--seed", "4", "--set", "count=8")
    try runner.check(
      "calibrate", "poses/log.csv", "--acceleration-unit", "m/s2", status: 1, errors: "add --acceleration-unit g")
    let rows = try runner.table("poses/log.csv")
    let columns = rows[0].indices.filter { rows[0][$0].hasPrefix("acceleration") }
    #expect(columns.count == 3)
    let metric = rows.enumerated().map { index, row in
      row.enumerated().map { column, cell in
        index > 0 && columns.contains(column) ? Double(cell).map { "\(9.80665 * $0)" } ?? "" : String(cell)
      }.joined(separator: ",")
    }
    try runner.write(metric.joined(separator: "\n") + "\n", to: "metric.csv")
    try runner.check("calibrate", "metric.csv", status: 1, errors: "add --acceleration-unit m/s2")
  }

  @Test("a constant rotation without a magnetic field is reported as similar to a bias")
  func steadyTurn() throws {
    let rows = (0..<1500).map { index -> String in
      let jitter = Double((index * 7919) % 101 - 50) * 2e-5
      return "\(0.01 * Double(index)),\(jitter),\(-jitter),\(-1 + jitter),\(jitter),\(0.3 + jitter),\(-jitter)"
    }
    let header = CanonicalLog.motionHeader
    try runner.write(header + rows.joined(separator: "\n") + "\n", to: "turning.csv")
    let result = try runner.run("calibrate", "turning.csv")
    #expect(result.output.contains("a constant rotation looks the same"), "\(result.output) \(result.errors)")
    let still = rows.map { $0.replacing(",0.3", with: ",0.0") }
    try runner.write(header + still.joined(separator: "\n") + "\n", to: "still.csv")
    #expect(!(try runner.run("calibrate", "still.csv").output.contains("a constant rotation")))
  }

  @Test("two sessions of one device agree, and a changed bias is reported as a bias")
  func compareSessions() throws {
    for (name, seed, count) in [("a", "1", "24"), ("b", "501", "24"), ("few", "502", "2")] {
      let duration = "\(5 * Int(count)! - 2)"
      try runner.simulate(
        "poses", to: name, "--duration", duration, "--sensors", "phone", "--seed", seed, "--set", "count=\(count)")
      try runner.check("calibrate", "\(name)/log.csv", "-o", "\(name).json")
    }
    for name in ["b", "few"] {
      let result = try runner.run("calibrate", "\(name)/log.csv", "--compare", "a.json")
      #expect(result.output.contains("The calibrations agree"), "\(result.output)")
    }
    let text = try runner.read("a.json")
    let bias = try #require(try JSONDecoder().decode(DeviceCalibration.self, from: Data(text.utf8))[.gyroscope]).bias.x
    try runner.write(text.replacing("\(bias)", with: "\(bias + 0.01)"), to: "moved.json")
    let result = try runner.run("calibrate", "a/log.csv", "--compare", "moved.json")
    #expect(
      result.output.contains("The calibrations agree") && result.output.contains("changed, as is normal"),
      "\(result.output)")
    // Another device.
    try runner.simulate("poses", to: "c", "--duration", "118", "--sensors", "mpu-9250", "--seed", "4")
    #expect(try runner.run("calibrate", "c/log.csv", "--compare", "a.json").output.contains("another device"))
  }

  @Test("an unusable settings file is reported in one line, with the command that creates it")
  func badInput() throws {
    try runner.simulate("rest", to: "rest", "--duration", "2")
    try runner.write("{}", to: "empty.json")
    try runner.write("time,", to: "text.json")
    try runner.write("[1]", to: "list.json")
    for (option, file, command, problem) in [
      ("--calibration", "empty.json", "inertial calibrate", "is not in the format inertial-calibration"),
      ("--noise", "text.json", "inertial allan", "is not JSON"),
      ("--calibration", "list.json", "inertial calibrate", "has an invalid value"),
      ("--calibration", "nowhere.json", "inertial calibrate", "cannot be read"),
    ] { try runner.check("fuse", "rest/log.csv", option, file, status: 1, errors: file, command, problem, lines: 1) }
    for arguments in [
      ["allan", "rest/log.csv", "-o", "noise.txt"], ["allan", "rest/log.csv", "--times", "0"],
      ["allan", "rest/log.csv", "--deviations", "none"], ["calibrate", "rest/log.csv", "--gravity", "1"],
      ["allan", "rest/log.csv", "--json", "--csv"],
    ] { #expect(try runner.run(arguments).status == 2, "\(arguments)") }
    // An output never replaces an input.
    try runner.check("allan", "rest/log.csv", "-o", "rest/log.csv", "--force", status: 2, errors: "rest/log.csv")
    #expect(try runner.read("rest/log.csv").hasPrefix("time"))
    try runner.check("allan", "rest/log.csv", "--end", "0.2", status: 1, errors: "64 samples")
    // A log of a device at rest gives the gyroscope bias, and the missing parameters are listed.
    try runner.check(
      "calibrate", "rest/log.csv", output: "accelerometer not calibrated: 1 still poses found, at least 3 needed")
  }

  @Test("a sensor whose values never change is not calibrated")
  func frozen() throws {
    try runner.write(
      CanonicalLog.text(3000) { index, row in row[4] += 1e-4 * Double(index % 7) }, to: "frozen.csv")
    try runner.check(
      "calibrate", "frozen.csv", status: 1, errors: "the accelerometer's values never change", "--columns", lines: 1)
  }

  @Test("a log with a gap of years is calibrated as one with a gap of minutes", arguments: [3.2e8, 1e9, 1e12])
  func years(_ gap: Double) throws {
    func log(_ gap: Double) -> String {
      CanonicalLog.text(3000) { index, row in
        row[0] += index < 1500 ? 0 : gap
        for column in 1...6 { row[column] += 1e-4 * Double((index * column) % 7) }
      }
    }
    try runner.write(log(gap), to: "years.csv")
    try runner.write(log(300), to: "minutes.csv")
    let end = try runner.shell("exec timeout 60 \"$@\"", ["calibrate", "years.csv", "-o", "years.json"])
    #expect(end.status == 0, "\(end.errors)")
    try runner.check("calibrate", "minutes.csv", "-o", "minutes.json")
    #expect(try runner.read("years.json").replacing("years", with: "minutes") == runner.read("minutes.json"))
  }
}
